"""Delay lines from register modules."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..build import clock_reset
from ..design import Design, PortDecl
from ..names import Names
from ..registry import family
from ._instances import clock_pins, inner_clock, place
from ._kit import Machine, State, bits, clocked, source

if TYPE_CHECKING:
    import random
    from collections.abc import Mapping

__all__: list[str] = []


@family("shift_chain_hier")
def shift_chain_hier(rng: random.Random) -> Design:
    """A delay line from register modules."""
    n = Names(rng)
    stages, width = rng.choice((2, 3, 3, 4)), rng.choice((1, 1, 4, 8))
    module = n.module("delay_line", "reg_chain", "shift_chain", "delay", "dff_chain")
    cr = clock_reset(rng, n)
    en = n.pick("en", "ce", "shift", "enable") if rng.random() < 0.4 else None
    d, q = n.choose(("d q", "din dout", "in out", "x y")).split()
    d, q = n.pick(d), n.pick(q)
    taps = rng.random() < 0.35
    cell, w = n.pick("dff", "reg_cell", "register_n", "flop"), n.pick("s", "stage", "w", "link")
    inner = inner_clock(cr)
    ci, co = n.choose(("d q", "din dout")).split()
    cell_ports = (
        *inner.ports,
        *([PortDecl("input", "en", 1, "")] if en else []),
        PortDecl("input", ci, width, ""),
        PortDecl("output", co, width, "", reg=True),
    )
    out_width = width * stages if taps else width
    wires = [f"{w}{k}" for k in range(stages if taps else stages - 1)]
    nodes = [d, *wires, *([] if taps else [q])]
    gate = [f".en({en})"] if en else []
    parts = [f"wire {bits(width)}{', '.join(wires)};"]
    parts += [
        place(
            cell, f"u{k}", [*clock_pins(cr), *gate, f".{ci}({nodes[k]})", f".{co}({nodes[k + 1]})"]
        )
        for k in range(stages)
    ]
    if taps:
        parts.append(f"assign {q} = {{{', '.join(reversed(wires))}}};")
    load = f"{co} <= {ci};"
    ports = (
        *cr.ports,
        *([PortDecl("input", en, 1, "shift enable")] if en else []),
        PortDecl("input", d, width, "input"),
        PortDecl("output", q, out_width, "all stages" if taps else "delayed input"),
    )
    rtl = (
        source(module, ports, *parts)
        + "\n"
        + source(
            cell,
            cell_ports,
            inner.process(f"{co} <= {width}'d0;", f"if (en)\n    {load}" if en else load),
        )
    )

    def advance(s: State, i: Mapping[str, int]) -> dict[str, int | None]:
        if not en or i[en]:
            s["v"] = [i[d], *s["v"][:-1]]
        return {q: sum(v << width * k for k, v in enumerate(s["v"])) if taps else s["v"][-1]}

    wide = f"{width}-bit " if width > 1 else ""
    step = f"clock edge with {en} high" if en else "clock edge"
    return clocked(
        cr,
        Design(
            family="shift_chain_hier",
            group="hierarchy",
            params={"stages": stages, "width": width, "enable": bool(en), "taps": taps},
            module=module,
            ports=ports,
            rtl=rtl,
            model=lambda: Machine({"v": [0] * stages}, advance),
            titles=(
                f"a {wide}delay line of {stages} register modules",
                f"a chain of {stages} {wide}registers built from a submodule",
                f"a hierarchical {wide}shift chain, {stages} stages",
                f"a {stages}-stage {wide}delay made of flip-flop instances",
            ),
            behaviour=(
                (
                    f"At each {step} the first register takes {d} and every other one takes its predecessor"
                    + (f"; with {en} low all hold." if en else "."),
                    f"`{d}` moves one stage further with every {step}"
                    + (", otherwise nothing changes." if en else "."),
                    f"Every {step} shifts the chain by one, starting from {d}"
                    + (" (it holds while the enable is low)." if en else "."),
                ),
                (
                    f"{q} shows all stages, the first (newest) in the lowest {width if width > 1 else ''} bit{'s' if width > 1 else ''} and the last in the highest.".replace(
                        "  ", " "
                    ),
                    f"`{q}` is the concatenation of the {stages} stages with the newest value at the low end.",
                    f"The output {q} collects every stage, oldest value in the most significant position.",
                )
                if taps
                else (
                    f"{q} is the last stage, so the delay is {stages} {'enabled ' if en else ''}clocks.",
                    f"`{q}` equals `{d}` from {stages} {'enabled edges' if en else 'cycles'} ago.",
                    f"After {stages} such edges a value appears on {q}.",
                ),
                (
                    f"Every stage is an instance of the register module {cell}.",
                    f"Use {stages} instances of a submodule `{cell}`.",
                    f"Structure: {stages} times {cell} in series.",
                ),
            ),
            style={"taps": str(taps)},
        ),
    )
