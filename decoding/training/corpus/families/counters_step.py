"""Counters in steps larger than one."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..registry import family
from ._phrases import facts, says_hold, says_priority
from ._seq import Draft, Machine, Outputs, State

if TYPE_CHECKING:
    import random
    from collections.abc import Mapping

    from ..design import Design

__all__: list[str] = []

_Q = ("q", "count", "cnt", "value", "count_o", "q_o", "cnt_out", "remaining")
_R = ("count_r", "cnt_q", "count_reg", "cnt_r", "counter", "ctr")


@family("step_counter")
def step_counter(rng: random.Random) -> Design:
    """Counter that adds a constant step."""
    d = Draft(
        rng,
        "counters",
        "step_counter stride_counter addr_counter skip_counter addr_gen stepper",
    )
    w = d.bus(rng.choice((4, 5, 6, 8, 8, 10, 12, 16)))
    size = rng.choice((2, 3, 4, 5, 7, 8))
    start = rng.choice((0, 0, rng.randrange(1, w.top)))
    down = rng.random() < 0.3
    clr = d.maybe(0.4, "back to the start value", "restart", "clr", "init", "clear", "rewind")
    en = d.maybe(0.7, "step enable", "en", "step", "next", "advance", "ce")
    out, q = d.registered("current value", ("q", "addr", "count", "value", "index"), _R, w)
    sign, verb = ("-", "decreases") if down else ("+", "increases")
    first = w.lit(start) if start else w.zero
    d.update(q, w, first, (clr, first), (en or None, f"{q} {sign} {w.lit(size)}"))

    def step(s: State, i: Mapping[str, int]) -> Outputs:
        if i.get(clr):
            s["q"] = start
        elif i.get(en, 1):
            s["q"] = (s["q"] + (-size if down else size)) & w.top
        return {out: s["q"]}

    width = w.width
    return d.finish(
        "step_counter",
        {
            "width": width,
            "step": size,
            "start": start,
            "down": down,
            "clear": bool(clr),
            "enable": bool(en),
        },
        lambda: Machine({"q": start}, step),
        (
            f"a {width}-bit counter that {verb} in steps of {size}",
            f"a {width} bit stride counter with step {sign}{size}",
            f"an address generator of {width} bits whose value {verb} by {size}",
            f"a counter of {width} bits counting {'down' if down else 'up'} by {size}",
        ),
        facts(
            (
                f"Each step {verb[:-1]}s {out} by {size}, modulo {w.top + 1}.",
                f"`{out}` changes by {sign}{size} per step and wraps within {width} bits.",
                f"The next value is {out} {sign} {size}, truncated to {width} bits.",
            ),
            says_hold(en, "the value")
            or (
                "A step is taken every clock cycle.",
                "It steps on each rising edge.",
                "There is no enable, every clock makes a step.",
            ),
            (
                f"{clr} brings it back to {start}.",
                f"With `{clr}` high the next value is {start}.",
                f"A high {clr} restarts the sequence at {start}.",
            )
            if clr
            else None,
            says_priority(clr, en),
            (
                f"The reset value is {start}.",
                f"It starts from {start} after reset.",
                f"Reset puts {out} at {start}.",
            )
            if start
            else None,
        ),
    )
