"""Parts of words: extension, bit fields."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..build import mask
from ..design import Behaviour, Design, PortDecl
from ..names import Names
from ..registry import family
from ._combinational import always, an, combinational, signed, target

if TYPE_CHECKING:
    import random
    from collections.abc import Mapping

__all__: list[str] = []

_IN = ("in", "d", "x", "a", "data_in", "din", "data", "i_data", "word")


_OUT = ("out", "q", "y", "b", "data_out", "dout", "result", "o_data", "z")


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
