"""Cyclic redundancy checks, a bit or a byte at a time."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..build import clock_reset, mask
from ..design import Behaviour, Design, PortDecl
from ..names import Names
from ..registry import family
from ._kit import Machine, State, biased, bits, clocked, source

if TYPE_CHECKING:
    import random
    from collections.abc import Mapping

__all__: list[str] = []

_KNOWN = {
    4: (0x3, 0x9, 0xC),
    5: (0x05, 0x15, 0x09),
    6: (0x03, 0x27, 0x2F),
    8: (0x07, 0x31, 0x1D, 0x9B, 0xD5),
    12: (0x80F, 0xF13),
    16: (0x1021, 0x8005, 0x3D65, 0x8BB7),
    24: (0x864CFB, 0x5D6DCB),
    32: (0x04C11DB7, 0x1EDC6F41),
}


class _Crc:
    """Width, polynomial, start value and direction, with the wordings for them."""

    def __init__(self, rng: random.Random, widths: tuple[int, ...]) -> None:
        self.width = rng.choice(widths)
        known = _KNOWN[self.width]
        self.poly = rng.choice(known) if rng.random() < 0.6 else rng.getrandbits(self.width) | 1
        self.reflected = rng.random() < 0.35
        full = (1 << self.width) - 1
        self.init = rng.choice((0, 0, full, full, rng.getrandbits(self.width)))
        self.used = int(f"{self.poly:0{self.width}b}"[::-1], 2) if self.reflected else self.poly

    def hex(self, value: int) -> str:
        return f"0x{value:0{(self.width + 3) // 4}X}"

    def lit(self, value: int) -> str:
        return f"{self.width}'h{value:0{(self.width + 3) // 4}x}"

    def next(self, crc: int, bit: int) -> int:
        """The register after one more bit."""
        if self.reflected:
            return crc >> 1 ^ (self.used if (crc ^ bit) & 1 else 0)
        out = crc >> (self.width - 1) & 1
        return mask(crc << 1, self.width) ^ (self.used if out ^ bit else 0)

    def expression(self, crc: str, feedback: str) -> str:
        """Verilog for the register after one more bit, given the feedback."""
        w = self.width
        moved = f"{{1'b0, {crc}[{w - 1}:1]}}" if self.reflected else f"{{{crc}[{w - 2}:0], 1'b0}}"
        return f"{moved} ^ ({feedback} ? {self.lit(self.used)} : {w}'d0)"

    def top(self, crc: str) -> str:
        return f"{crc}[0]" if self.reflected else f"{crc}[{self.width - 1}]"

    def terms(self) -> str:
        powers = [self.width, *(k for k in range(self.width - 1, -1, -1) if self.poly >> k & 1)]
        return " + ".join("1" if k == 0 else "x" if k == 1 else f"x^{k}" for k in powers)

    def fact(self) -> Behaviour:
        if self.reflected:
            return (
                f"The polynomial is {self.terms()}; the register shifts right and is XORed with the reflected polynomial {self.hex(self.used)} when the feedback is 1.",
                f"Reflected form: right shift, then XOR with {self.hex(self.used)} (bit-reversed {self.hex(self.poly)}) if the feedback bit is set.",
                f"Polynomial {self.hex(self.poly)} in reflected (LSB-first) form, i.e. {self.hex(self.used)}, with a register that shifts to the right.",
            )
        return (
            f"The polynomial is {self.terms()}; the register shifts left and is XORed with {self.hex(self.poly)} when the feedback is 1.",
            f"Polynomial {self.hex(self.poly)} (without the leading term), left shift, then XOR if the feedback bit is set.",
            f"Generator {self.terms()} ({self.hex(self.poly)}), not reflected: the register shifts towards the most significant bit.",
        )

    def feedback_fact(self, crc: str, bit: str) -> Behaviour:
        end = "least" if self.reflected else "most"
        return (
            f"The feedback is the {end} significant register bit XOR {bit}.",
            f"Feedback = {self.top(crc)} ^ {bit}.",
            f"{bit} is XORed with the {end} significant bit of the CRC register to form the feedback.",
        )

    def init_fact(self, crc: str, clear: str | None) -> Behaviour:
        how = f"Reset and {clear}" if clear else "Reset"
        verb = "load" if clear else "loads"
        return (
            f"{how} {verb} {crc} with {self.hex(self.init)}.",
            f"The start value of `{crc}` is {self.hex(self.init)}{f', set by reset or by `{clear}`' if clear else ' (after reset)'}.",
            f"{crc} starts from {self.hex(self.init)} after reset{f' or when {clear} is high' if clear else ''}.",
        )


def _controls(en: str, clear: str | None, what: str) -> list[Behaviour]:
    facts: list[Behaviour] = [
        (
            f"With {en} high one {what} is processed per clock; otherwise the register holds.",
            f"`{en}` enables the update; with `{en}` low the CRC does not change.",
            f"A {what} is taken in at each clock edge with {en} = 1, and the value is kept when {en} = 0.",
        )
    ]
    if clear:
        facts.append(
            (
                f"{clear} is synchronous and has priority over {en}.",
                f"`{clear}` wins over `{en}` and acts at the clock edge.",
                f"If {clear} and {en} are both high, the start value is loaded (at the clock edge) and the {what} is ignored.",
            )
        )
    return facts


@family("crc_serial")
def crc_serial(rng: random.Random) -> Design:
    """CRC register with one data bit per clock."""
    n = Names(rng)
    c = _Crc(rng, (4, 5, 6, 8, 8, 8, 12, 16, 16, 24, 32))
    module = n.module(
        "crc", f"crc{c.width}", "crc_serial", "serial_crc", f"crc{c.width}_bit", "crc_gen"
    )
    cr = clock_reset(rng, n)
    en = n.pick("en", "valid", "bit_valid", "shift", "ce")
    din = n.pick("din", "d", "data", "bit_in", "serial_in")
    clear = n.pick("clear", "init", "start", "clr") if rng.random() < 0.45 else None
    crc = n.pick("crc", "crc_out", "crc_q", "remainder", "checksum")
    fb = n.pick("fb", "feedback", "inv", "xor_in")
    style = n.choose(("wire", "bitwise", "branch") if c.width <= 8 else ("wire", "branch"))
    value = c.expression(crc, fb)
    if style == "bitwise":
        order = range(c.width - 1, -1, -1)
        items = []
        for k in order:
            source_bit = k + 1 if c.reflected else k - 1
            inside = 0 <= source_bit < c.width
            old = f"{crc}[{source_bit}]" if inside else ""
            tap = c.used >> k & 1
            items.append(" ^ ".join(x for x in (old, fb if tap else "") if x) or "1'b0")
        rows = [", ".join(items[k : k + 4]) for k in range(0, len(items), 4)]
        value = "{" + ",\n        ".join(rows) + "}"
    if style == "branch":
        w = c.width
        moved = f"{{1'b0, {crc}[{w - 1}:1]}}" if c.reflected else f"{{{crc}[{w - 2}:0], 1'b0}}"
        update = f"begin\n    if ({fb})\n        {crc} <= {moved} ^ {c.lit(c.used)};\n    else\n        {crc} <= {moved};\nend"
    else:
        update = f"\n    {crc} <= {value};"
    gap = " " if style == "branch" else ""
    load = f"{crc} <= {c.lit(c.init)};"
    body = (
        f"if ({clear})\n    {load}\nelse if ({en}){gap}{update}"
        if clear
        else f"if ({en}){gap}{update}"
    )
    ports = (
        *cr.ports,
        *([PortDecl("input", clear, 1, "load the start value")] if clear else []),
        PortDecl("input", en, 1, "data bit is valid"),
        PortDecl("input", din, 1, "data bit"),
        PortDecl("output", crc, c.width, "CRC register", reg=True),
    )
    parts = [f"wire {fb} = {c.top(crc)} ^ {din};", cr.process(load, body)]

    def advance(s: State, i: Mapping[str, int]) -> dict[str, int | None]:
        if clear and i[clear]:
            s["crc"] = c.init
        elif i[en]:
            s["crc"] = c.next(s["crc"], i[din])
        return {crc: s["crc"]}

    widths = {en: 1, din: 1, **({clear: 1} if clear else {})}
    return clocked(
        cr,
        Design(
            family="crc_serial",
            group="protocol",
            params={"width": c.width, "poly": c.poly, "init": c.init, "reflected": c.reflected,
                    "clear": bool(clear)},
            module=module,
            ports=ports,
            rtl=source(module, ports, *parts),
            model=lambda: Machine({"crc": c.init}, advance),
            titles=(
                f"a bit-serial CRC-{c.width} generator",
                f"a {c.width}-bit CRC register fed one bit per clock",
                f"a serial cyclic redundancy check, {c.width} bits wide",
                f"a CRC-{c.width} calculator for a serial bit stream",
            ),
            behaviour=(
                c.fact(),
                c.feedback_fact(crc, din),
                c.init_fact(crc, clear),
                *_controls(en, clear, "bit"),
            ),
            style={"body": style},
            stimulus=biased(widths, {en: 0.8, clear or "": 0.05}),
        ),
    )  # fmt: skip


@family("crc_byte")
def crc_byte(rng: random.Random) -> Design:
    """CRC register that takes a byte (or nibble) per clock, in a function or loop."""
    n = Names(rng)
    c = _Crc(rng, (8, 8, 8, 16, 16, 32))
    dw = rng.choice((8, 8, 8, 4))
    module = n.module(
        f"crc{c.width}", "crc_parallel", f"crc{c.width}_d{dw}", "crc_byte", "crc_unit"
    )
    cr = clock_reset(rng, n)
    en = n.pick("en", "valid", "data_valid", "wr", "ce")
    din = n.pick("din", "data", "data_in", "d")
    clear = n.pick("clear", "init", "start", "clr") if rng.random() < 0.5 else None
    crc = n.pick("crc", "crc_out", "crc_q", "checksum")
    k, nxt = n.pick("i", "k", "j"), n.pick("nxt", "crc_next", "c")
    style = n.choose(("comb", "function"))
    order = f"{k} = 0; {k} < {dw}; {k} = {k} + 1" if c.reflected else f"{k} = {dw - 1}; {k} >= 0; {k} = {k} - 1"  # fmt: skip
    load = f"{crc} <= {c.lit(c.init)};"

    def update(expression: str) -> str:
        text = f"if ({en})\n    {crc} <= {expression};"
        return f"if ({clear})\n    {load}\nelse {text}" if clear else text

    if style == "comb":
        step = c.expression(nxt, f"({c.top(nxt)} ^ {din}[{k}])")
        parts = [
            f"reg {bits(c.width)}{nxt};",
            f"integer {k};",
            f"always @(*) begin\n    {nxt} = {crc};\n    for ({order})\n        {nxt} = {step};\nend",
            cr.process(load, update(nxt)),
        ]
    else:
        name, arg, data = n.pick("crc_step", "next_crc", "advance"), n.pick("old", "prev", "r"), n.pick("dd", "b", "x")  # fmt: skip
        step = c.expression(name, f"({c.top(name)} ^ {data}[{k}])")
        parts = [
            f"function {bits(c.width)}{name};\n    input {bits(c.width)}{arg};\n    input {bits(dw)}{data};\n"
            f"    integer {k};\n    begin\n        {name} = {arg};\n        for ({order})\n            {name} = {step};\n    end\nendfunction",
            cr.process(load, update(f"{name}({crc}, {din})")),
        ]
    ports = (
        *cr.ports,
        *([PortDecl("input", clear, 1, "load the start value")] if clear else []),
        PortDecl("input", en, 1, "data is valid"),
        PortDecl("input", din, dw, "data"),
        PortDecl("output", crc, c.width, "CRC register", reg=True),
    )

    def advance(s: State, i: Mapping[str, int]) -> dict[str, int | None]:
        if clear and i[clear]:
            s["crc"] = c.init
        elif i[en]:
            for at in range(dw) if c.reflected else range(dw - 1, -1, -1):
                s["crc"] = c.next(s["crc"], i[din] >> at & 1)
        return {crc: s["crc"]}

    what = "byte" if dw == 8 else "nibble"
    end, opposite = ("least", "LSB") if c.reflected else ("most", "MSB")
    register_end = "least" if c.reflected else "most"
    widths = {en: 1, din: dw, **({clear: 1} if clear else {})}
    return clocked(
        cr,
        Design(
            family="crc_byte",
            group="protocol",
            params={"width": c.width, "poly": c.poly, "init": c.init, "reflected": c.reflected,
                    "data": dw, "clear": bool(clear)},
            module=module,
            ports=ports,
            rtl=source(module, ports, *parts),
            model=lambda: Machine({"crc": c.init}, advance),
            titles=(
                f"a CRC-{c.width} generator that takes a {what} per clock",
                f"a parallel {c.width}-bit CRC unit with {dw}-bit data",
                f"a {what}-wide cyclic redundancy check with a {c.width}-bit register",
                f"a CRC-{c.width} calculator, {dw} data bits each cycle",
            ),
            behaviour=(
                c.fact(),
                (
                    f"The {dw} bits of {din} are processed in one clock, {end} significant bit first; each is XORed with the {register_end} significant bit of the register so far to form the feedback.",
                    f"One edge does {dw} serial steps over `{din}`, {opposite} first, with feedback = {register_end} significant register bit XOR data bit in every step.",
                    f"It is the serial CRC unrolled {dw} times: {din} enters {opposite} first, and the feedback of a step is the data bit XOR the register's {opposite}.",
                ),
                c.init_fact(crc, clear),
                *_controls(en, clear, what),
            ),
            style={"body": style},
            stimulus=biased(widths, {en: 0.8, clear or "": 0.05}),
        ),
    )  # fmt: skip
