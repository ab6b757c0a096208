"""Comparison: comparators, minimum and maximum."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..design import Behaviour, Design, PortDecl
from ..names import Names
from ..registry import family
from ._combinational import always, an, combinational, draw_width, listing, numbered, pair, signed

if TYPE_CHECKING:
    import random
    from collections.abc import Mapping

    from ._combinational import Width

__all__: list[str] = []


def _operands(a: str, b: str, is_signed: bool) -> tuple[str, str]:
    """The operands as the comparison writes them."""
    return (f"$signed({a})", f"$signed({b})") if is_signed else (a, b)


_RELATIONS = {
    "eq": ("==", "equal to"),
    "ne": ("!=", "different from"),
    "gt": (">", "greater than"),
    "lt": ("<", "less than"),
    "ge": (">=", "greater than or equal to"),
    "le": ("<=", "less than or equal to"),
}


_RELATION_NAMES = {
    "eq": ("eq", "equal", "{a}_eq_{b}", "is_eq"),
    "ne": ("ne", "neq", "not_equal", "differ"),
    "gt": ("gt", "greater", "{a}_gt_{b}", "is_gt"),
    "lt": ("lt", "less", "{a}_lt_{b}", "is_lt"),
    "ge": ("ge", "gte", "{a}_ge_{b}", "at_least"),
    "le": ("le", "lte", "{a}_le_{b}", "at_most"),
}


def _compare(kind: str, x: int, y: int) -> int:
    """One relation."""
    return int(
        {"eq": x == y, "ne": x != y, "gt": x > y, "lt": x < y, "ge": x >= y, "le": x <= y}[kind]
    )


def _comparator_text(rng: random.Random, style: str, a: str, b: str, outs: dict[str, str]) -> str:
    """RTL of the comparator from its operands and outputs by relation."""
    if style == "assign":
        return "\n".join(f"assign {y} = ({a} {_RELATIONS[k][0]} {b});" for k, y in outs.items())
    if style == "always":
        return always(rng, "\n".join(f"{y} = {a} {_RELATIONS[k][0]} {b};" for k, y in outs.items()))
    clear = "\n".join(f"{y} = 1'b0;" for y in outs.values())
    gt, lt, eq = outs["gt"], outs["lt"], outs["eq"]
    return always(
        rng,
        f"{clear}\nif ({a} > {b})\n    {gt} = 1'b1;\nelse if ({a} < {b})\n    {lt} = 1'b1;\n"
        f"else\n    {eq} = 1'b1;",
    )


@family("comparator")
def comparator(rng: random.Random) -> Design:
    """Magnitude or equality comparator."""
    n = Names(rng)
    w = draw_width(rng, n, (2, 3, 4, 4, 8, 8, 8, 12, 16, 32))
    is_signed = rng.random() < 0.35
    sets = (
        ("eq", "gt", "lt"),
        ("lt", "eq", "gt"),
        ("eq",),
        ("eq", "ne"),
        ("lt",),
        ("ge", "lt"),
        ("gt", "le"),
        ("gt", "eq"),
    )
    kinds = rng.choice(sets)
    a, b = pair(rng, n)
    outs = {k: n.pick(*(x.format(a=a, b=b).lower() for x in _RELATION_NAMES[k])) for k in kinds}
    style = n.choose(["assign", "assign", "always"] + (["chain"] * 2 if len(kinds) == 3 else []))
    text = _comparator_text(rng, style, *_operands(a, b, is_signed), outs)
    ports = [PortDecl("input", x, w.value, "operand", range=w.range) for x in (a, b)]
    ports += [
        PortDecl("output", y, 1, f"{a} is {_RELATIONS[k][1]} {b}", reg=style != "assign")
        for k, y in outs.items()
    ]

    def model(i: Mapping[str, int]) -> Mapping[str, int | None]:
        x, y = (signed(i[a], w.value), signed(i[b], w.value)) if is_signed else (i[a], i[b])
        return {out: _compare(k, x, y) for k, out in outs.items()}

    ordered = any(k not in ("eq", "ne") for k in kinds)
    number = ("signed" if is_signed else "unsigned") if ordered else "equality"
    first = listing([f"{y} is 1 when {a} is {_RELATIONS[k][1]} {b}" for k, y in outs.items()])
    facts: list[Behaviour] = [
        (
            f"{first}.",
            f"{listing([f'`{y}` tells whether {a} {_RELATIONS[k][0]} {b}' for k, y in outs.items()])}.",
            "Outputs: "
            f"{', '.join(f'{y} = ({a} {_RELATIONS[k][0]} {b})' for k, y in outs.items())}.",
        )
    ]
    if ordered:
        facts.append(
            (
                "Both operands are two's complement signed numbers.",
                f"The comparison is signed (two's complement): {a} and {b} range from "
                f"{-(1 << w.value - 1)} to {(1 << w.value - 1) - 1}.",
                f"Treat {a} and {b} as signed.",
            )
            if is_signed
            else (
                "The operands are unsigned.",
                "The comparison is unsigned.",
                f"Treat {a} and {b} as unsigned numbers.",
                "",
            )
        )
    return combinational(
        rng,
        family="comparator",
        group="arithmetic",
        params={"width": w.value, "signed": is_signed and ordered, "outputs": " ".join(kinds)},
        module=n.module("comparator", "cmp", f"cmp{w.value}", "mag_comp", "compare_unit"),
        ports=ports,
        body=text,
        function=model,
        width=w,
        titles=(
            an(f"{w.value}-bit {number} comparator"),
            an(f"{number} comparator for {w.value}-bit operands"),
            f"a circuit that compares two {w.value}-bit {number if ordered else ''} numbers".replace(
                "  ", " "
            ),
            an(
                f"{w.value}-bit compare block with {len(kinds)} result "
                f"flag{'s' if len(kinds) > 1 else ''}"
            ),
        ),
        behaviour=tuple(facts),
        style=style,
    )


@family("min_max")
def min_max(rng: random.Random) -> Design:
    """Minimum, maximum or both of two to four numbers."""
    n = Names(rng)
    count = rng.choice((2, 2, 2, 3, 4, 4))
    w = draw_width(rng, n, (4, 8, 8, 8, 12, 16, 16, 32))
    is_signed = rng.random() < 0.35
    kinds = (
        rng.choice((("min",), ("max",), ("min", "max")))
        if count == 2
        else (rng.choice(("min", "max")),)
    )
    ins = list(pair(rng, n)) if count == 2 else numbered(rng, n, count, "d", "in", "x", "v")
    names = {
        "min": ("min", "smallest", "lo", "minimum"),
        "max": ("max", "largest", "hi", "maximum"),
    }
    outs = {k: n.pick(*names[k]) for k in kinds}
    style, text = _min_max_text(rng, n, w, ins, outs, is_signed)
    ports = [PortDecl("input", x, w.value, "value", range=w.range) for x in ins]
    ports += [
        PortDecl("output", y, w.value, f"{k}imum", reg=style == "always", range=w.range)
        for k, y in outs.items()
    ]

    def model(i: Mapping[str, int]) -> Mapping[str, int | None]:
        def key(value: int) -> int:
            return signed(value, w.value) if is_signed else value

        values = [i[x] for x in ins]
        both = {"min": min(values, key=key), "max": max(values, key=key)}
        return {y: both[k] for k, y in outs.items()}

    number = "signed" if is_signed else "unsigned"
    what = listing([f"{k}imum" for k in kinds])
    word = {"min": "smallest", "max": "largest"}
    return combinational(
        rng,
        family="min_max",
        group="arithmetic",
        params={"width": w.value, "signed": is_signed, "inputs": count, "outputs": " ".join(kinds)},
        module=n.module(
            "_".join(kinds),
            f"{kinds[0]}{count}",
            "minmax",
            "extremum",
            "select_ext",
            f"find_{kinds[0]}",
        ),
        ports=ports,
        body=text,
        function=model,
        width=w,
        titles=(
            an(f"{what} selector for {count} {number} {w.value}-bit numbers"),
            f"a circuit that outputs the {what} of {count} {w.value}-bit {number} inputs",
            an(f"{w.value}-bit {number} {'/'.join(kinds)} unit with {count} inputs"),
            f"a combinational {listing(kinds)} of {count} values",
        ),
        behaviour=(
            (
                f"{listing([f'{y} is the {word[k]} of {listing(ins)}' for k, y in outs.items()])}.",
                f"{listing([f'`{y}` carries the {k}imum of the inputs {listing(ins)}' for k, y in outs.items()])}.",
                f"{'; '.join(f'{y} = {k}({chr(44).join(ins)})' for k, y in outs.items())}.",
            ),
            (
                "The numbers are signed, two's complement."
                if is_signed
                else "All values are unsigned.",
                f"Comparison is {number}.",
                f"Treat the {w.value}-bit inputs as {number} integers.",
            ),
        ),
        style=style,
    )


def _min_max_text(
    rng: random.Random, n: Names, w: Width, ins: list[str], outs: dict[str, str], is_signed: bool
) -> tuple[str, str]:
    """Style and RTL; more than two inputs are reduced pairwise."""
    ops = {"min": "<", "max": ">"}

    def less(k: str, x: str, y: str) -> str:
        left, right = _operands(x, y, is_signed)
        return f"{left} {ops[k]} {right}"

    if len(ins) == 2:
        a, b = ins
        style = n.choose(("ternary", "always"))
        if style == "ternary":
            return style, "\n".join(
                f"assign {y} = ({less(k, a, b)}) ? {a} : {b};" for k, y in outs.items()
            )
        first, *_ = outs
        yes = "\n".join(f"    {y} = {a if k == first else b};" for k, y in outs.items())
        no = "\n".join(f"    {y} = {b if k == first else a};" for k, y in outs.items())
        return style, always(
            rng, f"if ({less(first, a, b)}) begin\n{yes}\nend else begin\n{no}\nend"
        )
    ((k, out),) = outs.items()
    style = n.choose(("tree", "always"))
    if style == "always":
        steps = [f"if ({less(k, x, out)})\n    {out} = {x};" for x in ins[1:]]
        return style, always(rng, "\n".join([f"{out} = {ins[0]};", *steps]))
    m0, m1 = n.pick("m0", "t0", "left"), n.pick("m1", "t1", "right")
    a, b, *rest = ins
    lines = [f"wire {w.span}{m0} = ({less(k, a, b)}) ? {a} : {b};"]
    if len(rest) == 2:
        lines.append(f"wire {w.span}{m1} = ({less(k, *rest)}) ? {rest[0]} : {rest[1]};")
    second = m1 if len(rest) == 2 else rest[0]
    return style, "\n".join([*lines, f"assign {out} = ({less(k, m0, second)}) ? {m0} : {second};"])
