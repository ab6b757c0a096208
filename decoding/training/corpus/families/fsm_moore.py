"""Moore machines given by a transition table."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..build import indent
from ..design import Design
from ..names import Names
from ..registry import family
from ._kit import Machine, State, clocked, source, verilog_reg
from ._transitions import TableIo, declare_states, wordings

if TYPE_CHECKING:
    import random
    from collections.abc import Mapping

__all__: list[str] = []


@family("random_moore_fsm")
def random_moore_fsm(rng: random.Random) -> Design:
    """Moore machine of a random transition and output table."""
    n = Names(rng)
    io = TableIo(rng, n)
    top = 1 << io.out_width
    outs = [rng.randrange(top) for _ in range(io.states)]
    if len(set(outs)) == 1:
        outs[-1] = (outs[0] + 1) % top
    local, encoding, width, labels = declare_states(n, io.names)
    style, out_style = n.choose(("one", "two")), n.choose(("assign", "case"))
    ports = io.ports(out_style == "case")
    if out_style == "assign" and io.out_width == 1:
        on = [labels[k] for k, v in enumerate(outs) if v]
        output = f"assign {io.z} = " + " || ".join(f"({io.state} == {a})" for a in on) + ";"
    elif out_style == "assign":
        groups = {v: [labels[k] for k in range(io.states) if outs[k] == v] for v in outs if v}
        terms = [
            f"({' || '.join(f'{io.state} == {a}' for a in group)}) ? {io.lit(v)} : "
            for v, group in groups.items()
        ]
        output = f"assign {io.z} = {''.join(terms)}{io.lit(0)};"
    else:
        rows = [f"    {a}: {io.z} = {io.lit(v)};" for a, v in zip(labels, outs, strict=True)]
        text = "\n".join(
            (f"case ({io.state})", *rows, f"    default: {io.z} = {io.lit(outs[0])};", "endcase")
        )
        output = f"always @(*) begin\n{indent(text)}\nend"
    regs = (io.state,) if style == "one" else (io.state, io.nxt)
    parts = (local, verilog_reg(width, *regs), *io.state_code(labels, style), output)
    table, x, z = io.table, io.x, io.z

    def advance(s: State, i: Mapping[str, int]) -> dict[str, int | None]:
        s["k"] = table[s["k"]][i[x]]
        return {z: outs[s["k"]]}

    shown = [format(v, f"0{io.out_width}b") for v in outs]
    return clocked(
        io.cr,
        Design(
            family="random_moore_fsm",
            group="fsm",
            params={"next": str(table), "out": str(outs), "in_width": io.in_width,
                    "out_width": io.out_width},
            module=io.module,
            ports=ports,
            rtl=source(io.module, ports, *parts),
            model=lambda: Machine({"k": 0}, advance),
            titles=(
                f"a Moore state machine with the {io.states} states {', '.join(io.names)}",
                f"a {io.states}-state Moore FSM",
                f"a finite state machine ({', '.join(io.names)}) whose output depends on the state only",
                f"a Moore machine with {io.states} states and a {io.out_width}-bit output",
            ),
            behaviour=(
                wordings(io.names, table, x, io.in_width),
                (
                    f"The output {z} by state: {', '.join(f'{a} {v}' for a, v in zip(io.names, shown, strict=True))}.",
                    f"`{z}` is {', '.join(f'{v} in {a}' for a, v in zip(io.names, shown, strict=True))}.",
                    f"Moore outputs: {', '.join(f'{a} gives {z}={v}' for a, v in zip(io.names, shown, strict=True))}.",
                ),
                io.start(),
            ),
            style={"body": style, "out": out_style, "encoding": encoding},
        ),
    )  # fmt: skip
