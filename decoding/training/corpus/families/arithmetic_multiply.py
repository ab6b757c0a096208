"""Multipliers."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..build import indent, mask
from ..design import Design, PortDecl
from ..names import Names
from ..registry import family
from ._combinational import always, an, combinational, draw_width, pair, signed

if TYPE_CHECKING:
    import random
    from collections.abc import Mapping

__all__: list[str] = []

_IN = ("in", "d", "a", "data_in", "x", "din", "word")


_OUT = ("out", "y", "q", "data_out", "result", "dout")


@family("multiplier")
def multiplier(rng: random.Random) -> Design:
    """Combinational multiplier, signed or unsigned."""
    n = Names(rng)
    wa = draw_width(rng, n, (2, 3, 4, 4, 5, 8, 8, 12, 16))
    other = wa.value if wa.parameter or rng.random() < 0.7 else rng.choice((2, 3, 4, 6, 8))
    is_signed = rng.random() < 0.35
    a, b = pair(rng, n, ("mcand", "mplier"))
    p = n.pick("p", "prod", "product", "result", "out")
    total = wa.value + other
    top = f"2*{wa.parameter}-1" if wa.parameter else str(total - 1)
    style = "operator"
    if not is_signed and not wa.parameter and 2 < other <= 8:
        style = n.choose(("operator", "loop", "partial"))
    reg = style == "loop"
    if style == "operator":
        text = (
            f"assign {p} = $signed({a}) * $signed({b});"
            if is_signed
            else f"assign {p} = {a} * {b};"
        )
    elif style == "loop":
        body = f"if ({b}[i])\n    {p} = {p} + ({{{other}'d0, {a}}} << i);"
        body = f"{p} = {total}'d0;\nfor (i = 0; i < {other}; i = i + 1)\n{indent(body)}"
        text = f"integer i;\n{always(rng, body)}"
    else:
        wide = n.pick("a_ext", "wide", "mc")
        terms = [f"({b}[{k}] ? {wide} << {k} : {total}'d0)" for k in range(other)]
        text = (
            f"wire [{total - 1}:0] {wide} = {{{other}'d0, {a}}};\nassign {p} = "
            + "\n    + ".join(terms)
            + ";"
        )
    ports = [
        PortDecl("input", a, wa.value, "multiplicand", range=wa.range),
        PortDecl("input", b, other, "multiplier", range=wa.range),
        PortDecl(
            "output", p, total, "product", reg=reg, range=f"[{top}:0]" if wa.parameter else ""
        ),
    ]

    def model(i: Mapping[str, int]) -> Mapping[str, int | None]:
        if is_signed:
            return {p: mask(signed(i[a], wa.value) * signed(i[b], other), total)}
        return {p: i[a] * i[b]}

    kind = "signed" if is_signed else "unsigned"
    return combinational(
        rng,
        family="multiplier",
        group="arithmetic",
        params={"a": wa.value, "b": other, "signed": is_signed},
        module=n.module(
            "multiplier",
            "mult",
            f"mul{wa.value}x{other}",
            "mul_unit",
            "umul" if not is_signed else "smul",
        ),
        ports=ports,
        body=text,
        function=model,
        width=wa,
        titles=(
            f"a {kind} {wa.value}x{other} multiplier"
            if kind == "signed"
            else f"an {kind} {wa.value}x{other} multiplier",
            f"a combinational {kind} multiplier of {wa.value} by {other} bits",
            f"a multiply unit for {kind} numbers, {wa.value}-bit times {other}-bit",
            f"a parallel multiplier with {an(f'{total}-bit product')}",
        ),
        behaviour=(
            (
                f"{p} is the full {total}-bit product of {a} and {b}.",
                f"`{p}` = {a} * {b}, all {total} bits.",
                f"Multiply {a} by {b} and output the complete product on {p}.",
            ),
            (
                f"The operands are {kind}" + (" (two's complement)." if is_signed else "."),
                f"It is {kind} multiplication.",
                f"Treat {a} and {b} as {kind} numbers.",
            ),
        ),
        style=style,
    )


@family("constant_multiply")
def constant_multiply(rng: random.Random) -> Design:
    """Multiplication of an unsigned number by a constant, sometimes plus an offset."""
    n = Names(rng)
    width = rng.choice((4, 5, 6, 8, 8, 8, 10, 12))
    factor = rng.choice((3, 5, 6, 7, 9, 10, 11, 12, 13, 15, 17, 20, 21, 24, 25, 31, 100))
    offset = rng.choice((0, 0, 0, 1, 2, 7, 32))
    a, y = n.pick(*_IN), n.pick(*_OUT, "prod")
    total = (((1 << width) - 1) * factor + offset).bit_length()
    powers = [k for k in range(factor.bit_length()) if factor >> k & 1]
    style = n.choose(("operator",) + (("shifts", "shifts") if len(powers) <= 3 else ()))
    plus = f" + {total}'d{offset}" if offset else ""
    if style == "shifts":
        e = n.pick("ext", "wide", "a_ext")
        terms = " + ".join(f"({e} << {k})" if k else e for k in reversed(powers))
        text = (
            f"wire [{total - 1}:0] {e} = {{{total - width}'d0, {a}}};\nassign {y} = {terms}{plus};"
        )
    else:
        text = f"assign {y} = {a} * {total}'d{factor}{plus};"
    ports = [PortDecl("input", a, width, "number"), PortDecl("output", y, total, "product")]

    def model(i: Mapping[str, int]) -> Mapping[str, int | None]:
        return {y: i[a] * factor + offset}

    formula = f"{factor} * {a}" + (f" + {offset}" if offset else "")
    shifts = " Use shifts and additions, no multiplier." if style == "shifts" else ""
    add = f" plus {offset}" if offset else ""
    return combinational(
        rng,
        family="constant_multiply",
        group="arithmetic",
        params={"width": width, "factor": factor, "offset": offset},
        module=n.module(f"times{factor}", f"mul_by_{factor}", "const_mult", "scale", "gain"),
        ports=ports,
        body=text,
        function=model,
        titles=(
            f"a multiplier by the constant {factor}{add}",
            f"a circuit that multiplies {an(f'{width}-bit number')} by "
            f"{factor}{' and adds ' + str(offset) if offset else ''}",
            f"a constant-coefficient multiplier (times {factor}{add}) for {width}-bit inputs",
            f"a scaling block: {width}-bit input times {factor}{add}",
        ),
        behaviour=(
            (
                f"{y} = {formula}, unsigned, without overflow.{shifts}",
                f"`{y}` carries `{a}` (unsigned) times {factor}{add} in full precision.{shifts}",
                f"The {total}-bit output {y} equals {formula} for the unsigned input.{shifts}",
            ),
        ),
        style=style,
    )
