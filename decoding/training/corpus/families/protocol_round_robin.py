"""Round-robin arbiters."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..build import clock_reset, indent
from ..design import Behaviour, Design, PortDecl
from ..names import Names
from ..registry import family
from ._kit import State, Transparent, biased, clocked, onehot, source

if TYPE_CHECKING:
    import random
    from collections.abc import Mapping

__all__: list[str] = []


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
            chain = [f"{req}[{j}] ? {onehot(width, j)} : " for j in order]
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
