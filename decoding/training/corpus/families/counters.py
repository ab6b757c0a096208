"""Up/down counters."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..registry import family
from ._phrases import facts, says_clear, says_priority
from ._seq import Draft, Machine, Outputs, State, chain

if TYPE_CHECKING:
    import random
    from collections.abc import Mapping

    from ..design import Design

__all__: list[str] = []


@family("up_down_counter")
def up_down_counter(rng: random.Random) -> Design:
    """Counter with enable and direction, wrapping both ways."""
    d = Draft(rng, "counters", "updown_counter ud_counter counter_ud bidir_counter updown")
    w = d.bus(rng.choice((3, 4, 5, 6, 8, 10, 12, 16)), parameter=True)
    clr = d.maybe(0.2, "synchronous clear", "clr", "clear", "sclr", "restart")
    load = d.maybe(0.25, "load the counter", "load", "ld", "load_en", "set", "wr")
    data = d.input("value to load", "d", "data", "load_val", "din", "preset", bus=w) if load else ""
    en = d.maybe(0.8, "count enable", "en", "enable", "ce", "cnt_en", "count_en")
    up = d.input("direction, 1 counts up", "up", "dir", "up_down", "inc", "count_up", "updn")
    out, q = d.registered(
        "current count", ("q", "count", "cnt", "value", "q_o"), ("count_r", "cnt_q", "state"), w
    )
    flag = ""
    if rng.random() < 0.25:
        flag = d.output("count is zero", "zero", "is_zero", "empty", "at_zero")
        d.tail(f"assign {flag} = ({q} == {w.zero});")
    if rng.random() < 0.5:
        d.update(
            q,
            w,
            w.zero,
            (clr, w.zero),
            (load, data),
            (en or None, f"{up} ? {q} + 1'b1 : {q} - 1'b1"),
        )
    else:
        move = chain((up, f"{q} <= {q} + 1'b1;"), (None, f"{q} <= {q} - 1'b1;"))
        body = chain((clr, f"{q} <= {w.zero};"), (load, f"{q} <= {data};"), (en or None, move))
        d.clocked(f"{q} <= {w.zero};", body)

    def step(s: State, i: Mapping[str, int]) -> Outputs:
        if i.get(clr):
            s["q"] = 0
        elif i.get(load):
            s["q"] = i[data]
        elif i.get(en, 1):
            s["q"] = (s["q"] + (1 if i[up] else -1)) & w.top
        return {out: s["q"], flag: int(s["q"] == 0)} if flag else {out: s["q"]}

    width = w.width
    return d.finish(
        "up_down_counter",
        {
            "width": width,
            "enable": bool(en),
            "clear": bool(clr),
            "load": bool(load),
            "flag": bool(flag),
        },
        lambda: Machine({"q": 0}, step),
        (
            f"a {width}-bit up/down counter",
            f"an up-down counter, {width} bits wide",
            f"a {width} bit counter that can count in both directions",
            f"a bidirectional counter with {width} bits",
        ),
        facts(
            (
                f"When {en} is high the count changes by one on each rising clock edge, otherwise "
                "it holds.",
                f"`{en}` enables counting; with `{en}` low the value is kept.",
                f"It only counts while {en} = 1.",
            )
            if en
            else (
                "The count changes by one on each rising clock edge.",
                "It counts in every cycle.",
                "There is no enable: every clock makes a step.",
            ),
            (
                f"{up} selects the direction: 1 counts up, 0 counts down.",
                f"With `{up}` set it increments, with `{up}` clear it decrements.",
                f"Counts upwards if {up} is one and downwards if it is zero.",
            ),
            says_clear(clr, "the count"),
            (
                f"When {load} is high, {data} is loaded into the counter.",
                f"`{load}` copies `{data}` into `{out}` instead of counting.",
                f"A high {load} presets {out} to the value on {data}.",
            )
            if load
            else None,
            says_priority(clr, load, en),
            (
                f"{flag} is high while the count is 0.",
                f"`{flag}` flags {out} == 0 (combinational).",
                f"{flag} = 1 exactly when {out} is zero.",
            )
            if flag
            else None,
            (
                "The count wraps around in both directions.",
                f"Overflow and underflow wrap modulo {1 << width}.",
                "",
            ),
        ),
    )
