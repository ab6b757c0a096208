"""Adders from full adder instances."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..build import mask
from ..design import Behaviour, Design, PortDecl
from ..names import Names
from ..registry import family
from ._instances import cell_module, instance
from ._kit import Machine, State, grammatical, source

if TYPE_CHECKING:
    import random
    from collections.abc import Mapping

__all__: list[str] = []


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
    return cell_module(name, (a, b, ci), (s, co), *lines), ports


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
        inst = instance(cell, n.pick("u_fa", "fa_i", "stage"), [
            (pa, f"{a}[{k}]"), (pb, f"{second}[{k}]"), (pc, f"{carry}[{k}]"),
            (ps, f"{total}[{k}]"), (po, f"{carry}[{k} + 1]")])  # fmt: skip
        parts += [
            f"genvar {k};",
            f"generate\n    for ({k} = 0; {k} < {width}; {k} = {k} + 1) begin : {n.pick('bits', 'chain', 'slice')}\n        {inst}\n    end\nendgenerate",
        ]
    elif style == "array":
        parts.append(
            instance(cell, f"u_fa [{width - 1}:0]", [
                (pa, a), (pb, second), (pc, f"{carry}[{width - 1}:0]"), (ps, total),
                (po, f"{carry}[{width}:1]")])
        )  # fmt: skip
    else:
        parts += [
            instance(cell, f"fa{k}", [
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
