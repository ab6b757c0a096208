"""Wave forms: a pulse after a delay, a blinking lamp."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..registry import family
from ._bias import biased
from ._phrases import facts
from ._seq import Bus, Draft, Machine, Outputs, State, chain

if TYPE_CHECKING:
    import random
    from collections.abc import Mapping

    from ..design import Design

__all__: list[str] = []

_EN = ("en", "enable", "run", "ce", "go", "active")
_CNT = ("cnt", "count", "timer", "counter", "ctr", "left")
_TRIG = ("trig", "start", "fire", "trigger", "go", "pulse_in")


@family("delayed_pulse")
def delayed_pulse(rng: random.Random) -> Design:
    """After a trigger: wait, then a pulse of fixed length."""
    wait, n = rng.choice((1, 2, 3, 4, 5, 8)), rng.choice((1, 2, 3, 4, 6))
    d = Draft(rng, "timing", "delayed_pulse pulse_delay trig_delay pulse_gen delay_pulse")
    trig = d.input("trigger", *_TRIG)
    out = d.output("delayed pulse", "out", "pulse", "q", "fire_o", "pulse_out")
    w = Bus((wait + n).bit_length())
    q = d.reg(*_CNT[:-1], "phase", bus=w)
    end = wait + n
    body = chain(
        (f"{q} != {w.lit(0)}", f"{q} <= ({q} == {w.lit(end)}) ? {w.lit(0)} : {q} + 1'b1;"),
        (trig, f"{q} <= {w.lit(1)};"),
    )
    d.clocked(f"{q} <= {w.lit(0)};", body)
    d.tail(f"assign {out} = ({q} > {w.lit(wait)});")

    def step(s: State, i: Mapping[str, int]) -> Outputs:
        if s["q"]:
            s["q"] = 0 if s["q"] == end else s["q"] + 1
        elif i[trig]:
            s["q"] = 1
        return {out: int(s["q"] > wait)}

    waits = f"{wait} clock cycle{'s' * (wait > 1)}"
    return biased(
        d.finish(
            "delayed_pulse",
            {"wait": wait, "length": n},
            lambda: Machine({"q": 0}, step),
            (
                f"a delayed pulse generator: wait {wait}, then {n} high",
                f"a pulse generator with a delay of {wait} and a length of {n} clocks",
                f"a trigger delay of {waits} followed by a pulse of {n}",
                f"a one-shot with a lead time of {wait} clocks and a width of {n}",
            ),
            facts(
                (
                    f"From the clock edge that sees {trig} high, {out} stays low for {waits} and "
                    "is "
                    f"then high for {n}.",
                    f"`{trig}` starts a sequence: {waits} low, then `{out}` high for {n}, counted "
                    "from the triggering edge.",
                    f"The edge that samples {trig} begins a wait of {waits}, after which {out} is "
                    "1 "
                    f"for {n} clock{'s' * (n > 1)}.",
                ),
                (
                    f"During the sequence (wait and pulse) {trig} is ignored, the edge that ends "
                    "the pulse included.",
                    f"No new trigger is taken before the pulse has ended; `{trig}` at the very "
                    "edge "
                    "where it ends is ignored too.",
                    f"{trig} is looked at again from the first edge after the one that ends the "
                    "pulse.",
                ),
                (f"When idle {out} is 0.", f"Otherwise {out} is low.", ""),
            ),
        ),
        {trig: 0.25},
    )


def _wrap(q: str, last: str, zero: str) -> str:
    return chain((f"{q} == {last}", f"{q} <= {zero};"), (None, f"{q} <= {q} + 1'b1;"))


@family("blinker")
def blinker(rng: random.Random) -> Design:
    """Output that is on for A ticks and off for B ticks while enabled."""
    on, off = rng.choice((1, 2, 3, 4, 5, 6, 8)), rng.choice((1, 2, 3, 4, 5, 6, 8, 10))
    d = Draft(rng, "timing", "blinker led_blink flasher blink beacon indicator")
    en = d.input("blink enable", "en", "enable", "on", "blink_en", "run", "active")
    tick = d.maybe(0.4, "time base, one step per high cycle", "tick", "ce", "tick_ms", "strobe")
    w = Bus(max(1, (on + off - 1).bit_length()))
    out = d.output("lamp", "led", "lamp", "light", "blink_o", "out")
    q = d.reg(*_CNT, "phase", bus=w)
    move = _wrap(q, w.lit(on + off - 1), w.lit(0))
    d.clocked(f"{q} <= {w.lit(0)};", chain((f"!{en}", f"{q} <= {w.lit(0)};"), (tick or None, move)))
    d.tail(f"assign {out} = {en} && ({q} < {w.lit(on)});")

    def step(s: State, i: Mapping[str, int]) -> Outputs:
        s["q"] = (s["q"] + i.get(tick, 1)) % (on + off) if i[en] else 0
        return {out: int(i[en] and s["q"] < on)}

    unit = f"cycle{{}} of {tick}" if tick else "clock cycle{}"
    on_text, off_text = unit.format("s" * (on > 1)), unit.format("s" * (off > 1))
    return d.finish(
        "blinker",
        {"on": on, "off": off, "tick": bool(tick)},
        lambda: Machine({"q": 0}, step),
        (
            f"a blinker, {on} on and {off} off",
            f"a lamp flasher with {on} steps on and {off} steps off",
            f"an LED blinker with an on time of {on} and an off time of {off}",
            f"a flashing indicator ({on} on, {off} off)",
        ),
        facts(
            (
                f"While {en} is high a phase counter runs from 0 to {on + off - 1} and wraps; "
                f"{out} "
                f"is on while it is less than {on}.",
                f"Enabled, `{out}` is 1 for phases 0 to {on - 1} and 0 for phases {on} to "
                f"{on + off - 1} of a repeating count that starts at 0.",
                f"With {en} = 1 a counter modulo {on + off} steps from 0, and {out} is high for "
                f"its first {on} value{'s' if on > 1 else ''}.",
            ),
            (
                f"The phase advances by one in each cycle with {tick} high.",
                f"`{tick}` steps the phase; without it the phase holds.",
                f"Only cycles with {tick} = 1 count, {on} {on_text} on and {off} {off_text} off.",
            )
            if tick
            else (
                "The phase advances by one each clock cycle.",
                f"It is on for {on} {on_text} and off for {off} {off_text}.",
                "Every clock makes a step.",
            ),
            (
                f"With {en} low, {out} is off at once and the phase counter is cleared at the "
                "clock edge.",
                f"`{en}` = 0 forces `{out}` to 0 combinationally and zeroes the phase with the "
                "next edge.",
                f"Disabling ({en} low) gates {out} off and restarts the phase from 0.",
            ),
        ),
    )
