"""Counters from submodules."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..build import clock_reset
from ..design import Behaviour, Design, PortDecl
from ..names import Names
from ..registry import family
from ._instances import clock_pins, inner_clock, place
from ._kit import Machine, State, Transparent, biased, bits, clocked, source

if TYPE_CHECKING:
    import random
    from collections.abc import Mapping

__all__: list[str] = []


@family("counter_compare_hier")
def counter_compare_hier(rng: random.Random) -> Design:
    """A counter submodule and a comparator submodule: PWM or alarm."""
    n = Names(rng)
    width = rng.choice((3, 4, 4, 6, 8))
    top = (1 << width) - 1
    period = rng.choice((top, top, rng.randint(top // 2, top)))
    pwm = rng.random() < 0.6
    module = (
        n.module("pwm", "pwm_gen", "pulse_width")
        if pwm
        else n.module("timer_cmp", "alarm", "match_timer", "cnt_cmp")
    )
    cr = clock_reset(rng, n)
    en = n.pick("en", "enable", "run", "tick") if rng.random() < 0.5 else None
    level = (
        n.pick("duty", "level", "width_i", "compare")
        if pwm
        else n.pick("match_val", "limit", "compare", "target")
    )
    out = (
        n.pick("pwm_o", "out", "pulse", "q") if pwm else n.pick("match", "hit", "alarm_o", "equal")
    )
    show = n.pick("count", "cnt", "value") if rng.random() < 0.5 else None
    cell1, cell2 = n.pick("counter", "cnt_blk", "up_counter", "mod_counter"), n.pick("compare_blk", "comparator", "cmp", "level_cmp")  # fmt: skip
    cnt = show or n.pick("cnt_w", "now", "position")
    inner = inner_clock(cr)
    next_value = (
        "q <= q + 1'b1;"
        if period == top
        else f"q <= (q == {width}'d{period}) ? {width}'d0 : q + 1'b1;"
    )
    body = f"if (en)\n    {next_value}" if en else next_value
    counter_ports = (
        *inner.ports,
        *([PortDecl("input", "en", 1, "")] if en else []),
        PortDecl("output", "q", width, "", reg=True),
    )
    compare_ports = (
        PortDecl("input", "a", width, ""),
        PortDecl("input", "b", width, ""),
        PortDecl("output", "y", 1, ""),
    )
    relation = "<" if pwm else "=="
    parts = [
        "" if show else f"wire {bits(width)}{cnt};",
        place(cell1, "u_cnt", [*clock_pins(cr), *([f".en({en})"] if en else []), f".q({cnt})"]),
        place(cell2, "u_cmp", [f".a({cnt})", f".b({level})", f".y({out})"]),
    ]
    ports = (
        *cr.ports,
        *([PortDecl("input", en, 1, "count enable")] if en else []),
        PortDecl("input", level, width, "duty value" if pwm else "value to match"),
        *([PortDecl("output", show, width, "counter value")] if show else []),
        PortDecl(
            "output", out, 1, "pulse-width modulated output" if pwm else "counter equals the value"
        ),
    )
    rtl = "\n".join(
        (
            source(module, ports, *parts),
            source(cell1, counter_ports, inner.process(f"q <= {width}'d0;", body)),
            source(cell2, compare_ports, f"assign y = (a {relation} b);"),
        )
    )

    def advance(s: State, i: Mapping[str, int]) -> dict[str, int | None]:
        if not en or i[en]:
            s["q"] = 0 if s["q"] == period else s["q"] + 1
        hit = s["q"] < i[level] if pwm else s["q"] == i[level]
        outs: dict[str, int | None] = {out: int(hit)}
        return outs | ({show: s["q"]} if show else {})

    visible = f" (output {show})" if show else ""
    facts: list[Behaviour] = [
        (
            f"An internal {width}-bit counter{visible} counts from 0 to {period} and wraps to 0.",
            f"The counter{visible} runs through 0 … {period} and starts over.",
            f"A counter{visible} modulo {period + 1} is stepped by the clock.",
        ),
        (
            f"It advances only in cycles with {en} high.",
            f"`{en}` enables the counting; otherwise the counter holds.",
            f"With {en} = 0 the counter stands still.",
        )
        if en
        else (
            "It advances on every clock.",
            "The counter counts each clock cycle, there is no enable.",
            "Every rising edge increments it.",
        ),
        (
            f"{out} is high (combinationally) while the counter is {'less than' if pwm else 'equal to'} {level}.",
            f"`{out}` = (counter {relation} `{level}`), unsigned and without a register.",
            f"The comparator drives {out} = 1 as long as the counter is {'below' if pwm else 'exactly'} {level}.",
        ),
        (
            f"The counter is a submodule {cell1}, the comparison a submodule {cell2}.",
            f"Counter and comparator are separate modules (`{cell1}` and `{cell2}`) under the top.",
            f"Structure: {cell1} and {cell2} instantiated in {module}.",
        ),
    ]
    return clocked(
        cr,
        Design(
            family="counter_compare_hier",
            group="hierarchy",
            params={
                "width": width,
                "period": period,
                "pwm": pwm,
                "enable": bool(en),
                "shown": bool(show),
            },
            module=module,
            ports=ports,
            rtl=rtl,
            model=lambda: Machine({"q": 0}, advance),
            titles=(
                f"a {width}-bit PWM generator made of a counter and a comparator",
                f"a pulse-width modulator with {width}-bit duty value",
                f"a hierarchical PWM unit, {width} bits",
                "a PWM block with a counter submodule and a compare submodule",
            )
            if pwm
            else (
                f"a {width}-bit counter with a match output, made of two submodules",
                f"a compare timer, {width} bits",
                "a hierarchical counter and comparator that signals a match",
                f"a free-running {width}-bit counter with comparator",
            ),
            behaviour=tuple(facts),
            style={"pwm": str(pwm)},
            stimulus=biased({level: width, **({en: 1} if en else {})}, {en or "": 0.8}, hold=0.9),
        ),
    )


@family("digit_counter_hier")
def digit_counter_hier(rng: random.Random) -> Design:
    """Two or three cascaded digit counters (decimal or another base)."""
    n = Names(rng)
    digits, base = rng.choice(
        ((2, 10), (2, 10), (2, 10), (3, 10), (2, 6), (2, 8), (2, 12), (3, 4), (3, 5))
    )
    module = n.module("bcd_counter", "digit_counter", "decade_counter", "cascade_cnt", "dec_count")
    cr = clock_reset(rng, n)
    en = n.pick("en", "tick", "inc", "count_en")
    cell = n.pick("digit", "digit_cnt", "decade", "one_digit")
    sets = n.choose(("ones tens hundreds", "d0 d1 d2", "units tens_o hund", "digit0 digit1 digit2"))
    outs = [n.pick(name) for name in sets.split()[:digits]]
    carry = n.pick("carry", "wrap", "overflow", "tc")
    links = [n.pick(f"c{k}", f"co{k}", f"carry{k}") for k in range(digits - 1)]
    inner = inner_clock(cr)
    style = n.choose(("wrap", "assign"))
    last = "last" if style == "wrap" else f"(q == 4'd{base - 1})"
    cell_ports = (
        *inner.ports,
        PortDecl("input", "en", 1, ""),
        PortDecl("output", "q", 4, "", reg=True),
        PortDecl("output", "co", 1, ""),
    )
    cell_parts = [
        f"wire last = (q == 4'd{base - 1});" if style == "wrap" else "",
        inner.process("q <= 4'd0;", f"if (en)\n    q <= {last} ? 4'd0 : q + 1'b1;"),
        f"assign co = en && {last};",
    ]
    enables = [en, *links]
    carries = [*links, carry]
    parts = [f"wire {', '.join(links)};"]
    parts += [
        place(
            cell,
            f"u{k}",
            [*clock_pins(cr), f".en({enables[k]})", f".q({outs[k]})", f".co({carries[k]})"],
        )
        for k in range(digits)
    ]
    ports = (
        *cr.ports,
        PortDecl("input", en, 1, "count enable"),
        *(PortDecl("output", o, 4, f"digit {k}") for k, o in enumerate(outs)),
        PortDecl("output", carry, 1, "all digits wrap at the next edge"),
    )
    rtl = source(module, ports, *parts) + "\n" + source(cell, cell_ports, *cell_parts)
    size = base**digits

    def move(s: State, i: Mapping[str, int]) -> None:
        s["v"] = (s["v"] + i[en]) % size

    def show(s: State, i: Mapping[str, int]) -> dict[str, int | None]:
        result: dict[str, int | None] = {o: s["v"] // base**k % base for k, o in enumerate(outs)}
        return result | {carry: int(i[en] and s["v"] == size - 1)}

    kind = "BCD " if base == 10 else f"base-{base} "
    return clocked(
        cr,
        Design(
            family="digit_counter_hier",
            group="hierarchy",
            params={"digits": digits, "base": base},
            module=module,
            ports=ports,
            rtl=rtl,
            model=lambda: Transparent({"v": 0}, move, show),
            titles=(
                f"a {digits}-digit {kind}counter",
                f"a cascade of {digits} digit counters in base {base}",
                f"a {digits}-digit counter built from single-digit modules (0 to {base - 1} each)",
                f"a hierarchical {kind}counter with {digits} digits",
            ),
            behaviour=(
                (
                    f"In cycles with {en} high the number made of {', '.join(reversed(outs))} (most significant first) increments by one; otherwise it holds.",
                    f"`{en}` advances the count; `{outs[0]}` is the lowest digit and `{outs[-1]}` the highest.",
                    f"It counts cycles with {en} = 1 in digits, {outs[0]} being the least significant and {outs[-1]} the most significant.",
                ),
                (
                    f"Every digit runs from 0 to {base - 1}, and then wraps to 0 and advances the next one.",
                    f"Digits have 4 bits and count 0 … {base - 1}; a wrap carries into the next digit at the same edge.",
                    f"When a digit passes {base - 1} it returns to 0 and the next higher digit increments.",
                ),
                (
                    f"{carry} is combinationally high while {en} is high and all digits are {base - 1}, i.e. when the whole counter is about to wrap to zero.",
                    f"`{carry}` = `{en}` and every digit at {base - 1} (no register).",
                    f"The carry output {carry} is high in enabled cycles with the maximum count, all digits {base - 1}.",
                ),
                (
                    f"Each digit is an instance of a submodule {cell} with enable and carry out.",
                    f"Build it from `{cell}` modules, one per digit, the carry of one enabling the next.",
                    f"Structure: {digits} cascaded instances of {cell}.",
                ),
            ),
            style={"body": style},
            stimulus=biased({en: 1}, {en: 0.98}),
        ),
    )
