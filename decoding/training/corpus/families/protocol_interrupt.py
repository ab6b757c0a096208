"""Interrupt controllers."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..build import clock_reset
from ..design import Behaviour, Design, PortDecl
from ..names import Names
from ..registry import family
from ._kit import Machine, State, biased, clocked, source

if TYPE_CHECKING:
    import random
    from collections.abc import Mapping

__all__: list[str] = []


@family("interrupt_controller")
def interrupt_controller(rng: random.Random) -> Design:
    """Pending bits set by interrupt lines, masked, cleared by writing ones."""
    n = Names(rng)
    width = rng.choice((2, 3, 4, 4, 8, 8))
    edge, set_wins, with_id = rng.random() < 0.5, rng.random() < 0.5, rng.random() < 0.4
    enable_high = rng.random() < 0.6
    module = n.module("irq_ctrl", "intc", "interrupt_ctrl", "pic", "irq_pending", "int_unit")
    cr = clock_reset(rng, n)
    src = n.pick("irq_in", "src", "lines", "int_src", "events")
    mask = n.pick("enable", "ie", "int_en") if enable_high else n.pick("mask", "irq_mask", "masked")
    clr = n.pick("clear", "ack", "clr", "eoi")
    pend = n.pick("pending", "pend", "status", "ip")
    irq = n.pick("irq", "int_o", "intr", "irq_out")
    ident = n.pick("irq_id", "id", "vector", "source") if with_id else None
    prev, new = n.pick("prev", "src_q", "last_src"), n.pick("rise", "set_bits", "fresh")
    iw = max(1, (width - 1).bit_length())
    active = n.pick("active", "live", "visible")
    gate = f"{pend} & {mask}" if enable_high else f"{pend} & ~{mask}"
    sets = new if edge else src
    value = f"({pend} & ~{clr}) | {sets}" if set_wins else f"({pend} | {sets}) & ~{clr}"
    clear = f"{pend} <= {width}'d0;" + (f"\n{prev} <= {width}'d0;" if edge else "")
    body = f"{pend} <= {value};" + (f"\n{prev} <= {src};" if edge else "")
    parts = []
    if edge:
        parts += [f"reg [{width - 1}:0] {prev};", f"wire [{width - 1}:0] {new} = {src} & ~{prev};"]
    parts += [
        f"wire [{width - 1}:0] {active} = {gate};",
        cr.process(clear, body),
        f"assign {irq} = |{active};",
    ]
    if ident:
        tests = [f"{active}[{k}] ? {iw}'d{k} : " for k in range(width - 1)]
        lines = ["".join(tests[k : k + 4]) for k in range(0, len(tests), 4)]
        parts.append(
            f"assign {ident} = "
            + "\n    ".join(line.rstrip() for line in lines)
            + f" {iw}'d{width - 1};"
        )
    ports = (
        *cr.ports,
        PortDecl("input", src, width, "interrupt sources"),
        PortDecl("input", mask, width, "1 enables a source" if enable_high else "1 masks a source"),
        PortDecl("input", clr, width, "1 clears a pending bit"),
        PortDecl("output", pend, width, "pending interrupts", reg=True),
        PortDecl("output", irq, 1, "interrupt request"),
        *([PortDecl("output", ident, iw, "number of the source")] if ident else []),
    )

    def advance(s: State, i: Mapping[str, int]) -> dict[str, int | None]:
        fresh = i[src] & ~s["prev"] if edge else i[src]
        s["prev"] = i[src]
        p = s["p"]
        s["p"] = (p & ~i[clr]) | fresh if set_wins else (p | fresh) & ~i[clr]
        live = s["p"] & (i[mask] if enable_high else ~i[mask])
        outs: dict[str, int | None] = {pend: s["p"], irq: int(bool(live))}
        number = next((k for k in range(width) if live >> k & 1), None)
        return outs | ({ident: width - 1 if number is None else number} if ident else {})

    how: Behaviour = (
        (
            f"A rising edge on a bit of {src} (low at the previous clock edge, high now) sets the same bit of {pend}.",
            f"Sources are edge-triggered: `{pend}` bits are set when `{src}` goes from 0 to 1 between two clock edges. The remembered level is 0 after reset.",
            f"{pend} catches 0-to-1 changes of {src}, sampled with the clock.",
        )
        if edge
        else (
            f"A high bit of {src} sets the same bit of {pend} at the clock edge.",
            f"Level-sensitive: each clock with a bit of `{src}` high sets the pending bit.",
            f"{pend} remembers every source that was high at a clock edge.",
        )
    )
    clash = (
        "setting has priority over clearing" if set_wins else "clearing has priority over setting"
    )
    word = "enabled" if enable_high else "not masked"
    facts: list[Behaviour] = [
        how,
        (
            f"A high bit of {clr} clears the same bit of {pend}; if both happen in one cycle, {clash}.",
            f"`{clr}` clears pending bits bit by bit ({clash} on a collision).",
            f"Pending bits stay until {clr} has a one in that position; in case of both, {clash}.",
        ),
        (
            f"{irq} is high (combinationally) while any pending bit is {word}: {mask} = {'1 lets it through' if enable_high else '1 blocks it'}.",
            f"`{irq}` is the OR of all pending bits that are {word} by `{mask}` ({'1 = enabled' if enable_high else '1 = masked'}), without a register.",
            f"{irq} = |({gate}).",
        ),
        (
            f"{mask} does not affect {pend}.",
            f"Pending bits are recorded no matter what `{mask}` says.",
            "Blocked sources still become pending.",
        ),
    ]
    if ident:
        facts.append(
            (
                f"{ident} is the lowest number among the bits that are pending and {word}, and {width - 1} if there is none.",
                f"`{ident}` gives the index of the lowest active interrupt ({width - 1} when nothing is active).",
                f"Lowest index first: {ident} names the active source, defaulting to {width - 1}.",
            )
        )
    return clocked(
        cr,
        Design(
            family="interrupt_controller",
            group="protocol",
            params={"width": width, "edge": edge, "set_wins": set_wins, "id": with_id,
                    "enable_high": enable_high},
            module=module,
            ports=ports,
            rtl=source(module, ports, *parts),
            model=lambda: Machine({"p": 0, "prev": 0}, advance),
            titles=(
                f"an interrupt controller for {width} sources",
                f"a {width}-line interrupt pending register with {'enable' if enable_high else 'mask'}",
                f"an interrupt collector with {width} inputs",
                f"a small interrupt unit ({width} sources, pending bits, {'enables' if enable_high else 'mask'})",
            ),
            behaviour=tuple(facts),
            style={"edge": str(edge)},
            stimulus=biased({src: width, mask: width, clr: width}, {}, hold=0.4),
        ),
    )  # fmt: skip
