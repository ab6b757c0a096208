"""Narrowing with rounding, as after a fixed-point multiplication."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..build import mask
from ..design import Behaviour, Design, PortDecl
from ..families._combinational import always, an, combinational, signed, target
from ..names import Names
from ..registry import family

if TYPE_CHECKING:
    import random
    from collections.abc import Mapping

__all__: list[str] = []

_KINDS = {
    "half_up": "half up",
    "half_even": "half to even",
    "up": "up",
}


def _rounded(value: int, drop: int, kind: str) -> int:
    """`value` / 2^drop as an integer, rounded."""
    quotient, rest = value >> drop, value & ((1 << drop) - 1)
    half = 1 << (drop - 1)
    if kind == "up":
        return quotient + (rest != 0)
    if kind == "half_up":
        return quotient + (rest >= half)
    return quotient + (rest > half or (rest == half and quotient & 1))


def _increment(a: str, drop: int, kind: str) -> str:
    """The condition on which the kept bits are increased by one."""
    dropped = f"{a}[0]" if drop == 1 else f"|{a}[{drop - 1}:0]"
    if kind == "up":
        return dropped
    if kind == "half_up":
        return f"{a}[{drop - 1}]"
    if drop == 1:
        return f"{a}[0] & {a}[1]"
    sticky = f"{a}[0]" if drop == 2 else f"(|{a}[{drop - 2}:0])"
    return f"{a}[{drop - 1}] & ({a}[{drop}] | {sticky})"


@family("round_shift")
def round_shift(rng: random.Random) -> Design:
    """Drop low bits of a number with rounding; saturate, or keep the carry as one more bit."""
    n = Names(rng)
    width, drop = rng.choice(((6, 2), (8, 1), (8, 2), (8, 3), (8, 4), (10, 2), (12, 4), (12, 8), (16, 4), (16, 8), (20, 4), (24, 8)))  # fmt: skip
    kind = rng.choice(("half_up", "half_up", "half_even", "half_even", "up"))
    is_signed, saturate = rng.random() < 0.45, rng.random() < 0.65
    kept = width - drop
    out_width = kept if saturate else kept + 1
    a = n.pick("x", "in", "d", "a", "value", "acc_in")
    y = n.pick("y", "out", "q", "rounded", "r", "result")
    style = n.choose(("add", "if", "ternary"))
    up, full = n.pick("up", "inc", "rnd"), n.pick("full", "sum", "wide", "ext")
    top = f"{a}[{width - 1}]" if is_signed else "1'b0"
    base = f"{{{top}, {a}[{width - 1}:{drop}]}}"
    reg = False
    if style == "add":
        text = (
            f"wire {up} = {_increment(a, drop, kind)};\nwire [{kept}:0] {full} = {base} + {up};\n"
        )
    else:
        one = f"{kept + 1}'d1"
        test = _increment(a, drop, kind)
        test = f"({test})" if test[0] == "|" or " " in test else test
        text = f"wire [{kept}:0] {full} = {test} ? {base} + {one} : {base};\n"
    over = f"{full}[{kept}] != {full}[{kept - 1}]" if is_signed else f"{full}[{kept}]"
    limit = f"{kept}'d{(1 << kept - 1) - 1}" if is_signed else f"{{{kept}{{1'b1}}}}"
    low = f"{full}[{kept - 1}:0]"
    if not saturate:
        text += f"assign {y} = {full};"
    elif style == "if":
        t = target(rng, n, y, f"[{kept - 1}:0] ")
        reg = t.reg
        text += t.wrap(
            always(rng, f"if ({over})\n    {t.name} = {limit};\nelse\n    {t.name} = {low};")
        )
    else:
        test = f"({over})" if is_signed else over
        text += f"assign {y} = {test} ? {limit} : {low};"
    ports = [
        PortDecl("input", a, width, "number to round"),
        PortDecl("output", y, out_width, "rounded number", reg=reg),
    ]
    largest = (1 << kept - 1) - 1 if is_signed else (1 << kept) - 1

    def model(i: Mapping[str, int]) -> Mapping[str, int | None]:
        value = _rounded(signed(i[a], width) if is_signed else i[a], drop, kind)
        return {y: mask(min(value, largest) if saturate else value, out_width)}

    sign = "signed two's complement" if is_signed else "unsigned"
    scale = 1 << drop
    half = scale // 2
    how: dict[str, Behaviour] = {
        "half_up": (
            "A fraction of one half or more rounds up.",
            "It is rounded to the nearest integer, ties upwards (towards plus infinity).",
            f"Round half up: if the dropped bits are {half} or more, one is added to the kept bits.",
        ),
        "half_even": (
            "It is rounded to nearest, and a tie (exactly one half) goes to the even neighbour.",
            "Rounding is to the nearest integer, ties to even.",
            f"Round half to even: one is added if the dropped bits exceed {half}, or equal {half} while the lowest kept bit is 1.",
        ),
        "up": (
            "Any fraction rounds up to the next integer.",
            "Rounding is upwards (ceiling, towards plus infinity).",
            "One is added to the kept bits whenever any dropped bit is 1.",
        ),
    }
    return combinational(
        rng,
        family="round_shift",
        group="arithmetic",
        params={
            "width": width,
            "drop": drop,
            "kind": kind,
            "signed": is_signed,
            "saturate": saturate,
        },
        module=n.module(
            "rounder", "round_shift", "round_unit", "narrow_round", "requant", "fx_round"
        ),
        ports=ports,
        body=text,
        function=model,
        titles=(
            an(
                f"{'signed' if is_signed else 'unsigned'} rounding unit from {width} to {out_width} bits"
            ),
            f"a {_KINDS[kind]} rounder that drops {drop} fraction bit{'s' * (drop > 1)} of a {width}-bit {'signed' if is_signed else 'unsigned'} number",
            f"a fixed-point narrowing block, {width} bits in and {out_width} out, with rounding {_KINDS[kind]}",
            f"a circuit that divides a {width}-bit {'signed' if is_signed else 'unsigned'} number by {scale} and rounds {_KINDS[kind]}",
        ),
        behaviour=(
            (
                f"{y} is the {sign} number {a} divided by {scale} and rounded to an integer.",
                f"The lowest {drop} bit{'s' * (drop > 1)} of `{a}` ({sign}) are a fraction that is rounded away; the result is `{y}`.",
                f"{y} = round({a} / {scale}), where {a} is {sign}.",
            ),
            how[kind],
            (
                f"If the result is above {largest} it saturates at {largest}.",
                f"A rounded value that no longer fits is limited to {largest}.",
                f"Overflow by rounding gives the maximum {largest}.",
            )
            if saturate
            else (
                f"{y} has one bit more than the {kept} kept ones, so rounding never overflows.",
                f"The output is {out_width} bits wide, so that every result fits.",
                f"The kept bits are sign-extended to {out_width} bits before one is added."
                if is_signed
                else f"The carry of rounding up is kept as bit {kept} of {y}.",
            ),
        ),
        style=style,
    )
