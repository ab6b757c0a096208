"""RAMs with a write port and a read port."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..design import Design, PortDecl
from ..names import Names
from ..registry import family
from ._kit import Machine, State, clocked, source
from ._ram import RamShape, plain_clock, ram_traffic

if TYPE_CHECKING:
    import random
    from collections.abc import Mapping

__all__: list[str] = []


@family("dual_port_ram")
def dual_port_ram(rng: random.Random) -> Design:
    """One write port and one read port on the same clock."""
    n = Names(rng)
    shape = RamShape(rng, n)
    mode = rng.choice(("sync", "sync", "enable", "async"))
    module = n.module("dp_ram", "sdp_ram", "dual_port_ram", "ram_1r1w", "dpram", "simple_dpram")
    cr = plain_clock(n)
    we = n.pick("we", "wr_en", "wen", "write_en")
    wa = n.pick("waddr", "wr_addr", "wa", "write_addr")
    wd = n.pick("wdata", "din", "wr_data", "d")
    re = n.pick("re", "rd_en", "ren", "read_en") if mode == "enable" else None
    ra = n.pick("raddr", "rd_addr", "ra", "read_addr")
    q = n.pick("rdata", "dout", "rd_data", "q")
    mem = n.pick("mem", "ram_q", "store", "array", "cells")
    split = rng.random() < 0.5
    write = f"if ({we})\n    {mem}[{wa}] <= {wd};"
    read = f"{q} <= {mem}[{ra}];"
    if re:
        read = f"if ({re})\n    {read}"
    if mode == "async":
        logic = [cr.process("", write), f"assign {q} = {mem}[{ra}];"]
    elif split:
        logic = [cr.process("", write), cr.process("", read)]
    else:
        logic = [cr.process("", f"{write}\n{read}")]
    ports = (
        *cr.ports,
        PortDecl("input", we, 1, "write enable"),
        shape.address(wa, "write address"),
        shape.word("input", wd, "write data"),
        *([PortDecl("input", re, 1, "read enable")] if re else []),
        shape.address(ra, "read address"),
        shape.word("output", q, "read data", reg=mode != "async"),
    )

    def advance(s: State, i: Mapping[str, int]) -> dict[str, int | None]:
        cells = s["mem"]
        if not re or i[re]:
            s["q"] = cells.get(i[ra])
        if i[we]:
            cells[i[wa]] = i[wd]
        return {q: cells.get(i[ra]) if mode == "async" else s["q"]}

    read_fact = {
        "async": (
            f"The read port is asynchronous: {q} is the word at {ra} at all times.",
            f"`{q}` follows `{ra}` combinationally.",
            f"Reads need no clock, {q} shows the content at {ra} immediately.",
        ),
        "sync": (
            f"Every clock edge loads the word at {ra} into the output register {q}.",
            f"Reads are synchronous with one cycle of latency: `{q}` is registered and updated on each edge from `{ra}`.",
            f"{q} shows, one clock later, the word addressed by {ra}.",
        ),
        "enable": (
            f"With {re} high the clock edge loads the word at {ra} into the register {q}; with {re} low {q} holds.",
            f"Reads are synchronous: `{re}` updates `{q}` from address `{ra}`, otherwise `{q}` keeps its value.",
            f"{q} is registered and changes only on edges with {re} = 1, when it takes the word at {ra}.",
        ),
    }[mode]
    collide = (
        ()
        if mode == "async"
        else (
            (
                "If both ports address the same word in one cycle, the read returns the old content.",
                f"Reading and writing the same location at once gives the value before the write on {q}.",
                "On an address collision the read port sees the old data.",
            ),
        )
    )
    depth, width = shape.depth, shape.width
    return clocked(
        cr,
        Design(
            family="dual_port_ram",
            group="memory",
            params={"depth": depth, "width": width, "mode": mode,
                    "parameterised": bool(shape.parameters)},
            module=module,
            ports=ports,
            rtl=source(module, ports, shape.array(mem), *logic, parameters=shape.parameters),
            model=lambda: Machine({"mem": {}, "q": None}, advance),
            titles=(
                f"a {depth} x {width} simple dual-port RAM",
                f"a memory of {depth} {width}-bit words with one write port and one read port",
                f"a 1R1W RAM, {depth} deep and {width} bits wide",
                f"a two-port memory ({depth} words of {width} bits) with separate read and write addresses",
            ),
            behaviour=(
                (
                    f"With {we} high the clock edge stores {wd} at {wa}.",
                    f"`{we}` enables the write of `{wd}` to address `{wa}` on the rising edge.",
                    f"The write port stores {wd} in location {wa} whenever {we} = 1 at the edge.",
                ),
                read_fact,
                *collide,
                *shape.fact(),
            ),
            parameters=shape.parameters,
            style={"mode": mode, "split": str(split)},
            stimulus=ram_traffic(
                (wa, ra),
                shape.aw,
                {we: 1, wd: width, **({re: 1} if re else {})},
                {we: 0.5, **({re: 0.6} if re else {})},
            ),
        ),
    )  # fmt: skip
