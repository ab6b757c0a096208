"""Greatest common divisor."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from ..build import clock_reset
from ..design import Design, PortDecl
from ..names import Names
from ..registry import family
from ._kit import Machine, State, clocked, source
from ._multicycle import operands

if TYPE_CHECKING:
    import random
    from collections.abc import Mapping

__all__: list[str] = []


@family("gcd_unit")
def gcd_unit(rng: random.Random) -> Design:
    """Greatest common divisor by repeated subtraction."""
    n = Names(rng)
    width = rng.choice((4, 4, 5, 6, 8))
    module = n.module("gcd", "gcd_unit", "euclid", "gcd_fsm", "gcd_core")
    cr = clock_reset(rng, n)
    start = n.pick("start", "go", "load", "begin_op")
    a, b = n.choose(("a b", "x y", "a_in b_in", "op_a op_b", "m n")).split()
    a, b = n.pick(a), n.pick(b)
    out = n.pick("gcd_o", "result", "g", "dout", "answer")
    busy, done = n.pick("busy", "running", "active"), n.pick("done", "finished", "valid")
    x, y = n.choose(("ra rb", "x_q y_q", "u v", "hi_q lo_q", "p q")).split()
    x, y = n.pick(x), n.pick(y)
    style = n.choose(("inside", "flag"))
    end = n.pick("last", "stop", "equal")
    cond = end if style == "flag" else f"{x} == {y} || {x} == {width}'d0 || {y} == {width}'d0"
    body = (
        f"{done} <= 1'b0;\nif ({busy}) begin\n    if ({cond}) begin\n        {out} <= {x} | {y};\n"
        f"        {busy} <= 1'b0;\n        {done} <= 1'b1;\n    end else if ({x} > {y}) begin\n        {x} <= {x} - {y};\n"
        f"    end else begin\n        {y} <= {y} - {x};\n    end\nend else if ({start}) begin\n"
        f"    {x} <= {a};\n    {y} <= {b};\n    {busy} <= 1'b1;\nend"
    )
    clear = f"{x} <= {width}'d0;\n{y} <= {width}'d0;\n{out} <= {width}'d0;\n{busy} <= 1'b0;\n{done} <= 1'b0;"
    ports = (
        *cr.ports,
        PortDecl("input", start, 1, "start"),
        PortDecl("input", a, width, "first number"),
        PortDecl("input", b, width, "second number"),
        PortDecl("output", out, width, "greatest common divisor", reg=True),
        PortDecl("output", busy, 1, "computing", reg=True),
        PortDecl("output", done, 1, "result is ready, one cycle", reg=True),
    )
    parts = [
        f"reg [{width - 1}:0] {x}, {y};",
        f"wire {end} = ({x} == {y}) || ({x} == {width}'d0) || ({y} == {width}'d0);"
        if style == "flag"
        else "",
        cr.process(clear, body),
    ]

    def advance(s: State, i: Mapping[str, int]) -> dict[str, int | None]:
        done_now = 0
        if s["busy"]:
            if s["x"] == s["y"] or 0 in (s["x"], s["y"]):
                s["out"], s["busy"], done_now = math.gcd(s["x"], s["y"]), 0, 1
            elif s["x"] > s["y"]:
                s["x"] -= s["y"]
            else:
                s["y"] -= s["x"]
        elif i[start]:
            s["x"], s["y"], s["busy"] = i[a], i[b], 1
        return {out: s["out"], busy: s["busy"], done: done_now}

    return clocked(
        cr,
        Design(
            family="gcd_unit",
            group="fsm",
            params={"width": width},
            module=module,
            ports=ports,
            rtl=source(module, ports, *parts),
            model=lambda: Machine({"x": 0, "y": 0, "out": 0, "busy": 0}, advance),
            titles=(
                f"a {width}-bit greatest common divisor unit",
                f"a GCD calculator for {width}-bit numbers (Euclid by subtraction)",
                f"a multi-cycle unit that finds the greatest common divisor of two {width}-bit values",
                f"a sequential Euclidean algorithm, {width} bits",
            ),
            behaviour=(
                (
                    f"When idle, a clock edge with {start} high stores {a} and {b} in two working registers and raises {busy}; {start} is ignored while {busy} is high.",
                    f"`{start}` is accepted only while `{busy}` is low: it captures `{a}` and `{b}` as working values and sets `{busy}`.",
                    f"An operation begins at an edge with {start} = 1 and {busy} = 0, which loads the working values from {a} and {b}.",
                ),
                (
                    f"While {busy}, every clock subtracts the smaller working value from the larger one, until they are equal or one of them is zero.",
                    "Each busy cycle replaces the larger working value by the difference of the two, as long as they differ and neither is 0.",
                    "Euclid by subtraction, one step per clock: larger minus smaller, ending when both are equal or one is zero.",
                ),
                (
                    f"The clock edge that finds them equal or one zero does no subtraction but loads the result into {out}, drops {busy} and sets {done} for one cycle.",
                    f"When the end condition holds at a busy edge, `{out}` takes the result, `{busy}` falls and `{done}` pulses for one clock.",
                    f"The final step takes a cycle of its own: {out} is loaded, {busy} cleared and {done} high for a single cycle.",
                ),
                (
                    "If one number is zero the result is the other one; two zeros give 0.",
                    "For operands x and 0 the result is x, and for two zeros it is 0.",
                    "A zero operand yields the other operand.",
                ),
                (
                    f"{out} holds its value until the next result.",
                    f"`{out}` changes only when an operation finishes.",
                    f"{out} keeps the last result.",
                ),
            ),
            style={"body": style},
            stimulus=operands(start, a, b, width),
        ),
    )
