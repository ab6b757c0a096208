"""Saturation and increments."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..build import mask
from ..design import Behaviour, Design, PortDecl
from ..names import Names
from ..registry import family
from ._combinational import always, an, combinational, draw_width, pair, signed, target

if TYPE_CHECKING:
    import random
    from collections.abc import Mapping

__all__: list[str] = []


def _sat_text(rng: random.Random, n: Names, width: int, names: dict[str, str], op: str) -> str:
    """RTL of the signed saturating sum or difference."""
    a, b, y, flag = names["a"], names["b"], names["y"], names["flag"]
    full, top = n.pick("full", "ext", "wide", "sum_x"), width - 1
    ext = f"{{{a}[{top}], {a}}} {op} {{{b}[{top}], {b}}}"
    high, low = f"{{1'b0, {{{top}{{1'b1}}}}}}", f"{{1'b1, {{{top}{{1'b0}}}}}}"
    lines = [f"wire [{width}:0] {full} = {ext};"]
    over = f"{full}[{width}] != {full}[{top}]"
    if rng.random() < 0.5:
        lines.append(
            f"assign {y} = ({over}) ? ({full}[{width}] ? {low} : {high}) : {full}[{top}:0];"
        )
    else:
        pos, neg = n.pick("pos_ovf", "too_big", "over"), n.pick("neg_ovf", "too_small", "under")
        lines += [
            f"wire {pos} = ~{full}[{width}] & {full}[{top}];",
            f"wire {neg} = {full}[{width}] & ~{full}[{top}];",
            f"assign {y} = {pos} ? {high} : {neg} ? {low} : {full}[{top}:0];",
        ]
    if flag:
        lines.append(f"assign {flag} = ({over});")
    return "\n".join(lines)


@family("saturating_add")
def saturating_add(rng: random.Random) -> Design:
    """Saturating adder or subtractor, signed or unsigned."""
    n = Names(rng)
    width = rng.choice((4, 4, 6, 8, 8, 8, 10, 12, 16, 16))
    is_signed, sub = rng.random() < 0.5, rng.random() < 0.35
    a, b = pair(rng, n)
    y = n.pick("y", "out", "result", "sat", "diff" if sub else "sum")
    flag = n.pick("sat_flag", "clipped", "saturated", "ovf") if rng.random() < 0.4 else ""
    op, full = ("-" if sub else "+"), n.pick("total", "wide", "tmp", "raw")
    style = "signed" if is_signed else n.choose(("wide", "compare"))
    limit = f"{width}'d0" if sub else f"{{{width}{{1'b1}}}}"
    if is_signed:
        text = _sat_text(rng, n, width, {"a": a, "b": b, "y": y, "flag": flag}, op)
    elif style == "wide":
        text = f"wire [{width}:0] {full} = {{1'b0, {a}}} {op} {{1'b0, {b}}};\n"
        text += f"assign {y} = {full}[{width}] ? {limit} : {full}[{width - 1}:0];"
        text += f"\nassign {flag} = {full}[{width}];" if flag else ""
    else:
        test = f"{a} < {b}" if sub else f"{full} < {a}"
        text = f"wire [{width - 1}:0] {full} = {a} {op} {b};\nassign {y} = ({test}) ? {limit} : {full};"
        text += f"\nassign {flag} = ({test});" if flag else ""
    ports = [PortDecl("input", x, width, "operand") for x in (a, b)]
    ports.append(PortDecl("output", y, width, "saturated result"))
    ports += [PortDecl("output", flag, 1, "the result was limited")] if flag else []
    low, high = (-(1 << width - 1), (1 << width - 1) - 1) if is_signed else (0, (1 << width) - 1)

    def model(i: Mapping[str, int]) -> Mapping[str, int | None]:
        p, q = (signed(i[a], width), signed(i[b], width)) if is_signed else (i[a], i[b])
        exact = p - q if sub else p + q
        kept = max(low, min(high, exact))
        return {y: mask(kept, width)} | ({flag: int(kept != exact)} if flag else {})

    number, verb = ("signed" if is_signed else "unsigned"), ("subtractor" if sub else "adder")
    formula = f"{a} {op} {b}"
    if is_signed:
        limits: Behaviour = (
            f"Results above {high} become {high} and results below {low} become {low}.",
            f"On overflow the output sticks to the largest ({high}) or smallest ({low}) value.",
            f"Instead of wrapping, the output is limited to the range {low} to {high}.",
        )
    else:
        what = "Negative results become 0" if sub else f"Sums above {high} become {high}"
        limits = (
            f"{what}.",
            f"Instead of wrapping around, the result sticks at {limit if sub is False else '0'}.".replace(
                limit, f"{high} (all ones)"
            ),
            f"{'Underflow gives zero' if sub else 'Overflow gives the maximum value'}.",
        )
    facts = [
        (
            f"{y} is {formula} with saturation; the operands are {number}.",
            f"`{y}` = {formula} for {number} operands, saturating.",
            f"{'Subtract' if sub else 'Add'} the {number} numbers: {formula}, clipped to {width} "
            "bits, "
            f"goes to {y}.",
        ),
        limits,
    ]
    if flag:
        facts.append(
            (
                f"{flag} is high when the result was limited.",
                f"`{flag}` reports saturation.",
                f"Set {flag} whenever the exact result does not fit.",
            )
        )
    return combinational(
        rng,
        family="saturating_add",
        group="arithmetic",
        params={"width": width, "signed": is_signed, "subtract": sub, "flag": bool(flag)},
        module=n.module(
            "sat_sub" if sub else "sat_add", "saturate", "sat_unit", "clip_" + verb, "sat_alu"
        ),
        ports=ports,
        body=text,
        function=model,
        titles=(
            an(f"{width}-bit {number} saturating {verb}"),
            f"a saturating {verb} for {number} {width}-bit operands",
            an(f"{number} {verb} that clips instead of wrapping, {width} bits"),
            f"{an(verb)} with saturation, {width} bit {number} arithmetic",
        ),
        behaviour=tuple(facts),
        style=style,
    )


@family("increment")
def increment(rng: random.Random) -> Design:
    """Incrementer, decrementer or both, with a wrap flag or saturation."""
    n = Names(rng)
    w = draw_width(rng, n, (3, 4, 5, 8, 8, 12, 16, 32))
    kind = rng.choice(("inc", "inc", "dec", "both"))
    saturate = rng.random() < 0.25
    a, y = n.pick("a", "in", "x", "d", "count_in", "pc"), n.pick("y", "out", "next", "result", "q")
    mode = n.pick("dec", "down", "minus", "dir") if kind == "both" else ""
    flag = n.pick("carry", "wrap", "ovf", "rollover") if not saturate and rng.random() < 0.4 else ""
    t = target(rng, n, y, w.span)
    style = n.choose(("ternary", "always"))
    at = {"inc": f"{a} == {w.ones}", "dec": f"{a} == {w.zero}"}
    rows = {"inc": f"{a} + 1'b1", "dec": f"{a} - 1'b1"}
    if saturate:
        rows = {k: f"({at[k]}) ? {a} : {e}" for k, e in rows.items()}
    if kind != "both":
        value = rows[kind]
        text = (
            f"assign {y} = {value};"
            if style == "ternary"
            else t.wrap(always(rng, f"{t.name} = {value};"))
        )
    elif style == "ternary":
        wrapped = {k: f"({e})" if saturate else e for k, e in rows.items()}
        text = f"assign {y} = {mode} ? {wrapped['dec']} : {wrapped['inc']};"
    else:
        text = t.wrap(
            always(
                rng,
                f"if ({mode})\n    {t.name} = {rows['dec']};\nelse\n    {t.name} = {rows['inc']};",
            )
        )
    if flag:
        value = f"{mode} ? ({at['dec']}) : ({at['inc']})" if mode else f"({at[kind]})"
        text += f"\nassign {flag} = {value};"
    ports = [PortDecl("input", a, w.value, "number", range=w.range)]
    ports += [PortDecl("input", mode, 1, "1 decrements, 0 increments")] if mode else []
    ports.append(
        PortDecl("output", y, w.value, "result", reg=style == "always" and t.reg, range=w.range)
    )
    ports += [PortDecl("output", flag, 1, "the result wrapped around")] if flag else []
    top = (1 << w.value) - 1

    def model(i: Mapping[str, int]) -> Mapping[str, int | None]:
        down = kind == "dec" or (bool(mode) and i[mode] == 1)
        exact = i[a] + (-1 if down else 1)
        value = max(0, min(top, exact)) if saturate else exact & top
        return {y: value} | ({flag: int(not 0 <= exact <= top)} if flag else {})

    what = {"inc": f"{a} + 1", "dec": f"{a} - 1"}
    first: Behaviour = (
        f"{y} is {a} {'plus' if kind == 'inc' else 'minus'} one.",
        f"`{y}` = {what.get(kind, '')}.",
        f"{'Add one to' if kind == 'inc' else 'Subtract one from'} {a}; the result appears on {y}.",
    )
    if kind == "both":
        first = (
            f"{y} is {a} + 1 while {mode} is low and {a} - 1 while {mode} is high.",
            f"`{mode}` = 1 decrements `{a}`, `{mode}` = 0 increments it; the result is `{y}`.",
            f"Depending on {mode}, one is subtracted ({mode}=1) or added ({mode}=0).",
        )
    ends = {"inc": f"at {top}", "dec": "at 0", "both": f"at 0 and {top}"}[kind]
    facts: list[Behaviour] = [
        first,
        (
            f"The result saturates {ends} instead of wrapping.",
            f"No wrap: it stays {ends}.",
            f"At the end of the range ({ends[3:]}) the value is kept.",
        )
        if saturate
        else (f"It wraps around modulo {top + 1}.", "The result wraps.", ""),
    ]
    if flag:
        facts.append(
            (
                f"{flag} is 1 when the result wraps around.",
                f"`{flag}` signals the wrap {ends}.",
                f"The carry/borrow out of the operation is {flag}.",
            )
        )
    name = {"inc": "incrementer", "dec": "decrementer", "both": "incrementer/decrementer"}[kind]
    return combinational(
        rng,
        family="increment",
        group="arithmetic",
        params={"width": w.value, "kind": kind, "saturate": saturate, "flag": bool(flag)},
        module=n.module(
            kind if kind != "both" else "incdec",
            name.split("/", maxsplit=1)[0],
            "step_unit",
            "plus_one",
            f"{kind}{w.value}",
        ),
        ports=ports,
        body=text,
        function=model,
        width=w,
        titles=(
            an(f"{w.value}-bit {'saturating ' if saturate else ''}{name}"),
            f"a combinational {name} for {w.value}-bit numbers",
            "a circuit that "
            f"{'adds' if kind == 'inc' else 'subtracts' if kind == 'dec' else 'adds or subtracts'} "
            f"one {'to' if kind == 'inc' else 'from' if kind == 'dec' else 'on'} "
            f"{an(f'{w.value}-bit word')}",
            f"a step unit, {w.value} bits, without a clock",
        ),
        behaviour=tuple(facts),
        style=style,
    )
