"""Supervision of time: watchdog, timeout, heartbeat."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..registry import family
from ._bias import biased
from ._phrases import facts
from ._seq import Draft, Machine, Outputs, State, chain

if TYPE_CHECKING:
    import random
    from collections.abc import Mapping

    from ..design import Design

__all__: list[str] = []

_CNT = ("cnt", "count", "timer", "counter", "ctr", "elapsed")


@family("watchdog")
def watchdog(rng: random.Random) -> Design:
    """Watchdog timer with a sticky or a one-cycle bark."""
    n = rng.choice((4, 5, 6, 8, 8, 10, 12, 16, 20))
    d = Draft(rng, "timing", "watchdog wdt watchdog_timer wd_timer dog_timer")
    w = d.bus(n.bit_length())
    kick = d.input("restart of the watchdog", "kick", "feed", "pet", "refresh", "wd_clr", "alive")
    en = d.maybe(0.4, "enable", "en", "enable", "wd_en", "arm")
    sticky = rng.random() < 0.65
    out, q = d.registered(
        "time has run out",
        ("bark", "timeout", "expired", "wd_rst", "alarm"),
        ("to_r", "bark_q", "hit_r"),
    )
    count = d.reg(*_CNT, bus=w)
    full = f"{count} == {w.lit(n - 1)}"
    clear = f"{count} <= {w.zero};"
    if sticky:
        fed = f"{clear}\n{q} <= 1'b0;"
        gate = f"{en} && !{q}" if en else f"!{q}"
        end = chain((full, f"{q} <= 1'b1;"), (None, f"{count} <= {count} + 1'b1;"))
        body = chain((kick, fed), (gate, end))
    else:
        end = chain((full, f"{clear}\n{q} <= 1'b1;"), (None, f"{count} <= {count} + 1'b1;"))
        body = f"{q} <= 1'b0;\n" + chain((kick, clear), (en or None, end))
        if not en:
            body = f"{q} <= 1'b0;\n" + chain(
                (kick, clear),
                (full, f"{clear}\n{q} <= 1'b1;"),
                (None, f"{count} <= {count} + 1'b1;"),
            )
    d.clocked(f"{clear}\n{q} <= 1'b0;", body)

    def step(s: State, i: Mapping[str, int]) -> Outputs:
        if not sticky:
            s["q"] = 0
        if i[kick]:
            s["n"], s["q"] = 0, 0
        elif i.get(en, 1) and not s["q"]:
            s["n"] += 1
            if s["n"] == n:
                s["n"], s["q"] = 0, 1
        return {out: s["q"]}

    design = d.finish(
        "watchdog",
        {"n": n, "sticky": sticky, "enable": bool(en)},
        lambda: Machine({"n": 0, "q": 0}, step),
        (
            f"a watchdog timer with a limit of {n} clocks",
            f"a watchdog that expires after {n} cycles without service",
            f"a supervision timer of {n} clock cycles",
            f"a dead-man timer: {n} clocks without a kick raise an alarm",
        ),
        facts(
            (
                f"A counter counts clock cycles without {kick}; the {n}th "
                f"{'counted ' if en else 'consecutive '}edge raises {out}.",
                f"`{out}` goes high at the {n}th {'counted ' if en else ''}clock edge in a row "
                "with "
                f"`{kick}` low.",
                f"If {n} {'counted ' if en else ''}clock edges pass without {kick}, {out} becomes "
                "1 "
                "at the last of them.",
            ),
            (
                f"{kick} high clears the counter{f' and {out}' if sticky else ''} at the clock "
                "edge; "
                "it has priority.",
                f"`{kick}` = 1 starts the time "
                f"anew{f' and takes {out} back to 0' if sticky else ''}.",
                f"A kick ({kick}) restarts counting from zero"
                f"{f' and clears {out}' if sticky else f', and {out} is then 0'}.",
            ),
            (
                f"Once high, {out} stays until {kick} or reset; no counting takes place meanwhile.",
                f"`{out}` is sticky: only `{kick}` or reset clears it, and then all {n} cycles are "
                "counted again.",
                f"{out} is held until the next {kick} (or reset).",
            )
            if sticky
            else (
                f"{out} is high for one cycle only and the count starts over from zero.",
                f"`{out}` is a single-cycle pulse; counting restarts at 0 with it.",
                f"The alarm lasts one clock, then the next {n} are counted.",
            ),
            (
                f"Cycles with {en} low are not counted; the count holds in them.",
                f"`{en}` enables counting; while it is 0 the count stands still"
                f"{'' if sticky else f' and {out} is 0'}.",
                f"Counting is suspended while {en} is low, and {kick} still works.",
            )
            if en
            else None,
        ),
    )
    return biased(design, {kick: 0.06})


@family("timeout_counter")
def timeout_counter(rng: random.Random) -> Design:
    """Waits for an acknowledge while a request is up and flags too long a wait."""
    n = rng.choice((4, 4, 5, 6, 8, 8, 10, 12, 15))
    d = Draft(rng, "timing", "timeout_counter bus_timeout wait_timer ack_timeout req_monitor")
    w = d.bus(n.bit_length())
    req = d.input("request", "req", "valid", "request", "cyc", "busy", "pending")
    ack = d.input("acknowledge", "ack", "ready", "done", "resp", "grant")
    out = d.output("waiting too long", "timeout", "err", "expired", "tout", "late")
    count = d.reg(*_CNT, bus=w)
    full = f"{count} == {w.lit(n)}"
    move = f"{count} <= {count} + 1'b1;"
    d.clocked(
        f"{count} <= {w.zero};",
        chain(
            (d.one_of(f"!{req} || {ack}", f"~{req} | {ack}"), f"{count} <= {w.zero};"),
            (f"{count} != {w.lit(n)}", move),
        ),
    )
    d.tail(f"assign {out} = ({full});")

    def step(s: State, i: Mapping[str, int]) -> Outputs:
        s["n"] = min(n, s["n"] + 1) if i[req] and not i[ack] else 0
        return {out: int(s["n"] == n)}

    design = d.finish(
        "timeout_counter",
        {"n": n},
        lambda: Machine({"n": 0}, step),
        (
            f"a timeout counter: {n} clocks from request to acknowledge",
            f"a bus timeout monitor with a limit of {n} cycles",
            f"a handshake watchdog that allows {n - 1} waiting cycles",
            f"a wait timer flagging requests unanswered for {n} clocks",
        ),
        facts(
            (
                f"Consecutive clock edges with {req} high and {ack} low are counted.",
                f"A counter advances at every edge where `{req}` = 1 and `{ack}` = 0.",
                f"It counts how long {req} waits for {ack}, in clock edges.",
            ),
            (
                f"{out} is high while the count is {n}, where it stops.",
                f"At {n} the count saturates, and `{out}` is 1 as long as it is there.",
                f"With the {n}th such edge {out} goes high and stays high while the wait goes on.",
            ),
            (
                f"An edge with {req} low or {ack} high clears the count, and so {out}.",
                f"`{ack}` or the end of `{req}` brings the count back to zero.",
                f"As soon as {req} is 0 or {ack} is 1 at a clock edge, the count returns to 0 and "
                f"{out} falls.",
            ),
        ),
    )
    return biased(design, {req: 0.95, ack: 0.06})


@family("heartbeat_monitor")
def heartbeat_monitor(rng: random.Random) -> Design:
    """Checks that edges of a signal come neither too early nor too late."""
    high = rng.choice((6, 8, 10, 12))
    low = rng.choice((2, 3, 4))
    d = Draft(rng, "timing", "heartbeat_mon window_watchdog beat_check pulse_window interval_check")
    w = d.bus(high.bit_length())
    beat = d.input("one-cycle heartbeat", "beat", "pulse", "hb", "tick_in", "alive")
    early = d.output("beat came too early", "early", "too_fast", "fast", "err_early", reg=True)
    late = d.output("beat came too late", "late", "too_slow", "slow", "err_late", reg=True)
    count = d.reg(*_CNT, bus=w)
    clear = f"{count} <= {w.zero};"
    move = f"{count} <= {count} + 1'b1;"
    full = f"{count} == {w.lit(high - 1)}"
    body = chain(
        (beat, f"{clear}\n{early} <= ({count} < {w.lit(low - 1)});\n{late} <= 1'b0;"),
        (full, f"{clear}\n{early} <= 1'b0;\n{late} <= 1'b1;"),
        (None, f"{move}\n{early} <= 1'b0;\n{late} <= 1'b0;"),
    )
    if rng.random() < 0.5:
        pulses = f"{early} <= {beat} && ({count} < {w.lit(low - 1)});\n"
        pulses += f"{late} <= !{beat} && ({full});\n"
        body = pulses + chain((f"{beat} || {full}", clear), (None, move))
    d.clocked(f"{clear}\n{early} <= 1'b0;\n{late} <= 1'b0;", body)

    def step(s: State, i: Mapping[str, int]) -> Outputs:
        fast, slow = i[beat] and s["n"] < low - 1, not i[beat] and s["n"] == high - 1
        s["n"] = 0 if i[beat] or slow else s["n"] + 1
        return {early: int(fast), late: int(slow)}

    design = d.finish(
        "heartbeat_monitor",
        {"low": low, "high": high},
        lambda: Machine({"n": 0}, step),
        (
            f"a heartbeat monitor with a window of {low} to {high} clocks",
            f"a window watchdog: beats at least {low} and at most {high} clocks apart",
            f"an interval checker for pulses {low} to {high} clock cycles apart",
            f"a beat supervisor flagging intervals below {low} or above {high} clocks",
        ),
        facts(
            (
                f"A counter, 0 after reset, goes up by one at each clock edge without {beat} and "
                "is "
                f"cleared by {beat}.",
                f"The clocks since the last `{beat}` are counted from 0; `{beat}` clears the "
                "count.",
                f"{beat} sets an internal count to 0 and every other clock edge adds one.",
            ),
            (
                f"A {beat} that finds the count below {low - 1} gives a one-cycle pulse on {early} "
                f"(fewer than {low} clocks since the last).",
                f"`{early}` is registered and 1 for one cycle after a `{beat}` that arrived with "
                "the "
                f"count less than {low - 1}.",
                f"If the count is less than {low - 1} when {beat} comes, {early} pulses for one "
                "clock.",
            ),
            (
                f"An edge without {beat} at which the count is {high - 1} gives a one-cycle pulse "
                "on "
                f"{late} and clears the count.",
                f"`{late}` (registered, one cycle) is set when the count is {high - 1} and "
                f"`{beat}` "
                "is low; counting then starts again from 0.",
                f"When {beat} is still missing with the count at {high - 1}, {late} pulses and the "
                "count restarts at zero.",
            ),
        ),
    )
    return biased(design, {beat: 0.15})
