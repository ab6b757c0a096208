"""Accumulating registers: plain and moving sums."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..registry import family
from ._phrases import facts
from ._seq import Bus, Draft, Machine, Outputs, State, chain

if TYPE_CHECKING:
    import random
    from collections.abc import Mapping

    from ..design import Design

__all__: list[str] = []

_D = ("d", "din", "data_in", "sample", "in", "x", "data", "d_i")
_EN = ("en", "enable", "ce", "valid", "vld", "in_valid", "strobe")
_CLR = ("clr", "clear", "restart", "start", "init", "sclr")


@family("accumulator")
def accumulator(rng: random.Random) -> Design:
    """Accumulator that wraps or saturates."""
    d = Draft(rng, "registers", "accumulator acc accum sum_reg integrator adder_acc")
    narrow = rng.choice((2, 3, 4, 4, 6, 8, 8))
    w, x = d.bus(narrow + rng.choice((0, 2, 4, 4, 8))), d.bus(narrow)
    sat = rng.random() < 0.4
    clr = d.maybe(0.7, "synchronous clear", *_CLR)
    en = d.maybe(0.75, "add enable", *_EN, "add")
    data = d.input("value to add", *_D, bus=x)
    out, q = d.registered(
        "sum", ("sum", "acc", "total", "acc_o", "q"), ("acc_r", "sum_q", "s_r"), w
    )
    if sat:
        full = d.wire("sum_next", "full_sum", "wide", bus=Bus(w.width + 1))
        d.add(f"assign {full} = {q} + {data};")
        if rng.random() < 0.5:
            limited = f"{full}[{w.width}] ? {w.ones} : {full}[{w.msb}:0]"
            put = f"{q} <= {limited};"
        else:
            put = chain(
                (f"{full}[{w.width}]", f"{q} <= {w.ones};"), (None, f"{q} <= {full}[{w.msb}:0];")
            )
        body = chain((clr, f"{q} <= {w.zero};"), (en or None, put))
        d.clocked(f"{q} <= {w.zero};", body)
    else:
        d.update(q, w, w.zero, (clr, w.zero), (en or None, f"{q} + {data}"))

    def step(s: State, i: Mapping[str, int]) -> Outputs:
        if i.get(clr):
            s["q"] = 0
        elif i.get(en, 1):
            total = s["q"] + i[data]
            s["q"] = min(total, w.top) if sat else total & w.top
        return {out: s["q"]}

    how = "saturating" if sat else "wrapping"
    return d.finish(
        "accumulator",
        {
            "width": w.width,
            "input": narrow,
            "saturate": sat,
            "clear": bool(clr),
            "enable": bool(en),
        },
        lambda: Machine({"q": 0}, step),
        (
            f"a {w.width}-bit {how} accumulator for {narrow}-bit unsigned inputs",
            f"an accumulator ({how}): {narrow}-bit unsigned data, {w.width}-bit sum",
            f"a unit summing {narrow}-bit numbers into {w.width} bits, {how}",
            f"a {how} {w.width} bit running-sum register with {narrow} bit input",
        ),
        facts(
            (
                f"In each cycle with {en} high, {data} is added to {out}; else {out} holds.",
                f"`{out}` += `{data}` on clock edges where `{en}` = 1; no change otherwise.",
                f"{en} enables the addition of {data} to the sum, which is otherwise kept.",
            )
            if en
            else (
                f"{data} is added to {out} in every clock cycle.",
                f"`{out}` += `{data}` on each rising edge.",
                f"Every clock adds {data} to the sum.",
            ),
            (
                f"A sum above {w.top} is limited to {w.top}.",
                f"On overflow it saturates at all ones ({w.top}).",
                f"The result clamps to the maximum {w.top} instead of wrapping.",
            )
            if sat
            else (
                f"The sum wraps modulo {w.top + 1}.",
                f"Overflow is discarded: only the low {w.width} bits are kept.",
                f"Carries out of bit {w.width - 1} are lost.",
            ),
            (
                f"A high {clr} zeroes the sum and has priority over adding.",
                f"`{clr}` = 1 makes `{out}` 0, whatever else is asked for.",
                f"With {clr} asserted nothing is added and the sum becomes 0.",
            )
            if clr
            else None,
        ),
    )


@family("moving_sum")
def moving_sum(rng: random.Random) -> Design:
    """Sum (or mean) of the last N samples."""
    taps = rng.choice((2, 2, 4, 4, 3, 8))
    mean = taps in (2, 4, 8) and rng.random() < 0.45
    names = (
        "moving_avg mov_avg boxcar mean_filter" if mean else "moving_sum window_sum boxcar fir_sum"
    )
    d = Draft(rng, "registers", names)
    narrow = rng.choice((4, 6, 8, 8, 10))
    shift = (taps - 1).bit_length()
    x, full = d.bus(narrow), Bus(narrow + shift)
    w = x if mean else full
    en = d.maybe(0.5, "sample valid", *_EN)
    data = d.input("sample", *_D, bus=x)
    out = d.output("average" if mean else "sum", "y", "result", "dout", "out", "filtered", bus=w)
    style = "running" if taps == 8 else d.one_of("taps", "taps", "running") if taps > 2 else "taps"
    if style == "taps":
        base = d.n.pick("x", "tap", "s", "z", "h")
        cells = [f"{base}{k}" for k in range(taps)]
        d.declare(f"reg {x.span} {', '.join(cells)};")
        reset = "\n".join(f"{c} <= {x.zero};" for c in cells)
        move = "\n".join(f"{c} <= {p};" for c, p in zip(cells, [data, *cells], strict=False))
        total = " + ".join(cells)
        if mean:
            acc = d.wire("total", "acc", "sum", bus=full)
            d.tail(f"assign {acc} = {total};")
            total = f"{acc}[{full.width - 1}:{shift}]"
        d.tail(f"assign {out} = {total};")
    else:
        mem, k = d.n.pick("hist", "window", "buf_r", "taps"), d.n.pick("i", "k")
        acc = d.reg("acc", "sum_r", "total", bus=full)
        d.declare(f"reg {x.span} {mem} [0:{taps - 1}];\ninteger {k};")
        loop = f"for ({k} = {{}}; {k} < {taps}; {k} = {k} + 1)\n    "
        reset = f"{acc} <= {full.zero};\n" + loop.format(0) + f"{mem}[{k}] <= {x.zero};"
        move = (
            f"{acc} <= {acc} + {data} - {mem}[{taps - 1}];\n{mem}[0] <= {data};\n"
            + loop.format(1)
            + f"{mem}[{k}] <= {mem}[{k}-1];"
        )
        d.tail(f"assign {out} = {f'{acc}[{full.width - 1}:{shift}]' if mean else acc};")
    d.clocked(reset, chain((en or None, move)))

    def step(s: State, i: Mapping[str, int]) -> Outputs:
        if i.get(en, 1):
            for k in range(taps - 1, 0, -1):
                s[str(k)] = s[str(k - 1)]
            s["0"] = i[data]
        return {out: sum(s.values()) >> shift if mean else sum(s.values())}

    what = "average" if mean else "sum"
    return d.finish(
        "moving_sum",
        {"taps": taps, "width": narrow, "mean": mean, "enable": bool(en)},
        lambda: Machine({str(k): 0 for k in range(taps)}, step),
        (
            f"a moving {what} over the last {taps} unsigned {narrow}-bit samples",
            f"a sliding-window {what} of {taps} samples, {narrow} bits each, unsigned",
            f"a boxcar filter giving the {what} of the {taps} latest {narrow}-bit unsigned values",
            f"a {taps}-tap running {what} ({narrow} bit unsigned input)",
        ),
        facts(
            (
                f"At each clock edge {data} enters the window and the oldest sample leaves; {out} "
                f"is the {what} of the {taps} samples in it, the newest included.",
                f"`{out}` is the {what} of the {taps} most recently clocked-in values of `{data}`.",
                f"The last {taps} samples of {data} are stored, and {out} shows their {what} right "
                "after the edge that takes in the newest.",
            ),
            (
                f"The average is the sum divided by {taps}, rounded down.",
                f"Division by {taps} truncates.",
                f"The sum is shifted right by {shift} bits; the fraction is dropped.",
            )
            if mean
            else (
                "The sum is wide enough never to overflow.",
                f"The full {full.width}-bit sum is given.",
                "",
            ),
            (
                f"Only cycles with {en} high take a sample; otherwise nothing changes.",
                f"`{en}` marks valid samples: while it is 0 the window holds.",
                f"With {en} low the window and {out} stay as they are.",
            )
            if en
            else None,
            (
                "After reset all stored samples are zero.",
                "Reset fills the window with zeros.",
                "The window starts out with zeros.",
            ),
        ),
    )
