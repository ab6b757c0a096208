"""Combinational designs built from submodules."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..build import indent, mask
from ..design import Behaviour, Design, PortDecl
from ..names import Names
from ..registry import family
from ._kit import Machine, State, bits, grammatical, source

if TYPE_CHECKING:
    import random
    from collections.abc import Mapping

__all__: list[str] = []


def _cell(name: str, ins: tuple[str, ...], outs: tuple[str, ...], *lines: str) -> str:
    """A small helper module of one-bit ports."""
    ports = ",\n".join([*(f"    input {i}" for i in ins), *(f"    output {o}" for o in outs)])
    return f"module {name} (\n{ports}\n);\n{indent(chr(10).join(lines))}\nendmodule\n"


def _full_adder(n: Names, name: str) -> tuple[str, tuple[str, ...]]:
    """A full adder and its ports in the order a, b, carry in, sum, carry out."""
    ports = tuple(n.choose(("a b ci s co", "x y cin sum cout", "a b cin s cout")).split())
    a, b, ci, s, co = ports
    style = n.choose(("gates", "vector", "halves"))
    lines = {
        "gates": (
            f"assign {s} = {a} ^ {b} ^ {ci};",
            f"assign {co} = ({a} & {b}) | ({ci} & ({a} ^ {b}));",
        ),
        "vector": (f"assign {{{co}, {s}}} = {a} + {b} + {ci};",),
        "halves": (
            f"wire p = {a} ^ {b};",
            f"assign {s} = p ^ {ci};",
            f"assign {co} = p ? {ci} : {a};",
        ),
    }[style]
    return _cell(name, (a, b, ci), (s, co), *lines), ports


def _instance(cell: str, name: str, pairs: list[tuple[str, str]]) -> str:
    return f"{cell} {name} ({', '.join(f'.{p}({w})' for p, w in pairs)});"


@family("ripple_adder_hier")
def ripple_adder_hier(rng: random.Random) -> Design:
    """Ripple-carry adder (or adder/subtractor) from full adder instances."""
    n = Names(rng)
    width = rng.choice((2, 3, 4, 4, 5, 6, 8, 8))
    subtract = rng.random() < 0.3
    module = n.module(
        "ripple_adder",
        "rca",
        "adder",
        "add_ripple",
        "carry_chain",
        "addsub" if subtract else "rca_n",
    )
    cell = n.pick("full_adder", "fa", "fulladd", "adder_bit", "fa_cell")
    a, b = n.choose(("a b", "x y", "op_a op_b", "in_a in_b")).split()
    a, b = n.pick(a), n.pick(b)
    cin = n.pick("sub", "mode", "subtract") if subtract else n.pick("cin", "ci", "carry_in")
    total, cout = n.pick("sum", "s", "result", "total"), n.pick("cout", "co", "carry_out", "c_out")
    text, (pa, pb, pc, ps, po) = _full_adder(n, cell)
    carry = n.pick("c", "carry", "cy")
    style = n.choose(("generate", "array", "list") if width <= 4 else ("generate", "array"))
    second = n.pick("b_x", "operand", "b_inv") if subtract else b
    parts = [f"wire [{width}:0] {carry};"]
    if subtract:
        parts.append(f"wire [{width - 1}:0] {second} = {b} ^ {{{width}{{{cin}}}}};")
    parts.append(f"assign {carry}[0] = {cin};")
    if style == "generate":
        k = n.pick("i", "k", "g")
        inst = _instance(cell, n.pick("u_fa", "fa_i", "stage"), [
            (pa, f"{a}[{k}]"), (pb, f"{second}[{k}]"), (pc, f"{carry}[{k}]"),
            (ps, f"{total}[{k}]"), (po, f"{carry}[{k} + 1]")])  # fmt: skip
        parts += [
            f"genvar {k};",
            f"generate\n    for ({k} = 0; {k} < {width}; {k} = {k} + 1) begin : {n.pick('bits', 'chain', 'slice')}\n        {inst}\n    end\nendgenerate",
        ]
    elif style == "array":
        parts.append(
            _instance(cell, f"u_fa [{width - 1}:0]", [
                (pa, a), (pb, second), (pc, f"{carry}[{width - 1}:0]"), (ps, total),
                (po, f"{carry}[{width}:1]")])
        )  # fmt: skip
    else:
        parts += [
            _instance(cell, f"fa{k}", [
                (pa, f"{a}[{k}]"), (pb, f"{second}[{k}]"), (pc, f"{carry}[{k}]"),
                (ps, f"{total}[{k}]"), (po, f"{carry}[{k + 1}]")])
            for k in range(width)
        ]  # fmt: skip
    parts.append(f"assign {cout} = {carry}[{width}];")
    ports = (
        PortDecl("input", a, width, "first operand"),
        PortDecl("input", b, width, "second operand"),
        PortDecl("input", cin, 1, "1 subtracts" if subtract else "carry in"),
        PortDecl("output", total, width, "result"),
        PortDecl("output", cout, 1, "carry out"),
    )

    def advance(_s: State, i: Mapping[str, int]) -> dict[str, int | None]:
        other = mask(~i[b], width) if subtract and i[cin] else i[b]
        value = i[a] + other + i[cin]
        return {total: mask(value, width), cout: value >> width}

    what: Behaviour = (
        (
            f"With {cin} low it computes {a} + {b}, with {cin} high {a} - {b}, by inverting {b} and using {cin} as carry in.",
            f"`{cin}` selects subtraction: `{b}` is XORed with `{cin}` and `{cin}` feeds the first carry, so `{total}` is `{a}` + `{b}` or `{a}` - `{b}`.",
            f"{total} = {a} + {b} if {cin} = 0, else {a} + ~{b} + 1.",
        )
        if subtract
        else (
            f"{{{cout}, {total}}} is {a} + {b} + {cin}.",
            f"It adds `{a}`, `{b}` and the carry `{cin}`; `{total}` is the sum and `{cout}` the carry out.",
            f"{total} takes the low {width} bits of {a} plus {b} plus {cin}, and {cout} the carry.",
        )
    )
    facts: list[Behaviour] = [
        what,
        (
            f"It is built as a chain of {width} instances of a full adder module {cell}, the carry rippling from bit 0 upwards.",
            f"Use a submodule `{cell}` (a one-bit full adder) once per bit, each carry out feeding the next carry in.",
            f"Structure: {width} full adders ({cell}) in series.",
        ),
    ]
    if subtract:
        facts.insert(
            1,
            (
                f"{cout} is the carry out of the top bit (for a subtraction 1 means no borrow).",
                f"`{cout}` is the final carry as it is, i.e. not inverted for subtraction.",
                f"The carry of the last stage goes to {cout} unchanged.",
            ),
        )
    noun = "adder/subtractor" if subtract else "adder"
    return grammatical(
        Design(
            family="ripple_adder_hier",
            group="hierarchy",
            params={"width": width, "subtract": subtract},
            module=module,
            ports=ports,
            rtl=source(module, ports, *parts) + "\n" + text,
            model=lambda: Machine({}, advance),
            titles=(
                f"a {width}-bit ripple-carry {noun} made of full adders",
                f"a hierarchical {width}-bit {noun}",
                f"a {width} bit {noun} built from one-bit full adder instances",
                f"a structural carry-ripple {noun}, {width} bits",
            ),
            behaviour=tuple(facts),
            style={"body": style},
        )
    )


@family("mux_tree_hier")
def mux_tree_hier(rng: random.Random) -> Design:
    """A 4:1 or 8:1 multiplexer from 2:1 multiplexers."""
    n = Names(rng)
    count, width = rng.choice((4, 4, 8)), rng.choice((1, 1, 2, 4, 8))
    module = n.module(f"mux{count}", f"mux{count}to1", "mux_tree", f"mux_{count}_1", "selector")
    cell = n.pick("mux2", "mux2to1", "mux_2_1", "sel2", "mux_cell")
    sw = count.bit_length() - 1
    sel, out = n.pick("sel", "s", "select", "addr"), n.pick("y", "out", "q", "dout", "z")
    base = n.choose(("d", "in", "i", "x", "data"))
    packed = width == 1 and rng.random() < 0.5
    if packed:
        bus = n.pick(base, "d", "in", "data")
        names = [f"{bus}[{k}]" for k in range(count)]
    else:
        names = [n.pick(f"{base}{k}") for k in range(count)]
    p0, p1, ps, py = n.choose(("a b sel y", "d0 d1 s q", "in0 in1 sel out", "a b s y")).split()
    param = rng.random() < 0.5 and width > 1
    span = "[W-1:0] " if param else bits(width)
    head = f"module {cell}" + (f" #(parameter W = {width})" if param else "")
    body = n.choose(("ternary", "if", "gates" if width == 1 else "ternary"))
    logic = {
        "ternary": f"    assign {py} = {ps} ? {p1} : {p0};",
        "gates": f"    assign {py} = ({p1} & {ps}) | ({p0} & ~{ps});",
        "if": f"    always @(*) begin\n        if ({ps})\n            {py} = {p1};\n        else\n            {py} = {p0};\n    end",
    }[body]
    reg = "reg " if body == "if" else ""
    text = f"{head} (\n    input {span}{p0},\n    input {span}{p1},\n    input {ps},\n    output {reg}{span}{py}\n);\n{logic}\nendmodule\n"
    parts, level, number = [], names, 0
    call = f"{cell} #(.W({width}))" if param else cell
    for depth in range(sw):
        inner = n.pick("t", "l", "m", "w", "lv") if depth < sw - 1 else ""
        above = [f"{inner}{k}" for k in range(len(level) // 2)] if inner else [out]
        if inner:
            parts.append(f"wire {bits(width)}{', '.join(above)};")
        for k, wire in enumerate(above):
            pairs = [
                (p0, level[2 * k]),
                (p1, level[2 * k + 1]),
                (ps, f"{sel}[{depth}]"),
                (py, wire),
            ]
            parts.append(_instance(call, f"u{number}", pairs))
            number += 1
        level = above
    ports = (
        *(
            (PortDecl("input", bus, count, "inputs"),)
            if packed
            else tuple(PortDecl("input", x, width, f"input {k}") for k, x in enumerate(names))
        ),
        PortDecl("input", sel, sw, "select"),
        PortDecl("output", out, width, "selected input"),
    )

    def advance(_s: State, i: Mapping[str, int]) -> dict[str, int | None]:
        return {out: i[bus] >> i[sel] & 1 if packed else i[names[i[sel]]]}

    listed = f"bit {sel} of {bus}" if packed else f"the input number {sel} of {', '.join(names)}"
    wide = f"{width}-bit " if width > 1 else ""
    return grammatical(
        Design(
            family="mux_tree_hier",
            group="hierarchy",
            params={"count": count, "width": width, "packed": packed},
            module=module,
            ports=ports,
            rtl=source(module, ports, *parts) + "\n" + text,
            model=lambda: Machine({}, advance),
            titles=(
                f"a {count}:1 {wide}multiplexer built from 2:1 multiplexers",
                f"a tree of two-input multiplexers selecting one of {count} {wide}inputs",
                f"a hierarchical {count}-to-1 mux" + (f", {width} bits wide" if width > 1 else ""),
                f"a {count}-way {wide}data selector composed of mux2 cells",
            ),
            behaviour=(
                (
                    f"{out} is {listed}, counting from 0.",
                    f"`{sel}` = 0 selects `{names[0]}`, 1 selects `{names[1]}` and so on up to `{names[-1]}`, onto `{out}`.",
                    f"The binary value of {sel} picks the input ({names[0]} for 0, {names[-1]} for {count - 1}) that appears on {out}.",
                ),
                (
                    f"It consists of {count - 1} instances of a two-input multiplexer module {cell}, with {sel}[0] at the first level.",
                    f"Build it as a tree of `{cell}` submodules ({count - 1} of them).",
                    f"Structure: a binary tree of {cell} instances.",
                ),
            ),
            style={"body": body},
        )
    )


@family("comparator_chain_hier")
def comparator_chain_hier(rng: random.Random) -> Design:
    """Magnitude comparator from one-bit compare cells."""
    n = Names(rng)
    width = rng.choice((2, 3, 4, 4, 5, 6))
    module = n.module("mag_cmp", "comparator", "cmp_chain", "magnitude", "compare_n", "cmp_struct")
    cell = n.pick("cmp_bit", "cmp_cell", "bit_compare", "cmp1")
    a, b = n.choose(("a b", "x y", "op_a op_b", "lhs rhs")).split()
    a, b = n.pick(a), n.pick(b)
    gt, lt, eq = n.choose(("gt lt eq", "a_gt a_lt a_eq", "greater less equal", "gt_o lt_o eq_o")).split()  # fmt: skip
    gt, lt, eq = n.pick(gt), n.pick(lt), n.pick(eq)
    g, lo, k = n.pick("g", "gw", "gt_c"), n.pick("l", "lw", "lt_c"), n.pick("i", "k")
    lsb_first = rng.random() < 0.5
    ins, outs = ("a", "b", "g_in", "l_in"), ("g_out", "l_out")
    if lsb_first:
        lines = (
            "assign g_out = (a & ~b) | (~(a ^ b) & g_in);",
            "assign l_out = (~a & b) | (~(a ^ b) & l_in);",
        )
    else:
        lines = (
            "assign g_out = g_in | (~l_in & a & ~b);",
            "assign l_out = l_in | (~g_in & ~a & b);",
        )
    text = _cell(cell, ins, outs, *lines)
    start, end = (0, width) if lsb_first else (width, 0)
    here, there = (k, f"{k} + 1") if lsb_first else (f"{k} + 1", k)
    inst = (
        f"{cell} u_cmp (\n    .a({a}[{k}]), .b({b}[{k}]),\n    .g_in({g}[{here}]), .l_in({lo}[{here}]),\n"
        f"    .g_out({g}[{there}]), .l_out({lo}[{there}])\n);"
    )
    parts = [
        f"wire [{width}:0] {g}, {lo};",
        f"assign {g}[{start}] = 1'b0;",
        f"assign {lo}[{start}] = 1'b0;",
        f"genvar {k};",
        f"generate\n    for ({k} = 0; {k} < {width}; {k} = {k} + 1) begin : {n.pick('stage', 'cells', 'chain')}\n{indent(inst, 8)}\n    end\nendgenerate",
        f"assign {gt} = {g}[{end}];",
        f"assign {lt} = {lo}[{end}];",
        f"assign {eq} = !{gt} && !{lt};",
    ]
    ports = (
        PortDecl("input", a, width, "first number"),
        PortDecl("input", b, width, "second number"),
        PortDecl("output", gt, 1, "first is greater"),
        PortDecl("output", lt, 1, "first is less"),
        PortDecl("output", eq, 1, "equal"),
    )

    def advance(_s: State, i: Mapping[str, int]) -> dict[str, int | None]:
        return {gt: int(i[a] > i[b]), lt: int(i[a] < i[b]), eq: int(i[a] == i[b])}

    return grammatical(
        Design(
            family="comparator_chain_hier",
            group="hierarchy",
            params={"width": width},
            module=module,
            ports=ports,
            rtl=source(module, ports, *parts) + "\n" + text,
            model=lambda: Machine({}, advance),
            titles=(
                f"a {width}-bit magnitude comparator built from one-bit cells",
                f"a hierarchical unsigned comparator, {width} bits",
                f"a {width}-bit comparator made of a chain of bit-compare modules",
                f"a structural comparator for two {width}-bit unsigned numbers",
            ),
            behaviour=(
                (
                    f"{gt} is high for {a} > {b}, {lt} for {a} < {b} and {eq} for {a} = {b}, unsigned.",
                    f"`{gt}`, `{lt}` and `{eq}` tell whether the unsigned `{a}` is greater than, less than or equal to `{b}`.",
                    f"Exactly one output is high: {gt} ({a} above {b}), {lt} (below) or {eq} (same), all unsigned.",
                ),
                (
                    f"A submodule {cell} compares one bit and passes on greater and less; {width} of them form a chain.",
                    f"Instantiate a one-bit cell `{cell}` per bit, chained through its greater/less signals.",
                    f"Structure: {width} chained instances of {cell}.",
                ),
            ),
            style={"order": "lsb" if lsb_first else "msb"},
        )
    )
