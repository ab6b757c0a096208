"""Measuring time: pulses in a window, periods, captures, a stopwatch."""

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


@family("window_pulse_counter")
def window_pulse_counter(rng: random.Random) -> Design:
    """Counts high cycles of an input in successive windows of N clocks."""
    n = rng.choice((4, 5, 8, 8, 10, 16))
    d = Draft(rng, "timing", "freq_counter window_counter pulse_counter rate_meter gate_counter")
    w, c = d.bus((n - 1).bit_length()), d.bus(n.bit_length())
    event = d.input("event, sampled every clock", "pulse", "evt", "sig", "event_i", "hit")
    out = d.output("events in the last window", "count", "rate", "result", "total", bus=c, reg=True)
    valid = ""
    if rng.random() < 0.6:
        valid = d.output("new result", "valid", "ready", "done", "update", reg=True)
    timer = d.reg("timer", "win_cnt", "window", "gate_cnt", bus=w)
    acc = d.reg("acc", "events", "tally", "running", bus=c)
    last = f"{timer} == {w.lit(n - 1)}"
    end = f"{timer} <= {w.zero};\n{acc} <= {c.zero};\n{out} <= {acc} + {event};"
    go = f"{timer} <= {timer} + 1'b1;\n{acc} <= {acc} + {event};"
    flag = f"{valid} <= ({last});\n" if valid else ""
    reset = f"{timer} <= {w.zero};\n{acc} <= {c.zero};\n{out} <= {c.zero};"
    d.clocked(
        reset + (f"\n{valid} <= 1'b0;" if valid else ""), flag + chain((last, end), (None, go))
    )

    def step(s: State, i: Mapping[str, int]) -> Outputs:
        s["t"], s["a"] = s["t"] + 1, s["a"] + i[event]
        full = s["t"] == n
        if full:
            s["q"], s["t"], s["a"] = s["a"], 0, 0
        return {out: s["q"], valid: int(full)} if valid else {out: s["q"]}

    return d.finish(
        "window_pulse_counter",
        {"n": n, "valid": bool(valid)},
        lambda: Machine({"t": 0, "a": 0, "q": 0}, step),
        (
            f"a counter of events per window of {n} clocks",
            f"a rate meter with a gate time of {n} clock cycles",
            f"a frequency counter measuring over {n} clocks",
            f"a windowed pulse counter, {n} cycles a window",
        ),
        facts(
            (
                f"Time is divided into windows of {n} clock edges, the first beginning after "
                "reset; "
                f"the edges at which {event} is high are counted in each.",
                f"In back-to-back windows of {n} clocks, the samples with `{event}` = 1 are "
                "counted.",
                f"{event} is sampled at each of the {n} edges of a window and the ones are added "
                "up; "
                "windows follow one another without a gap.",
            ),
            (
                f"With the last edge of a window, its sample included, the total goes to {out}, "
                "which holds it until the end of the next window.",
                f"`{out}` is loaded with the total at the {n}th edge of each window (that sample "
                "counts) and keeps it for the next window.",
                f"At the end of each window {out} takes the count of that whole window, all {n} "
                "samples, and keeps it.",
            ),
            (
                f"{valid} is high for the one cycle after each update.",
                f"`{valid}` pulses for one clock, starting with the edge that loads `{out}`.",
                f"A new result is marked by a single-cycle {valid}.",
            )
            if valid
            else None,
        ),
    )


@family("period_meter")
def period_meter(rng: random.Random) -> Design:
    """Number of clocks between rising edges, saturating."""
    width = rng.choice((3, 4, 4, 5))
    d = Draft(rng, "timing", "period_meter period_counter tacho edge_interval cycle_meter")
    w = d.bus(width)
    sig = d.input("signal to measure", "sig", "din", "tach", "wave", "sensor", "x")
    out = d.output("last period in clocks", "period", "result", "ticks", "width_o", bus=w, reg=True)
    old = d.reg("prev", "sig_q", "last", "sig_d")
    count = d.reg("cnt", "count", "timer", "elapsed", bus=w)
    rise = d.wire("rise", "edge_det", "start", "new_period")
    d.add(f"assign {rise} = {sig} & ~{old};")
    body = f"{old} <= {sig};\n" + chain(
        (rise, f"{out} <= {count};\n{count} <= {w.lit(1)};"),
        (f"{count} != {w.ones}", f"{count} <= {count} + 1'b1;"),
    )
    d.clocked(f"{old} <= 1'b0;\n{count} <= {w.zero};\n{out} <= {w.zero};", body)

    def step(s: State, i: Mapping[str, int]) -> Outputs:
        if i[sig] and not s["old"]:
            s["q"], s["n"] = s["n"], 1
        else:
            s["n"] = min(w.top, s["n"] + 1)
        s["old"] = i[sig]
        return {out: s["q"]}

    return d.finish(
        "period_meter",
        {"width": width},
        lambda: Machine({"n": 0, "old": 0, "q": 0}, step),
        (
            f"a {width}-bit period meter",
            f"a circuit that measures the clocks between rising edges ({width} bits)",
            f"an interval counter for the period of a signal, {width} bits",
            f"a {width} bit tachometer counting clocks per period",
        ),
        facts(
            (
                f"A rising edge is a clock edge that samples {sig} as 1 where the one before "
                "sampled "
                "0 (0 is assumed after reset).",
                f"`{sig}` is sampled each clock; 1 after 0 is a rising edge, and the sample before "
                "the first counts as 0.",
                f"Rising edges of {sig} are found by comparing it with its previous sample, which "
                "reset clears.",
            ),
            (
                f"At a rising edge {out} takes the value of a counter, and the counter is set to "
                "1.",
                f"On each rising edge the count is stored in `{out}` and restarted at 1.",
                f"{out} is updated only at rising edges, with the count so far; the count then "
                "becomes 1.",
            ),
            (
                f"At all other clock edges the counter goes up by one and stops at {w.top}; it is "
                "0 "
                "after reset.",
                f"Otherwise it counts clocks, saturating at {w.top}, from 0 after reset.",
                f"Between rising edges each clock adds one, up to {w.top} at most (start value 0).",
            ),
        ),
    )


@family("input_capture")
def input_capture(rng: random.Random) -> Design:
    """Free-running timer whose value is captured on an event."""
    width = rng.choice((4, 6, 8, 8, 12, 16))
    d = Draft(rng, "timing", "input_capture timestamp ts_capture time_stamp capture_timer")
    w = d.bus(width, parameter=True)
    event = d.input("capture event", "event_i", "trig", "cap", "strobe", "stamp", "evt")
    show = rng.random() < 0.4
    now = (
        d.output("running time", "now", "time_o", "tcount", "timer", bus=w, reg=True)
        if show
        else ""
    )
    out = d.output("captured time", "stamp_o", "captured", "cap_val", "ts", bus=w, reg=True)
    flag = d.output("something was captured", "valid", "seen", "flag", "got", reg=True)
    count = now or d.reg("cnt", "count", "free_run", "t", bus=w)
    once = rng.random() < 0.4
    cond = f"{event} && !{flag}" if once else event
    body = f"{count} <= {count} + 1'b1;\n" + chain((cond, f"{out} <= {count};\n{flag} <= 1'b1;"))
    d.clocked(f"{count} <= {w.zero};\n{out} <= {w.zero};\n{flag} <= 1'b0;", body)

    def step(s: State, i: Mapping[str, int]) -> Outputs:
        if i[event] and not (once and s["v"]):
            s["q"], s["v"] = s["n"], 1
        s["n"] = (s["n"] + 1) & w.top
        result = {out: s["q"], flag: s["v"]}
        return {**result, now: s["n"]} if now else result

    which = "first" if once else "latest"
    return d.finish(
        "input_capture",
        {"width": width, "once": once, "show": show},
        lambda: Machine({"n": 0, "q": 0, "v": 0}, step),
        (
            f"a {width}-bit input capture unit keeping the {which} event",
            f"a time stamp unit, {width} bits, for the {which} event",
            f"a {width} bit free-running timer with capture of the {which} event",
            f"an event timer ({width} bits) recording when the {which} event came",
        ),
        facts(
            (
                f"A timer{f', shown on {now},' if now else ''} starts at 0 after reset and goes "
                "up by "
                f"one every clock, wrapping after {w.top}.",
                f"The {width}-bit time{f' `{now}`' if now else ''} counts clocks from 0 and wraps.",
                f"Time{f' ({now})' if now else ''} is a free-running count of clock edges, modulo "
                f"{w.top + 1}, from zero.",
            ),
            (
                f"When {event} is high at a clock edge, {out} takes the time as it is before that "
                f"edge and {flag} is set.",
                f"`{event}` copies the time (before it advances) to `{out}` and raises `{flag}`.",
                f"A clock edge with {event} = 1 stores the old timer value in {out} and makes "
                f"{flag} "
                "1.",
            ),
            (
                f"Only the first event is captured: with {flag} set further ones are ignored until "
                "reset.",
                f"Once `{flag}` is 1, `{out}` no longer changes; only reset clears it.",
                f"Later events have no effect, since {flag} stays set.",
            )
            if once
            else (
                f"Every event overwrites {out}; {flag} stays set until reset.",
                f"`{out}` always holds the latest event's time, `{flag}` is never cleared but by "
                "reset.",
                "A later event replaces the earlier value.",
            ),
        ),
    )


@family("stopwatch")
def stopwatch(rng: random.Random) -> Design:
    """Minutes and seconds, with tick, run and clear."""
    d = Draft(rng, "timing", "stopwatch mmss_counter timer_mmss min_sec_counter clock_mmss")
    s_last, m_last = rng.choice((59, 59, 59, 9)), rng.choice((59, 59, 9, 99, 23))
    low_name, high_name = ("seconds", "minutes") if s_last == 59 else ("ones", "tens")
    sb, mb = Bus(s_last.bit_length()), Bus(m_last.bit_length())
    clr = d.maybe(0.7, "back to zero", "clr", "clear", "zero", "restart")
    run = d.maybe(0.6, "running", "run", "go", "start", "en")
    tick = d.input("one count per high cycle", "tick", "sec_tick", "tick_1s", "ce", "pulse")
    low_pool = ("sec", "seconds", "ss", "s_o") if s_last == 59 else ("ones", "lo", "units")
    high_pool = ("min", "minutes", "mm", "m_o") if s_last == 59 else ("upper", "hi", "tens")
    high = d.output(high_name, *high_pool, bus=mb, reg=True)
    low = d.output(low_name, *low_pool, bus=sb, reg=True)
    zero = f"{high} <= {mb.lit(0)};\n{low} <= {sb.lit(0)};"
    if rng.random() < 0.5:
        carry = chain(
            (f"{high} == {mb.lit(m_last)}", f"{high} <= {mb.lit(0)};"),
            (None, f"{high} <= {high} + 1'b1;"),
        )
    else:
        carry = f"{high} <= ({high} == {mb.lit(m_last)}) ? {mb.lit(0)} : {high} + 1'b1;"
    move = chain(
        (f"{low} == {sb.lit(s_last)}", f"{low} <= {sb.lit(0)};\n{carry}"),
        (None, f"{low} <= {low} + 1'b1;"),
    )
    d.clocked(zero, chain((clr, zero), (f"{run} && {tick}" if run else tick, move)))

    def step(s: State, i: Mapping[str, int]) -> Outputs:
        if i.get(clr):
            s["t"] = 0
        elif i.get(run, 1) and i[tick]:
            s["t"] = (s["t"] + 1) % ((s_last + 1) * (m_last + 1))
        above, below = divmod(s["t"], s_last + 1)
        return {high: above, low: below}

    gate = f"{run} and {tick} are" if run else f"{tick} is"
    design = d.finish(
        "stopwatch",
        {"low": s_last, "high": m_last, "clear": bool(clr), "run": bool(run)},
        lambda: Machine({"t": 0}, step),
        (
            f"a stopwatch counting {low_name} and {high_name}",
            f"a two-stage time counter, {low_name} 0 to {s_last} and {high_name} 0 to {m_last}",
            f"a cascaded counter of {low_name} (modulo {s_last + 1}) and {high_name} (modulo "
            f"{m_last + 1})",
            f"a timer showing {high_name} and {low_name} in binary",
        ),
        facts(
            (
                f"{low} goes up by one at each clock edge at which {gate} high.",
                f"`{low}` counts clock edges where {gate} 1.",
                f"A step of {low} is made when {gate} high, otherwise both values hold.",
            ),
            (
                f"After {s_last}, {low} returns to 0 and {high} goes up by one; {high} returns to "
                "0 "
                f"after {m_last}.",
                f"`{low}` runs from 0 to {s_last}; its wrap increments `{high}`, which runs from "
                "0 to "
                f"{m_last} and wraps too.",
                f"{low} counts modulo {s_last + 1} and carries into {high}, modulo {m_last + 1}.",
            ),
            (
                f"{clr} high sets both to 0 and has priority over counting.",
                f"`{clr}` is a synchronous clear of `{high}` and `{low}`; it wins over a step.",
                f"With {clr} = 1 both outputs become 0 at the clock edge, whatever else is high.",
            )
            if clr
            else None,
            ("The numbers are binary, not BCD.", f"{high} and {low} are plain binary.", ""),
        ),
    )
    return biased(design, {clr: 0.005, run: 0.97, tick: 0.97})
