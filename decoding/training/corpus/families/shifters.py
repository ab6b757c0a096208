"""Shift registers between serial and parallel form."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..registry import family
from ._phrases import facts, says_clear, says_hold, says_priority
from ._seq import Draft, Machine, Outputs, State, chain

if TYPE_CHECKING:
    import random
    from collections.abc import Mapping

    from ..design import Design

__all__: list[str] = []

_SI = ("si", "sin", "ser_in", "serial_in", "d", "sdi", "din", "bit_in")
_EN = ("en", "shift_en", "shift", "ce", "enable", "sh")
_R = ("sr", "shreg", "shift_r", "shift_reg", "q_r", "regs")


def _moved(q: str, width: int, left: bool, bit: str) -> str:
    """`q` shifted by one place, with `bit` entering."""
    inner = f"{q}[{width - 2}:0]" if left else f"{q}[{width - 1}:1]"
    if width == 2:
        inner = f"{q}[0]" if left else f"{q}[1]"
    return f"{{{inner}, {bit}}}" if left else f"{{{bit}, {inner}}}"


def _shift(value: int, width: int, left: bool, bit: int) -> int:
    if left:
        return (value << 1 | bit) & ((1 << width) - 1)
    return value >> 1 | bit << (width - 1)


@family("shift_siso")
def shift_siso(rng: random.Random) -> Design:
    """Serial in, serial out."""
    d = Draft(
        rng, "shifters", "siso shift_reg siso_shift bit_delay shift_register ser_delay",
        allow_none=True,
    )  # fmt: skip
    width = rng.choice((2, 3, 4, 4, 5, 6, 8, 8, 12, 16))
    w = d.bus(width)
    en = d.maybe(0.6, "shift enable", *_EN)
    data = d.input("serial in", *_SI)
    out = d.output("serial out", "so", "sout", "ser_out", "serial_out", "q", "sdo", "dout")
    q = d.reg(*_R, bus=w)
    left = rng.random() < 0.6
    d.update(q, w, w.zero, (en or None, _moved(q, width, left, data)))
    d.tail(f"assign {out} = {q}[{width - 1 if left else 0}];")
    fill = width if d.cr.reset else 0

    def step(s: State, i: Mapping[str, int]) -> Outputs:
        if i.get(en, 1):
            s["q"] = _shift(s["q"], width, True, i[data])
            s["filled"] += 1
        return {out: s["q"] >> (width - 1) if s["filled"] >= width else None}

    return d.finish(
        "shift_siso",
        {"width": width, "enable": bool(en)},
        lambda: Machine({"q": 0, "filled": fill}, step),
        (
            f"a {width}-bit serial-in serial-out shift register",
            f"a SISO shift register with {width} stages",
            f"a {width}-stage one-bit shift chain",
            f"a serial shift register that delays a bit stream by {width} shifts",
        ),
        facts(
            (
                f"Bits enter at {data} and come out at {out} after {width} shifts.",
                f"`{out}` is the bit that was on `{data}` {width} shifts ago.",
                f"A bit from {data} passes {width} flip-flops before it reaches {out}.",
            ),
            (
                f"One shift is made in each cycle with {en} high; otherwise all bits hold.",
                f"`{en}` = 1 shifts, `{en}` = 0 holds.",
                f"Shifting happens only while {en} is asserted.",
            )
            if en
            else (
                "It shifts once in every clock cycle.",
                "Each rising edge shifts by one.",
                "There is no enable: it shifts all the time.",
            ),
        ),
    )


@family("shift_sipo")
def shift_sipo(rng: random.Random) -> Design:
    """Serial in, parallel out."""
    d = Draft(rng, "shifters", "sipo shift_reg sipo_shift deserializer ser2par s2p shift_in")
    width = rng.choice((2, 3, 4, 4, 6, 8, 8, 8, 10, 12, 16))
    w = d.bus(width)
    clr = d.maybe(0.3, "synchronous clear", "clr", "clear", "sclr", "flush")
    en = d.maybe(0.7, "shift enable", *_EN)
    data = d.input("serial in", *_SI)
    left = rng.random() < 0.6
    out, q = d.registered(
        "parallel out", ("q", "dout", "data", "pout", "par_out", "word", "data_out"), _R, w
    )
    moved = _moved(q, width, left, data)
    if left and rng.random() < 0.2:
        moved = f"({q} << 1) | {data}"
    d.update(q, w, w.zero, (clr, w.zero), (en or None, moved))

    def step(s: State, i: Mapping[str, int]) -> Outputs:
        if i.get(clr):
            s["q"] = 0
        elif i.get(en, 1):
            s["q"] = _shift(s["q"], width, left, i[data])
        return {out: s["q"]}

    sink = 0 if left else width - 1
    order = "MSB" if left else "LSB"
    way = "left" if left else "right"
    return d.finish(
        "shift_sipo",
        {"width": width, "left": left, "clear": bool(clr), "enable": bool(en)},
        lambda: Machine({"q": 0}, step),
        (
            f"a {width}-bit serial-in parallel-out shift register shifting {way}",
            f"a SIPO shift register, {width} bits, {order} first",
            f"a {width} bit deserialiser (shift {way})",
            f"a {way}-shifting serial-to-parallel register of {width} bits",
        ),
        facts(
            (
                f"{data} is shifted into bit {sink} and all bits move one place to the {way}.",
                f"Each shift moves `{out}` {way} by one with `{data}` entering at bit {sink}.",
                f"The new bit from {data} goes into {out}[{sink}], pushing the others "
                f"{'up' if left else 'down'} by one.",
            ),
            (
                f"It shifts in cycles with {en} high and holds in others.",
                f"`{en}` = 1 shifts, `{en}` = 0 holds.",
                f"Without {en} the word stays as it is.",
            )
            if en
            else (
                "It shifts in every clock cycle.",
                "There is no enable: one shift per clock.",
                "Each rising edge makes one shift.",
            ),
            says_clear(clr, "the register"),
            says_priority(clr, en),
        ),
    )


@family("shift_piso")
def shift_piso(rng: random.Random) -> Design:
    """Parallel in, serial out."""
    d = Draft(rng, "shifters", "piso shift_reg piso_shift serializer par2ser p2s shift_out")
    width = rng.choice((2, 3, 4, 4, 6, 8, 8, 8, 10, 12, 16))
    w = d.bus(width)
    load = d.input("load the word", "load", "ld", "load_en", "start", "wr", "sh_ld")
    en = d.maybe(0.6, "shift enable", *_EN)
    left = rng.random() < 0.5
    data = d.input("parallel in", "d", "din", "data", "pin", "par_in", "word", bus=w)
    kind = rng.choice(("0", "0", "1", "serial"))
    extra = d.input("serial in", "si", "sin", "ser_in", "fill") if kind == "serial" else ""
    bit = extra or f"1'b{kind}"
    out = d.output("serial out", "so", "sout", "ser_out", "serial_out", "q", "tx_bit")
    q = d.reg(*_R, bus=w)
    if left and kind == "0" and rng.random() < 0.4:
        moved = f"{q} << 1"
    elif kind == "0" and not left and rng.random() < 0.4:
        moved = f"{q} >> 1"
    else:
        moved = _moved(q, width, left, bit)
    d.update(q, w, w.zero, (load, data), (en or None, moved))
    d.tail(f"assign {out} = {q}[{width - 1 if left else 0}];")

    def step(s: State, i: Mapping[str, int]) -> Outputs:
        if i[load]:
            s["q"] = i[data]
        elif i.get(en, 1):
            s["q"] = _shift(s["q"], width, left, i[extra] if extra else int(kind))
        return {out: s["q"] >> (width - 1) if left else s["q"] & 1}

    order, first = ("MSB", width - 1) if left else ("LSB", 0)
    filler = f"the bit on {extra}" if extra else f"a {kind}"
    return d.finish(
        "shift_piso",
        {"width": width, "left": left, "fill": kind, "enable": bool(en)},
        lambda: Machine({"q": 0}, step),
        (
            f"a {width}-bit parallel-in serial-out shift register, {order} first",
            f"a PISO shift register of {width} bits sending the {order} first",
            f"a {width} bit serialiser, {order} first",
            f"a parallel-to-serial converter for {width}-bit words, {order} first",
        ),
        facts(
            (
                f"A high {load} loads {data}.",
                f"`{load}` copies `{data}` into the shift register.",
                f"When {load} is 1 the word on {data} is taken over.",
            ),
            (
                f"Otherwise it shifts by one if {en} is high and holds if it is low.",
                f"Without {load}, `{en}` = 1 shifts one place and `{en}` = 0 holds.",
                f"{en} makes one shift per clock, unless {load} is high.",
            )
            if en
            else (
                "Otherwise it shifts one place per clock.",
                f"Without {load} each clock shifts by one.",
                "In every other cycle it shifts by one.",
            ),
            (
                f"{out} is always bit {first} of the register, and {filler} enters at the other "
                "end.",
                f"The shift is towards bit {first}, which is `{out}`; {filler} fills the place "
                "left free.",
                f"{out} shows register bit {first}; every shift brings the next bit there and "
                f"{filler} in at bit {width - 1 - first}.",
            ),
        ),
    )


@family("bidir_shift_register")
def bidir_shift_register(rng: random.Random) -> Design:
    """Shift register with a direction input."""
    d = Draft(rng, "shifters", "bidir_shift shift_lr shift_reg left_right_shift dir_shifter")
    width = rng.choice((3, 4, 4, 5, 6, 8, 8, 12, 16))
    w = d.bus(width)
    en = d.maybe(0.65, "shift enable", *_EN)
    high_left = rng.random() < 0.6
    pool = ("left", "dir", "shl", "dir_left") if high_left else ("right", "dir", "shr", "dir_r")
    way = d.input(f"direction, 1 shifts {'left' if high_left else 'right'}", *pool)
    data = d.input("serial in", *_SI)
    out, q = d.registered("register content", ("q", "dout", "data", "q_o", "word"), _R, w)
    left, right = _moved(q, width, True, data), _moved(q, width, False, data)
    one, zero = (left, right) if high_left else (right, left)
    if rng.random() < 0.5:
        body = chain((en or None, chain((way, f"{q} <= {one};"), (None, f"{q} <= {zero};"))))
    else:
        body = chain((en or None, f"{q} <= {way} ? {one} : {zero};"))
    d.clocked(f"{q} <= {w.zero};", body)

    def step(s: State, i: Mapping[str, int]) -> Outputs:
        if i.get(en, 1):
            s["q"] = _shift(s["q"], width, bool(i[way]) == high_left, i[data])
        return {out: s["q"]}

    lv = int(high_left)
    return d.finish(
        "bidir_shift_register",
        {"width": width, "high_left": high_left, "enable": bool(en)},
        lambda: Machine({"q": 0}, step),
        (
            f"a {width}-bit bidirectional shift register",
            f"a left/right shift register of {width} bits",
            f"a {width} bit shift register with selectable direction",
            f"a serial-in shift register, {width} bits wide, that can shift either way",
        ),
        facts(
            (
                f"With {way} = {lv} it shifts left, {data} entering at bit 0; with {way} = "
                f"{1 - lv} it shifts right, {data} entering at bit {width - 1}.",
                f"`{way}` = {lv}: left shift, new bit 0 is `{data}`. `{way}` = {1 - lv}: right "
                f"shift, new bit {width - 1} is `{data}`.",
                f"{data} comes in at the right end (bit 0) for a left shift ({way} {lv}) and at "
                f"the left end (bit {width - 1}) for a right shift ({way} {1 - lv}).",
            ),
            says_hold(en, "the register")
            or (
                "It shifts one place in every clock cycle.",
                "Each rising edge makes one shift.",
                "There is no enable.",
            ),
        ),
    )
