"""Addition and subtraction."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..build import mask
from ..design import Behaviour, Design, PortDecl
from ..names import Names
from ..registry import family
from ._combinational import an, combinational, draw_width, pair, signed

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
