"""Remainder of a number that arrives bit by bit."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..build import clock_reset, indent
from ..design import Behaviour, Design, PortDecl
from ..families._kit import Machine, State, bits, clocked, count_width, source, verilog_reg
from ..families._statements import chain
from ..names import Names
from ..registry import family

if TYPE_CHECKING:
    import random
    from collections.abc import Mapping

__all__: list[str] = []


def _next_state(style: str, rem: str, bit: str, modulus: int, width: int) -> tuple[str, str]:
    """Declarations, and the expression of the next remainder."""
    if style == "table":
        rows = [
            f"    {width}'d{r}: nxt = {bit} ? {width}'d{(2 * r + 1) % modulus} : {width}'d{2 * r % modulus};"
            for r in range(modulus)
        ]
        rows.append(f"    default: nxt = {width}'d0;")
        case = f"case ({rem})\n" + "\n".join(rows) + "\nendcase"
        return f"reg {bits(width)}nxt;\nalways @(*) begin\n{indent(case)}\nend", "nxt"
    twice = f"wire {bits(width + 1)}twice = {{{rem}, {bit}}};"
    full = f"{width + 1}'d{modulus}"
    if style == "subtract":
        less = f"wire {bits(width + 1)}less = twice - {full};"
        return f"{twice}\n{less}", f"(twice >= {full}) ? less[{width - 1}:0] : twice[{width - 1}:0]"
    rest = f"wire {bits(width + 1)}rest = twice % {full};"
    return f"{twice}\n{rest}", f"rest[{width - 1}:0]"


@family("serial_remainder")
def serial_remainder(rng: random.Random) -> Design:
    """Remainder of a serial number, most significant bit first, by a small constant."""
    n = Names(rng)
    modulus = rng.choice((3, 3, 5, 5, 6, 7, 9, 10, 11, 12))
    width = count_width(modulus - 1)
    for inner in ("nxt", "twice", "less", "rest"):
        n.pick(inner)  # so that no port is called so
    module = n.module("serial_mod", f"mod{modulus}_serial", f"div_by_{modulus}", "bit_modulo", "rem_fsm", "divisible")  # fmt: skip
    cr = clock_reset(rng, n)
    bit = n.pick("d", "bit_in", "din", "x", "serial_in", "b")
    en = n.pick("en", "valid", "bit_valid", "ce", "shift") if rng.random() < 0.5 else ""
    kind = rng.choice(("clear", "first", "none"))
    control = ""
    if kind == "clear":
        control = n.pick("clr", "clear", "restart", "sclr")
    elif kind == "first":
        control = n.pick("first", "start", "msb", "new_num")
    shown = rng.choice(("rem", "div", "both", "both"))
    rem = n.pick("rem", "modulo", "r", "residue") if shown != "div" else ""
    div = n.pick("divisible", "zero", "is_mult", "hit") if shown != "rem" else ""
    state = rem or n.pick("state", "acc", "r_q")
    style = n.choose(("table", "subtract", "modulo") if modulus < 10 else ("subtract", "modulo"))
    declared, follow = _next_state(style, state, bit, modulus, width)
    lone = bit if width == 1 else f"{{{width - 1}'d0, {bit}}}"
    zero = f"{width}'d0"
    body = chain(
        (control if kind == "clear" else "", f"{state} <= {zero};"),
        (
            (f"{en} && {control}" if en else control) if kind == "first" else "",
            f"{state} <= {lone};",
        ),
        (en or None, f"{state} <= {follow};"),
    )
    ports = (
        *cr.ports,
        PortDecl("input", bit, 1, "serial bit, most significant first"),
        *([PortDecl("input", en, 1, "bit is valid")] if en else []),
        *([PortDecl("input", control, 1, "clear" if kind == "clear" else "first bit of a number")] if control else []),
        *([PortDecl("output", rem, width, "remainder so far", reg=True)] if rem else []),
        *([PortDecl("output", div, 1, "remainder is zero")] if div else []),
    )  # fmt: skip
    parts = [
        "" if rem else verilog_reg(width, state),
        declared,
        cr.process(f"{state} <= {zero};", body),
        f"assign {div} = ({state} == {zero});" if div else "",
    ]

    def advance(s: State, i: Mapping[str, int]) -> dict[str, int | None]:
        if kind == "clear" and i[control]:
            s["r"] = 0
        elif not en or i[en]:
            old = 0 if kind == "first" and i[control] else s["r"]
            s["r"] = (2 * old + i[bit]) % modulus
        out: dict[str, int | None] = {rem: s["r"]} if rem else {}
        return out | ({div: int(s["r"] == 0)} if div else {})

    when = f"At each clock edge with {en} high" if en else "At each clock edge"
    facts: list[Behaviour] = [
        (
            f"{when} the bit {bit} is appended to the number received so far, whose most significant bit came first.",
            f"A binary number arrives on `{bit}`, MSB first, one bit a clock{f' in which `{en}` is 1' if en else ''}.",
            f"{when} one bit of a number is taken from {bit}: the number doubles and {bit} is added.",
        )
    ]
    if rem:
        facts.append(
            (
                f"{rem} is the remainder of that number modulo {modulus}.",
                f"`{rem}` holds the number received so far modulo {modulus}, bits just sampled included.",
                f"The register {rem} becomes (2 * {rem} + {bit}) mod {modulus}.",
            )
        )
    if div:
        facts.append(
            (
                f"{div} is 1 while the number received so far is divisible by {modulus}.",
                f"`{div}` is high when the remainder by {modulus} is 0, and low otherwise.",
                f"A number that is a multiple of {modulus} (0 is one) is shown by {div} = 1.",
            )
        )
    if kind == "clear":
        facts.append(
            (
                f"A high {control} starts over with remainder 0 and ignores {bit} in that cycle.",
                f"`{control}` = 1 clears the remainder at the clock edge and takes precedence over a bit.",
                f"With {control} high the number becomes empty (remainder 0), whatever {bit} is.",
            )
        )
    elif kind == "first":
        both = f" (with {en} high)" if en else ""
        facts.append(
            (
                f"{control} high{both} marks the first bit of a new number: earlier bits are forgotten.",
                f"With `{control}` = 1{both} the old remainder counts as 0 and `{bit}` begins a new number.",
                f"A bit that comes with {control}{both} is the most significant one of the next number.",
            )
        )
    if en:
        facts.append(
            (
                f"While {en} is low nothing changes{f' (except by {control})' if kind == 'clear' else ''}.",
                f"`{en}` = 0 means that there is no bit; the remainder is kept.",
                f"Cycles without {en} are skipped.",
            )
        )
    facts.append(
        (
            "Reset clears the remainder.",
            "After reset the remainder is 0, as of an empty number.",
            "The remainder is zero after reset.",
        )
    )
    return clocked(
        cr,
        Design(
            family="serial_remainder",
            group="fsm",
            params={"modulus": modulus, "control": kind, "enable": bool(en), "shown": shown},
            module=module,
            ports=ports,
            rtl=source(module, ports, *parts),
            model=lambda: Machine({"r": 0}, advance),
            titles=(
                f"a serial modulo-{modulus} remainder unit, MSB first",
                f"a state machine for the remainder of a bit-serial number divided by {modulus}",
                f"a divisibility checker by {modulus} for a serial bit stream",
                f"a bit-serial residue calculator modulo {modulus}",
            ),
            behaviour=tuple(facts),
            style={"body": style},
        ),
    )
