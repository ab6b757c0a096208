"""Fixed-priority arbiters."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..build import clock_reset, indent
from ..design import Behaviour, Design, PortDecl
from ..names import Names
from ..registry import family
from ._kit import Machine, State, biased, clocked, grammatical, onehot, source

if TYPE_CHECKING:
    import random
    from collections.abc import Mapping

__all__: list[str] = []


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
            tests = [f"if ({req}[{k}]) {target} = {onehot(width, k)};" for k in order]
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
