"""Random access memories."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..build import ClockReset, indent
from ..design import Behaviour, Design, PortDecl
from ..names import Names
from ..registry import family
from ._kit import Machine, State, clocked, source

if TYPE_CHECKING:
    import random
    from collections.abc import Callable, Mapping

__all__: list[str] = []

_SIZES = ((8, 4), (16, 8), (16, 4), (32, 8), (32, 16), (64, 8), (128, 8), (256, 8), (16, 16))


class _Shape:
    """Depth and width of a memory, with or without module parameters for them."""

    def __init__(self, rng: random.Random, n: Names) -> None:
        self.depth, self.width = rng.choice(_SIZES)
        self.aw = (self.depth - 1).bit_length()
        self.parameters: tuple[tuple[str, str], ...] = ()
        self.data_range = self.addr_range = ""
        data, self.last = f"[{self.width - 1}:0]", f"{self.depth - 1}"
        if rng.random() < 0.25:
            dw = n.pick("DATA_W", "WIDTH", "DW", "DATA_WIDTH")
            aw = n.pick("ADDR_W", "AW", "ADDR_WIDTH", "ABITS")
            self.parameters = ((dw, str(self.width)), (aw, str(self.aw)))
            self.data_range, self.addr_range = f"[{dw}-1:0]", f"[{aw}-1:0]"
            data, self.last = self.data_range, f"(1<<{aw})-1"
        self.data = data

    def address(self, name: str, what: str) -> PortDecl:
        return PortDecl("input", name, self.aw, what, range=self.addr_range)

    def word(self, direction: str, name: str, what: str, reg: bool = False) -> PortDecl:
        return PortDecl(direction, name, self.width, what, reg=reg, range=self.data_range)

    def array(self, name: str) -> str:
        if self.parameters or self.depth % 3:
            return f"reg {self.data} {name} [0:{self.last}];"
        return f"reg {self.data} {name} [{self.depth - 1}:0];"

    def fact(self) -> tuple[Behaviour, ...]:
        if not self.parameters:
            return ()
        (dw, width), (aw, abits) = self.parameters
        return (
            (
                f"The parameters {dw} (default {width}) and {aw} (default {abits}) set the word and address width; the depth is 2**{aw}.",
                f"Word width `{dw}` = {width} and address width `{aw}` = {abits} are module parameters with these defaults, and there are 2 to the power {aw} words.",
                f"It is parameterised by {dw} ({width} by default) for the data and {aw} ({abits} by default) for the address bits.",
            ),
        )


def _traffic(
    addresses: tuple[str, ...], aw: int, widths: Mapping[str, int], high: Mapping[str, float]
) -> Callable[[random.Random, int], list[dict[str, int]]]:
    """Few different addresses, often the same on all ports, so that reads meet earlier writes."""

    def generate(rng: random.Random, cycles: int) -> list[dict[str, int]]:
        used = [rng.getrandbits(aw) for _ in range(5)]
        rows = []
        for _ in range(cycles):
            row = {
                k: int(rng.random() < high.get(k, 0.5))
                if w == 1 and k in high
                else rng.getrandbits(w)
                for k, w in widths.items()
            }
            common = rng.choice(used)
            for name in addresses:
                row[name] = common if rng.random() < 0.4 else rng.choice(used)
            rows.append(row)
        return rows

    return generate


def _plain_clock(n: Names) -> ClockReset:
    return ClockReset(n.clock(), None, "none", False)


_READ_DURING_WRITE: dict[str, tuple[str, str, str]] = {
    "old": (
        "A read of the word being written in the same cycle returns the old content (read-first).",
        "Read-before-write: during a write {q} gets the previous value of the word.",
        "In a write cycle the output register takes the word as it was before the write.",
    ),
    "new": (
        "During a write {q} gets the new data (write-first).",
        "Write-through: in a cycle with a write the output register takes the written data.",
        "Write-first behaviour, the data being written also appears on {q}.",
    ),
    "keep": (
        "During a write {q} keeps its value (no-change mode).",
        "{q} is updated only in cycles without a write and otherwise holds.",
        "In write cycles the output register does not change.",
    ),
}


def _single_port_body(
    mode: str, *, write: str, read: str, through: str, we: str, cs: str | None
) -> str:
    """Statements of the clocked process, by what a write does to the output register."""
    if mode == "async":
        return f"if ({f'{cs} && ' if cs else ''}{we})\n    {write}"
    body = {
        "old": f"if ({we})\n    {write}\n{read}",
        "new": f"if ({we}) begin\n    {write}\n    {through}\nend else begin\n    {read}\nend",
        "keep": f"if ({we})\n    {write}\nelse\n    {read}",
    }[mode]
    return f"if ({cs}) begin\n{indent(body)}\nend" if cs else body


@family("single_port_ram")
def single_port_ram(rng: random.Random) -> Design:
    """One port for reading and writing; registered or asynchronous read."""
    n = Names(rng)
    shape = _Shape(rng, n)
    mode = rng.choice(("old", "new", "keep", "async"))
    module = n.module("ram", "sp_ram", "single_port_ram", "spram", "mem", "memory")
    cr = _plain_clock(n)
    we = n.pick("we", "wr", "wr_en", "write", "wen", "w_en")
    cs = n.pick("en", "cs", "ce", "ram_en") if rng.random() < 0.35 else None
    addr = n.pick("addr", "a", "address", "adr")
    d = n.pick("din", "d", "wdata", "data_in", "di")
    q = n.pick("dout", "q", "rdata", "data_out", "do_o")
    mem = n.pick("mem", "ram_q", "store", "array", "words")
    internal = rng.random() < 0.3 and mode != "async"
    target = n.pick("rd_q", "out_q", "dout_r") if internal else q
    body = _single_port_body(
        mode, write=f"{mem}[{addr}] <= {d};", read=f"{target} <= {mem}[{addr}];",
        through=f"{target} <= {d};", we=we, cs=cs,
    )  # fmt: skip
    ports = (
        *cr.ports,
        *([PortDecl("input", cs, 1, "chip enable")] if cs else []),
        PortDecl("input", we, 1, "write enable"),
        shape.address(addr, "address"),
        shape.word("input", d, "write data"),
        shape.word("output", q, "read data", reg=mode != "async" and not internal),
    )
    parts = [shape.array(mem)]
    if internal:
        parts.append(f"reg {shape.data} {target};")
    parts.append(cr.process("", body))
    if internal:
        parts.append(f"assign {q} = {target};")
    if mode == "async":
        parts.append(f"assign {q} = {mem}[{addr}];")

    def advance(s: State, i: Mapping[str, int]) -> dict[str, int | None]:
        cells, at = s["mem"], i[addr]
        if not cs or i[cs]:
            if i[we]:
                s["q"] = cells.get(at) if mode == "old" else i[d] if mode == "new" else s["q"]
                cells[at] = i[d]
            else:
                s["q"] = cells.get(at)
        return {q: cells.get(at) if mode == "async" else s["q"]}

    depth, width = shape.depth, shape.width
    enable = (
        (
            (
                f"Nothing is written{'' if mode == 'async' else ' and ' + q + ' holds'} while {cs} is low.",
                f"`{cs}` enables the memory; with {cs} = 0 there is no write{'' if mode == 'async' else ' and the output register keeps its value'}.",
                f"Without {cs} the clock edge has no effect.",
            ),
        )
        if cs
        else ()
    )
    read_fact = (
        (
            f"Reading is asynchronous: {q} always shows the word at {addr}.",
            f"`{q}` is the addressed word, combinationally, without a clock.",
            f"The read path has no register, {q} follows {addr} at once.",
        )
        if mode == "async"
        else (
            f"Reading is synchronous: {q} is registered and shows the word at {addr} one clock later.",
            f"On every edge the word at `{addr}` is loaded into the output register `{q}`.",
            f"{q} is an output register with a read latency of one cycle.",
        )
    )
    during = (
        (tuple(t.replace("{q}", q) for t in _READ_DURING_WRITE[mode]),) if mode != "async" else ()
    )
    return clocked(
        cr,
        Design(
            family="single_port_ram",
            group="memory",
            params={"depth": depth, "width": width, "mode": mode, "enable": bool(cs),
                    "parameterised": bool(shape.parameters)},
            module=module,
            ports=ports,
            rtl=source(module, ports, *parts, parameters=shape.parameters),
            model=lambda: Machine({"mem": {}, "q": None}, advance),
            titles=(
                f"a {depth} x {width} single-port RAM",
                f"a single-port memory with {depth} words of {width} bits",
                f"a {depth}-word RAM ({width} bits per word) with one shared read/write port",
                f"a read/write memory of {depth} entries, each {width} bits wide",
            ),
            behaviour=(
                (
                    f"With {we} high the clock edge writes {d} to the word at {addr}.",
                    f"`{we}` writes `{d}` into the location selected by `{addr}` on the rising edge.",
                    f"Data on {d} is stored at address {addr} in cycles with {we} = 1.",
                ),
                read_fact,
                *during,
                *enable,
                *shape.fact(),
            ),
            parameters=shape.parameters,
            style={"mode": mode},
            stimulus=_traffic(
                (addr,),
                shape.aw,
                {we: 1, d: width, **({cs: 1} if cs else {})},
                {we: 0.45, **({cs: 0.8} if cs else {})},
            ),
        ),
    )  # fmt: skip


@family("dual_port_ram")
def dual_port_ram(rng: random.Random) -> Design:
    """One write port and one read port on the same clock."""
    n = Names(rng)
    shape = _Shape(rng, n)
    mode = rng.choice(("sync", "sync", "enable", "async"))
    module = n.module("dp_ram", "sdp_ram", "dual_port_ram", "ram_1r1w", "dpram", "simple_dpram")
    cr = _plain_clock(n)
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
            stimulus=_traffic(
                (wa, ra),
                shape.aw,
                {we: 1, wd: width, **({re: 1} if re else {})},
                {we: 0.5, **({re: 0.6} if re else {})},
            ),
        ),
    )  # fmt: skip
