"""Absolute values, differences and averages."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..build import mask
from ..design import Behaviour, Design, PortDecl
from ..names import Names
from ..registry import family
from ._combinational import (
    always,
    an,
    combinational,
    draw_width,
    listing,
    numbered,
    pair,
    signed,
    target,
)

if TYPE_CHECKING:
    import random
    from collections.abc import Mapping

__all__: list[str] = []


@family("abs_value")
def abs_value(rng: random.Random) -> Design:
    """Absolute value, or negation on demand; the most negative number wraps or saturates."""
    n = Names(rng)
    w = draw_width(rng, n, (4, 6, 8, 8, 8, 12, 16, 16, 24, 32))
    a, y = (
        n.pick("x", "in", "a", "d", "value", "s_in"),
        n.pick("y", "out", "abs", "mag", "magnitude"),
    )
    saturate = rng.random() < 0.3
    sign = n.pick("neg", "sign", "is_neg", "negative") if rng.random() < 0.35 else ""
    top = w.top
    style = n.choose(("ternary", "xor", "if"))
    t = target(rng, n, y, w.span)
    worst = f"{{1'b1, {{({top}){{1'b0}}}}}}" if w.parameter else f"{w.value}'h{1 << w.value - 1:x}"
    biggest = (
        f"{{1'b0, {{({top}){{1'b1}}}}}}"
        if w.parameter
        else f"{w.value}'h{(1 << w.value - 1) - 1:x}"
    )
    zero_one = f"{w.zero[:-1]}1" if not w.parameter else "1'b1"
    if style == "xor" and not w.parameter and not saturate:
        m = n.pick("m", "sgn", "s_mask")
        text = f"wire {w.span}{m} = {{{w.value}{{{a}[{top}]}}}};\nassign {y} = ({a} ^ {m}) - {m};"
    elif style == "if":
        clip = f"if ({a} == {worst})\n    {t.name} = {biggest};\nelse " if saturate else ""
        text = t.wrap(
            always(
                rng,
                f"{clip}if ({a}[{top}])\n    {t.name} = ~{a} + {zero_one};\nelse\n    {t.name} = "
                f"{a};",
            )
        )
    else:
        style = "ternary"
        clip = f"({a} == {worst}) ? {biggest} : " if saturate else ""
        text = f"assign {y} = {clip}{a}[{top}] ? (~{a} + {zero_one}) : {a};"
    if sign:
        text += f"\nassign {sign} = {a}[{top}];"
    ports = [
        PortDecl("input", a, w.value, "signed number", range=w.range),
        PortDecl("output", y, w.value, "magnitude", reg=style == "if" and t.reg, range=w.range),
    ]
    ports += [PortDecl("output", sign, 1, "input is negative")] if sign else []

    def model(i: Mapping[str, int]) -> Mapping[str, int | None]:
        value = abs(signed(i[a], w.value))
        if saturate:
            value = min(value, (1 << w.value - 1) - 1)
        return {y: mask(value, w.value)} | ({sign: i[a] >> w.value - 1} if sign else {})

    least = -(1 << w.value - 1)
    facts: list[Behaviour] = [
        (
            f"{y} is the absolute value of the signed number {a}.",
            f"If `{a}` (two's complement) is negative `{y}` is its negation, otherwise `{a}` "
            "itself.",
            f"{y} = |{a}|, where {a} is a two's complement number.",
        ),
        (
            f"The most negative input {least} gives {-least - 1}.",
            f"For {a} = {least} the output saturates at {-least - 1}.",
            f"{least} has no positive counterpart and is mapped to {-least - 1}.",
        )
        if saturate
        else (
            f"The most negative input {least} gives the bit pattern of {-least}.",
            f"For {a} = {least} the output is {-least} read as unsigned, i.e. the same bits.",
            f"{least} comes out unchanged (unsigned {-least}).",
        ),
    ]
    if sign:
        facts.append(
            (
                f"{sign} is 1 for negative inputs.",
                f"`{sign}` copies the sign bit.",
                f"The sign of {a} is shown on {sign} (1 = negative).",
            )
        )
    return combinational(
        rng,
        family="abs_value",
        group="arithmetic",
        params={"width": w.value, "saturate": saturate, "sign": bool(sign)},
        module=n.module("abs_value", "abs", f"abs{w.value}", "magnitude_unit", "absolute"),
        ports=ports,
        body=text,
        function=model,
        width=w,
        titles=(
            an(f"{w.value}-bit absolute value unit"),
            f"a circuit for the magnitude of a signed {w.value}-bit number",
            an(f"absolute value block for {w.value}-bit two's complement numbers"),
            f"a rectifier for {w.value} bit signed samples",
        ),
        behaviour=tuple(facts),
        style=style,
    )


@family("abs_difference")
def abs_difference(rng: random.Random) -> Design:
    """Absolute difference of two unsigned numbers."""
    n = Names(rng)
    w = draw_width(rng, n, (3, 4, 6, 8, 8, 8, 10, 12, 16, 16, 32))
    a, b = pair(rng, n)
    y = n.pick("diff", "y", "dist", "absdiff", "out", "delta")
    sign = n.pick("neg", f"{a}_lt_{b}", "swapped", "less") if rng.random() < 0.3 else ""
    style = n.choose(("ternary", "if", "borrow"))
    t = target(rng, n, y, w.span)
    if style == "ternary":
        text = f"assign {y} = ({a} > {b}) ? {a} - {b} : {b} - {a};"
    elif style == "if":
        text = t.wrap(
            always(
                rng, f"if ({a} >= {b})\n    {t.name} = {a} - {b};\nelse\n    {t.name} = {b} - {a};"
            )
        )
    else:
        d = n.pick("d", "raw", "tmp")
        text = (
            f"wire [{w.text}:0] {d} = {{1'b0, {a}}} - {{1'b0, {b}}};\n"
            f"assign {y} = {d}[{w.text}] ? ~{d}[{w.top}:0] + 1'b1 : {d}[{w.top}:0];"
        )
    if sign:
        text += f"\nassign {sign} = ({a} < {b});"
    ports = [PortDecl("input", x, w.value, "operand", range=w.range) for x in (a, b)]
    ports.append(
        PortDecl("output", y, w.value, "distance", reg=style == "if" and t.reg, range=w.range)
    )
    ports += [PortDecl("output", sign, 1, f"{a} is the smaller one")] if sign else []

    def model(i: Mapping[str, int]) -> Mapping[str, int | None]:
        return {y: abs(i[a] - i[b])} | ({sign: int(i[a] < i[b])} if sign else {})

    facts: list[Behaviour] = [
        (
            f"{y} is the absolute difference |{a} - {b}| of the unsigned operands.",
            f"The smaller of `{a}` and `{b}` (unsigned) is subtracted from the larger; the result "
            "is "
            f"`{y}`.",
            f"{y} = {a} - {b} if {a} >= {b}, else {b} - {a}; both are unsigned.",
        )
    ]
    if sign:
        facts.append(
            (
                f"{sign} is high when {a} is less than {b}.",
                f"`{sign}` = ({a} < {b}).",
                f"Raise {sign} if {b} is strictly the larger one.",
            )
        )
    return combinational(
        rng,
        family="abs_difference",
        group="arithmetic",
        params={"width": w.value, "sign": bool(sign)},
        module=n.module("abs_diff", "absdiff", "distance", "sad_cell", "delta_unit"),
        ports=ports,
        body=text,
        function=model,
        width=w,
        titles=(
            an(f"{w.value}-bit absolute difference unit"),
            f"a circuit for the distance of two {w.value}-bit unsigned numbers",
            an(f"absolute-difference block, {w.value} bits wide"),
            f"a combinational |{a}-{b}| for {w.value}-bit operands",
        ),
        behaviour=tuple(facts),
        style=style,
    )


@family("average")
def average(rng: random.Random) -> Design:
    """Mean of two or four unsigned numbers, rounded down, up or to nearest."""
    n = Names(rng)
    module = n.module("average", "avg", "mean", "mean_unit", "interpolate")
    width, count = rng.choice((4, 6, 8, 8, 8, 12, 16)), rng.choice((2, 2, 4))
    shift = count.bit_length() - 1
    ins = list(pair(rng, n)) if count == 2 else numbered(rng, n, count, "d", "in", "x", "s")
    y, total = n.pick("avg", "mean", "y", "out", "result"), n.pick("total", "acc", "sum_x")
    add, how = rng.choice(((0, "down"), (0, "down"), (count // 2, "nearest"), (count - 1, "up")))
    wide = width + shift
    extra = f" + {wide}'d{add}" if add else ""
    terms = " + ".join(f"{{{shift}'d0, {x}}}" for x in ins) + extra
    style = n.choose(("wire", "always"))
    text = f"wire [{wide - 1}:0] {total} = {terms};\nassign {y} = {total}[{wide - 1}:{shift}];"
    if style == "always":
        body = f"{total} = {terms};\n{y} = {total}[{wide - 1}:{shift}];"
        text = f"reg [{wide - 1}:0] {total};\n{always(rng, body)}"
    ports = [PortDecl("input", x, width, "value") for x in ins]
    ports.append(PortDecl("output", y, width, "mean", reg=style == "always"))

    def model(i: Mapping[str, int]) -> Mapping[str, int | None]:
        return {y: (sum(i[x] for x in ins) + add) >> shift}

    rounding: dict[str, Behaviour] = {
        "down": (
            "Fractions are dropped (rounded down).",
            "The result is truncated.",
            f"Round down: {y} = floor(sum / {count}).",
        ),
        "up": (
            "Any fraction rounds up.",
            f"The result is the ceiling of the sum divided by {count}.",
            "It rounds up to the next integer.",
        ),
        "nearest": (
            "It rounds to nearest, a half rounds up.",
            f"Add {count // 2} before the division by {count}, so that halves round up.",
            "The result is rounded to the nearest integer (ties upwards).",
        ),
    }
    return combinational(
        rng,
        family="average",
        group="arithmetic",
        params={"width": width, "count": count, "rounding": how if add != 1 or count > 2 else "up"},
        module=module,
        ports=ports,
        body=text,
        function=model,
        titles=(
            f"an average of {count} unsigned {width}-bit numbers",
            f"a circuit for the mean of {count} {width}-bit values",
            an(f"{width}-bit averaging block with {count} inputs"),
            f"a combinational arithmetic mean, {count} inputs, {width} bits",
        ),
        behaviour=(
            (
                f"{y} is the mean of {listing(ins)}, without overflow in between.",
                f"`{y}` = ({' + '.join(ins)}) / {count}, computed on {wide} bits, unsigned.",
                f"Add the unsigned inputs {listing(ins)} in full width and divide by {count}; the "
                f"quotient is {y}.",
            ),
            rounding[how],
        ),
        style=style,
    )
