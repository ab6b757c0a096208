"""Addition and subtraction."""

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


@family("full_adder")
def full_adder(rng: random.Random) -> Design:
    """Half or full adder, half or full subtractor, of single bits."""
    n = Names(rng)
    full, sub = rng.random() < 0.5, rng.random() < 0.3
    a, b = pair(rng, n)
    c = (
        (n.pick("bin", "b_in", "borrow_in") if sub else n.pick("cin", "ci", "c_in", "carry_in"))
        if full
        else ""
    )
    s = n.pick("diff", "d", "difference") if sub else n.pick("sum", "s", "S", "sum_o")
    k = n.pick("bout", "borrow", "b_out") if sub else n.pick("cout", "co", "carry", "c_out")
    style = n.choose(("gates", "concat", "primitives") if not sub else ("gates", "concat"))
    if style == "concat":
        op = "-" if sub else "+"
        text = f"assign {{{k}, {s}}} = {a} {op} {b}" + (f" {op} {c};" if full else ";")
    elif style == "primitives" and not full:
        text = f"xor (  {s}, {a}, {b});\nand (  {k}, {a}, {b});".replace("(  ", "(")
    elif full:
        p = n.pick("p", "axb", "half")
        wire = f"wire {p} = {a} ^ {b};\nassign {s} = {p} ^ {c};\n"
        text = wire + (
            f"assign {k} = (~{a} & {b}) | (~{p} & {c});"
            if sub
            else f"assign {k} = ({a} & {b}) | ({p} & {c});"
        )
        if style == "primitives":
            style = "gates"
    else:
        text = f"assign {s} = {a} ^ {b};\nassign {k} = {'~' if sub else ''}{a} & {b};"
    ports = [PortDecl("input", x, 1, "operand") for x in (a, b)]
    if full:
        ports.append(PortDecl("input", c, 1, "borrow in" if sub else "carry in"))
    ports += [
        PortDecl("output", s, 1, "difference" if sub else "sum"),
        PortDecl("output", k, 1, "borrow" if sub else "carry"),
    ]

    def model(i: Mapping[str, int]) -> Mapping[str, int | None]:
        extra = i[c] if full else 0
        total = i[a] - i[b] - extra if sub else i[a] + i[b] + extra
        return {s: total & 1, k: total >> 1 & 1}

    kind = f"{'full' if full else 'half'} {'subtractor' if sub else 'adder'}"
    result, over = ("difference", "borrow") if sub else ("sum", "carry")
    formula = (
        (f"{a} - {b}" + (f" - {c}" if full else ""))
        if sub
        else f"{a} + {b}" + (f" + {c}" if full else "")
    )
    return combinational(
        rng,
        family="full_adder",
        group="arithmetic",
        params={"full": full, "subtract": sub},
        module=n.module(
            kind.replace(" ", "_"),
            kind[0] + ("s" if sub else "a"),
            kind.split()[1] + "_cell",
            "bit_" + kind.split()[1],
        ),
        ports=ports,
        body=text,
        function=model,
        titles=(
            f"a {kind}",
            f"a one-bit {kind}",
            f"a {kind} for single bits with {result} and {over} outputs",
            f"a 1-bit {kind.split()[1]} {'with' if full else 'without'} {over} input",
        ),
        behaviour=(
            (
                f"{s} is the low bit of {formula} and {k} is the {over} out.",
                f"`{s}` = {result} bit of {formula}, `{k}` = {over}.",
                f"It computes {formula}, giving the {result} on {s} and the {over} on {k}.",
            ),
        ),
        style=style,
    )


def _ripple(w_text: str, names: dict[str, str], cell: str) -> tuple[str, str]:
    """Ripple-carry RTL from full-adder cells, and the cell's module."""
    c = names["c"]
    body = (
        f"wire [{w_text}:0] {c};\nassign {c}[0] = {names['cin']};\n"
        f"genvar i;\ngenerate\n    for (i = 0; i < {w_text}; i = i + 1) begin : stage\n"
        f"        {cell} fa (.a({names['a']}[i]), .b({names['b']}[i]), .ci({c}[i]), "
        f".s({names['s']}[i]), .co({c}[i+1]));\n    end\nendgenerate"
    )
    helper = (
        f"module {cell} (\n    input a,\n    input b,\n    input ci,\n    output s,\n    output "
        "co\n);\n"
        "    assign s = a ^ b ^ ci;\n    assign co = (a & b) | (ci & (a ^ b));\nendmodule\n"
    )
    return body, helper


@family("adder")
def adder(rng: random.Random) -> Design:
    """Adder with optional carry in, carry out and overflow."""
    n = Names(rng)
    w = draw_width(rng, n, _WIDTHS)
    a, b = pair(rng, n)
    cin = n.pick("cin", "carry_in", "ci", "c_in") if rng.random() < 0.5 else ""
    cout = n.pick("cout", "carry_out", "co", "carry") if rng.random() < 0.6 else ""
    ovf = n.pick("overflow", "ovf", "v", "of") if rng.random() < 0.25 else ""
    s = n.pick("sum", "s", "y", "result", "S", "out")
    style = n.choose(["plain", "plain", "wide"] + (["ripple"] * 2 if w.value >= 3 else []))
    plus, helper = (f" + {cin}" if cin else ""), ""
    wide = n.pick("total", "full", "tmp", "acc")
    if style == "ripple":
        c, cell = n.pick("c", "carries", "cy"), n.pick("full_adder", "fa_cell", "fa1")
        text, helper = _ripple(w.text, {"a": a, "b": b, "s": s, "cin": cin or "1'b0", "c": c}, cell)
        text += f"\nassign {cout} = {c}[{w.text}];" if cout else ""
    elif style == "wide":
        text = f"wire [{w.text}:0] {wide} = {{1'b0, {a}}} + {{1'b0, {b}}}{plus};\nassign {s} = {wide}[{w.top}:0];"
        text += f"\nassign {cout} = {wide}[{w.text}];" if cout else ""
    elif cout:
        text = f"assign {{{cout}, {s}}} = {a} + {b}{plus};"
    else:
        text = f"assign {s} = {a} + {b}{plus};"
    if ovf:
        m = w.top
        text += f"\nassign {ovf} = ({a}[{m}] == {b}[{m}]) && ({s}[{m}] != {a}[{m}]);"
    ports = [PortDecl("input", x, w.value, "operand", range=w.range) for x in (a, b)]
    if cin:
        ports.append(PortDecl("input", cin, 1, "carry in"))
    ports.append(PortDecl("output", s, w.value, "sum", range=w.range))
    ports += [
        PortDecl("output", y, 1, d) for y, d in ((cout, "carry out"), (ovf, "signed overflow")) if y
    ]

    def model(i: Mapping[str, int]) -> Mapping[str, int | None]:
        total = i[a] + i[b] + (i[cin] if cin else 0)
        result: dict[str, int | None] = {s: mask(total, w.value)}
        if cout:
            result[cout] = total >> w.value
        if ovf:
            exact = signed(i[a], w.value) + signed(i[b], w.value) + (i[cin] if cin else 0)
            result[ovf] = int(exact != signed(mask(total, w.value), w.value))
        return result

    formula = f"{a} + {b}" + (f" + {cin}" if cin else "")
    facts: list[Behaviour] = [
        (
            f"{s} is the sum {formula}.",
            f"`{s}` = {formula}, modulo 2^{w.value}.",
            f"Add {a} and {b}{f' and the carry {cin}' if cin else ''}; the low {w.value} bits go "
            f"to {s}.",
        )
    ]
    if cout:
        facts.append(
            (
                f"{cout} is the carry out of the top bit.",
                f"`{cout}` is bit {w.value} of the full sum.",
                f"The carry out appears on {cout}.",
            )
        )
    if ovf:
        facts.append(
            (
                f"{ovf} signals signed (two's complement) overflow.",
                f"`{ovf}` is 1 if {formula}, taken as signed numbers, does not fit in {w.value} "
                "bits.",
                f"Set {ovf} when both operands have the same sign and the sum has the other sign.",
            )
        )
    if style == "ripple":
        facts.append(
            (
                "Build it as a ripple-carry chain of full adders.",
                "Use a ripple carry structure made of one-bit full adder modules.",
                "",
            )
        )
    extras = [x for x, y in (("carry in", cin), ("carry out", cout), ("overflow flag", ovf)) if y]
    tail = f" with {' and '.join(extras)}" if extras else ""
    kind = "ripple-carry adder" if style == "ripple" else "adder"
    return combinational(
        rng,
        family="adder",
        group="arithmetic",
        params={"width": w.value, "cin": bool(cin), "cout": bool(cout), "overflow": bool(ovf)},
        module=n.module(
            "adder",
            f"adder{w.value}",
            f"add{w.value}",
            "rca" if style == "ripple" else "sum_unit",
            "add_unit",
        ),
        ports=ports,
        body=text,
        function=model,
        width=w,
        helpers=helper,
        titles=(
            an(f"{w.value}-bit {kind}{tail}"),
            f"a combinational {kind} for two {w.value}-bit numbers{tail}",
            f"a binary {kind}, {w.value} bits wide{tail}",
            f"a circuit that adds two {w.value}-bit operands{tail}",
        ),
        behaviour=tuple(facts),
        style=style,
    )


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
