"""Mealy machines given by a transition table."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..build import indent
from ..design import Design
from ..names import Names
from ..registry import family
from ._kit import State, Transparent, clocked, source, verilog_reg
from ._transitions import TableIo, declare_states, select, wordings

if TYPE_CHECKING:
    import random
    from collections.abc import Mapping

__all__: list[str] = []


@family("random_mealy_fsm")
def random_mealy_fsm(rng: random.Random) -> Design:
    """Mealy machine of a random transition and output table."""
    n = Names(rng)
    io = TableIo(rng, n)
    top = 1 << io.out_width
    outs = [[rng.randrange(top) for _ in row] for row in io.table]
    if all(len(set(row)) == 1 for row in outs):
        outs[0][-1] = (outs[0][0] + 1) % top
    local, encoding, width, labels = declare_states(n, io.names)
    style, out_style = n.choose(("one", "two")), n.choose(("assign", "case"))
    ports = io.ports(out_style == "case")
    picks = [select(io.x, io.in_width, [io.lit(v) for v in row]) for row in outs]
    if out_style == "assign":
        terms = [f"({io.state} == {a}) ? ({p}) :\n    " for a, p in zip(labels, picks, strict=True)]
        output = f"assign {io.z} = {''.join(terms[:-1])}{picks[-1]};"
        output = output.replace(f"({io.lit(0)})", io.lit(0)).replace(
            f"({io.lit(top - 1)})", io.lit(top - 1)
        )
    else:
        rows = [f"    {a}: {io.z} = {p};" for a, p in zip(labels, picks, strict=True)]
        text = "\n".join(
            (f"case ({io.state})", *rows, f"    default: {io.z} = {io.lit(0)};", "endcase")
        )
        output = f"always @(*) begin\n{indent(text)}\nend"
    regs = (io.state,) if style == "one" else (io.state, io.nxt)
    parts = (local, verilog_reg(width, *regs), *io.state_code(labels, style), output)
    table, x, z = io.table, io.x, io.z

    def move(s: State, i: Mapping[str, int]) -> None:
        s["k"] = table[s["k"]][i[x]]

    def show(s: State, i: Mapping[str, int]) -> dict[str, int | None]:
        return {z: outs[s["k"]][i[x]]}

    values = [format(v, f"0{io.in_width}b") for v in range(1 << io.in_width)]
    shown = [[format(v, f"0{io.out_width}b") for v in row] for row in outs]
    edges = [
        f"{a}: " + ", ".join(f"{v}/{o}" for v, o in zip(values, row, strict=True))
        for a, row in zip(io.names, shown, strict=True)
    ]
    told = [
        f"in {a} " + " and ".join(f"{o} for {x}={v}" for v, o in zip(values, row, strict=True))
        for a, row in zip(io.names, shown, strict=True)
    ]
    plain = [f"{a}: {', '.join(row)}" for a, row in zip(io.names, shown, strict=True)]
    return clocked(
        io.cr,
        Design(
            family="random_mealy_fsm",
            group="fsm",
            params={"next": str(table), "out": str(outs), "in_width": io.in_width,
                    "out_width": io.out_width},
            module=io.module,
            ports=ports,
            rtl=source(io.module, ports, *parts),
            model=lambda: Transparent({"k": 0}, move, show),
            titles=(
                f"a Mealy state machine with the {io.states} states {', '.join(io.names)}",
                f"a {io.states}-state Mealy FSM",
                f"a finite state machine ({', '.join(io.names)}) with outputs that depend on state and input",
                f"a Mealy machine with {io.states} states and a {io.out_width}-bit output",
            ),
            behaviour=(
                wordings(io.names, table, x, io.in_width),
                (
                    f"The output {z} is combinational, per state as {x}/{z}: {'; '.join(edges)}.",
                    f"`{z}` follows state and input at once: {'; '.join(told)}.",
                    f"Mealy output {z} for {x} = {', '.join(values)} respectively, without a register: {'; '.join(plain)}.",
                ),
                io.start(),
            ),
            style={"body": style, "out": out_style, "encoding": encoding},
        ),
    )  # fmt: skip
