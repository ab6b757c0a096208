"""Periodic signals: ticks and divided clocks."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..registry import family
from ._phrases import facts, says_hold
from ._seq import Draft, Machine, Outputs, State, chain

if TYPE_CHECKING:
    import random
    from collections.abc import Mapping

    from ..design import Design

__all__: list[str] = []

_EN = ("en", "enable", "run", "ce", "go", "active")
_CNT = ("cnt", "count", "div_cnt", "counter", "ctr", "prescaler")


def _wrap(q: str, last: str, zero: str) -> str:
    return chain((f"{q} == {last}", f"{q} <= {zero};"), (None, f"{q} <= {q} + 1'b1;"))


@family("tick_generator")
def tick_generator(rng: random.Random) -> Design:
    """One-cycle tick every N clocks."""
    n = rng.choice((2, 3, 4, 5, 6, 7, 8, 10, 10, 12, 16, 20, 25, 32, 50, 64, 100))
    d = Draft(
        rng, "timing", "tick_gen clk_en_gen prescaler strobe_gen baud_tick timebase enable_gen"
    )
    w = d.bus((n - 1).bit_length())
    en = d.maybe(0.45, "enable", *_EN)
    registered = rng.random() < 0.5
    pool = ("tick", "strobe", "pulse", "clk_en", "ce_out", "tick_o", "tc")
    last = w.lit(n - 1)
    if rng.random() < 0.4:
        name = d.n.pick("LAST", "MAX", "TERMINAL", "TOP")
        d.declare(f"localparam {w.span + ' ' if w.span else ''}{name} = {last};")
        last = name
    if registered:
        out, t = d.registered("one-cycle tick", pool, ("tick_r", "pulse_r", "t_q"))
        q = d.reg(*_CNT, bus=w)
        if en:
            body = f"{t} <= {en} && ({q} == {last});\n" + chain((en, _wrap(q, last, w.zero)))
        elif rng.random() < 0.5:
            body = f"{t} <= ({q} == {last});\n" + _wrap(q, last, w.zero)
        else:
            body = chain(
                (f"{q} == {last}", f"{q} <= {w.zero};\n{t} <= 1'b1;"),
                (None, f"{q} <= {q} + 1'b1;\n{t} <= 1'b0;"),
            )
        d.clocked(f"{q} <= {w.zero};\n{t} <= 1'b0;", body)
    else:
        out = d.output("one-cycle tick", *pool)
        q = d.reg(*_CNT, bus=w)
        d.clocked(f"{q} <= {w.zero};", chain((en or None, _wrap(q, last, w.zero))))
        d.tail(f"assign {out} = {f'{en} && ' if en else ''}({q} == {last});")

    def step(s: State, i: Mapping[str, int]) -> Outputs:
        on = i.get(en, 1)
        before = s["q"]
        s["q"] = (s["q"] + on) % n
        return {out: int(on and (before if registered else s["q"]) == n - 1)}

    cycles = f"{n} cycles in which {en} is high" if en else f"{n} clock cycles"
    gate = f" and {en} is high" if en else ""
    return d.finish(
        "tick_generator",
        {"n": n, "enable": bool(en), "registered": registered},
        lambda: Machine({"q": 0}, step),
        (
            f"a tick generator: one pulse every {n} clocks",
            f"a clock-enable generator dividing by {n}",
            f"a prescaler by {n} with a one-cycle output strobe",
            f"a periodic strobe with a period of {n} clock cycles",
            f"a divide-by-{n} timebase giving single-cycle ticks",
        ),
        facts(
            (
                f"{out} is high for one clock cycle in every {cycles}.",
                f"`{out}` pulses once per {cycles}.",
                f"A single-cycle pulse appears on {out} with a period of {cycles}.",
            ),
            (
                f"A counter runs from 0 (its reset value) to {n - 1} and wraps; {out} is "
                "registered "
                f"and set by the clock edge at which the count is {n - 1}{gate}, otherwise "
                "cleared.",
                f"`{out}` is a flip-flop: it becomes 1 at the edge that takes the internal count "
                f"from {n - 1} back to 0 and 0 at all others; the count starts at 0.",
                f"Starting from 0, the count goes up to {n - 1} and back to 0, and the edge of "
                "that "
                f"wrap raises {out} for one cycle.",
            )
            if registered
            else (
                f"A counter runs from 0 (its reset value) to {n - 1} and wraps; {out} is high "
                f"while the count is {n - 1}{gate}.",
                f"`{out}` decodes the internal count (0 to {n - 1}, starting at 0) "
                "combinationally: "
                f"1 when it equals {n - 1}{gate}.",
                f"The tick is the combinational decode of the last count, {n - 1}{gate}; counting "
                "starts at 0 after reset.",
            ),
            (
                f"While {en} is low the count holds and {out} is 0 after the next edge.",
                f"With `{en}` = 0 counting stops and the flip-flop of `{out}` is cleared.",
                f"{en} low freezes the count and gives no tick.",
            )
            if en and registered
            else (
                f"While {en} is low the count holds and {out} is 0.",
                f"`{en}` = 0 stops the counter and gates the tick off.",
                f"Without {en} nothing is counted and there is no tick.",
            )
            if en
            else None,
        ),
    )


@family("clock_divider")
def clock_divider(rng: random.Random) -> Design:
    """Divided clock as a data output, even division with half duty or a given high time."""
    even = rng.random() < 0.65
    n = rng.choice((2, 4, 6, 8, 10, 12, 16, 16, 20, 32) if even else (3, 5, 7, 9, 10, 12, 6))
    high = n // 2 if even else rng.choice((1, n // 2, n // 2 + 1))
    d = Draft(rng, "timing", f"clk_div clock_divider div{n} clkdiv freq_div divider_{n}")
    pool = ("clk_out", "div", "clk_o", "divided", "q", "clk_div_o", "slow_clk")
    power = n & (n - 1) == 0
    if even and n == 2:
        out, t = d.registered("divided clock", pool, ("div_r", "tog", "clk_r"))
        d.clocked(f"{t} <= 1'b0;", f"{t} <= ~{t};")
    elif even and power and rng.random() < 0.5:
        w = d.bus((n - 1).bit_length())
        out = d.output("divided clock", *pool)
        q = d.reg(*_CNT, bus=w)
        d.clocked(f"{q} <= {w.zero};", f"{q} <= {q} + 1'b1;")
        d.tail(f"assign {out} = {q}[{w.msb}];")
    elif even:
        w = d.bus((n // 2 - 1).bit_length())
        out, t = d.registered("divided clock", pool, ("div_r", "tog", "clk_r"))
        q = d.reg(*_CNT, bus=w)
        body = chain(
            (f"{q} == {w.lit(n // 2 - 1)}", f"{q} <= {w.zero};\n{t} <= ~{t};"),
            (None, f"{q} <= {q} + 1'b1;"),
        )
        d.clocked(f"{q} <= {w.zero};\n{t} <= 1'b0;", body)
    else:
        w = d.bus((n - 1).bit_length())
        out = d.output("divided clock", *pool)
        q = d.reg(*_CNT, bus=w)
        d.clocked(f"{q} <= {w.zero};", _wrap(q, w.lit(n - 1), w.zero))
        d.tail(f"assign {out} = ({q} >= {w.lit(n - high)});")

    def step(s: State, _: Mapping[str, int]) -> Outputs:
        s["q"] = (s["q"] + 1) % n
        return {out: int(s["q"] >= n - high)}

    return d.finish(
        "clock_divider",
        {"n": n, "high": high},
        lambda: Machine({"q": 0}, step),
        (
            f"a clock divider by {n}",
            f"a divide-by-{n} frequency divider",
            f"a circuit that outputs the clock divided by {n}",
            f"a square-wave generator with a period of {n} clocks"
            if even
            else f"a periodic waveform generator with a period of {n} clocks",
        ),
        facts(
            (
                f"{out} is low for {n - high} clock cycle{'s' if n - high > 1 else ''} and then "
                f"high for {high}, over and over.",
                f"`{out}` has a period of {n} clocks: first {n - high} low, then {high} high.",
                f"Each period of {n} clocks starts with {out} = 0 for {n - high} and ends with "
                f"{out} = 1 for {high}.",
            ),
            ("The duty cycle is 50 %.", "It is a square wave.", "") if even else None,
            (
                f"Reset starts a period with {out} low; it first goes high at the "
                f"{_ordinal(n - high)} clock edge after reset.",
                f"After reset {out} is 0 and rises at clock edge number {n - high}.",
                f"Counting from reset, {out} goes to 1 at the {_ordinal(n - high)} edge.",
            ),
        ),
    )


def _ordinal(number: int) -> str:
    tail = {1: "st", 2: "nd", 3: "rd"}.get(number % 10, "th")
    return f"{number}{'th' if 10 < number % 100 < 14 else tail}"


@family("programmable_divider")
def programmable_divider(rng: random.Random) -> Design:
    """Tick with a period set by an input, through a down counter that reloads."""
    d = Draft(rng, "timing", "prog_div prog_tick rate_gen reload_timer baud_gen interval_timer")
    w = d.bus(rng.choice((3, 4, 4, 5, 6, 8)), parameter=True)
    en = d.maybe(0.5, "enable", *_EN)
    div = d.input("reload value, period minus one", "div", "reload", "period", "rate", "n", bus=w)
    out = d.output("one-cycle tick", "tick", "strobe", "pulse", "tc", "tick_o")
    q = d.reg(*_CNT, bus=w)
    empty = d.one_of(f"{q} == {w.zero}", f"~|{q}")
    gate = f"{en} && " if en else ""
    d.tail(f"assign {out} = {gate}({empty});")
    d.clocked(
        f"{q} <= {w.zero};",
        chain((en or None, chain((empty, f"{q} <= {div};"), (None, f"{q} <= {q} - 1'b1;")))),
    )

    def step(s: State, i: Mapping[str, int]) -> Outputs:
        if i.get(en, 1):
            s["q"] = s["q"] - 1 if s["q"] else i[div]
        return {out: int(s["q"] == 0 and i.get(en, 1) == 1)}

    return d.finish(
        "programmable_divider",
        {"width": w.width, "enable": bool(en)},
        lambda: Machine({"q": 0}, step),
        (
            f"a programmable tick generator with a {w.width}-bit period",
            f"an interval timer with a {w.width}-bit reload value",
            f"a programmable rate generator, {w.width} bits",
            f"a divider with a {w.width} bit programmable ratio and a one-cycle strobe",
        ),
        facts(
            (
                f"An internal counter counts down by one; when it is 0 it is reloaded from {div}, "
                f"so that the period is {div} + 1 {'enabled ' if en else ''}clocks.",
                f"A down counter is loaded with `{div}` at zero and otherwise decremented.",
                f"It counts from {div} down to 0 and starts again with the {div} of that moment.",
            ),
            (
                f"{out} is high while the counter is 0{f' and {en} is high' if en else ''} "
                "(combinational).",
                f"`{out}` = (counter == 0){f' and {en}' if en else ''}.",
                f"Zero on the counter{f', together with {en},' if en else ''} makes {out} 1; it is "
                "0 otherwise.",
            ),
            says_hold(en, "the counter"),
            (
                "The counter is 0 after reset.",
                f"Reset clears the counter, so the first {'enabled ' if en else ''}edge reloads "
                "it.",
                "The counter starts at zero.",
            ),
        ),
    )
