"""Code converters: Gray, seven-segment."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..build import indent, mask
from ..design import Behaviour, Design, PortDecl
from ..names import Names
from ..registry import family
from ._combinational import always, an, combinational, draw_width, target

if TYPE_CHECKING:
    import random
    from collections.abc import Mapping

__all__: list[str] = []


@family("gray_code")
def gray_code(rng: random.Random) -> Design:
    """Binary to Gray or Gray to binary."""
    n = Names(rng)
    w = draw_width(rng, n, (3, 4, 4, 5, 6, 8, 8, 10, 16))
    decode = rng.random() < 0.5
    a = (
        n.pick("gray", "g", "gray_in", "gray_i")
        if decode
        else n.pick("bin", "b", "binary", "bin_i")
    )
    out = (
        n.pick("bin", "b", "binary", "bin_o")
        if decode
        else n.pick("gray", "g", "gray_code", "gray_o")
    )
    t = target(rng, n, out, w.span)
    reg = False
    if not decode:
        style = n.choose(("shift", "concat", "loop"))
        if style == "shift":
            text = f"assign {out} = {a} ^ ({a} >> 1);"
        elif style == "concat" and not w.parameter:
            text = f"assign {out} = {{{a}[{w.top}], {a}[{w.top}:1] ^ {a}[{w.value - 2}:0]}};"
        else:
            style, reg = "loop", t.reg
            body = f"for (i = 0; i < {w.top}; i = i + 1)\n    {t.name}[i] = {a}[i] ^ {a}[i+1];"
            text = t.wrap(
                f"integer i;\n{always(rng, f'{t.name}[{w.top}] = {a}[{w.top}];' + chr(10) + body)}"
            )
    else:
        style = n.choose(("loop", "generate", "shifts"))
        if style == "loop":
            reg = t.reg
            first = f"{t.name}[{w.top}] = {a}[{w.top}];\n"
            start = f"{w.parameter}-2" if w.parameter else f"{w.value - 2}"
            body = f"{first}for (i = {start}; i >= 0; i = i - 1)\n    {t.name}[i] = {t.name}[i+1] ^ {a}[i];"
            text = t.wrap(f"integer i;\n{always(rng, body)}")
        elif style == "generate":
            text = (
                f"genvar i;\ngenerate\n    for (i = 0; i < {w.text}; i = i + 1) begin : g_bit\n"
                f"        assign {out}[i] = ^({a} >> i);\n    end\nendgenerate"
            )
        else:
            steps, span, last = [], 1, a
            while span < w.value:
                name = n.pick(f"x{span}", f"f{span}")
                steps.append(f"wire {w.span}{name} = {last} ^ ({last} >> {span});")
                span, last = span * 2, name
            text = "\n".join([*steps, f"assign {out} = {last};"])
    ports = [
        PortDecl("input", a, w.value, "Gray code" if decode else "binary number", range=w.range),
        PortDecl(
            "output",
            out,
            w.value,
            "binary number" if decode else "Gray code",
            reg=reg,
            range=w.range,
        ),
    ]

    def model(i: Mapping[str, int]) -> Mapping[str, int | None]:
        value = i[a]
        if not decode:
            return {out: value ^ value >> 1}
        result = 0
        while value:
            result ^= value
            value >>= 1
        return {out: result}

    src, dst = ("Gray", "binary") if decode else ("binary", "Gray")
    fact: Behaviour = (
        f"{out} is the reflected Gray code of {a}.",
        f"`{out}` = `{a}` XOR (`{a}` shifted right by one).",
        f"The top bit is copied; every other bit of {out} is the XOR of the same and the next "
        "higher "
        f"bit of {a}.",
    )
    if decode:
        fact = (
            f"{out} is the binary number whose reflected Gray code is {a}.",
            f"Bit i of `{out}` is the XOR of all bits of `{a}` from i up to the top.",
            f"The top bit is copied; every other bit of {out} is the XOR of the next higher bit "
            f"of {out} "
            f"and the same bit of {a}.",
        )
    return combinational(
        rng,
        family="gray_code",
        group="codes",
        params={"width": w.value, "decode": decode},
        module=n.module(
            "gray2bin" if decode else "bin2gray",
            f"{src.lower()}_to_{dst.lower()}",
            "gray_conv",
            "gray_decoder" if decode else "gray_encoder",
        ),
        ports=ports,
        body=text,
        function=model,
        width=w,
        titles=(
            f"a {src} to {dst} converter for {w.value} bits",
            an(f"{w.value}-bit {src}-to-{dst} code converter"),
            f"a Gray code {'decoder' if decode else 'encoder'}, {w.value} bits wide",
            f"a combinational converter from {src} code to {dst} code",
        ),
        behaviour=(fact,),
        style=style,
    )


# Segments gfedcba of the digits 0..F, 1 lights a segment.
_SEGMENTS = (
    0x3F,
    0x06,
    0x5B,
    0x4F,
    0x66,
    0x6D,
    0x7D,
    0x07,
    0x7F,
    0x6F,
    0x77,
    0x7C,
    0x39,
    0x5E,
    0x79,
    0x71,
)


@family("seven_segment")
def seven_segment(rng: random.Random) -> Design:
    """Digit to seven segments, hexadecimal or decimal, either polarity and order."""
    n = Names(rng)
    decimal, low, reverse = rng.random() < 0.5, rng.random() < 0.45, rng.random() < 0.3
    blank = n.pick("blank", "off", "bl", "dark") if rng.random() < 0.25 else ""
    a = n.pick("digit", "bcd" if decimal else "hex", "num", "d", "value")
    out = n.pick("seg", "segments", "hex_o", "led", "disp", "abcdefg" if reverse else "seg_o")
    codes = []
    for digit in range(16):
        lit = _SEGMENTS[digit] if digit < 10 or not decimal else 0
        lit = int(f"{lit:07b}"[::-1], 2) if reverse else lit
        codes.append(mask(~lit, 7) if low else lit)
    dark = 127 if low else 0
    style = n.choose(("case", "function"))
    rng_base = rng.choice(("b", "h"))

    def code(value: int) -> str:
        return f"7'b{value:07b}" if rng_base == "b" else f"7'h{value:02x}"

    t = target(rng, n, out, "[6:0] ")
    last = 10 if decimal else 15
    name = n.pick("decode", "segs", "to_seg") if style == "function" else t.name
    rows = [
        f"    4'{'d' if decimal else 'h'}{k if decimal else f'{k:x}'}: {name} = {code(codes[k])};"
        for k in range(last)
    ]
    rows.append(f"    default: {name} = {code(codes[15])};")
    arg = "v" if style == "function" else a
    case = "\n".join([f"case ({arg})", *rows, "endcase"])
    if style == "function":
        text = f"function [6:0] {name};\n    input [3:0] v;\n{indent(case)}\nendfunction\n\n"
        text += (
            f"assign {out} = {blank} ? {code(dark)} : {name}({a});"
            if blank
            else f"assign {out} = {name}({a});"
        )
    else:
        body = (
            f"if ({blank})\n    {name} = {code(dark)};\nelse begin\n{indent(case)}\nend"
            if blank
            else case
        )
        text = t.wrap(always(rng, body))
    ports = [PortDecl("input", a, 4, "digit")]
    ports += [PortDecl("input", blank, 1, "all segments off")] if blank else []
    ports.append(PortDecl("output", out, 7, "segments", reg=style == "case" and t.reg))

    def model(i: Mapping[str, int]) -> Mapping[str, int | None]:
        return {out: dark if blank and i[blank] else codes[i[a]]}

    order = "bit 6 is a and bit 0 is g" if reverse else "bit 0 is a and bit 6 is g"
    facts: list[Behaviour] = [
        (
            f"In {out}, {order}; a segment lights when its bit is {0 if low else 1}.",
            f"`{out}` is {'{a,b,c,d,e,f,g}' if reverse else '{g,f,e,d,c,b,a}'}, active "
            f"{'low' if low else 'high'}.",
            f"Segment order: {order}. The segments are active {'low' if low else 'high'}.",
        ),
        (
            "Digits 0 to 9 are shown, codes 10 to 15 leave the display dark.",
            "Codes above 9 switch all segments off; 0-9 show the usual shapes (6 and 9 with "
            "tails).",
            "It handles decimal digits only: for 10 to 15 every segment is off.",
        )
        if decimal
        else (
            "All sixteen digits 0-9, A, b, C, d, E, F are shown (6 and 9 with tails).",
            "The letters for 10 to 15 are A, b, C, d, E and F.",
            "Hexadecimal digits 0 to F are displayed as 0-9, A, b, C, d, E, F.",
        ),
    ]
    if blank:
        facts.append(
            (
                f"With {blank} high every segment is off.",
                f"`{blank}` = 1 turns the display dark whatever the digit.",
                f"{blank} overrides the digit and switches all segments off.",
            )
        )
    table = ", ".join(f"{k:X}={codes[k]:07b}" for k in range(10 if decimal else 16))
    facts.append((f"The patterns are {table}.", f"Codes (binary): {table}.", ""))
    kind = "BCD" if decimal else "hex"
    return combinational(
        rng,
        family="seven_segment",
        group="codes",
        params={"decimal": decimal, "active_low": low, "reverse": reverse, "blank": bool(blank)},
        module=n.module(
            "seven_seg",
            "seg7",
            "sevenseg_decoder",
            f"{kind.lower()}_to_7seg",
            "hex_display",
            "display_decoder",
        ),
        ports=ports,
        body=text,
        function=model,
        titles=(
            f"a {kind} to seven-segment decoder",
            f"a 7-segment display driver for {'decimal' if decimal else 'hexadecimal'} digits",
            f"a decoder from a 4-bit {'BCD digit' if decimal else 'number'} to seven segments",
            f"a seven-segment {'BCD' if decimal else 'hexadecimal'} decoder, active "
            f"{'low' if low else 'high'}",
        ),
        behaviour=tuple(facts),
        style=style,
    )
