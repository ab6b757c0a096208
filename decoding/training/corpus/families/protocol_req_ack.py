"""Four-phase request/acknowledge handshakes."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..build import clock_reset
from ..design import Behaviour, Design, PortDecl
from ..names import Names
from ..registry import family
from ._kit import Machine, State, biased, clocked, source

if TYPE_CHECKING:
    import random
    from collections.abc import Callable, Mapping

__all__: list[str] = []


def _polite(
    req: str, data: str, width: int
) -> Callable[[random.Random, int], list[dict[str, int]]]:
    """Requests that stay for a few cycles and pause for a few."""

    def generate(rng: random.Random, cycles: int) -> list[dict[str, int]]:
        rows: list[dict[str, int]] = []
        level = 0
        while len(rows) < cycles:
            level = 1 - level
            rows += [
                {req: level, data: rng.getrandbits(width)}
                for _ in range(rng.choice((1, 1, 2, 3, 5)))
            ]
        return rows[:cycles]

    return generate


@family("handshake_receiver")
def handshake_receiver(rng: random.Random) -> Design:
    """Four-phase request/acknowledge, receiving side, with data capture."""
    n = Names(rng)
    width, delay = rng.choice((4, 8, 8, 16)), rng.choice((0, 0, 1, 2))
    module = n.module("hs_rx", "req_ack_rx", "handshake", "four_phase", "hs_slave", "ack_gen")
    cr = clock_reset(rng, n)
    req, ack = n.choose(("req ack", "request acknowledge", "req_i ack_o", "r_req r_ack")).split()
    req, ack = n.pick(req), n.pick(ack)
    data = n.pick("data", "din", "data_in", "payload", "d")
    out = n.pick("captured", "dout", "data_q", "received", "q")
    pulse = n.pick("valid", "new_data", "strobe", "got") if rng.random() < 0.6 else None
    cnt = n.pick("wait_cnt", "cnt", "delay_cnt")
    ports = (
        *cr.ports,
        PortDecl("input", req, 1, "request"),
        PortDecl("input", data, width, "data of the sender"),
        PortDecl("output", ack, 1, "acknowledge", reg=True),
        PortDecl("output", out, width, "captured data", reg=True),
        *([PortDecl("output", pulse, 1, "new data, one cycle", reg=True)] if pulse else []),
    )
    take = f"{ack} <= 1'b1;\n{out} <= {data};" + (f"\n{pulse} <= 1'b1;" if pulse else "")
    quiet = f"{pulse} <= 1'b0;\n" if pulse else ""
    inner = take.replace("\n", "\n    ")
    style = n.choose(("if", "drop"))
    if delay:
        style = "delay"
        inner = take.replace("\n", "\n        ")
        body = (
            f"{quiet}if (!{req}) begin\n    {ack} <= 1'b0;\n    {cnt} <= 2'd0;\n"
            f"end else if (!{ack}) begin\n    if ({cnt} == 2'd{delay}) begin\n        {inner}\n"
            f"    end else begin\n        {cnt} <= {cnt} + 1'b1;\n    end\nend"
        )
    elif style == "if":
        body = f"{quiet}if ({req} && !{ack}) begin\n    {inner}\nend else if (!{req}) begin\n    {ack} <= 1'b0;\nend"
    else:
        rest = inner.replace(f"{ack} <= 1'b1;\n    ", "")
        body = f"{quiet}{ack} <= {req};\nif ({req} && !{ack}) begin\n    {rest}\nend"
    clear = f"{ack} <= 1'b0;\n{out} <= {width}'d0;" + (f"\n{pulse} <= 1'b0;" if pulse else "")
    if delay:
        clear += f"\n{cnt} <= 2'd0;"
    parts = [f"reg [1:0] {cnt};" if delay else "", cr.process(clear, body)]

    def advance(s: State, i: Mapping[str, int]) -> dict[str, int | None]:
        new = 0
        if not i[req]:
            s["ack"], s["n"] = 0, 0
        elif not s["ack"]:
            if s["n"] == delay:
                s["ack"], s["d"], new = 1, i[data], 1
            else:
                s["n"] += 1
        outs: dict[str, int | None] = {ack: s["ack"], out: s["d"]}
        return outs | ({pulse: new} if pulse else {})

    late = f"edge number {delay + 1} of the request" if delay else "edge"
    facts: list[Behaviour] = [
        (
            f"When {req} is high and {ack} low, the {'receiver waits ' + str(delay) + ' clock cycle' + 's' * (delay > 1) + ' and then, with ' + req + ' still high, ' if delay else 'next clock edge '}captures {data} in {out} and raises {ack}.",
            f"A request (`{req}` high while `{ack}` is low) is answered at {'its clock edge number ' + str(delay + 1) if delay else 'the first clock edge'}: `{out}` takes `{data}` and `{ack}` goes high.",
            f"{ack} rises and {out} latches {data} on the {'first ' if not delay else ''}{late} at which {req} is sampled high{' without interruption' if delay else ''}.",
        ),
        (
            f"{ack} stays high until {req} is seen low and then falls; only after that can a new transfer begin.",
            f"Four-phase protocol: `{ack}` is released at the edge that samples `{req}` low, and the next request is taken thereafter.",
            f"It drops {ack} once {req} has gone low (return to zero).",
        ),
        (
            f"{out} keeps its value between transfers.",
            f"`{out}` changes only with a capture.",
            f"Until the next transfer {out} holds.",
        ),
    ]
    if delay:
        facts.append(
            (
                f"If {req} falls before {ack} was given, the wait starts over with the next request.",
                "A request withdrawn early is forgotten and the delay counter cleared.",
                f"Dropping {req} during the wait cancels the transfer.",
            )
        )
    if pulse:
        facts.append(
            (
                f"{pulse} is high for the one cycle that follows the capture.",
                f"`{pulse}` pulses for one clock together with the new `{out}`.",
                f"A one-cycle pulse on {pulse} marks each capture.",
            )
        )
    return clocked(
        cr,
        Design(
            family="handshake_receiver",
            group="protocol",
            params={"width": width, "delay": delay, "pulse": bool(pulse)},
            module=module,
            ports=ports,
            rtl=source(module, ports, *parts),
            model=lambda: Machine({"ack": 0, "n": 0, "d": 0}, advance),
            titles=(
                f"a four-phase handshake receiver for {width}-bit data",
                f"a {req}/{ack} responder that captures {width} bits",
                f"a receiver with request/acknowledge handshake ({width}-bit payload)",
                f"a slave for the four-phase handshake, {width} data bits",
            ),
            behaviour=tuple(facts),
            style={"body": style},
            stimulus=_polite(req, data, width),
        ),
    )


@family("handshake_sender")
def handshake_sender(rng: random.Random) -> Design:
    """Four-phase request/acknowledge, sending side."""
    n = Names(rng)
    width = rng.choice((4, 8, 8, 16))
    module = n.module("hs_tx", "req_ack_tx", "handshake_master", "hs_sender", "req_gen")
    cr = clock_reset(rng, n)
    send = n.pick("send", "start", "go", "valid", "push")
    din = n.pick("din", "data_in", "payload", "d", "tx_data")
    req, ack = n.choose(("req ack", "request acknowledge", "req_o ack_i", "m_req m_ack")).split()
    req, ack = n.pick(req), n.pick(ack)
    data = n.pick("data", "dout", "data_o", "bus", "q")
    busy = n.pick("busy", "active", "in_flight")
    state = n.pick("state", "st", "phase")
    style = n.choose(("state", "flags"))
    ports = (
        *cr.ports,
        PortDecl("input", send, 1, "start a transfer"),
        PortDecl("input", din, width, "data to send"),
        PortDecl("input", ack, 1, "acknowledge of the receiver"),
        PortDecl("output", req, 1, "request", reg=style == "flags"),
        PortDecl("output", data, width, "data to the receiver", reg=True),
        PortDecl("output", busy, 1, "transfer in progress"),
    )
    if style == "state":
        body = (
            f"case ({state})\n    IDLE: if ({send} && !{ack}) begin\n        {data} <= {din};\n        {state} <= REQ;\n    end\n"
            f"    REQ: if ({ack}) {state} <= REL;\n    default: if (!{ack}) {state} <= IDLE;\nendcase"
        )
        parts = [
            "localparam [1:0] IDLE = 2'd0, REQ = 2'd1, REL = 2'd2;",
            f"reg [1:0] {state};",
            cr.process(f"{state} <= IDLE;\n{data} <= {width}'d0;", body),
            f"assign {req} = ({state} == REQ);",
            f"assign {busy} = ({state} != IDLE);",
        ]
    else:
        rel = n.pick("releasing", "wait_low", "closing")
        body = (
            f"if ({req}) begin\n    if ({ack}) begin\n        {req} <= 1'b0;\n        {rel} <= 1'b1;\n    end\n"
            f"end else if ({rel}) begin\n    if (!{ack})\n        {rel} <= 1'b0;\n"
            f"end else if ({send} && !{ack}) begin\n    {req} <= 1'b1;\n    {data} <= {din};\nend"
        )
        parts = [
            f"reg {rel};",
            cr.process(f"{req} <= 1'b0;\n{rel} <= 1'b0;\n{data} <= {width}'d0;", body),
            f"assign {busy} = {req} || {rel};",
        ]

    def advance(s: State, i: Mapping[str, int]) -> dict[str, int | None]:
        if s["st"] == 0 and i[send] and not i[ack]:
            s["st"], s["d"] = 1, i[din]
        elif s["st"] == 1 and i[ack]:
            s["st"] = 2
        elif s["st"] == 2 and not i[ack]:
            s["st"] = 0
        return {req: int(s["st"] == 1), data: s["d"], busy: int(s["st"] != 0)}

    return clocked(
        cr,
        Design(
            family="handshake_sender",
            group="protocol",
            params={"width": width},
            module=module,
            ports=ports,
            rtl=source(module, ports, *parts),
            model=lambda: Machine({"st": 0, "d": 0}, advance),
            titles=(
                f"a four-phase handshake sender for {width}-bit data",
                f"a {req}/{ack} initiator with a {width}-bit data register",
                f"a transmitter with request/acknowledge handshake ({width}-bit payload)",
                f"a master for the four-phase handshake, {width} data bits",
            ),
            behaviour=(
                (
                    f"In idle, a clock edge with {send} high and {ack} low stores {din} in {data} and raises {req}.",
                    f"`{send}` starts a transfer when idle and `{ack}` is low: `{data}` takes `{din}` and `{req}` goes high.",
                    f"When idle it waits for {send} = 1 with {ack} = 0; then {req} rises and {din} is copied to {data}.",
                ),
                (
                    f"{req} stays high until {ack} is sampled high; then {req} falls and the sender waits for {ack} to go low before it is idle again.",
                    f"On `{ack}` high `{req}` is withdrawn, and on `{ack}` low after that the transfer is over.",
                    f"The four phases: {req} up, {ack} up, {req} down, {ack} down, each step taken at the clock edge that samples the previous one.",
                ),
                (
                    f"{busy} is high from the start until the return to idle, and {send} is ignored meanwhile.",
                    f"`{busy}` tells that the sender is not idle; requests on `{send}` do not count then.",
                    f"While {busy} is set (any phase but idle) {send} has no effect.",
                ),
                (
                    f"{data} holds its value until the next transfer starts.",
                    f"`{data}` is a register that changes only at the start of a transfer.",
                    "",
                ),
            ),
            style={"body": style},
            stimulus=biased({send: 1, din: width, ack: 1}, {send: 0.6, ack: 0.5}),
        ),
    )
