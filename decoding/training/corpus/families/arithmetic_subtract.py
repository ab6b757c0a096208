"""Subtraction, and both in one."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..build import mask
from ..design import Behaviour, Design, PortDecl
from ..names import Names
from ..registry import family
from ._combinational import always, an, combinational, draw_width, pair, signed, target

if TYPE_CHECKING:
    import random
    from collections.abc import Mapping

__all__: list[str] = []

_WIDTHS = (2, 3, 4, 4, 8, 8, 8, 16, 16, 32)


@family("subtractor")
def subtractor(rng: random.Random) -> Design:
    """Subtractor with optional borrow in and out."""
    n = Names(rng)
    w = draw_width(rng, n, _WIDTHS)
    a, b = pair(rng, n)
    bi = n.pick("bin", "borrow_in", "b_in", "bi") if rng.random() < 0.4 else ""
    bo = n.pick("bout", "borrow", "borrow_out", "bo") if rng.random() < 0.75 else ""
    zero = n.pick("zero", "is_zero", "z", "eq") if rng.random() < 0.2 else ""
    d = n.pick("diff", "d", "difference", "result", "y")
    minus = f" - {bi}" if bi else ""
    style = n.choose(("concat", "wide", "complement", "always"))
    wide, reg = n.pick("full", "tmp", "ext"), False
    if style == "wide":
        text = f"wire [{w.text}:0] {wide} = {{1'b0, {a}}} - {{1'b0, {b}}}{minus};\nassign {d} = {wide}[{w.top}:0];"
        text += f"\nassign {bo} = {wide}[{w.text}];" if bo else ""
    elif style == "complement":
        one = f"!{bi}" if bi else "1'b1"
        text = f"wire [{w.text}:0] {wide} = {{1'b0, {a}}} + {{1'b0, ~{b}}} + {one};\nassign {d} = {wide}[{w.top}:0];"
        text += f"\nassign {bo} = ~{wide}[{w.text}];" if bo else ""
    elif style == "always":
        reg = True
        text = always(
            rng, f"{{{bo}, {d}}} = {a} - {b}{minus};" if bo else f"{d} = {a} - {b}{minus};"
        )
    else:
        text = (
            f"assign {{{bo}, {d}}} = {a} - {b}{minus};" if bo else f"assign {d} = {a} - {b}{minus};"
        )
    if zero:
        text += f"\nassign {zero} = ({d} == {w.zero});"
    ports = [PortDecl("input", x, w.value, "operand", range=w.range) for x in (a, b)]
    if bi:
        ports.append(PortDecl("input", bi, 1, "borrow in"))
    ports.append(PortDecl("output", d, w.value, "difference", reg=reg, range=w.range))
    ports += [PortDecl("output", bo, 1, "borrow out", reg=reg)] if bo else []
    ports += [PortDecl("output", zero, 1, "difference is zero")] if zero else []

    def model(i: Mapping[str, int]) -> Mapping[str, int | None]:
        total = i[a] - i[b] - (i[bi] if bi else 0)
        result: dict[str, int | None] = {d: mask(total, w.value)}
        if bo:
            result[bo] = int(total < 0)
        if zero:
            result[zero] = int(mask(total, w.value) == 0)
        return result

    formula = f"{a} - {b}{minus}"
    facts: list[Behaviour] = [
        (
            f"{d} is {formula}.",
            f"`{d}` = {formula}, modulo 2^{w.value}.",
            f"Subtract {b}{f' and the borrow {bi}' if bi else ''} from {a}; the result goes to "
            f"{d}.",
        )
    ]
    if bo:
        facts.append(
            (
                f"{bo} is 1 when the unsigned result is negative.",
                f"`{bo}` is high if {a} is too small (unsigned), that is if a borrow is needed.",
                f"The borrow out {bo} is set iff {formula} < 0 with unsigned operands.",
            )
        )
    if zero:
        facts.append(
            (
                f"{zero} is 1 when {d} is zero.",
                f"`{zero}` = ({d} == 0).",
                f"Raise {zero} for a zero difference.",
            )
        )
    extras = [x for x, y in (("borrow in", bi), ("borrow out", bo), ("zero flag", zero)) if y]
    tail = f" with {' and '.join(extras)}" if extras else ""
    return combinational(
        rng,
        family="subtractor",
        group="arithmetic",
        params={"width": w.value, "bin": bool(bi), "bout": bool(bo), "zero": bool(zero)},
        module=n.module("subtractor", f"sub{w.value}", "sub_unit", "difference", "subtract"),
        ports=ports,
        body=text,
        function=model,
        width=w,
        titles=(
            an(f"{w.value}-bit subtractor{tail}"),
            f"a combinational subtractor for two {w.value}-bit numbers{tail}",
            f"a binary subtract unit, {w.value} bits wide{tail}",
            f"a circuit that computes the difference of two {w.value}-bit operands{tail}",
        ),
        behaviour=tuple(facts),
        style=style,
    )


@family("add_sub")
def add_sub(rng: random.Random) -> Design:
    """Adder/subtractor with a mode input."""
    n = Names(rng)
    w = draw_width(rng, n, _WIDTHS)
    a, b = pair(rng, n)
    add_high = rng.random() < 0.25
    mode = (
        n.pick("add", "add_n_sub", "plus")
        if add_high
        else n.pick("sub", "mode", "subtract", "op", "do_sub")
    )
    y = n.pick("y", "result", "out", "s", "res")
    ovf = n.pick("overflow", "ovf", "v") if rng.random() < 0.4 else ""
    zero = n.pick("zero", "result_is_zero", "z") if rng.random() < 0.3 else ""
    style = n.choose(("ternary", "xor", "if"))
    t = target(rng, n, y, w.span)
    sub = f"~{mode}" if add_high else mode
    if style == "ternary":
        first, second = ("+", "-") if add_high else ("-", "+")
        text = f"assign {y} = {mode} ? {a} {first} {b} : {a} {second} {b};"
    elif style == "xor":
        m = n.pick("b_x", "operand", "b_inv")
        text = f"wire {w.span}{m} = {b} ^ {{{w.text}{{{sub}}}}};\nassign {y} = {a} + {m} + {{{{{w.text}-1{{1'b0}}}}, {sub}}};"
        if not w.parameter:
            text = text.replace(f"{w.value}-1{{", f"{w.value - 1}{{")
    else:
        yes, no = ("+", "-") if add_high else ("-", "+")
        body = f"if ({mode})\n    {t.name} = {a} {yes} {b};\nelse\n    {t.name} = {a} {no} {b};"
        text = t.wrap(always(rng, body))
    m = w.top
    if ovf:
        text += f"\nassign {ovf} = ({a}[{m}] ^ {b}[{m}] ^ {sub} ^ 1'b1) & ({y}[{m}] ^ {a}[{m}]);"
    if zero:
        text += f"\nassign {zero} = ({y} == {w.zero});"
    ports = [PortDecl("input", x, w.value, "operand", range=w.range) for x in (a, b)]
    ports.append(
        PortDecl("input", mode, 1, "1 adds, 0 subtracts" if add_high else "0 adds, 1 subtracts")
    )
    ports.append(
        PortDecl("output", y, w.value, "result", reg=style == "if" and t.reg, range=w.range)
    )
    ports += [
        PortDecl("output", f, 1, d)
        for f, d in ((ovf, "signed overflow"), (zero, "result is zero"))
        if f
    ]

    def model(i: Mapping[str, int]) -> Mapping[str, int | None]:
        sign = 1 if (i[mode] == 1) == add_high else -1
        value = mask(i[a] + sign * i[b], w.value)
        exact = signed(i[a], w.value) + sign * signed(i[b], w.value)
        result: dict[str, int | None] = {y: value}
        if ovf:
            result[ovf] = int(exact != signed(value, w.value))
        return result | ({zero: int(value == 0)} if zero else {})

    hi, lo = (f"{a} + {b}", f"{a} - {b}") if add_high else (f"{a} - {b}", f"{a} + {b}")
    facts: list[Behaviour] = [
        (
            f"With {mode} = 1 {y} is {hi}, with {mode} = 0 it is {lo}.",
            f"`{mode}` selects the operation: 0 gives {lo}, 1 gives {hi}.",
            f"{y} = {lo} when {mode} is low and {hi} when {mode} is high.",
        )
    ]
    if ovf:
        facts.append(
            (
                f"{ovf} is set on signed (two's complement) overflow of the selected operation.",
                f"`{ovf}` is 1 if the exact signed result does not fit in {w.value} bits.",
                f"Signed overflow is reported on {ovf}.",
            )
        )
    if zero:
        facts.append(
            (
                f"{zero} is 1 when {y} is zero.",
                f"`{zero}` = ({y} == 0).",
                f"{zero} flags an all-zero result.",
            )
        )
    return combinational(
        rng,
        family="add_sub",
        group="arithmetic",
        params={"width": w.value, "add_high": add_high, "overflow": bool(ovf), "zero": bool(zero)},
        module=n.module("add_sub", "addsub", "adder_subtractor", "as_unit", f"addsub{w.value}"),
        ports=ports,
        body=text,
        function=model,
        width=w,
        titles=(
            an(f"{w.value}-bit adder/subtractor"),
            an(f"add-subtract unit for {w.value}-bit operands"),
            f"a combined adder and subtractor, {w.value} bits wide",
            f"a circuit that adds or subtracts two {w.value}-bit numbers",
        ),
        behaviour=tuple(facts),
        style=style,
    )
