"""Pipelines of submodules."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..build import clock_reset, mask
from ..design import Behaviour, Design, PortDecl
from ..names import Names
from ..registry import family
from ._instances import clock_pins, inner_clock, place
from ._kit import Machine, State, bits, clocked, source

if TYPE_CHECKING:
    import random
    from collections.abc import Mapping

__all__: list[str] = []


_OPS: dict[str, tuple[str, str]] = {
    "+": ("sum", "adds"),
    "-": ("difference", "subtracts"),
    "&": ("bitwise AND", "ANDs"),
    "|": ("bitwise OR", "ORs"),
    "^": ("bitwise XOR", "XORs"),
}


def _apply(op: str, x: int, y: int, width: int) -> int:
    table = {"+": x + y, "-": x - y, "&": x & y, "|": x | y, "^": x ^ y}
    return mask(table[op], width)


@family("pipeline_hier")
def pipeline_hier(rng: random.Random) -> Design:
    """Two pipeline stages, each a submodule: (a op b), then (op c)."""
    n = Names(rng)
    width = rng.choice((4, 8, 8, 12, 16))
    one, two = rng.sample(sorted(_OPS), 2) if rng.random() < 0.8 else ("+", "+")
    flagged = rng.random() < 0.5
    module = n.module("pipe2", "two_stage", "pipeline", "datapath", "pipe_top", "arith_pipe")
    cr = clock_reset(rng, n)
    a, b, c = n.choose(("a b c", "x y z", "op_a op_b op_c", "in_a in_b in_c")).split()
    a, b, c = n.pick(a), n.pick(b), n.pick(c)
    out = n.pick("result", "out", "q", "dout", "res")
    vin, vout = n.choose(("in_valid out_valid", "valid_i valid_o", "vin vout")).split()
    vin, vout = (n.pick(vin), n.pick(vout)) if flagged else ("", "")
    cell1, cell2 = n.choose(
        ("stage1 stage2", "first_stage second_stage", "pipe_s1 pipe_s2")
    ).split()
    cell1, cell2 = n.pick(cell1), n.pick(cell2)
    t, cd, v = n.pick("t", "mid", "s1_res", "part"), n.pick("c_d", "c_q", "s1_c"), n.pick("v1", "s1_valid")  # fmt: skip
    inner = inner_clock(cr)
    clear1 = f"p <= {width}'d0;\nc_out <= {width}'d0;" + ("\nv_out <= 1'b0;" if flagged else "")
    body1 = f"p <= a {one} b;\nc_out <= c_in;" + ("\nv_out <= v_in;" if flagged else "")
    flag = (PortDecl("input", "v_in", 1, ""), PortDecl("output", "v_out", 1, "", reg=True)) if flagged else ()  # fmt: skip
    ports1 = (
        *inner.ports,
        *flag[:1],
        PortDecl("input", "a", width, ""),
        PortDecl("input", "b", width, ""),
        PortDecl("input", "c_in", width, ""),
        *flag[1:],
        PortDecl("output", "p", width, "", reg=True),
        PortDecl("output", "c_out", width, "", reg=True),
    )
    ports2 = (
        *inner.ports,
        *flag[:1],
        PortDecl("input", "p", width, ""),
        PortDecl("input", "c", width, ""),
        *flag[1:],
        PortDecl("output", "r", width, "", reg=True),
    )
    clear2 = f"r <= {width}'d0;" + ("\nv_out <= 1'b0;" if flagged else "")
    body2 = f"r <= p {two} c;" + ("\nv_out <= v_in;" if flagged else "")
    up1 = [f".v_in({vin})", f".v_out({v})"] if flagged else []
    up2 = [f".v_in({v})", f".v_out({vout})"] if flagged else []
    parts = [
        f"wire {bits(width)}{t}, {cd};",
        f"wire {v};" if flagged else "",
        place(cell1, "u1", [*clock_pins(cr), *up1, f".a({a})", f".b({b})", f".c_in({c})", f".p({t})", f".c_out({cd})"]),
        place(cell2, "u2", [*clock_pins(cr), *up2, f".p({t})", f".c({cd})", f".r({out})"]),
    ]  # fmt: skip
    ports = (
        *cr.ports,
        *([PortDecl("input", vin, 1, "input is valid")] if flagged else []),
        PortDecl("input", a, width, "first operand"),
        PortDecl("input", b, width, "second operand"),
        PortDecl("input", c, width, "third operand"),
        *([PortDecl("output", vout, 1, "output is valid")] if flagged else []),
        PortDecl("output", out, width, "result"),
    )
    rtl = "\n".join(
        (
            source(module, ports, *parts),
            source(cell1, ports1, inner.process(clear1, body1)),
            source(cell2, ports2, inner.process(clear2, body2)),
        )
    )

    def advance(s: State, i: Mapping[str, int]) -> dict[str, int | None]:
        s["r"], s["v2"] = _apply(two, s["t"], s["c"], width), s["v1"]
        s["t"], s["c"], s["v1"] = _apply(one, i[a], i[b], width), i[c], i[vin] if flagged else 0
        outs: dict[str, int | None] = {out: s["r"]}
        return outs | ({vout: s["v2"]} if flagged else {})

    facts: list[Behaviour] = [
        (
            f"{out} = ({a} {one} {b}) {two} {c}, modulo 2^{width}, with a latency of two clock cycles.",
            f"`{out}` shows, two clocks after the operands, `{a}` {one} `{b}` followed by {two} `{c}` ({width} bits).",
            f"Stage one forms the {_OPS[one][0]} {a} {one} {b}, stage two applies {two} {c}; all {width}-bit, two edges from input to {out}.",
        ),
        (
            f"{c} is delayed along with the first stage, so that all three operands belong to the same cycle.",
            f"The operand `{c}` is registered in the first stage as well.",
            f"New operands are accepted on every clock, {c} travels in step with the other two.",
        ),
        (
            f"The two stages are submodules {cell1} and {cell2}, each with its own output registers.",
            f"Put each stage into a module of its own (`{cell1}`, `{cell2}`), with registered outputs.",
            f"Structure: {cell1} feeds {cell2}.",
        ),
    ]
    if flagged:
        facts.insert(
            2,
            (
                f"{vin} is passed through both stages to {vout}; the data registers load in every cycle regardless of it.",
                f"`{vout}` is `{vin}` two cycles later and does not gate the data.",
                f"{vout} accompanies the result as a two-cycle delayed {vin}; invalid data is computed just the same.",
            ),
        )
    return clocked(
        cr,
        Design(
            family="pipeline_hier",
            group="hierarchy",
            params={"width": width, "one": one, "two": two, "flagged": flagged},
            module=module,
            ports=ports,
            rtl=rtl,
            model=lambda: Machine({"t": 0, "c": 0, "r": 0, "v1": 0, "v2": 0}, advance),
            titles=(
                f"a two-stage {width}-bit pipeline made of two submodules",
                f"a pipelined {width}-bit datapath computing ({a} {one} {b}) {two} {c}",
                f"a hierarchical two-stage arithmetic pipeline, {width} bits",
                f"a {width}-bit unit with two pipeline stages",
            ),
            behaviour=tuple(facts),
            style={"flagged": str(flagged)},
        ),
    )
