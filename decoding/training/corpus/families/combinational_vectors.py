"""Vectors rearranged: reversal, swaps, fields, extension, splitting and joining."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..build import mask
from ..design import Behaviour, Design, PortDecl
from ..names import Names
from ..registry import family
from ._combinational import always, an, combinational, draw_width, signed, target

if TYPE_CHECKING:
    import random
    from collections.abc import Mapping

__all__: list[str] = []

_IN = ("in", "d", "x", "a", "data_in", "din", "data", "i_data", "word")
_OUT = ("out", "q", "y", "b", "data_out", "dout", "result", "o_data", "z")


@family("bit_reverse")
def bit_reverse(rng: random.Random) -> Design:
    """Mirror a vector, always or on demand."""
    n = Names(rng)
    optional = rng.random() < 0.25
    w = draw_width(rng, n, (4, 5, 6, 8, 8, 10, 16, 24, 32, 64, 100))
    module = n.module("bit_reverse", "reverse_bits", "bitrev", "mirror", "bit_flip")
    a, out = n.pick(*_IN), n.pick(*_OUT)
    en = n.pick("rev", "reverse", "flip", "mirror_en", "mode") if optional else ""
    options = ["loop", "generate"] + (["concat"] * 2 if w.value <= 8 and not w.parameter else [])
    style = n.choose(options)
    t = target(rng, n, out, w.span)
    flip = f"{a}[{w.top}-i]" if w.parameter else f"{a}[{w.value - 1} - i]"
    if style == "concat":
        bits = ", ".join(f"{a}[{i}]" for i in range(w.value))
        text = f"assign {out} = {en} ? {{{bits}}} : {a};" if en else f"assign {out} = {{{bits}}};"
    elif style == "loop":
        value = f"{en} ? {flip} : {a}[i]" if en else flip
        body = f"for (i = 0; i < {w.text}; i = i + 1)\n    {t.name}[i] = {value};"
        text = t.wrap(f"integer i;\n{always(rng, body)}")
    else:
        value = f"{en} ? {flip} : {a}[i]" if en else flip
        text = (
            f"genvar i;\ngenerate\n    for (i = 0; i < {w.text}; i = i + 1) begin : g_rev\n"
            f"        assign {out}[i] = {value};\n    end\nendgenerate"
        )
    ports = [PortDecl("input", a, w.value, "word", range=w.range)]
    if en:
        ports.append(PortDecl("input", en, 1, "reverse when high"))
    ports.append(
        PortDecl(
            "output", out, w.value, "mirrored word", reg=style == "loop" and t.reg, range=w.range
        )
    )

    def model(i: Mapping[str, int]) -> Mapping[str, int | None]:
        if en and not i[en]:
            return {out: i[a]}
        return {out: int(f"{i[a]:0{w.value}b}"[::-1], 2)}

    when = f"When {en} is 1, " if en else ""
    rest = f" With {en} = 0 the word passes unchanged." if en else ""
    return combinational(
        rng,
        family="bit_reverse",
        group="combinational",
        params={"width": w.value, "optional": optional},
        module=module,
        ports=ports,
        body=text,
        function=model,
        width=w,
        titles=(
            an(f"{w.value}-bit bit reverser"),
            f"a block that mirrors {an(f'{w.value}-bit word')}",
            f"a circuit that reverses the bit order of a {w.value} bit vector",
            f"a bit-order swap for {w.value} bits (MSB becomes LSB)",
        ),
        behaviour=(
            (
                f"{when}{out}[i] = {a}[{w.value - 1}-i].{rest}",
                f"{when}bit 0 of {a} goes to bit {w.value - 1} of {out}, bit 1 to bit "
                f"{w.value - 2}, and so on.{rest}",
                f"{when}the bits of `{a}` appear on `{out}` in reversed order.{rest}",
            ),
        ),
        style=style,
    )


@family("byte_swap")
def byte_swap(rng: random.Random) -> Design:
    """Reverse the order of bytes, half-words or nibbles."""
    n = Names(rng)
    unit, count = rng.choice(
        ((8, 2), (8, 2), (8, 4), (8, 4), (8, 4), (8, 8), (4, 2), (4, 4), (16, 2))
    )
    total = unit * count
    word = {4: "nibble", 8: "byte", 16: "half-word"}[unit]
    module = n.module(
        "byte_swap" if unit == 8 else "swapper", "endian_swap", "bswap", "swap", "reorder"
    )
    a, out = n.pick(*_IN), n.pick(*_OUT)
    en = n.pick("swap", "swap_en", "big_endian", "bswap", "sel") if rng.random() < 0.35 else ""
    style = n.choose(("concat", "concat", "slices", "loop"))
    parts = [f"{a}[{unit * k + unit - 1}:{unit * k}]" for k in range(count)]
    joined = f"{{{', '.join(parts)}}}"
    reg = style == "loop"
    if style == "concat":
        text = f"assign {out} = {en} ? {joined} : {a};" if en else f"assign {out} = {joined};"
    elif style == "slices":
        rows = []
        for k in range(count):
            high = unit * (count - k) - 1
            span = f"[{high}:{high - unit + 1}]"
            value = f"{en} ? {parts[k]} : {a}{span}" if en else parts[k]
            rows.append(f"assign {out}{span} = {value};")
        text = "\n".join(rows)
    else:
        source = f"{a}[{unit}*({count - 1}-k) +: {unit}]"
        value = f"{en} ? {source} : {a}[{unit}*k +: {unit}]" if en else source
        body = f"for (k = 0; k < {count}; k = k + 1)\n    {out}[{unit}*k +: {unit}] = {value};"
        text = f"integer k;\n{always(rng, body)}"
    ports = [PortDecl("input", a, total, "word")]
    if en:
        ports.append(PortDecl("input", en, 1, "swap when high"))
    ports.append(PortDecl("output", out, total, f"word with {word}s swapped", reg=reg))

    def model(i: Mapping[str, int]) -> Mapping[str, int | None]:
        if en and not i[en]:
            return {out: i[a]}
        value = 0
        for k in range(count):
            value = value << unit | mask(i[a] >> unit * k, unit)
        return {out: value}

    when = f"If {en} is high, " if en else ""
    rest = f" If {en} is low {out} equals {a}." if en else ""
    return combinational(
        rng,
        family="byte_swap",
        group="combinational",
        params={"unit": unit, "count": count, "optional": bool(en)},
        module=module,
        ports=ports,
        body=text,
        function=model,
        titles=(
            an(f"{total}-bit {word} swapper"),
            f"a {word} order reversal for {total}-bit words",
            f"a circuit that reverses the order of the {count} {word}s of a word",
            f"an endianness converter working on {word}s of a {total}-bit vector",
        ),
        behaviour=(
            (
                f"{when}the {word}s of {a} appear on {out} in reversed order; bits within a {word} "
                f"keep their order.{rest}",
                f"{when}the lowest {word} of `{a}` becomes the highest {word} of `{out}` and so "
                f"on.{rest}",
                f"{when}{word} k of {out} is {word} {count - 1}-k of {a}.{rest}",
            ),
        ),
        style=style,
    )


@family("extend")
def extend(rng: random.Random) -> Design:
    """Sign or zero extension, fixed or selected."""
    n = Names(rng)
    narrow = rng.choice((3, 4, 4, 5, 8, 8, 8, 12, 16))
    wide = rng.choice([x for x in (6, 8, 10, 12, 16, 24, 32, 32) if x > narrow])
    kind = rng.choice(("sign", "sign", "zero", "select", "select"))
    module = n.module(
        "sign_extend" if kind == "sign" else "extender", "ext_unit", "imm_ext", "widen", "sext"
    )
    a, out = n.pick(*_IN, "imm"), n.pick(*_OUT, "ext")
    sel = n.pick("sext", "is_signed", "sign", "signed_mode", "se") if kind == "select" else ""
    extra, msb = wide - narrow, f"{a}[{narrow - 1}]"
    fill = {"sign": msb, "zero": "1'b0", "select": f"{msb} & {sel}"}[kind]
    style = n.choose(("concat", "concat", "fill") + (("signed",) if kind == "sign" else ()))
    reg = False
    if style == "signed":
        text = f"assign {out} = $signed({a});"
    elif style == "fill":
        f = n.pick("fill", "ext_bit", "pad", "s")
        text = f"wire {f} = {fill};\nassign {out} = {{{{{extra}{{{f}}}}}, {a}}};"
    elif kind == "select":
        t = target(rng, n, out, f"[{wide - 1}:0] ")
        reg = t.reg
        one = f"{{{{{extra}{{{msb}}}}}, {a}}}"
        zero = f"{{{extra}'d0, {a}}}"
        text = t.wrap(
            always(rng, f"if ({sel})\n    {t.name} = {one};\nelse\n    {t.name} = {zero};")
        )
    else:
        text = f"assign {out} = {{{{{extra}{{{fill}}}}}, {a}}};"
    ports = [PortDecl("input", a, narrow, "narrow word")]
    if sel:
        ports.append(PortDecl("input", sel, 1, "1 extends the sign, 0 fills with zeros"))
    ports.append(PortDecl("output", out, wide, "extended word", reg=reg))

    def model(i: Mapping[str, int]) -> Mapping[str, int | None]:
        as_signed = kind == "sign" or (bool(sel) and i[sel] == 1)
        return {out: mask(signed(i[a], narrow), wide) if as_signed else i[a]}

    facts: dict[str, Behaviour] = {
        "sign": (
            f"The upper {extra} bits of {out} are copies of the sign bit {msb}.",
            f"Replicate the most significant bit of `{a}` into the new upper bits of `{out}`.",
            f"{out} holds the same two's complement value as {a}.",
        ),
        "zero": (
            f"The upper {extra} bits of {out} are zero.",
            f"`{a}` is unsigned; the added upper bits are filled with zeros.",
            f"{out} holds the same unsigned value as {a}, padded with leading zeros.",
        ),
        "select": (
            f"With {sel} high {a} is sign extended, with {sel} low it is zero extended.",
            f"`{sel}` = 1 copies the top bit of `{a}` into the upper bits, `{sel}` = 0 clears "
            "them.",
            f"{sel} chooses between signed (1) and unsigned (0) extension of {a} into {out}.",
        ),
    }
    name = {"sign": "sign extender", "zero": "zero extender", "select": "sign/zero extender"}[kind]
    return combinational(
        rng,
        family="extend",
        group="combinational",
        params={"from": narrow, "to": wide, "kind": kind},
        module=module,
        ports=ports,
        body=text,
        function=model,
        titles=(
            f"a {name} from {narrow} to {wide} bits",
            an(f"{narrow}-bit to {wide}-bit {name}"),
            f"a circuit that widens {an(f'{narrow}-bit')} number to {wide} bits",
            f"an extension unit with {narrow} bits in and {wide} bits out",
        ),
        behaviour=(facts[kind],),
        style=style,
    )


@family("bit_field")
def bit_field(rng: random.Random) -> Design:
    """Extract a field at a variable position, or insert one."""
    n = Names(rng)
    insert = rng.random() < 0.5
    width, bits = rng.choice(((8, 3), (8, 3), (16, 4), (16, 4), (32, 5)))
    field = rng.choice([x for x in (2, 3, 4, 5, 8) if x < width])
    module = n.module(
        *(
            ("field_insert", "bit_insert", "bfi")
            if insert
            else ("field_extract", "bit_extract", "bfx")
        ),
        "bitfield_unit",
    )
    a, pos, out = n.pick(*_IN, "base"), n.pick("pos", "offset", "lsb", "shift"), n.pick(*_OUT)
    f = n.pick("field", "value", "new_bits", "ins") if insert else ""
    style = n.choose(("direct", "mask"))
    ones = f"{width}'d{(1 << field) - 1}"
    reg = False
    if insert:
        m = n.pick("m", "hole", "window")
        padded = f"{{{width - field}'d0, {f}}}"
        text = (
            f"wire [{width - 1}:0] {m} = {ones} << {pos};\n"
            f"assign {out} = ({a} & ~{m}) | ({padded} << {pos});"
        )
        if style == "direct":
            reg = True
            body = (
                f"{m} = {ones} << {pos};\n{out} = {a} & ~{m};\n{out} = {out} | ({padded} << {pos});"
            )
            text = f"reg [{width - 1}:0] {m};\n{always(rng, body)}"
    elif style == "direct":
        s = n.pick("shifted", "aligned", "moved")
        text = f"wire [{width - 1}:0] {s} = {a} >> {pos};\nassign {out} = {s}[{field - 1}:0];"
    else:
        s = n.pick("padded", "ext", "wide")
        text = (
            f"wire [{width + field - 1}:0] {s} = {{{field}'d0, {a}}};\n"
            f"assign {out} = {s}[{pos} +: {field}];"
        )
    ports = [
        PortDecl("input", a, width, "word"),
        PortDecl("input", pos, bits, "lowest bit of the field"),
    ]
    if insert:
        ports.append(PortDecl("input", f, field, "bits to insert"))
    ports.append(PortDecl("output", out, width if insert else field, "result", reg=reg))

    def model(i: Mapping[str, int]) -> Mapping[str, int | None]:
        if not insert:
            return {out: mask(i[a] >> i[pos], field)}
        hole = mask(((1 << field) - 1) << i[pos], width)
        return {out: i[a] & ~hole | mask(i[f] << i[pos], width)}

    facts: tuple[Behaviour, ...] = (
        (
            f"{out} is the {field}-bit field of {a} whose lowest bit is at position {pos}.",
            f"`{out}` takes {field} bits of `{a}` starting at bit `{pos}` and going up.",
            f"{out}[i] = {a}[{pos} + i] for i from 0 to {field - 1}.",
        ),
        (
            f"Field bits beyond the top of {a} read as zero.",
            f"Where the field runs past bit {width - 1} it is filled with zeros.",
            "Bits above the word count as 0.",
        ),
    )
    if insert:
        facts = (
            (
                f"{out} is {a} with the {field} bits from position {pos} upwards replaced by {f}.",
                f"The {field}-bit value `{f}` overwrites `{a}` starting at bit `{pos}`; the other "
                f"bits pass unchanged.",
                f"{out}[{pos} + i] = {f}[i] for i from 0 to {field - 1}, all other bits are those "
                f"of {a}.",
            ),
            (
                f"Bits of the field that would fall beyond bit {width - 1} are dropped.",
                f"What does not fit into the {width}-bit word is lost.",
                f"The part of {f} above the top of the word is ignored.",
            ),
        )
    verb = "inserter" if insert else "extractor"
    return combinational(
        rng,
        family="bit_field",
        group="combinational",
        params={"width": width, "field": field, "insert": insert},
        module=module,
        ports=ports,
        body=text,
        function=model,
        titles=(
            f"a bit-field {verb} for {width}-bit words",
            an(f"{field}-bit field {verb} with variable position"),
            f"a block that {'writes' if insert else 'reads'} {an(f'{field}-bit field')} "
            f"{'into' if insert else 'out of'} {an(f'{width}-bit word')}",
            f"a field {'deposit' if insert else 'extract'} unit, {width} bits wide",
        ),
        behaviour=facts,
        style=style,
    )
