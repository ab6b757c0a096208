"""Registers that move or watch data: delay line, sample and hold and extremes."""

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

_D = ("d", "din", "data_in", "sample", "in", "x", "data", "d_i")
_EN = ("en", "enable", "ce", "valid", "vld", "in_valid", "strobe")
_CLR = ("clr", "clear", "restart", "start", "init", "sclr")


@family("delay_line")
def delay_line(rng: random.Random) -> Design:
    """Fixed delay of N clocks."""
    stages = rng.choice((2, 2, 3, 3, 4, 5, 6, 8))
    d = Draft(
        rng,
        "registers",
        f"delay_line delay{stages} pipe_delay pipeline_reg delay_n data_delay pipe",
        allow_none=True,
    )
    w = d.bus(rng.choice((1, 1, 2, 4, 8, 8, 12, 16)), parameter=True)
    en = d.maybe(0.35, "advance enable", "en", "enable", "ce", "advance", "step")
    data = d.input("data in", *_D, bus=w)
    q = d.output("delayed data", "q", "dout", "data_out", "y", "delayed", "d_o", bus=w)
    base = d.n.pick("stage", "pipe", "dly", "s", "d_r")
    style = d.one_of("vector", "regs") if w.width == 1 else d.one_of("array", "regs")
    if style == "vector":
        d.declare(f"reg [{stages - 1}:0] {base};")
        reset = f"{base} <= {stages}'b0;"
        body = f"{base} <= {{{base}[{stages - 2}:0], {data}}};"
        last = f"{base}[{stages - 1}]"
    elif stages == 2 or (style == "regs" and stages <= 5):
        cells = [f"{base}{k}" for k in range(1, stages + 1)]
        d.declare(f"reg {w.span + ' ' if w.span else ''}{', '.join(cells)};")
        reset = "\n".join(f"{c} <= {w.zero};" for c in cells)
        body = "\n".join(f"{c} <= {p};" for c, p in zip(cells, [data, *cells], strict=False))
        last = cells[-1]
    else:
        k = d.n.pick("i", "k", "n_i")
        d.declare(f"reg {w.span + ' ' if w.span else ''}{base} [0:{stages - 1}];")
        d.declare(f"integer {k};")
        loop = f"for ({k} = {{}}; {k} < {stages}; {k} = {k} + 1)\n    "
        reset = loop.format(0) + f"{base}[{k}] <= {w.zero};"
        body = f"{base}[0] <= {data};\n" + loop.format(1) + f"{base}[{k}] <= {base}[{k}-1];"
        last = f"{base}[{stages - 1}]"
    d.clocked(reset, chain((en or None, body)))
    d.tail(f"assign {q} = {last};")
    fill = stages if d.cr.reset else 0

    def step(s: State, i: Mapping[str, int]) -> Outputs:
        if i.get(en, 1):
            for k in range(stages - 1, 0, -1):
                s[str(k)] = s[str(k - 1)]
            s["0"] = i[data]
            s["filled"] += 1
        return {q: s[str(stages - 1)] if s["filled"] >= stages else None}

    width, zeros = w.width, {str(k): 0 for k in range(stages)}
    return d.finish(
        "delay_line",
        {"width": width, "stages": stages, "enable": bool(en)},
        lambda: Machine({**zeros, "filled": fill}, step),
        (
            f"a {stages}-stage delay line for {width}-bit data",
            f"a pipeline of {stages} registers, {width} bit{'s' if width > 1 else ''} wide",
            f"a fixed delay of {stages} clock cycles for a {width}-bit signal",
            f"a {stages}-deep register chain carrying {width}-bit values",
        ),
        facts(
            (
                f"{q} is {data} delayed by {stages} clock{'' if not en else 's with ' + en}"
                f"{' cycles' if not en else ' high'}.",
                f"What enters on `{data}` leaves on `{q}` {stages} "
                f"{'enabled ' if en else ''}clocks later.",
                f"The data moves through {stages} registers from {data} to {q}, one register per "
                f"{'enabled ' if en else ''}clock.",
            ),
            says_hold(en, "every stage"),
            ("All stages are cleared to zero by reset.", "Reset empties the chain (zeros).", "")
            if d.cr.reset
            else None,
        ),
    )


@family("sample_hold")
def sample_hold(rng: random.Random) -> Design:
    """Capture on a strobe, with a valid flag that is acknowledged."""
    d = Draft(rng, "registers", "sample_hold capture capture_reg snapshot latch_reg holding_reg")
    w = d.bus(rng.choice((2, 4, 8, 8, 10, 12, 16)), parameter=True)
    take = d.input("capture strobe", "sample", "capture", "strobe", "snap", "trig", "load")
    data = d.input("data in", "d", "din", "data", "adc", "value_in", bus=w)
    ack = d.input("acknowledge, clears the flag", "ack", "clr", "done", "rd", "consume", "clear")
    out, q = d.registered(
        "captured data", ("q", "held", "dout", "value", "captured"), ("q_r", "hold_r", "store"), w
    )
    valid, v = d.registered(
        "data has been captured", ("valid", "ready", "full", "have"), ("valid_r", "v_q", "has_data")
    )
    guard = rng.random() < 0.4
    win = "capture" if guard else rng.choice(("capture", "ack"))
    store = f"{q} <= {data};\n{v} <= 1'b1;"
    if guard:
        body = chain((f"{take} && !{v}", store), (ack, f"{v} <= 1'b0;"))
    elif win == "capture":
        body = chain((take, store), (ack, f"{v} <= 1'b0;"))
    else:
        body = (
            chain((take, f"{q} <= {data};"))
            + "\n"
            + chain((ack, f"{v} <= 1'b0;"), (take, f"{v} <= 1'b1;"))
        )
    d.clocked(f"{q} <= {w.zero};\n{v} <= 1'b0;", body)

    def step(s: State, i: Mapping[str, int]) -> Outputs:
        takes = i[take] and not (guard and s["v"])
        if takes:
            s["q"] = i[data]
        if win == "ack":
            s["v"] = 0 if i[ack] else 1 if takes else s["v"]
        else:
            s["v"] = 1 if takes else 0 if i[ack] else s["v"]
        return {out: s["q"], valid: s["v"]}

    width = w.width
    return d.finish(
        "sample_hold",
        {"width": width, "guard": guard, "win": win},
        lambda: Machine({"q": 0, "v": 0}, step),
        (
            f"a {width}-bit sample-and-hold register",
            f"a capture register of {width} bits with a valid flag",
            f"a {width} bit snapshot register",
            f"a holding register, {width} bits, with acknowledge",
        ),
        facts(
            (
                f"When {take} is high and {valid} is low, {data} is stored in {out} and {valid} "
                "is set.",
                f"`{take}` captures `{data}` and raises `{valid}`, but only while `{valid}` is 0.",
                f"A capture on {take} is possible only when {valid} is clear; it copies {data} to "
                f"{out} and sets {valid}.",
            )
            if guard
            else (
                f"When {take} is high, {data} is stored in {out} and {valid} is set.",
                f"`{take}` captures `{data}` into `{out}` and raises `{valid}`.",
                f"A high {take} copies {data} to {out} and marks it with {valid} = 1.",
            ),
            (
                f"{out} holds its value at all other times.",
                f"Without a capture `{out}` does not change.",
                "The captured value is kept until the next capture.",
            ),
            (
                f"{ack} clears {valid}, but not {out}.",
                f"`{ack}` = 1 takes `{valid}` back to 0; the data stays.",
                f"{valid} falls on {ack}, with {out} untouched.",
            ),
            (
                f"While {valid} is 1, {take} is ignored, even together with {ack}.",
                f"With {valid} high a simultaneous {take} and {ack} only clears {valid}.",
                f"{take} has no effect as long as {valid} is set, also in the cycle of {ack}.",
            )
            if guard
            else (
                f"If {take} and {ack} come together, {valid} is set.",
                f"A capture beats {ack}: {valid} ends up 1.",
                f"{take} overrides {ack} for {valid}.",
            )
            if win == "capture"
            else (
                f"If {take} and {ack} come together, the data is stored but {valid} is cleared.",
                f"{ack} beats {take} for {valid} (it ends up 0); {out} is still updated.",
                f"With both high, {out} takes {data} and {valid} becomes 0.",
            ),
        ),
    )


@family("extreme_tracker")
def extreme_tracker(rng: random.Random) -> Design:
    """Running maximum or minimum."""
    low = rng.random() < 0.45
    word = "min" if low else "max"
    names = f"{word}_tracker running_{word} {word}_hold {word}_finder peak_detect"
    d = Draft(rng, "registers", names.replace("peak_detect", "valley" if low else "peak_detect"))
    w = d.bus(rng.choice((4, 6, 8, 8, 10, 12, 16)), parameter=True)
    signed = rng.random() < 0.25 and not w.name
    clr = d.input("restart tracking", *_CLR)
    en = d.maybe(0.6, "sample valid", *_EN)
    data = d.input("two's complement sample" if signed else "sample", *_D[:-1], bus=w)
    out, q = d.registered(
        f"{word}imum so far", (word, f"{word}_o", "result", "peak", "q"), ("best", "q_r", "ext"), w
    )
    start = (w.top >> 1 if signed else w.top) if low else (1 << (w.width - 1) if signed else 0)
    first = w.zero if start == 0 else w.ones if start == w.top else f"{w.width}'h{start:x}"
    sign = "<" if low else ">"
    better = f"$signed({data}) {sign} $signed({q})" if signed else f"{data} {sign} {q}"
    gate = f"{en} && ({better})" if en else better
    d.update(q, w, first, (clr, first), (gate, data))

    def number(value: int) -> int:
        return value - (1 << w.width) if signed and value >> (w.width - 1) else value

    def step(s: State, i: Mapping[str, int]) -> Outputs:
        if i[clr]:
            s["q"] = start
        elif i.get(en, 1):
            s["q"] = (min if low else max)(s["q"], i[data], key=number)
        return {out: s["q"]}

    kind = "signed (two's complement)" if signed else "unsigned"
    adjective, noun = ("smallest", "minimum") if low else ("largest", "maximum")
    return d.finish(
        "extreme_tracker",
        {"width": w.width, "min": low, "signed": signed, "enable": bool(en)},
        lambda: Machine({"q": start}, step),
        (
            f"a running {noun} tracker for {w.width}-bit {kind} samples",
            f"a {w.width}-bit {'valley' if low else 'peak'} detector ({noun} hold), {kind}",
            f"a register that keeps the {adjective} {kind} value seen, {w.width} bits",
            f"a {w.width} bit {noun} finder over a stream of {kind} numbers",
        ),
        facts(
            (
                f"{out} is the {adjective} {data} sampled since the last restart.",
                f"`{data}` replaces `{out}` whenever it is {'less' if low else 'greater'} than it.",
                f"At each clock the {noun} of {out} and {data} is kept.",
            ),
            (
                f"Only cycles with {en} high are considered.",
                f"Samples count only if `{en}` is 1; otherwise {out} holds.",
                f"{data} is ignored while {en} is low.",
            )
            if en
            else None,
            (
                f"{clr} and reset put {out} at {first}{f' ({start})' if start else ''}.",
                f"A high {clr} restarts it with the value {start}, which is the reset value too.",
                f"The start value, by reset or `{clr}`, is {start} (decimal, unsigned reading).",
            ),
            (
                f"{clr} takes precedence over the sample.",
                f"The sample present during `{clr}` is not used.",
                f"While {clr} is high no sample is taken.",
            ),
        ),
    )
