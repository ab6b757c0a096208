"""Pulses of a given length: PWM, stretcher, one-shot."""

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

_CNT = ("cnt", "count", "timer", "counter", "ctr", "left")
_TRIG = ("trig", "start", "fire", "trigger", "go", "pulse_in")


@family("pwm")
def pwm(rng: random.Random) -> Design:
    """Pulse width modulator with a duty input."""
    d = Draft(rng, "timing", "pwm pwm_gen pwm_out pulse_width_mod pwm_channel dimmer")
    width = rng.choice((2, 3, 4, 4, 5, 6, 8))
    period = (
        (1 << width) if rng.random() < 0.6 else rng.randrange((1 << (width - 1)) + 1, 1 << width)
    )
    w = d.bus(width, parameter=period == 1 << width)
    full = period == 1 << width
    en = d.maybe(0.3, "enable", "en", "enable", "run", "on")
    duty = d.input("high time in clocks", "duty", "level", "width_i", "compare", "duty_i", bus=w)
    registered = rng.random() < 0.5
    pool = ("pwm_o", "out", "pwm_out_o", "q", "drive", "led")
    less = f"{{q}} < {duty}" if rng.random() < 0.7 else f"{duty} > {{q}}"
    gate = f"{en} && " if en else ""
    if registered:
        out, t = d.registered("modulated output", pool, ("pwm_r", "out_r", "o_q"))
    else:
        out, t = d.output("modulated output", *pool), ""
    q = d.reg(*_CNT[:-1], "phase", bus=w)
    move = f"{q} <= {q} + 1'b1;"
    if not full:
        move = chain((f"{q} == {w.lit(period - 1)}", f"{q} <= {w.zero};"), (None, move))
    value = f"{gate}({less.format(q=q)})"
    if registered:
        d.clocked(f"{q} <= {w.zero};\n{t} <= 1'b0;", f"{t} <= {value};\n{move}")
    else:
        d.clocked(f"{q} <= {w.zero};", move)
        d.tail(f"assign {out} = {value};")

    def step(s: State, i: Mapping[str, int]) -> Outputs:
        before = s["q"]
        s["q"] = (before + 1) % period
        return {out: int(i.get(en, 1) and (before if registered else s["q"]) < i[duty])}

    return d.finish(
        "pwm",
        {"width": width, "period": period, "registered": registered, "enable": bool(en)},
        lambda: Machine({"q": 0}, step),
        (
            f"a PWM generator with a {width}-bit duty input",
            f"a pulse-width modulator, period {period} clocks, {width}-bit duty",
            f"a {width} bit PWM unit with a period of {period}",
            f"a pulse width modulation output with {width} bits of resolution",
        ),
        facts(
            (
                f"A counter runs freely from 0 to {period - 1} and wraps.",
                f"The period is {period} clocks, counted from 0 to {period - 1}.",
                f"An internal count 0, 1, …, {period - 1} repeats without end, starting at 0 after "
                "reset.",
            ),
            (
                f"{out} is registered: at each clock edge it becomes 1 if the count before the "
                f"edge is less than {duty}, else 0.",
                f"`{out}` is a flip-flop loaded with (count < `{duty}`), using the count before it "
                "advances.",
                f"The comparison count < {duty} is stored in {out}, one clock behind the count.",
            )
            if registered
            else (
                f"{out} is high while the count is less than {duty} (combinational).",
                f"`{out}` = (count < `{duty}`), without a register.",
                f"As long as the count is below {duty}, {out} is 1; otherwise it is 0.",
            ),
            (
                f"With {en} low the {'value stored' if registered else 'output'} is 0; the counter "
                "runs on.",
                f"`{en}` gates the comparison only{', before the register' * registered}; it does "
                "not stop the count.",
                f"{en} = 0 forces {'the next value of ' if registered else ''}{out} to 0 without "
                "touching the counter.",
            )
            if en
            else None,
            (
                f"A duty of 0 keeps {out} low all the time.",
                f"Duty {duty} gives {duty} high clocks in each period of {period}.",
                "",
            ),
        ),
    )


@family("pulse_stretcher")
def pulse_stretcher(rng: random.Random) -> Design:
    """Retriggerable stretcher: output stays high N cycles after the last trigger."""
    n = rng.choice((2, 3, 4, 4, 5, 6, 7, 8, 10, 12, 16))
    d = Draft(
        rng, "timing", "pulse_stretch stretcher pulse_extend extender retrig_timer hold_pulse"
    )
    trig = d.input("input pulse", *_TRIG)
    w = d.bus(n.bit_length())
    again = rng.random() < 0.6
    out = d.output("stretched pulse", "out", "q", "stretched", "pulse_out", "busy", "active")
    style = "count" if not again or n > 8 else d.one_of("count", "count", "shift")
    if style == "shift":
        q = d.reg("hist", "sr", "taps", "shreg", bus=Bus(n))
        inner = f"{q}[{n - 2}:0]" if n > 2 else f"{q}[0]"
        d.clocked(f"{q} <= {n}'b0;", f"{q} <= {{{inner}, {trig}}};")
        d.tail(f"assign {out} = |{q};")
    else:
        q = d.reg(*_CNT, bus=w)
        some = d.one_of(f"{q} != {w.zero}", f"{q} != {w.lit(0)}")
        load, dec = f"{q} <= {w.lit(n)};", f"{q} <= {q} - 1'b1;"
        body = chain((trig, load), (some, dec)) if again else chain((some, dec), (trig, load))
        d.clocked(f"{q} <= {w.zero};", body)
        d.tail(f"assign {out} = ({some});")

    def step(s: State, i: Mapping[str, int]) -> Outputs:
        if i[trig] and (again or s["q"] == 0):
            s["q"] = n
        elif s["q"]:
            s["q"] -= 1
        return {out: int(s["q"] > 0)}

    kind = "retriggerable" if again else "non-retriggerable"
    design = d.finish(
        "pulse_stretcher",
        {"n": n, "retrigger": again},
        lambda: Machine({"q": 0}, step),
        (
            f"a {kind} pulse stretcher to {n} clocks",
            f"a pulse extender ({kind}) with a length of {n} clock cycles",
            f"a {kind} monostable with a fixed output time of {n} clocks",
            f"a digital one-shot, {kind}, {n} clock cycles long",
        ),
        facts(
            (
                f"A clock edge that sees {trig} high raises {out}, which then stays high for {n} "
                f"clock cycles{' after the last such edge' if again else ''}.",
                f"`{trig}` = 1 at a clock edge makes `{out}` 1 for the {n} cycles that follow.",
                f"Triggered by {trig}, {out} goes high with that clock edge and falls {n} edges "
                "later.",
            ),
            (
                f"A {trig} while {out} is high starts the time over again.",
                f"Every edge with `{trig}` high restarts the full {n} cycles.",
                f"Further triggers extend the pulse: the {n} cycles count from the latest one.",
            )
            if again
            else (
                f"While {out} is high, {trig} is ignored; a new pulse can start only at an edge "
                f"at which {out} is low.",
                f"Triggers during the pulse have no effect, `{out}` must have fallen first.",
                f"{trig} counts only if {out} is 0 before the edge, so pulses are separated by at "
                "least one low cycle.",
            ),
        ),
    )
    return biased(design, {trig: 0.15})


@family("one_shot_timer")
def one_shot_timer(rng: random.Random) -> Design:
    """Timer started with a length: busy while it runs, done for a cycle at its end."""
    d = Draft(rng, "timing", "one_shot timer oneshot_timer delay_timer countdown_timer single_shot")
    w = d.bus(rng.choice((3, 3, 4, 4, 5)), parameter=True)
    start = d.input("start", *_TRIG[:-1], "load")
    length = d.input("time in clocks", "len", "length", "ticks", "duration", "period", bus=w)
    stop = d.maybe(0.4, "abort", "abort", "cancel", "stop", "kill")
    busy = d.output("timer is running", "busy", "running", "active", "pending")
    done, f = d.registered(
        "end of the time", ("done", "expired", "finish", "ready", "timeout"), ("done_r", "fin_q")
    )
    q = d.reg(*_CNT, bus=w)
    some = f"{q} != {w.zero}"
    clear = f"{q} <= {w.zero};"
    run = f"{q} <= {q} - 1'b1;\n{f} <= ({q} == {w.lit(1) if not w.name else 1});"
    body = f"{f} <= 1'b0;\n" + chain((stop, clear), (some, run), (start, f"{q} <= {length};"))
    d.clocked(f"{q} <= {w.zero};\n{f} <= 1'b0;", body)
    d.tail(f"assign {busy} = ({some});")

    def step(s: State, i: Mapping[str, int]) -> Outputs:
        s["done"] = int(s["q"] == 1 and not i.get(stop))
        if i.get(stop):
            s["q"] = 0
        elif s["q"]:
            s["q"] -= 1
        elif i[start]:
            s["q"] = i[length]
        return {busy: int(s["q"] > 0), done: s["done"]}

    design = d.finish(
        "one_shot_timer",
        {"width": w.width, "abort": bool(stop)},
        lambda: Machine({"q": 0, "done": 0}, step),
        (
            f"a one-shot timer with a {w.width}-bit length",
            f"a single-shot countdown timer ({w.width} bits)",
            f"a start-and-wait timer of {w.width} bits",
            f"a {w.width} bit timer that runs once per start",
        ),
        facts(
            (
                f"When idle, {start} loads a down counter with {length}; it then decrements each "
                f"clock to 0, and {busy} is high while it is not 0.",
                f"`{start}` begins a run of `{length}` clock cycles, during which `{busy}` is 1 "
                "(the "
                "counter is loaded, then counts down to zero).",
                f"{busy} goes high with the clock edge that sees {start} and stays high for "
                f"{length} cycles.",
            ),
            (
                f"{done} is a registered pulse of one cycle that begins with the edge at which "
                f"{busy} falls.",
                f"`{done}` is 1 for exactly the first cycle after the run (count going 1 to 0).",
                f"At the end of the time {done} is high for one clock, right as {busy} goes low.",
            ),
            (
                f"{start} is ignored while {busy} is high, and a {length} of 0 starts nothing.",
                f"A running timer cannot be restarted; length 0 has no effect and gives no {done}.",
                f"Starts during a run are dropped. With {length} = 0, {busy} and {done} stay low.",
            ),
            (
                f"{stop} high clears the counter at once at the clock edge, without {done}, and "
                "has the highest priority.",
                f"`{stop}` aborts: the count becomes 0 and no `{done}` is given, even if {start} "
                "is high too.",
                f"With {stop} the timer returns to idle and {done} is 0; it overrides counting "
                f"and {start}.",
            )
            if stop
            else None,
        ),
    )
    return biased(design, {start: 0.3, stop: 0.05})
