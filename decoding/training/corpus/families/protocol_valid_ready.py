"""Valid/ready register slices."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..build import clock_reset
from ..design import Behaviour, Design, PortDecl
from ..names import Names
from ..registry import family
from ._kit import State, Transparent, biased, clocked, source

if TYPE_CHECKING:
    import random
    from collections.abc import Mapping

__all__: list[str] = []


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
        PortDecl("input", idata, width, "input data"),
        PortDecl("input", ordy, 1, "output ready"),
        PortDecl("output", ir, 1, "input ready"),
        PortDecl("output", ov, 1, "output valid", reg=style != "internal"),
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
