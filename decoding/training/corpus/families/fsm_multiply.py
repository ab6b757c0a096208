"""Shift-add multipliers."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..build import clock_reset
from ..design import Design, PortDecl
from ..names import Names
from ..registry import family
from ._kit import Machine, State, clocked, source
from ._multicycle import operands, start_done_facts

if TYPE_CHECKING:
    import random
    from collections.abc import Mapping

__all__: list[str] = []


@family("sequential_multiplier")
def sequential_multiplier(rng: random.Random) -> Design:
    """Unsigned shift-add multiplier, one bit per clock."""
    n = Names(rng)
    width = rng.choice((4, 4, 5, 6, 8, 8, 12, 16))
    module = n.module(
        "seq_mult", "multiplier", "shift_add_mul", "mul_seq", "iter_mult", "serial_mul"
    )
    cr = clock_reset(rng, n)
    start = n.pick("start", "go", "load", "begin_op")
    a, b = n.choose(("a b", "x y", "multiplicand multiplier", "op_a op_b", "lhs rhs")).split()
    a, b = n.pick(a), n.pick(b)
    prod = n.pick("product", "p", "result", "prod")
    busy, done = n.pick("busy", "running", "active"), n.pick("done", "finished", "valid")
    mcand, mplier, cnt = n.pick("mcand", "a_sh", "addend"), n.pick("mplier", "b_sh", "remaining_b"), n.pick("cnt", "n_left", "step_cnt")  # fmt: skip
    cw = (width - 1).bit_length()
    style = n.choose(("left", "right"))
    w2 = 2 * width
    finish = f"    if ({cnt} == {cw}'d{width - 1}) begin\n        {busy} <= 1'b0;\n        {done} <= 1'b1;\n    end\n"
    if style == "left":
        begin = (
            f"    {mcand} <= {{{width}'d0, {a}}};\n    {mplier} <= {b};\n    {prod} <= {w2}'d0;\n"
        )
        step = (
            f"    if ({mplier}[0])\n        {prod} <= {prod} + {mcand};\n"
            f"    {mcand} <= {mcand} << 1;\n    {mplier} <= {mplier} >> 1;\n"
        )
        declare = [f"reg [{w2 - 1}:0] {mcand};", f"reg [{width - 1}:0] {mplier};"]
        clear = f"{mcand} <= {w2}'d0;\n{mplier} <= {width}'d0;"
    else:
        total = n.pick("upper", "sum", "partial")
        begin = f"    {mcand} <= {a};\n    {prod} <= {{{width}'d0, {b}}};\n"
        step = f"    {prod} <= {{{total}, {prod}[{width - 1}:1]}};\n"
        declare = [
            f"reg [{width - 1}:0] {mcand};",
            f"wire [{width}:0] {total} = {{1'b0, {prod}[{w2 - 1}:{width}]}} + {{1'b0, {prod}[0] ? {mcand} : {width}'d0}};",
        ]
        clear = f"{mcand} <= {width}'d0;"
    body = (
        f"{done} <= 1'b0;\nif ({busy}) begin\n{step}    {cnt} <= {cnt} + 1'b1;\n{finish}"
        f"end else if ({start}) begin\n{begin}    {cnt} <= {cw}'d0;\n    {busy} <= 1'b1;\nend"
    )
    clear += f"\n{prod} <= {w2}'d0;\n{cnt} <= {cw}'d0;\n{busy} <= 1'b0;\n{done} <= 1'b0;"
    ports = (
        *cr.ports,
        PortDecl("input", start, 1, "start"),
        PortDecl("input", a, width, "first factor"),
        PortDecl("input", b, width, "second factor"),
        PortDecl("output", prod, w2, "product", reg=True),
        PortDecl("output", busy, 1, "computing", reg=True),
        PortDecl("output", done, 1, "product is ready, one cycle", reg=True),
    )
    parts = [*declare, f"reg [{cw - 1}:0] {cnt};", cr.process(clear, body)]

    def advance(s: State, i: Mapping[str, int]) -> dict[str, int | None]:
        done_now = 0
        if s["left"]:
            s["left"] -= 1
            done_now = int(s["left"] == 0)
        elif i[start]:
            s["left"], s["p"] = width, i[a] * i[b]
        return {prod: None if s["left"] else s["p"], busy: int(s["left"] > 0), done: done_now}

    return clocked(
        cr,
        Design(
            family="sequential_multiplier",
            group="fsm",
            params={"width": width},
            module=module,
            ports=ports,
            rtl=source(module, ports, *parts),
            model=lambda: Machine({"left": 0, "p": 0}, advance),
            titles=(
                f"a sequential {width} x {width} bit multiplier",
                f"an unsigned shift-and-add multiplier for {width}-bit operands",
                f"a multi-cycle multiplier, {width} bits, one bit per clock",
                f"an iterative {width}-bit multiplier with start and done",
            ),
            behaviour=(
                (
                    f"{prod} is the unsigned {w2}-bit product of {a} and {b}.",
                    f"It computes `{prod}` = `{a}` * `{b}`, unsigned, {w2} bits, one multiplier bit per clock.",
                    f"The two unsigned {width}-bit factors {a} and {b} are multiplied by shifting and adding into {prod} ({w2} bits).",
                ),
                *start_done_facts(start, busy, done, f"{width} cycles", f"the result on {prod}"),
                (
                    f"{prod} holds until the next start and is undefined while {busy}.",
                    f"The product stays on `{prod}` until another operation begins; during the computation its value does not matter.",
                    f"While {busy} is high {prod} may show anything; otherwise it keeps the last product.",
                ),
            ),
            style={"body": style},
            stimulus=operands(start, a, b, width),
        ),
    )
