"""Arbiters and an interrupt controller."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..build import clock_reset, indent
from ..design import Behaviour, Design, PortDecl
from ..names import Names
from ..registry import family
from ._kit import Machine, State, Transparent, biased, clocked, grammatical, source

if TYPE_CHECKING:
    import random
    from collections.abc import Mapping

__all__: list[str] = []


def _onehot(width: int, k: int) -> str:
    return f"{width}'b{1 << k:0{width}b}"


@family("priority_arbiter")
def priority_arbiter(rng: random.Random) -> Design:
    """Fixed priority, one-hot grant, combinational or registered."""
    n = Names(rng)
    width, low, registered = (
        rng.choice((2, 3, 4, 4, 5, 6, 8)),
        rng.random() < 0.6,
        rng.random() < 0.5,
    )
    module = n.module("arbiter", "prio_arbiter", "fixed_arb", "arb", "bus_arbiter", "priority_arb")
    cr = clock_reset(rng, n)
    req = n.pick("req", "request", "r", "req_i", "bus_req")
    gnt = n.pick("gnt", "grant", "g", "gnt_o", "gnt_vec")
    nxt = n.pick("gnt_next", "win", "sel", "winner")
    style = n.choose(("trick", "ifs", "loop") if low else ("ifs", "loop"))
    order = list(range(width)) if low else list(range(width - 1, -1, -1))
    target = nxt if registered else gnt
    parts = []
    if style == "trick":
        value = f"{req} & (~{req} + 1'b1)"
        if registered:
            parts.append(cr.process(f"{gnt} <= {width}'d0;", f"{gnt} <= {value};"))
        else:
            parts.append(f"assign {gnt} = {value};")
    else:
        if style == "ifs":
            tests = [f"if ({req}[{k}]) {target} = {_onehot(width, k)};" for k in order]
            text = "\nelse ".join([*tests, f"{target} = {width}'d0;"])
        else:
            k = n.pick("i", "k", "j")
            parts.append(f"integer {k};")
            span = f"{k} = {width - 1}; {k} >= 0; {k} = {k} - 1" if low else f"{k} = 0; {k} < {width}; {k} = {k} + 1"  # fmt: skip
            text = (
                f"{target} = {width}'d0;\nfor ({span})\n    if ({req}[{k}])\n"
                f"        {target} = {width}'d1 << {k};"
            )
        if registered:
            parts.append(f"reg [{width - 1}:0] {target};")
        parts.append(f"always @(*) begin\n{indent(text)}\nend")
        if registered:
            parts.append(cr.process(f"{gnt} <= {width}'d0;", f"{gnt} <= {target};"))
    ports = (
        *(cr.ports if registered else ()),
        PortDecl("input", req, width, "requests"),
        PortDecl("output", gnt, width, "one-hot grant", reg=registered or style != "trick"),
    )

    def advance(_s: State, i: Mapping[str, int]) -> dict[str, int | None]:
        return {gnt: next((1 << k for k in order if i[req] >> k & 1), 0)}

    first, last = (0, width - 1) if low else (width - 1, 0)
    timing: Behaviour = (
        (
            f"The grant is registered: {gnt} is updated on every clock edge from the requests at that edge.",
            f"`{gnt}` is a register and follows the requests with one clock of delay.",
            f"{gnt} is clocked and thus appears in the cycle after the request.",
        )
        if registered
        else (
            f"The arbiter is combinational, {gnt} follows {req} without a clock.",
            "There is no state: grants are pure combinational logic.",
            f"`{gnt}` reacts to `{req}` at once (no register).",
        )
    )
    design = Design(
        family="priority_arbiter",
        group="protocol",
        params={"width": width, "low_first": low, "registered": registered},
        module=module,
        ports=ports,
        rtl=source(module, ports, *parts),
        model=lambda: Machine({}, advance),
        titles=(
            f"a fixed-priority arbiter for {width} requesters",
            f"a {width}-way priority arbiter with one-hot grant",
            f"an arbiter that picks one of {width} requests by static priority",
            f"a bus arbiter with {width} request lines and fixed priorities",
        ),
        behaviour=(
            (
                f"Bit {first} of {req} has the highest priority and bit {last} the lowest.",
                f"Priority {'falls' if low else 'rises'} with the index: `{req}[{first}]` beats all others, `{req}[{last}]` loses to all.",
                f"The {'lowest' if low else 'highest'}-numbered active request wins.",
            ),
            (
                f"{gnt} has exactly the bit of the winning request set, and is all zero without any request.",
                f"`{gnt}` is one-hot for the winner, or 0 if nobody asks.",
                f"Only the winner's bit in {gnt} is high; no request gives no grant.",
            ),
            timing,
        ),
        style={"body": style},
        stimulus=biased({req: width}, {}),
    )
    return clocked(cr, design) if registered else grammatical(design)


@family("round_robin_arbiter")
def round_robin_arbiter(rng: random.Random) -> Design:
    """Two to four requesters; the one after the last winner goes first."""
    n = Names(rng)
    width = rng.choice((2, 2, 3, 4, 4))
    module = n.module(
        "rr_arbiter", "round_robin", "rr_arb", "fair_arbiter", "arbiter_rr", "arbiter"
    )
    cr = clock_reset(rng, n)
    req = n.pick("req", "request", "reqs", "req_i")
    gnt = n.pick("gnt", "grant", "grants", "gnt_o")
    registered = rng.random() < 0.6
    last, nxt = (
        n.pick("last", "prev", "ptr", "last_winner"),
        n.pick("win", "sel", "gnt_next", "pick"),
    )
    pw = max(1, (width - 1).bit_length())
    style = n.choose(("case", "rotate") if width in (2, 4) else ("case",))
    target = nxt if registered else gnt
    parts = [f"reg {f'[{pw - 1}:0] ' if pw > 1 else ''}{last};"]
    if registered:
        parts.append(f"reg [{width - 1}:0] {target};")
    if style == "case":
        rows = []
        for k in range(width):
            order = [(k + 1 + j) % width for j in range(width)]
            chain = [f"{req}[{j}] ? {_onehot(width, j)} : " for j in order]
            head = f"{pw}'d{k}" if k < width - 1 else "default"
            rows.append(f"    {head}: {target} = {''.join(chain)}{width}'d0;")
        parts.append(
            f"always @(*) begin\n    case ({last})\n{indent(chr(10).join(rows))}\n    endcase\nend"
        )
    else:
        rot, low = n.pick("rot", "shifted", "rotated"), n.pick("lowest", "first", "rot_gnt")
        start = n.pick("start", "base", "amount")
        parts.append(f"wire {f'[{pw - 1}:0] ' if pw > 1 else ''}{start} = {last} + 1'b1;")
        double = f"{{{req}, {req}}} >> {start}"
        wide = n.pick("dbl", "wide_req", "req2")
        out2 = n.pick("wide_gnt", "back", "gnt2")
        parts += [
            f"wire [{2 * width - 1}:0] {wide} = {double};",
            f"wire [{width - 1}:0] {rot} = {wide}[{width - 1}:0];",
            f"wire [{width - 1}:0] {low} = {rot} & (~{rot} + 1'b1);",
            f"wire [{2 * width - 1}:0] {out2} = {{{width}'d0, {low}}} << {start};",
            f"always @(*)\n    {target} = {out2}[{2 * width - 1}:{width}] | {out2}[{width - 1}:0];",
        ]
    items = [f"if ({target}[{k}]) {last} <= {pw}'d{k};" for k in range(width)]
    update = "\n".join(items)
    load = f"{gnt} <= {target};\n" if registered else ""
    clear = f"{last} <= {pw}'d{width - 1};" + (f"\n{gnt} <= {width}'d0;" if registered else "")
    parts.append(cr.process(clear, load + update))
    ports = (
        *cr.ports,
        PortDecl("input", req, width, "requests"),
        PortDecl("output", gnt, width, "one-hot grant", reg=True),
    )

    def winner(previous: int, requests: int) -> int | None:
        order = [(previous + 1 + j) % width for j in range(width)]
        return next((k for k in order if requests >> k & 1), None)

    def move(s: State, i: Mapping[str, int]) -> None:
        s["won"] = winner(s["last"], i[req])
        s["last"] = s["last"] if s["won"] is None else s["won"]

    def show(s: State, i: Mapping[str, int]) -> dict[str, int | None]:
        shown = s["won"] if registered else winner(s["last"], i[req])
        return {gnt: 0 if shown is None else 1 << shown}

    timing: Behaviour = (
        (
            f"{gnt} is registered: each clock edge arbitrates the requests of that edge anew and shows the winner for one cycle.",
            f"`{gnt}` is a register, updated on every edge with the outcome of the arbitration of `{req}`.",
            f"A new decision is taken at every clock edge and appears on the registered output {gnt}.",
        )
        if registered
        else (
            f"{gnt} is combinational from {req} and the stored last winner; the clock edge stores the winner of the cycle.",
            f"`{gnt}` follows `{req}` within the cycle, and at the edge the current winner becomes the last winner.",
            "The grant needs no clock, only the memory of the last winner does: it is updated at each edge with a grant.",
        )
    )
    return clocked(
        cr,
        Design(
            family="round_robin_arbiter",
            group="protocol",
            params={"width": width, "registered": registered},
            module=module,
            ports=ports,
            rtl=source(module, ports, *parts),
            model=lambda: Transparent({"last": width - 1, "won": None}, move, show),
            titles=(
                f"a round-robin arbiter for {width} requesters",
                f"a fair {width}-way arbiter with rotating priority",
                f"an arbiter that serves {width} request lines in turn",
                f"a rotating-priority arbiter, {width} inputs",
            ),
            behaviour=(
                (
                    f"The search starts at the requester after the last winner and goes upwards, wrapping from {width - 1} to 0; the first active bit of {req} wins.",
                    f"Rotating priority: the index following the previous winner has the highest priority, then upwards modulo {width}, the previous winner itself the lowest.",
                    f"After requester k was served, k+1 is asked first, then k+2 and so on (modulo {width}), k last.",
                ),
                (
                    f"{gnt} is one-hot for the winner and zero if there is no request; without a request the last winner is remembered unchanged.",
                    f"With no request `{gnt}` is 0 and the rotation does not move; otherwise exactly one bit is set.",
                    f"Exactly one bit of {gnt} is set per decision, none if nobody asks (then the priority order stays).",
                ),
                timing,
                (
                    "After reset requester 0 has the highest priority.",
                    f"Reset acts as if requester {width - 1} had won last, so bit 0 goes first.",
                    "The first search after reset starts at bit 0.",
                ),
            ),
            style={"body": style},
            stimulus=biased({req: width}, {}, hold=0.4),
        ),
    )


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
