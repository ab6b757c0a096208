"""Comparators from one-bit cells."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..build import indent
from ..design import Design, PortDecl
from ..names import Names
from ..registry import family
from ._instances import cell_module
from ._kit import Machine, State, grammatical, source

if TYPE_CHECKING:
    import random
    from collections.abc import Mapping

__all__: list[str] = []


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
    text = cell_module(cell, ins, outs, *lines)
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
