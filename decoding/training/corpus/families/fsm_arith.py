"""Multi-cycle arithmetic: shift-add multiplier, restoring divider, greatest common divisor."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from ..build import clock_reset
from ..design import Behaviour, Design, PortDecl
from ..names import Names
from ..registry import family
from ._kit import Machine, State, clocked, source

if TYPE_CHECKING:
    import random
    from collections.abc import Callable, Mapping

__all__: list[str] = []


def _operands(
    start: str, a: str, b: str, width: int, often: float = 0.4
) -> Callable[[random.Random, int], list[dict[str, int]]]:
    """Operands that include zero, one and all ones."""
    top = (1 << width) - 1

    def generate(rng: random.Random, cycles: int) -> list[dict[str, int]]:
        def draw() -> int:
            return rng.choice((0, 0, 1, top, 2, *(rng.getrandbits(width) for _ in range(6))))

        return [{start: int(rng.random() < often), a: draw(), b: draw()} for _ in range(cycles)]

    return generate


def _protocol(start: str, busy: str, done: str, length: str, held: str) -> list[Behaviour]:
    """Facts about starting and finishing; `length` tells how long it is busy."""
    return [
        (
            f"When idle, a clock edge with {start} high captures the operands and raises {busy}; {start} is ignored while {busy} is high.",
            f"`{start}` is accepted only while `{busy}` is low; it loads the operands and sets `{busy}` at that edge.",
            f"An operation begins at an edge with {start} = 1 and {busy} = 0, which stores the operands; other starts are ignored.",
        ),
        (
            f"{busy} stays high for {length}; then {busy} falls and {done} is high for one cycle, with {held}.",
            f"The computation takes {length} of `{busy}`; in the next cycle `{busy}` is low, `{done}` pulses, and {held}.",
            f"After {length} with {busy} set, {done} is high for a single cycle while {busy} is low again, and {held}.",
        ),
        (
            f"A new {start} is possible in the cycle of {done}.",
            f"`{start}` may be given again as soon as `{busy}` is low, also together with `{done}`.",
            f"{done} does not block the next {start}.",
        ),
    ]


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
            f"wire [{width}:0] {total} = {prod}[{w2 - 1}:{width}] + ({prod}[0] ? {mcand} : {width}'d0);",
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
                *_protocol(start, busy, done, f"{width} cycles", f"the result on {prod}"),
                (
                    f"{prod} holds until the next start and is undefined while {busy}.",
                    f"The product stays on `{prod}` until another operation begins; during the computation its value does not matter.",
                    f"While {busy} is high {prod} may show anything; otherwise it keeps the last product.",
                ),
            ),
            style={"body": style},
            stimulus=_operands(start, a, b, width),
        ),
    )


@family("sequential_divider")
def sequential_divider(rng: random.Random) -> Design:
    """Unsigned restoring divider, one quotient bit per clock."""
    n = Names(rng)
    width = rng.choice((4, 4, 5, 6, 8, 8, 12, 16))
    module = n.module("seq_div", "divider", "restoring_div", "div_unit", "iter_div", "div_seq")
    cr = clock_reset(rng, n)
    start = n.pick("start", "go", "load", "begin_op")
    a, b = n.choose(("dividend divisor", "num den", "a b", "x y", "numerator denominator")).split()
    a, b = n.pick(a), n.pick(b)
    quo, rem = n.choose(("quotient remainder", "quo rem", "q r", "quot_o rem_o")).split()
    quo, rem = n.pick(quo), n.pick(rem)
    busy, done = n.pick("busy", "running", "active"), n.pick("done", "finished", "valid")
    dz = n.pick("div_by_zero", "dbz", "zero_err") if rng.random() < 0.35 else None
    den, cnt = n.pick("den_q", "d_reg", "dvs"), n.pick("cnt", "n_left", "step_cnt")
    part, diff = n.pick("shifted", "part", "trial"), n.pick("diff", "sub", "reduced")
    cw = (width - 1).bit_length()
    style = n.choose(("sign", "compare"))
    declare = [
        f"reg [{width - 1}:0] {den};",
        f"reg [{cw - 1}:0] {cnt};",
        f"wire [{width}:0] {part} = {{{rem}, {quo}[{width - 1}]}};",
    ]
    if style == "sign":
        declare.append(f"wire [{width}:0] {diff} = {part} - {{1'b0, {den}}};")
        step = (
            f"    {rem} <= {diff}[{width}] ? {part}[{width - 1}:0] : {diff}[{width - 1}:0];\n"
            f"    {quo} <= {{{quo}[{width - 2}:0], !{diff}[{width}]}};\n"
        )
    else:
        fits = n.pick("fits", "ge", "enough")
        declare += [
            f"wire {fits} = {part} >= {{1'b0, {den}}};",
            f"wire [{width}:0] {diff} = {fits} ? {part} - {{1'b0, {den}}} : {part};",
        ]
        step = (
            f"    {rem} <= {diff}[{width - 1}:0];\n    {quo} <= {{{quo}[{width - 2}:0], {fits}}};\n"
        )
    begin = f"    {quo} <= {a};\n    {rem} <= {width}'d0;\n    {den} <= {b};\n    {cnt} <= {cw}'d0;\n    {busy} <= 1'b1;\n"
    if dz:
        begin += f"    {dz} <= ({b} == {width}'d0);\n"
    body = (
        f"{done} <= 1'b0;\nif ({busy}) begin\n{step}    {cnt} <= {cnt} + 1'b1;\n"
        f"    if ({cnt} == {cw}'d{width - 1}) begin\n        {busy} <= 1'b0;\n        {done} <= 1'b1;\n    end\n"
        f"end else if ({start}) begin\n{begin}end"
    )
    clear = f"{quo} <= {width}'d0;\n{rem} <= {width}'d0;\n{den} <= {width}'d0;\n{cnt} <= {cw}'d0;\n{busy} <= 1'b0;\n{done} <= 1'b0;"
    clear += f"\n{dz} <= 1'b0;" if dz else ""
    ports = (
        *cr.ports,
        PortDecl("input", start, 1, "start"),
        PortDecl("input", a, width, "dividend"),
        PortDecl("input", b, width, "divisor"),
        PortDecl("output", quo, width, "quotient", reg=True),
        PortDecl("output", rem, width, "remainder", reg=True),
        PortDecl("output", busy, 1, "computing", reg=True),
        PortDecl("output", done, 1, "result is ready, one cycle", reg=True),
        *([PortDecl("output", dz, 1, "divisor was zero", reg=True)] if dz else []),
    )
    ones = (1 << width) - 1

    def advance(s: State, i: Mapping[str, int]) -> dict[str, int | None]:
        done_now = 0
        if s["left"]:
            s["left"] -= 1
            done_now = int(s["left"] == 0)
        elif i[start]:
            s["left"], zero = width, i[b] == 0
            s["q"] = ones if zero else i[a] // i[b]
            s["r"] = (i[a] if zero else i[a] % i[b]) & ones
            s["z"] = int(zero)
        shown = not s["left"]
        outs: dict[str, int | None] = {
            quo: s["q"] if shown else None,
            rem: s["r"] if shown else None,
            busy: int(s["left"] > 0),
            done: done_now,
        }
        return outs | ({dz: s["z"]} if dz else {})

    facts: list[Behaviour] = [
        (
            f"Unsigned division: {quo} = {a} / {b} and {rem} = {a} % {b}.",
            f"`{quo}` is the integer quotient of `{a}` by `{b}` and `{rem}` the remainder, all unsigned.",
            f"It divides the unsigned {a} by {b} (restoring method, one quotient bit per clock), giving {quo} and {rem}.",
        ),
        *_protocol(start, busy, done, f"{width} cycles", f"the results on {quo} and {rem}"),
        (
            f"{quo} and {rem} hold until the next start and are undefined while {busy}.",
            f"The results stay until another operation begins; during the computation `{quo}` and `{rem}` do not matter.",
            f"While {busy} is high {quo} and {rem} may show anything; otherwise they keep the last result.",
        ),
        (
            "Division by zero gives a quotient of all ones and the dividend as remainder.",
            f"For `{b}` = 0 the result is `{quo}` = {ones} and `{rem}` = `{a}`.",
            f"With a zero divisor {quo} becomes {ones} (all ones) and {rem} the captured {a}.",
        ),
    ]
    if dz:
        facts.append(
            (
                f"{dz} is set at the start when {b} is zero, cleared at the start otherwise, and holds in between.",
                f"`{dz}` is registered with the start: 1 if the captured divisor is 0, kept until the next start.",
                f"At each accepted start {dz} takes the value of ({b} == 0) and keeps it.",
            )
        )
    return clocked(
        cr,
        Design(
            family="sequential_divider",
            group="fsm",
            params={"width": width, "flag": bool(dz)},
            module=module,
            ports=ports,
            rtl=source(module, ports, *declare, cr.process(clear, body)),
            model=lambda: Machine({"left": 0, "q": 0, "r": 0, "z": 0}, advance),
            titles=(
                f"a sequential {width}-bit divider",
                f"an unsigned restoring divider for {width}-bit operands",
                f"a multi-cycle division unit, {width} bits, one bit per clock",
                f"an iterative {width}-bit divider with quotient and remainder",
            ),
            behaviour=tuple(facts),
            style={"body": style},
            stimulus=_operands(start, a, b, width),
        ),
    )


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
            stimulus=_operands(start, a, b, width),
        ),
    )
