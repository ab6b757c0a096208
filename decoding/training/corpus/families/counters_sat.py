"""Counters that stop: at zero, at a bound, or when they are read."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..registry import family
from ._phrases import facts
from ._seq import Draft, Machine, Outputs, State, chain

if TYPE_CHECKING:
    import random
    from collections.abc import Mapping

    from ..design import Design

__all__: list[str] = []

_Q = ("q", "count", "cnt", "value", "count_o", "q_o", "cnt_out", "remaining")
_R = ("count_r", "cnt_q", "count_reg", "cnt_r", "counter", "ctr")


@family("down_counter")
def down_counter(rng: random.Random) -> Design:
    """Loadable down counter that stops at zero."""
    d = Draft(
        rng,
        "counters",
        "down_counter countdown dn_counter load_down_counter counter_down decrementer",
    )
    w = d.bus(rng.choice((3, 4, 4, 5, 6, 8, 8, 10, 12, 16)), parameter=True)
    load = d.input("load the start value", "load", "ld", "start", "set", "load_i", "wr")
    data = d.input("start value", "d", "data", "load_val", "din", "init", "preset", bus=w)
    en = d.maybe(0.6, "count enable", "en", "enable", "ce", "dec", "cnt_en", "run")
    out, q = d.registered("current count", _Q, _R, w)
    zero = ""
    if rng.random() < 0.75:
        zero = d.output("count is zero", "zero", "done", "expired", "is_zero", "empty", "idle")
        d.tail(f"assign {zero} = {d.one_of(f'({q} == {w.zero})', f'~|{q}', f'!(|{q})')};")
    some = d.one_of(f"{q} != {w.zero}", f"{q} > {w.zero}", f"|{q}")
    busy = f"{en} && {some}" if en and " " not in some else f"{en} && ({some})" if en else some
    d.update(q, w, w.zero, (load, data), (busy, f"{q} - 1'b1"))

    def step(s: State, i: Mapping[str, int]) -> Outputs:
        if i[load]:
            s["q"] = i[data]
        elif i.get(en, 1) and s["q"]:
            s["q"] -= 1
        return {out: s["q"], zero: int(s["q"] == 0)} if zero else {out: s["q"]}

    width = w.width
    return d.finish(
        "down_counter",
        {"width": width, "enable": bool(en), "flag": bool(zero)},
        lambda: Machine({"q": 0}, step),
        (
            f"a {width}-bit loadable down counter that stops at zero",
            f"a {width} bit countdown with parallel load",
            f"a decrementing counter of {width} bits with load, not wrapping below zero",
            f"a presettable {width}-bit counter that counts down to 0 and stays there",
        ),
        facts(
            (
                f"A high {load} loads {data} into the counter.",
                f"`{load}` = 1 copies `{data}` to `{out}`.",
                f"When {load} is asserted the start value on {data} is taken over.",
            ),
            (
                f"Otherwise, with {en} high, the count goes down by one each cycle.",
                f"When not loading, it decrements by one in each cycle in which {en} is 1 and "
                "holds when it is 0.",
                f"If `{en}` is set (and no load happens) one is subtracted; else the value holds.",
            )
            if en
            else (
                "Otherwise the count goes down by one each cycle.",
                "When not loading, it decrements once per clock.",
                "In all other cycles one is subtracted.",
            ),
            (
                "At zero it stops and does not wrap around.",
                "Once the count is 0 it remains 0 until the next load.",
                "It never underflows: zero is kept until something is loaded.",
            ),
            (
                f"{zero} is high while the count is zero.",
                f"`{zero}` flags {out} == 0.",
                f"{zero} = 1 exactly when {out} is 0 (combinational).",
            )
            if zero
            else None,
        ),
    )


@family("saturating_counter")
def saturating_counter(rng: random.Random) -> Design:
    """Up/down counter that sticks at both ends."""
    d = Draft(
        rng,
        "counters",
        "sat_counter saturating_counter clamp_counter bounded_counter satcnt confidence_counter",
    )
    w = d.bus(rng.choice((2, 2, 3, 4, 4, 5, 6, 8)))
    top = w.top if rng.random() < 0.6 else rng.randrange(w.top // 2 + 1, w.top + 1)
    up = d.input("count up", "up", "inc", "incr", "plus", "hit", "taken")
    down = d.input("count down", "down", "dec", "decr", "minus", "dn", "miss")
    start = rng.choice((0, 0, 0, top // 2))
    out, q = d.registered("current count", _Q[:-1], _R, w)
    style = d.one_of("case", "chain", "chain2")
    inc, dec = f"{q} <= {q} + 1'b1;", f"{q} <= {q} - 1'b1;"
    if style == "case":
        body = (
            f"case ({{{up}, {down}}})\n    2'b10: if ({q} != {w.lit(top)}) {inc}\n"
            f"    2'b01: if ({q} != {w.lit(0)}) {dec}\n    default: {q} <= {q};\nendcase"
        )
    elif style == "chain":
        body = chain(
            (f"{up} && !{down} && {q} < {w.lit(top)}", inc),
            (f"{down} && !{up} && {q} > {w.lit(0)}", dec),
        )
    else:
        body = chain(
            (f"{up} & ~{down}", chain((f"{q} != {w.lit(top)}", inc))),
            (f"{down} & ~{up}", chain((f"{q} != {w.lit(0)}", dec))),
        )
    d.clocked(f"{q} <= {w.lit(start) if start else w.zero};", body)

    def step(s: State, i: Mapping[str, int]) -> Outputs:
        s["q"] = min(top, max(0, s["q"] + i[up] - i[down]))
        return {out: s["q"]}

    width = w.width
    return d.finish(
        "saturating_counter",
        {"width": width, "top": top, "start": start},
        lambda: Machine({"q": start}, step),
        (
            f"a {width}-bit saturating up/down counter",
            f"a {width} bit counter that saturates at 0 and {top}",
            f"a bounded up-down counter between 0 and {top}",
            f"a clamping {width}-bit increment/decrement counter",
        ),
        facts(
            (
                f"{up} adds one and {down} subtracts one.",
                f"A cycle with `{up}` increments, a cycle with `{down}` decrements.",
                f"The count moves up on {up} and down on {down}.",
            ),
            (
                f"It saturates: at {top} further increments, and at 0 further decrements, do "
                "nothing.",
                f"The count never leaves the range 0 to {top}; it sticks at either end.",
                f"No wrap-around: the maximum is {top}, the minimum 0.",
            ),
            (
                "With both or neither high the count holds.",
                f"If {up} and {down} are equal, nothing changes.",
                f"{up} and {down} together cancel out.",
            ),
            (
                f"The reset value is {start}.",
                f"After reset {out} is {start}.",
                f"Reset brings the count to {start}.",
            )
            if start
            else None,
        ),
    )


@family("event_counter")
def event_counter(rng: random.Random) -> Design:
    """Event counter that is cleared by reading and sticks at its maximum or wraps."""
    d = Draft(
        rng,
        "counters",
        "event_counter evt_counter stat_counter hit_counter perf_counter clear_on_read",
    )
    w = d.bus(rng.choice((3, 4, 4, 6, 8, 8, 12, 16)), parameter=True)
    event = d.input("event to count", "event_i", "evt", "pulse", "hit", "ev", "strobe")
    read = d.input("read strobe, clears the count", "read", "rd", "rd_en", "rd_stb", "pop")
    sticky = rng.random() < 0.5
    keep = rng.random() < 0.6
    out, q = d.registered("number of events", (*_Q[:-1], "events"), _R, w)
    one = (
        f"{{{{{w.msb}{{1'b0}}}}, {event}}}" if not w.name else f"{{{{({w.msb}){{1'b0}}}}, {event}}}"
    )
    again = one if keep else w.zero
    tally = f"{event} && {q} != {w.ones}" if sticky else event
    d.update(q, w, w.zero, (read, again), (tally, f"{q} + 1'b1"))

    def step(s: State, i: Mapping[str, int]) -> Outputs:
        if i[read]:
            s["q"] = i[event] if keep else 0
        elif i[event]:
            s["q"] = min(w.top, s["q"] + 1) if sticky else (s["q"] + 1) & w.top
        return {out: s["q"]}

    width = w.width
    return d.finish(
        "event_counter",
        {"width": width, "sticky": sticky, "keep": keep},
        lambda: Machine({"q": 0}, step),
        (
            f"a {width}-bit event counter with clear on read",
            f"a read-to-clear statistics counter, {width} bits",
            f"a {width}-bit counter of events that is emptied when read",
            f"a performance counter of {width} bits with clear-on-read",
        ),
        facts(
            (
                f"Each cycle with {event} high adds one to {out}.",
                f"`{out}` counts the clock cycles in which `{event}` is 1.",
                f"{event} is sampled every clock; a 1 increments the count.",
            ),
            (
                f"A high {read} restarts the count: the next value is 1 if {event} is high in the "
                "same cycle and 0 if not.",
                f"On `{read}` the count becomes `{event}` (0 or 1), so that no event is lost.",
                f"Reading ({read} = 1) clears the count, but an event in that very cycle is "
                "counted, leaving 1.",
            )
            if keep
            else (
                f"A high {read} sets the count to 0, and an event in that cycle is dropped.",
                f"On `{read}` the count is cleared, whatever `{event}` is.",
                f"Reading ({read} = 1) zeroes the count and takes precedence over {event}.",
            ),
            (
                f"The count saturates at {w.top}.",
                f"At {w.top} it sticks until it is read.",
                "It stops at its maximum instead of overflowing.",
            )
            if sticky
            else (
                f"After {w.top} it wraps to 0.",
                "On overflow the count starts again from zero.",
                f"It wraps modulo {w.top + 1}.",
            ),
        ),
    )
