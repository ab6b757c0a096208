"""Bit-serial arithmetic and running parity."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..registry import family
from ._phrases import facts, says_hold
from ._seq import Bus, Draft, Machine, Outputs, State, chain

if TYPE_CHECKING:
    import random
    from collections.abc import Mapping

    from ..design import Design

__all__: list[str] = []

_D = ("d", "din", "data_in", "sample", "in", "x", "data", "d_i")
_EN = ("en", "enable", "ce", "valid", "vld", "in_valid", "strobe")
_CLR = ("clr", "clear", "restart", "start", "init", "sclr")


@family("serial_adder")
def serial_adder(rng: random.Random) -> Design:
    """Bit-serial adder or subtractor, least significant bit first."""
    sub = rng.random() < 0.3
    word = "subtractor" if sub else "adder"
    d = Draft(rng, "registers", f"serial_{word} bit_serial_{word} ser_{word[:3]} {word}_serial")
    start = d.maybe(
        0.6, "first bit of a new number", "start", "first", "lsb", "clr", "sync", "init"
    )
    en = d.maybe(0.4, "bits are valid", "en", "valid", "bit_en", "ce", "shift")
    a = d.input("serial operand a", "a", "a_bit", "a_in", "x", "op_a")
    b = d.input("serial operand b", "b", "b_bit", "b_in", "y", "op_b")
    name = "difference" if sub else "sum"
    out, q = d.registered(f"serial {name}", ("s", name[:4], "res", "z"), ("s_r", "bit_r"))
    names = ("borrow", "bor", "b_r") if sub else ("carry", "cy", "c_r")
    c = d.reg(*names)
    cin = f"({c} & ~{start})" if start else c
    if start and rng.random() < 0.6:
        used = d.wire("c_in", "cin", f"{names[0]}_in")
        masked = d.one_of(f"{start} ? 1'b0 : {c}", f"{c} & ~{start}")
        d.add(f"assign {used} = {masked};")
        cin = used
    if sub:
        move = f"{q} <= {a} ^ {b} ^ {cin};\n{c} <= (~{a} & {b}) | (~({a} ^ {b}) & {cin});"
    elif rng.random() < 0.4:
        move = f"{{{c}, {q}}} <= {a} + {b} + {cin};"
    else:
        move = f"{q} <= {a} ^ {b} ^ {cin};\n{c} <= ({a} & {b}) | ({a} & {cin}) | ({b} & {cin});"
    d.clocked(f"{q} <= 1'b0;\n{c} <= 1'b0;", chain((en or None, move)))

    def step(s: State, i: Mapping[str, int]) -> Outputs:
        if i.get(en, 1):
            carry = 0 if i.get(start) else s["c"]
            total = i[a] - i[b] - carry if sub else i[a] + i[b] + carry
            s["q"], s["c"] = total & 1, int(total < 0 if sub else total > 1)
        return {out: s["q"]}

    kept, sign = ("borrow", "minus") if sub else ("carry", "plus")
    return d.finish(
        "serial_adder",
        {"subtract": sub, "start": bool(start), "enable": bool(en)},
        lambda: Machine({"q": 0, "c": 0}, step),
        (
            f"a bit-serial {word}",
            f"a serial {word}, least significant bit first",
            f"a one-bit-per-clock {word} with a stored {kept}",
            f"a sequential {word} for LSB-first bit streams",
        ),
        facts(
            (
                f"Each cycle the full {word} computes {a} {sign} {b} {sign} the stored {kept}; the "
                f"{name} bit is registered on {out} and the new {kept} is stored.",
                f"`{out}` is the registered {name} bit of {a}, {b} and the {kept} of the cycle "
                "before.",
                f"Bits of {a} and {b} arrive LSB first; {a} {sign} {b} leaves on {out} one clock "
                f"later, and the {kept} is kept in a flip-flop.",
            ),
            (
                f"{start} high marks the first bits: the stored {kept} is taken as 0 in that "
                "cycle.",
                f"With `{start}` = 1 the old {kept} is ignored (treated as zero).",
                f"A new number begins with {start}, which drops the previous {kept}.",
            )
            if start
            else None,
            (
                f"While {en} is low, {out} and the {kept} hold.",
                f"`{en}` = 0 stops the unit: {kept} and output are kept.",
                f"Bits are processed only with {en} high; otherwise nothing changes.",
            )
            if en
            else None,
            (
                f"Reset clears {out} and the {kept}.",
                f"The {kept} starts at 0.",
                "",
            ),
        ),
    )


@family("running_parity")
def running_parity(rng: random.Random) -> Design:
    """Parity of a serial bit stream or of words."""
    d = Draft(rng, "registers", "parity_acc serial_parity running_parity parity_gen stream_parity")
    w = d.bus(rng.choice((1, 1, 1, 4, 8)))
    odd = rng.random() < 0.4
    clr = d.maybe(0.6, "restart", *_CLR)
    en = d.maybe(0.7, "input is valid", *_EN)
    data = d.input("serial bit" if w.width == 1 else "data word", *_D, bus=w)
    out, q = d.registered(
        "parity so far", ("parity", "par", "p", "parity_o"), ("acc", "par_r", "p_q")
    )
    value = data if w.width == 1 else f"^{data}" if rng.random() < 0.6 else f"(^{data})"
    d.update(q, Bus(1), f"1'b{int(odd)}", (clr, f"1'b{int(odd)}"), (en or None, f"{q} ^ {value}"))

    def step(s: State, i: Mapping[str, int]) -> Outputs:
        if i.get(clr):
            s["q"] = int(odd)
        elif i.get(en, 1):
            s["q"] ^= i[data].bit_count() & 1
        return {out: s["q"]}

    kind = "odd" if odd else "even"
    what = "bit" if w.width == 1 else f"{w.width}-bit word"
    return d.finish(
        "running_parity",
        {"width": w.width, "odd": odd, "clear": bool(clr), "enable": bool(en)},
        lambda: Machine({"q": int(odd)}, step),
        (
            f"a running {kind} parity generator, one {what} per clock",
            f"an accumulator of {kind} parity over a stream of {what}s",
            f"a serial parity unit ({kind}) for {what}s",
            f"a stream parity calculator, {kind}, {what} at a time",
        ),
        facts(
            (
                f"{out} is XORed with {'' if w.width == 1 else 'all bits of '}{data} at the clock "
                "edge.",
                f"Every one {'on' if w.width == 1 else 'in'} `{data}` inverts `{out}` when it is "
                "sampled.",
                f"{out} accumulates the exclusive-or of all sampled {data} bits.",
            ),
            says_hold(en, "the parity"),
            (
                f"It starts at {int(odd)} after reset{f' and on {clr}' if clr else ''}.",
                f"The start value is {int(odd)}{f', also set by a high {clr}' if clr else ''}.",
                f"Reset{f' or a high {clr}' if clr else ''} brings {out} to {int(odd)}.",
            ),
            (
                f"The input is ignored in a cycle with {clr} high.",
                f"`{clr}` goes before accumulating.",
                f"{clr} has the higher priority.",
            )
            if clr
            else None,
        ),
    )
