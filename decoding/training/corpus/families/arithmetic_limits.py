"""Windows: range checks."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..design import Behaviour, Design, PortDecl
from ..names import Names
from ..registry import family
from ._combinational import always, an, combinational, draw_width

if TYPE_CHECKING:
    import random
    from collections.abc import Mapping


__all__: list[str] = []


@family("window_compare")
def window_compare(rng: random.Random) -> Design:
    """Whether a value lies in a window, with limits as ports or constants."""
    n = Names(rng)
    w = draw_width(rng, n, (4, 6, 8, 8, 10, 12, 16))
    top = (1 << w.value) - 1
    fixed = rng.random() < 0.5 or bool(w.parameter)
    x = n.pick("x", "value", "in", "level", "sample", "adc", "addr")
    out = n.pick("inside", "in_range", "hit", "ok", "match", "within")
    low, high = sorted(rng.sample(range(top + 1), 2))
    low, high = (low, high) if high > low + 1 else (1, top - 1)
    lo = f"{w.value}'d{low}" if fixed else n.pick("lo", "min", "lower", "base")
    hi = f"{w.value}'d{high}" if fixed else n.pick("hi", "max", "upper", "limit")
    open_end = rng.random() < 0.3
    flags = (
        [n.pick("below", "under", "too_low"), n.pick("above", "over", "too_high")]
        if rng.random() < 0.4
        else []
    )
    op = "<" if open_end else "<="
    style = n.choose(("assign", "if"))
    reg = style == "if"
    rows = [(out, f"({x} >= {lo}) && ({x} {op} {hi})")]
    if flags:
        rows += [(flags[0], f"{x} < {lo}"), (flags[1], f"{x} {'>=' if open_end else '>'} {hi}")]
    if reg:
        text = always(rng, "\n".join(f"{y} = {e};" for y, e in rows))
        if not flags:
            text = always(
                rng, f"if ({x} < {lo})\n    {out} = 1'b0;\nelse\n    {out} = ({x} {op} {hi});"
            )
    else:
        text = "\n".join(f"assign {y} = {e};" for y, e in rows)
    ports = [PortDecl("input", x, w.value, "value", range=w.range)]
    if not fixed:
        ports += [
            PortDecl("input", lo, w.value, "lower limit"),
            PortDecl("input", hi, w.value, "upper limit"),
        ]
    ports += [PortDecl("output", y, 1, "flag", reg=reg) for y, _ in rows]

    def model(i: Mapping[str, int]) -> Mapping[str, int | None]:
        v = i[x]
        floor, ceiling = (low, high) if fixed else (i[lo], i[hi])
        over = v >= ceiling if open_end else v > ceiling
        result: dict[str, int | None] = {out: int(v >= floor and not over)}
        return result | ({flags[0]: int(v < floor), flags[1]: int(over)} if flags else {})

    first, last = (str(low), str(high)) if fixed else (lo, hi)
    end = "exclusive" if open_end else "inclusive"
    facts: list[Behaviour] = [
        (
            f"{out} is 1 when {x} is at least {first} and "
            f"{'less than' if open_end else 'at most'} {last}.",
            f"`{out}` is high for {first} <= {x} {op} {last}, low otherwise.",
            f"Assert {out} if {x} lies between {first} (inclusive) and {last} ({end}).",
        )
    ]
    if flags:
        facts.append(
            (
                f"{flags[0]} is set when {x} is less than {first}, {flags[1]} when it is "
                f"{'at least' if open_end else 'greater than'} {last}.",
                f"`{flags[0]}` = ({x} < {first}) and `{flags[1]}` = ({x} "
                f"{'>=' if open_end else '>'} {last}).",
                f"Values under {first} raise {flags[0]}; values {'of' if open_end else 'over'} "
                f"{last}"
                f"{' and more' if open_end else ''} raise {flags[1]}.",
            )
        )
    facts.append(("All numbers are unsigned.", "Unsigned comparison.", ""))
    where = f"{first}..{last}" if fixed else "limits given on ports"
    return combinational(
        rng,
        family="window_compare",
        group="arithmetic",
        params={
            "width": w.value,
            "low": low if fixed else -1,
            "high": high if fixed else -1,
            "open": open_end,
            "flags": bool(flags),
        },
        module=n.module("window", "range_check", "in_range", "window_comparator", "bounds_check"),
        ports=ports,
        body=text,
        function=model,
        width=w,
        titles=(
            an(f"{w.value}-bit window comparator"),
            f"a range check for {w.value}-bit values, {where}",
            f"a circuit that detects whether a {w.value} bit number is in a range",
            f"a bounds checker ({where})",
        ),
        behaviour=tuple(facts),
        style=style,
    )
