"""Multiplexer trees."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..design import Design, PortDecl
from ..names import Names
from ..registry import family
from ._instances import instance
from ._kit import Machine, State, bits, grammatical, source

if TYPE_CHECKING:
    import random
    from collections.abc import Mapping

__all__: list[str] = []


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
            parts.append(instance(call, f"u{number}", pairs))
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
