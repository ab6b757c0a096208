"""Restoring dividers."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..build import clock_reset
from ..design import Behaviour, Design, PortDecl
from ..names import Names
from ..registry import family
from ._kit import Machine, State, clocked, source
from ._multicycle import operands, start_done_facts

if TYPE_CHECKING:
    import random
    from collections.abc import Mapping

__all__: list[str] = []


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
        *start_done_facts(start, busy, done, f"{width} cycles", f"the results on {quo} and {rem}"),
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
            stimulus=operands(start, a, b, width),
        ),
    )
