"""Multiply-accumulate."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..families._combinational import an, signed
from ..families._phrases import facts
from ..families._seq import Bus, Draft, Machine, Outputs, State, chain
from ..registry import family

if TYPE_CHECKING:
    import random
    from collections.abc import Mapping

    from ..design import Behaviour, Design

__all__: list[str] = []

_A = ("a", "x", "sample", "in_a", "op_a", "data")
_B = ("b", "y", "coef", "in_b", "op_b", "weight")
_EN = ("en", "valid", "ce", "enable", "in_valid", "mac_en")


def _control(kind: str, name: str, out: str, en: str, sub: str) -> Behaviour | None:
    """What the control input does."""
    if kind == "clear":
        return (
            f"A high {name} sets {out} to zero at the clock edge and has priority over accumulating.",
            f"`{name}` = 1 clears the sum, whatever else is asked for.",
            f"With {name} high nothing is accumulated and {out} becomes 0.",
        )
    if kind == "first":
        when = f" (together with {en} high)" if en else ""
        minus = f" (negated for {sub} = 1)" if sub else ""
        return (
            f"With {name} high{when} a new sum begins: {out} takes the product alone{minus} and the old sum is dropped.",
            f"`{name}` marks the first product of a sum{when}, which{minus} replaces the value of `{out}` instead of being added.",
            f"If {name} is 1{when}, the product{minus} is loaded into {out}; otherwise it is accumulated.",
        )
    return None


def _accumulating(en: str, a: str, b: str, out: str, sub: str) -> Behaviour:
    """What happens at a clock edge."""
    if sub:
        verb, short = (
            f"added to {out} ({sub} = 0) or subtracted from it ({sub} = 1)",
            f"{out} +/- {a} * {b}",
        )
        rule = (
            f"`{out}` becomes `{out}` + `{a}` * `{b}`, or `{out}` - `{a}` * `{b}` if `{sub}` is 1"
        )
    else:
        verb, short = f"added to {out}", f"{out} + {a} * {b}"
        rule = f"`{out}` becomes `{out}` + `{a}` * `{b}`"
    mode = f", minus for {sub} high" if sub else ""
    if en:
        return (
            f"In each cycle with {en} high the product of {a} and {b} is {verb}; with {en} low {out} holds.",
            f"{rule} on clock edges where `{en}` = 1; it does not change otherwise.",
            f"{en} enables the accumulation {short}{mode}; without it the sum is kept.",
        )
    return (
        f"In every clock cycle the product of {a} and {b} is {verb}.",
        f"{rule} on each rising edge.",
        f"Each clock computes {short}{mode} and stores it in {out}.",
    )


@family("multiply_accumulate")
def multiply_accumulate(rng: random.Random) -> Design:
    """Sum of products, wrapping or saturating, with a clear or a first-product control."""
    d = Draft(rng, "registers", "mac mac_unit mult_acc multiply_accumulate dot_product macc")
    narrow, guard = rng.choice((2, 3, 4, 4, 6, 8, 8)), rng.choice((0, 2, 4, 4, 8))
    is_signed = rng.random() < 0.4
    saturate = not is_signed and guard > 0 and rng.random() < 0.35
    kind = rng.choice(("clear", "clear", "first", "none"))
    x, p, w = d.bus(narrow), Bus(2 * narrow), d.bus(2 * narrow + guard)
    control = ""
    if kind == "clear":
        control = d.input("synchronous clear", "clr", "clear", "sclr", "zero", "restart")
    elif kind == "first":
        control = d.input("first product of a new sum", "first", "start", "load", "init", "sof")
    en = d.maybe(0.65, "operands are valid", *_EN)
    sub = (
        "" if saturate else d.maybe(0.2, "subtract the product", "sub", "neg", "minus", "subtract")
    )
    a, b = d.input("first factor", *_A, bus=x), d.input("second factor", *_B, bus=x)
    out, q = d.registered("sum of products", ("acc", "sum", "result", "mac_out", "total"), ("acc_r", "sum_r", "acc_q"), w)  # fmt: skip
    prod = d.wire("prod", "product", "mul", "p", bus=p)
    factors = f"$signed({a}) * $signed({b})" if is_signed else f"{a} * {b}"
    d.add(f"assign {prod} = {factors};")
    term = prod
    if is_signed and guard:
        term = d.wire("ext", "term", "prod_x", bus=w)
        d.add(f"assign {term} = {{{{{guard}{{{prod}[{p.width - 1}]}}}}, {prod}}};")
    moved = f"{sub} ? {q} - {term} : {q} + {term}" if sub else f"{q} + {term}"
    begin = f"{sub} ? {w.zero} - {term} : {term}" if sub else term
    first = (f"{en} && {control}" if en else control) if kind == "first" else ""
    clear = control if kind == "clear" else ""
    if saturate:
        wide = d.wire("wide", "full", "sum_x", bus=Bus(w.width + 1))
        d.add(f"assign {wide} = {q} + {term};")
        put = f"{q} <= {wide}[{w.width}] ? {w.ones} : {wide}[{w.msb}:0];"
        d.clocked(
            f"{q} <= {w.zero};",
            chain((clear, f"{q} <= {w.zero};"), (first, f"{q} <= {begin};"), (en or None, put)),
        )
    else:
        d.update(q, w, w.zero, (clear, w.zero), (first, begin), (en or None, moved))

    def step(s: State, i: Mapping[str, int]) -> Outputs:
        value = signed(i[a], narrow) * signed(i[b], narrow) if is_signed else i[a] * i[b]
        if clear and i[clear]:
            s["q"] = 0
        elif i.get(en, 1):
            old = 0 if first and i[control] else s["q"]
            total = old - value if i.get(sub) else old + value
            s["q"] = min(total, w.top) if saturate else total & w.top
        return {out: s["q"]}

    sign = "signed" if is_signed else "unsigned"
    both = "two's complement numbers, and so is the sum" if is_signed else "unsigned"
    size = w.width
    return d.finish(
        "multiply_accumulate",
        {
            "width": size,
            "input": narrow,
            "signed": is_signed,
            "saturate": saturate,
            "control": kind,
            "enable": bool(en),
            "subtract": bool(sub),
        },
        lambda: Machine({"q": 0}, step),
        (
            an(
                f"{sign} {narrow} x {narrow} bit multiply-accumulate unit with {an(f'{size}-bit sum')}"
            ),
            f"a MAC for {sign} {narrow}-bit factors, accumulating in {size} bits",
            f"a unit that sums products of {sign} {narrow}-bit numbers into {size} bits",
            f"a sequential dot-product accumulator, {narrow}-bit {sign} inputs and {size}-bit result",
        ),
        facts(
            _accumulating(en, a, b, out, sub),
            (
                f"{a} and {b} are {both}.",
                f"All numbers are {sign}.",
                f"The multiplication is {sign}.",
            ),
            _control(kind, control, out, en, sub),
            (
                f"A sum above {w.top} is limited to {w.top}.",
                f"It saturates at all ones ({w.top}).",
                f"On overflow {out} stays at the maximum {w.top} instead of wrapping.",
            )
            if saturate
            else (
                f"The sum wraps: only its low {size} bits are kept.",
                f"Overflow beyond {size} bits is discarded.",
                f"{out} is the sum modulo 2^{size}.",
            ),
            (
                "Reset clears the sum.",
                f"{out} is 0 after reset.",
                "The sum starts at zero after reset.",
            ),
        ),
    )
