"""Handshakes: request/acknowledge and valid/ready."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..build import clock_reset
from ..design import Behaviour, Design, PortDecl
from ..names import Names
from ..registry import family
from ._kit import Machine, State, Transparent, biased, clocked, source

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


@family("valid_ready_slice")
def valid_ready_slice(rng: random.Random) -> Design:
    """One-entry register slice, full throughput or half."""
    n = Names(rng)
    width, full = rng.choice((4, 8, 8, 16, 32)), rng.random() < 0.65
    module = n.module("reg_slice", "pipe_stage", "stream_reg", "vr_buffer", "skid_free", "pipe_reg")
    cr = clock_reset(rng, n)
    sets = n.choose(
        (
            "in_valid in_ready in_data out_valid out_ready out_data",
            "s_valid s_ready s_data m_valid m_ready m_data",
            "up_valid up_ready up_data dn_valid dn_ready dn_data",
            "valid_i ready_o data_i valid_o ready_i data_o",
            "s_tvalid s_tready s_tdata m_tvalid m_tready m_tdata",
        )
    )
    iv, ir, idata, ov, ordy, od = (n.pick(name) for name in sets.split())
    style = n.choose(("nested", "flat", "internal"))
    vreg, dreg = (n.pick("full_q", "occupied"), n.pick("data_q", "store")) if style == "internal" else (ov, od)  # fmt: skip
    if full and style == "nested":
        body = (
            f"if ({ir}) begin\n    {vreg} <= {iv};\n    if ({iv})\n        {dreg} <= {idata};\nend"
        )
    else:
        body = f"if ({iv} && {ir}) begin\n    {vreg} <= 1'b1;\n    {dreg} <= {idata};\nend else if ({ordy}) begin\n    {vreg} <= 1'b0;\nend"
    ready = f"!{vreg} || {ordy}" if full else f"!{vreg}"
    ports = (
        *cr.ports,
        PortDecl("input", iv, 1, "input valid"),
        PortDecl("output", ir, 1, "input ready"),
        PortDecl("input", idata, width, "input data"),
        PortDecl("output", ov, 1, "output valid", reg=style != "internal"),
        PortDecl("input", ordy, 1, "output ready"),
        PortDecl("output", od, width, "output data", reg=style != "internal"),
    )
    parts = [cr.process(f"{vreg} <= 1'b0;\n{dreg} <= {width}'d0;", body), f"assign {ir} = {ready};"]
    if style == "internal":
        parts = [
            f"reg {vreg};",
            f"reg [{width - 1}:0] {dreg};",
            *parts,
            f"assign {ov} = {vreg};",
            f"assign {od} = {dreg};",
        ]

    def move(s: State, i: Mapping[str, int]) -> None:
        if i[iv] and (not s["v"] or (full and i[ordy])):
            s["v"], s["d"] = 1, i[idata]
        elif i[ordy]:
            s["v"] = 0

    def show(s: State, i: Mapping[str, int]) -> dict[str, int | None]:
        return {
            ir: int(not s["v"] or (full and i[ordy])),
            ov: s["v"],
            od: s["d"] if s["v"] else None,
        }

    rate: Behaviour = (
        (
            f"{ir} is combinational: high when the buffer is empty or {ordy} is high, so that a word can move in and out in the same cycle.",
            f"`{ir}` = not `{ov}` or `{ordy}`; this gives one transfer per clock without bubbles.",
            f"It accepts a new word whenever it is empty or its present word leaves in this cycle ({ir} depends directly on {ordy}).",
        )
        if full
        else (
            f"{ir} is high exactly when the buffer is empty, so at most every second cycle carries a transfer.",
            f"`{ir}` = not `{ov}`: there is no combinational path from `{ordy}` to `{ir}`, at the price of half the throughput.",
            f"A new word is accepted only while nothing is stored ({ir} is the inverse of {ov}), not in the cycle in which the old one leaves.",
        )
    )
    return clocked(
        cr,
        Design(
            family="valid_ready_slice",
            group="protocol",
            params={"width": width, "full": full},
            module=module,
            ports=ports,
            rtl=source(module, ports, *parts),
            model=lambda: Transparent({"v": 0, "d": 0}, move, show),
            titles=(
                f"a valid/ready register slice for {width}-bit data",
                f"a one-entry stream buffer ({width} bits, valid/ready on both sides)",
                f"a pipeline stage with valid/ready handshake, {width} data bits",
                f"a single-word elastic buffer for a {width}-bit stream",
            ),
            behaviour=(
                (
                    f"A word enters when {iv} and {ir} are high at the clock edge and leaves when {ov} and {ordy} are high.",
                    f"Transfers happen at edges with valid and ready both high, on the input (`{iv}`, `{ir}`, `{idata}`) as on the output (`{ov}`, `{ordy}`, `{od}`).",
                    f"Input transfer: {iv} && {ir}; output transfer: {ov} && {ordy}.",
                ),
                rate,
                (
                    f"{od} and {ov} are registered; a stored word and {ov} stay until it is taken.",
                    f"`{ov}` with `{od}` shows the stored word one cycle after it entered, and both hold while `{ordy}` is low.",
                    f"The stored word is offered on {od} with {ov} high until {ordy} accepts it.",
                ),
                (
                    "The buffer is empty after reset.",
                    f"Reset empties it, so {ov} is low.",
                    f"{od} does not matter while {ov} is low.",
                ),
            ),
            style={"body": style},
            stimulus=biased({iv: 1, idata: width, ordy: 1}, {iv: 0.65, ordy: 0.6}),
        ),
    )
