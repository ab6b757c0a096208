"""Single-port RAMs."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..build import indent
from ..design import Design, PortDecl
from ..names import Names
from ..registry import family
from ._kit import Machine, State, clocked, source
from ._ram import RamShape, plain_clock, ram_traffic

if TYPE_CHECKING:
    import random
    from collections.abc import Mapping

__all__: list[str] = []


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
    shape = RamShape(rng, n)
    mode = rng.choice(("old", "new", "keep", "async"))
    module = n.module("ram", "sp_ram", "single_port_ram", "spram", "mem", "memory")
    cr = plain_clock(n)
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
            stimulus=ram_traffic(
                (addr,),
                shape.aw,
                {we: 1, d: width, **({cs: 1} if cs else {})},
                {we: 0.45, **({cs: 0.8} if cs else {})},
            ),
        ),
    )  # fmt: skip
