"""Rate limiting by tokens."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..build import clock_reset
from ..design import Behaviour, Design, PortDecl
from ..families._kit import (
    Machine,
    State,
    Transparent,
    biased,
    clocked,
    count_width,
    source,
    verilog_reg,
)
from ..families._statements import chain
from ..names import Names
from ..registry import family

if TYPE_CHECKING:
    import random
    from collections.abc import Mapping

    from ..build import ClockReset

__all__: list[str] = []


def _count(style: str, tokens: str, take: str, fill: str, depth: int) -> str:
    """Statements that move the number of tokens."""
    width = count_width(depth)
    full = f"{width}'d{depth}"
    more, fewer = f"{tokens} <= {tokens} + 1'b1;", f"{tokens} <= {tokens} - 1'b1;"
    if style == "case":
        return (
            f"case ({{{take}, {fill}}})\n    2'b10: {fewer}\n"
            f"    2'b01: if ({tokens} != {full}) {more}\n    default: ;\nendcase"
        )
    return chain((f"{take} && !{fill}", fewer), (f"{fill} && !{take} && {tokens} != {full}", more))


def _refill(n: Names, cr: ClockReset, interval: int) -> tuple[str, tuple[str, ...]]:
    """A free-running divider: the name of its pulse, and its RTL."""
    cnt, fill = n.pick("cnt", "timer", "div", "period"), n.pick("refill", "add", "fill", "drip")
    width = count_width(interval - 1)
    last = f"{width}'d{interval - 1}"
    move = f"{cnt} <= {fill} ? {width}'d0 : {cnt} + 1'b1;"
    return fill, (
        verilog_reg(width, cnt),
        f"wire {fill} = ({cnt} == {last});",
        cr.process(f"{cnt} <= {width}'d0;", move),
    )


@family("token_bucket")
def token_bucket(rng: random.Random) -> Design:
    """Requests are granted while tokens last; tokens come back at a fixed rate or on a tick."""
    n = Names(rng)
    depth, interval = (
        rng.choice((2, 3, 4, 4, 5, 6, 8, 8, 10, 15)),
        rng.choice((2, 3, 4, 5, 6, 8, 10)),
    )
    ticked, registered, begin = (
        rng.random() < 0.35,
        rng.random() < 0.45,
        rng.choice((0, depth, depth)),
    )
    module = n.module(
        "token_bucket", "rate_limiter", "limiter", "throttle", "credit_gate", "shaper"
    )
    cr = clock_reset(rng, n)
    req = n.pick("req", "request", "send_req", "want", "valid_in")
    tick = n.pick("tick", "refill_en", "add_token", "pulse_in", "slot") if ticked else ""
    grant = n.pick("grant", "gnt", "pass", "allow", "ok")
    level = n.pick("level", "tokens_o", "count_o", "avail") if rng.random() < 0.45 else ""
    tokens, take = n.pick("tokens", "bucket", "tok", "credits"), n.pick("take", "use_tok", "spend")
    width, style = count_width(depth), n.choose(("case", "chain"))
    fill, parts = (tick, ()) if ticked else _refill(n, cr, interval)
    some = n.choose((f"{tokens} != {width}'d0", f"{tokens} > {width}'d0", f"|{tokens}"))
    some = f"({some})" if " " in some else f"(|{tokens})"
    move = _count(style, tokens, take, fill, depth)
    reset = f"{tokens} <= {width}'d{begin};"
    if registered:
        reset, move = f"{reset}\n{grant} <= 1'b0;", f"{grant} <= {take};\n{move}"
    rtl_parts = (
        verilog_reg(width, tokens),
        *parts,
        f"wire {take} = {req} && {some};",
        cr.process(reset, move),
        "" if registered else f"assign {grant} = {take};",
        f"assign {level} = {tokens};" if level else "",
    )
    ports = (
        *cr.ports,
        PortDecl("input", req, 1, "request"),
        *([PortDecl("input", tick, 1, "adds a token")] if ticked else []),
        PortDecl("output", grant, 1, "request is granted", reg=registered),
        *([PortDecl("output", level, width, "tokens in the bucket")] if level else []),
    )

    def show(s: State, i: Mapping[str, int]) -> dict[str, int | None]:
        allowed = s["g"] if registered else int(i[req] and s["n"] > 0)
        return {grant: allowed} | ({level: s["n"]} if level else {})

    def advance(s: State, i: Mapping[str, int]) -> None:
        used = int(i[req] and s["n"] > 0)
        added = i[tick] if ticked else int(s["t"] == interval - 1)
        s["t"] = (s["t"] + 1) % interval
        s["n"], s["g"] = min(s["n"] - used + added, depth), used

    def both(s: State, i: Mapping[str, int]) -> dict[str, int | None]:
        advance(s, i)
        return show(s, i)

    initial = {"n": begin, "t": 0, "g": 0}
    start = "full" if begin else "empty"
    facts: list[Behaviour] = [
        (
            f"A bucket holds up to {depth} tokens; {req} is granted if there is at least one, and the grant takes one.",
            f"Each granted `{req}` costs one of at most {depth} tokens; without a token there is no grant.",
            f"Every cycle with {req} high and a token left is granted and uses up one token. The bucket has room for {depth}.",
        ),
        (
            f"{grant} is registered: it is high in the cycle after the clock edge at which {req} was high and a token was left.",
            f"`{grant}` is a register that is 1 for one cycle after each edge that took a token.",
            f"A granted request shows as {grant} = 1 with the edge that takes the token.",
        )
        if registered
        else (
            f"{grant} is combinational: 1 while {req} is high and the bucket is not empty; the token is taken at the clock edge.",
            f"`{grant}` = `{req}` and at least one token, without a register; the count changes at the edge.",
            f"In the very cycle of {req}, {grant} goes high if a token is left, and the next edge takes it.",
        ),
        (
            f"Each cycle with {tick} high adds a token.",
            f"`{tick}` = 1 puts one token into the bucket at the clock edge.",
            f"A token comes back with every clock edge at which {tick} is 1.",
        )
        if ticked
        else (
            f"One token is added every {interval} clocks, for the first time at edge number {interval} after reset, whatever is requested.",
            f"A free-running counter of {interval} clocks, started by reset, adds a token each time it ends.",
            f"Tokens come back at a rate of one in {interval} clock cycles; the timer starts with reset and never stops.",
        ),
        (
            f"A full bucket loses the added token, unless one is taken at the same edge; then it stays at {depth}.",
            f"More than {depth} tokens are never held; taking and adding at the same edge leave the count as it is.",
            f"The count is limited to {depth}; an edge that takes one and adds one does not change it.",
        ),
    ]
    if level:
        facts.append(
            (
                f"{level} is the number of tokens in the bucket.",
                f"`{level}` shows how many tokens are left.",
                f"The present token count is on {level}.",
            )
        )
    facts.append(
        (
            f"After reset the bucket is {start} ({begin} tokens).",
            f"Reset leaves {begin} tokens.",
            f"It starts {start}, with {begin} tokens.",
        )
    )
    rate = f"refilled by {tick}" if ticked else f"one token every {interval} clocks"
    return clocked(
        cr,
        Design(
            family="token_bucket",
            group="timing",
            params={"depth": depth, "interval": 0 if ticked else interval, "registered": registered,
                    "start": begin, "level": bool(level)},
            module=module,
            ports=ports,
            rtl=source(module, ports, *rtl_parts),
            model=lambda: Machine(dict(initial), both) if registered else Transparent(dict(initial), advance, show),
            titles=(
                f"a token bucket rate limiter, {depth} deep, {rate}",
                f"a request throttle with a bucket of {depth} tokens, {rate}",
                f"a traffic shaper that grants requests from a pool of {depth} tokens, {rate}",
                f"a rate limiter with bursts of up to {depth} grants, {rate}",
            ),
            behaviour=tuple(facts),
            style={"body": style},
            stimulus=biased({req: 1, **({tick: 1} if ticked else {})}, {req: 0.4, tick: 0.3}),
        ),
    )  # fmt: skip
