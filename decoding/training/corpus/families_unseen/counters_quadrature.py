"""Position counting from the two tracks of a rotary encoder."""

from __future__ import annotations

import dataclasses
from typing import TYPE_CHECKING

from ..families._phrases import facts
from ..families._seq import Draft, Machine, Outputs, State, chain
from ..registry import family

if TYPE_CHECKING:
    import random
    from collections.abc import Mapping

    from ..design import Behaviour, Design

__all__: list[str] = []

_CYCLE = ((0, 0), (1, 0), (1, 1), (0, 1))  # (A, B) when A leads


def _delta(old: tuple[int, int], new: tuple[int, int], factor: int) -> int:
    """Counts of one sample: A leading is positive; 0 where nothing or both tracks changed."""
    if (old[0] != new[0]) == (old[1] != new[1]):
        return 0
    if factor < 4 and old[0] == new[0]:
        return 0
    if factor == 1 and new[1]:
        return 0
    return 1 if (_CYCLE.index(new) - _CYCLE.index(old)) % 4 == 1 else -1


def _turning(design: Design, a: str, b: str, clear: str) -> Design:
    """Stimulus of an encoder that turns either way, with a skipped state now and then."""

    def stimulus(rng: random.Random, cycles: int) -> list[dict[str, int]]:
        rows, place, way = [], 0, 1
        for _ in range(cycles):
            way = -way if rng.random() < 0.06 else way
            place += rng.choice((0, way, way, way)) if rng.random() < 0.95 else 2
            row = dict(zip((a, b), _CYCLE[place % 4], strict=True))
            if clear:
                row[clear] = int(rng.random() < 0.03)
            rows.append(row)
        return rows

    return dataclasses.replace(design, stimulus=stimulus)


def _cases(factor: int, lead: bool, up: str, down: str) -> str:
    """`case` items over old and new levels of A and B."""
    items: dict[int, list[str]] = {1: [], -1: []}
    for old in _CYCLE:
        for new in _CYCLE:
            if step := _delta(old, new, factor):
                levels = old + new
                items[step if lead else -step].append(f"4'b{''.join(map(str, levels))}")
    return f"    {', '.join(sorted(items[1]))}: {up}\n    {', '.join(sorted(items[-1]))}: {down}\n    default: ;"


def _rules(factor: int, a: str, b: str, first: str, second: str) -> Behaviour:
    """Which edges count; `first` leads when counting up."""
    order = "00, 10, 11, 01" if first == a else "00, 01, 11, 10"
    relation = "differs from" if first == a else "equals"
    rise, fall = ("up", "down") if first == a else ("down", "up")
    if factor == 4:
        return (
            f"Every single change of {a} or {b} counts (x4): up by one when {first} leads {second}, down by one when {second} leads.",
            f"All four edges of a period are counted; the order ({a}, {b}) = {order} counts up and the reverse order down.",
            f"Each change of one of the two tracks moves the count by one, upwards if `{first}` runs ahead of `{second}` and downwards if it lags.",
        )
    if factor == 2:
        return (
            f"Both edges of {a} count (x2), those of {b} do not: up by one when {first} leads {second}, else down by one.",
            f"The count moves with every change of `{a}`: up if the new level of `{a}` {relation} that of `{b}`, otherwise down.",
            f"Each edge of {a} is worth one count, upwards if {first} runs ahead of {second}, downwards if {second} runs ahead.",
        )
    return (
        f"Only edges of {a} while {b} is low count (x1): a rise counts {rise} and a fall {fall}.",
        f"One count a period: with `{b}` = 0 a rising edge of `{a}` counts {rise} and a falling edge {fall}.",
        f"When {a} changes with {b} at 0, the count goes {rise} for 0 to 1 and {fall} for 1 to 0; nothing else counts.",
    )


@family("quadrature_counter")
def quadrature_counter(rng: random.Random) -> Design:
    """Quadrature decoder with a position counter, counting one, two or four edges a period."""
    d = Draft(
        rng, "counters", "quad_decoder quadrature encoder_count qdec rotary_counter quad_count"
    )
    w = d.bus(rng.choice((4, 6, 8, 8, 8, 10, 12, 16)))
    factor, lead = rng.choice((4, 4, 4, 2, 1)), rng.random() < 0.7
    names = rng.choice(
        (("a", "b"), ("qa", "qb"), ("enc_a", "enc_b"), ("ch_a", "ch_b"), ("phase_a", "phase_b"))
    )
    a, b = d.input("encoder track A", names[0]), d.input("encoder track B", names[1])
    clear = d.maybe(0.4, "sets the position to zero", "clr", "home", "zero", "index", "clear")
    out, q = d.registered("position", ("position", "pos", "count", "angle", "cnt"), ("pos_r", "cnt_r", "count_q"), w)  # fmt: skip
    error = rng.random() < 0.4
    fault, f = d.registered("both tracks changed at once", ("err", "fault", "skip", "invalid"), ("err_r", "f_r")) if error else ("", "")  # fmt: skip
    style = d.one_of("xor", "xor", "case")
    d.style["body"] = style
    suffix = d.one_of("_d", "_q", "_prev", "_old")
    pa, pb = d.reg(f"{a}{suffix}"), d.reg(f"{b}{suffix}")
    up, down = f"{q} <= {q} + 1'b1;", f"{q} <= {q} - 1'b1;"
    zero = f"{q} <= {w.zero};"
    if style == "case":
        move = f"case ({{{pa}, {pb}, {a}, {b}}})\n{_cases(factor, lead, up, down)}\nendcase"
        body = chain((clear or "", zero), (None, move))
    else:
        moved, ahead = d.wire("step", "edge_i", "moved", "tick"), d.wire("fwd", "dir_i", "ahead")
        test = {
            4: f"{a} ^ {pa} ^ {b} ^ {pb}",
            2: f"({a} ^ {pa}) & ~({b} ^ {pb})",
            1: f"({a} ^ {pa}) & ~{b} & ~{pb}",
        }[factor]
        d.add(f"assign {moved} = {test};\nassign {ahead} = {a} ^ {pb};")
        count = chain((ahead if lead else f"!{ahead}", up), (None, down))
        body = chain((clear or "", zero), (moved, count))
    both = f"({a} ^ {pa}) & ({b} ^ {pb})"
    store = f"{pa} <= {a};\n{pb} <= {b};"
    flag = f"\n{f} <= {both};" if error else ""
    d.clocked(
        f"{pa} <= 1'b0;\n{pb} <= 1'b0;\n{zero}" + (f"\n{f} <= 1'b0;" if error else ""),
        f"{store}{flag}\n{body}",
    )

    def step(s: State, i: Mapping[str, int]) -> Outputs:
        old, new = (s["a"], s["b"]), (i[a], i[b])
        delta = _delta(old, new, factor) * (1 if lead else -1)
        s["q"] = 0 if i.get(clear) else (s["q"] + delta) & w.top
        s["f"] = int(old[0] != new[0] and old[1] != new[1])
        s["a"], s["b"] = new
        return {out: s["q"], fault: s["f"]} if error else {out: s["q"]}

    size = w.width
    first, second = (a, b) if lead else (b, a)
    design = d.finish(
        "quadrature_counter",
        {"width": size, "factor": factor, "a_leads_up": lead, "clear": bool(clear), "error": error},
        lambda: Machine({"a": 0, "b": 0, "q": 0, "f": 0}, step),
        (
            f"a x{factor} quadrature decoder with a {size}-bit position counter",
            f"a {size}-bit up/down position counter for a quadrature encoder, x{factor}",
            f"a rotary encoder interface with {size}-bit count, x{factor} decoding",
            f"a quadrature (A/B) counter of {size} bits that counts {factor} edge{'s' * (factor > 1)} a period",
        ),
        facts(
            (
                f"{a} and {b} are sampled at each clock edge and compared with their levels at the edge before, which are 0 after reset.",
                f"The levels of `{a}` and `{b}` at the previous clock edge are stored (0 after reset) and the count is updated from old and new levels.",
                f"Two flip-flops, cleared by reset, hold the last samples of {a} and {b}; a change between two edges is decoded.",
            ),
            _rules(factor, a, b, first, second),
            (
                f"If both tracks change at once {out} holds.",
                "A simultaneous change of both tracks is not counted.",
                f"When {a} and {b} change in the same cycle nothing is counted.",
            ),
            (
                f"{fault} is 1 for the cycle after such a change of both, otherwise 0 (registered).",
                f"`{fault}` is a registered pulse of one clock for every change of both tracks at once.",
                f"The register {fault} is set at an edge that sees both tracks changed, and cleared at any other.",
            )
            if error
            else None,
            (
                f"A high {clear} sets {out} to 0 at the clock edge, before counting; the tracks are sampled all the same.",
                f"`{clear}` = 1 zeroes the position synchronously and overrides counting.",
                f"With {clear} asserted the next value of {out} is 0, whatever the tracks do.",
            )
            if clear
            else None,
            (
                f"{out} wraps around at both ends and is 0 after reset.",
                f"The {size}-bit position starts at 0 and wraps.",
                f"Counting is modulo 2^{size}, from 0 after reset.",
            ),
        ),
    )
    return _turning(design, a, b, clear)
