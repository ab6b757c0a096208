"""Limiters."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..build import mask
from ..design import Behaviour, Design, PortDecl
from ..names import Names
from ..registry import family
from ._combinational import always, an, combinational, signed, target

if TYPE_CHECKING:
    import random
    from collections.abc import Mapping

__all__: list[str] = []


@family("clamp")
def clamp(rng: random.Random) -> Design:
    """Limiter to constant or given bounds, or to fewer bits."""
    n = Names(rng)
    width = rng.choice((6, 8, 8, 8, 10, 12, 16))
    is_signed, fixed = rng.random() < 0.4, rng.random() < 0.6
    least, most = (-(1 << width - 1), (1 << width - 1) - 1) if is_signed else (0, (1 << width) - 1)
    low, high = sorted((rng.randint(least, most), rng.randint(least, most)))
    low, high = (low, high) if high - low > 3 else (least + 1, most - 2)
    x, y = (
        n.pick("x", "in", "d", "value", "sample", "cmd"),
        n.pick("y", "out", "q", "limited", "clipped"),
    )
    sign = f"-{width}'sd{-low}" if low < 0 else f"{width}'sd{low}"
    top = f"-{width}'sd{-high}" if high < 0 else f"{width}'sd{high}"
    lo = (
        (sign if is_signed else f"{width}'d{low}") if fixed else n.pick("lo", "min", "floor", "low")
    )
    hi = (
        (top if is_signed else f"{width}'d{high}") if fixed else n.pick("hi", "max", "ceil", "high")
    )
    flag = n.pick("clip", "limit", "sat", "hit") if rng.random() < 0.35 else ""

    def s(name: str) -> str:
        return f"$signed({name})" if is_signed and "'" not in name else name

    style = n.choose(("ternary", "if"))
    t = target(rng, n, y, f"[{width - 1}:0] ")
    if style == "ternary":
        text = f"assign {y} = ({s(x)} < {s(lo)}) ? {lo} : ({s(x)} > {s(hi)}) ? {hi} : {x};"
    else:
        text = t.wrap(
            always(
                rng,
                f"if ({s(x)} < {s(lo)})\n    {t.name} = {lo};\nelse if ({s(x)} > {s(hi)})\n"
                f"    {t.name} = {hi};\nelse\n    {t.name} = {x};",
            )
        )
    if flag:
        text += f"\nassign {flag} = ({s(x)} < {s(lo)}) || ({s(x)} > {s(hi)});"
    ports = [PortDecl("input", x, width, "value")]
    ports += (
        []
        if fixed
        else [
            PortDecl("input", lo, width, "lower bound"),
            PortDecl("input", hi, width, "upper bound"),
        ]
    )
    ports.append(PortDecl("output", y, width, "limited value", reg=style == "if" and t.reg))
    ports += [PortDecl("output", flag, 1, "the value was limited")] if flag else []

    def model(i: Mapping[str, int]) -> Mapping[str, int | None]:
        def number(value: int) -> int:
            return signed(value, width) if is_signed else value

        floor, ceiling = (low, high) if fixed else (number(i[lo]), number(i[hi]))
        v = number(i[x])
        kept = floor if v < floor else ceiling if v > ceiling else v
        return {y: mask(kept, width)} | ({flag: int(v < floor or v > ceiling)} if flag else {})

    first, last = (str(low), str(high)) if fixed else (lo, hi)
    kind = "signed" if is_signed else "unsigned"
    facts: list[Behaviour] = [
        (
            f"{y} is {x} limited to the range {first} to {last} (inclusive).",
            f"If `{x}` is less than {first} the output is {first}, else if it is greater than "
            f"{last} "
            f"the output is {last}, else it is `{x}`.",
            f"Values of {x} under {first} come out as {first}, values over {last} as {last}; "
            f"anything between passes unchanged to {y}.",
        ),
        (
            f"All numbers are {kind}{' two' + chr(39) + 's complement' if is_signed else ''}.",
            f"Comparison is {kind}.",
            f"The {width}-bit values are {kind} integers.",
        ),
    ]
    if not fixed:
        facts.append(
            (
                f"The check against {lo} comes first if the bounds are crossed.",
                f"Should {lo} exceed {hi}, the lower bound is tested first.",
                "Test the lower bound before the upper one.",
            )
        )
    if flag:
        facts.append(
            (
                f"{flag} is high while {x} is outside the range.",
                f"`{flag}` reports that the value had to be limited.",
                f"{flag} = 1 iff {x} < {first} or {x} > {last}.",
            )
        )
    return combinational(
        rng,
        family="clamp",
        group="arithmetic",
        params={
            "width": width,
            "signed": is_signed,
            "low": low if fixed else "port",
            "high": high if fixed else "port",
            "flag": bool(flag),
        },
        module=n.module("clamp", "limiter", "limit", "saturate", "clip_unit"),
        ports=ports,
        body=text,
        function=model,
        titles=(
            an(f"{width}-bit {kind} limiter"),
            f"a clamp for {kind} {width}-bit values",
            f"a clipper that keeps {an(f'{width}-bit {kind} value')} between two bounds",
            f"a combinational range limiter, {width} bits",
        ),
        behaviour=tuple(facts),
        style=style,
    )
