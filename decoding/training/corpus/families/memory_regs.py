"""Register files and lookup tables."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..build import ClockReset, clock_reset, indent
from ..design import Design, PortDecl
from ..names import Names
from ..registry import family
from ._kit import Machine, State, Transparent, bits, clocked, grammatical, source

if TYPE_CHECKING:
    import random
    from collections.abc import Callable, Mapping

__all__: list[str] = []


def _reads(
    *, we: str, wa: str, wd: str, reads: tuple[str, ...], aw: int, width: int
) -> Callable[[random.Random, int], list[dict[str, int]]]:
    def generate(rng: random.Random, cycles: int) -> list[dict[str, int]]:
        used = [0, *(rng.getrandbits(aw) for _ in range(5))]
        return [
            {
                we: int(rng.random() < 0.6),
                wa: rng.choice(used),
                wd: rng.getrandbits(width),
                **{name: rng.choice(used) for name in reads},
            }
            for _ in range(cycles)
        ]

    return generate


@family("register_file")
def register_file(rng: random.Random) -> Design:
    """One write port and one to three read ports; register zero may be hardwired."""
    n = Names(rng)
    depth, width = rng.choice(((4, 4), (4, 8), (8, 8), (8, 16), (16, 8), (16, 16), (32, 32)))
    aw = (depth - 1).bit_length()
    ports_read = rng.choice((1, 2, 2, 2, 2, 3))
    zero, bypass = rng.random() < 0.4, rng.random() < 0.25
    module = n.module("regfile", "register_file", "reg_file", "rf", "regs", "gpr")
    cr = clock_reset(rng, n) if rng.random() < 0.6 else ClockReset(n.clock(), None, "none", False)
    we = n.pick("we", "wr_en", "reg_write", "wen")
    wa = n.pick("waddr", "rd", "wr_addr", "wa", "write_reg")
    wd = n.pick("wdata", "wd", "wr_data", "din", "write_data")
    sets = n.choose(("ra{} rd{}", "raddr{} rdata{}", "rs{} rdata{}", "addr{} q{}", "read_reg{} read_data{}"))  # fmt: skip
    letters = "abc" if "_" not in sets and rng.random() < 0.3 else "123"
    reads = tuple(n.pick(sets.split()[0].format(c)) for c in letters[:ports_read])
    outs = tuple(n.pick(sets.split()[1].format(c)) for c in letters[:ports_read])
    regs, k = n.pick("regs", "rf_q", "mem", "file_q", "bank"), n.pick("i", "k", "j")
    guard = f"{we} && {wa} != {aw}'d0" if zero else we
    write = f"if ({guard})\n    {regs}[{wa}] <= {wd};"
    clear = f"for ({k} = 0; {k} < {depth}; {k} = {k} + 1)\n    {regs}[{k}] <= {width}'d0;"
    parts = [f"reg [{width - 1}:0] {regs} [0:{depth - 1}];"]
    if cr.reset:
        parts.append(f"integer {k};")
    parts.append(cr.process(clear, write))
    for a, o in zip(reads, outs, strict=True):
        value = f"{regs}[{a}]"
        if bypass:
            value = f"({we} && {wa} == {a}) ? {wd} : {value}"
        if zero:
            value = f"({a} == {aw}'d0) ? {width}'d0 : {value}"
        parts.append(f"assign {o} = {value};")
    ports = (
        *cr.ports,
        PortDecl("input", we, 1, "write enable"),
        PortDecl("input", wa, aw, "write address"),
        PortDecl("input", wd, width, "write data"),
        *(PortDecl("input", a, aw, f"read address {x}") for x, a in enumerate(reads, 1)),
        *(PortDecl("output", o, width, f"read data {x}") for x, o in enumerate(outs, 1)),
    )
    empty = dict.fromkeys(range(depth), 0) if cr.reset else {0: 0} if zero else {}

    def move(s: State, i: Mapping[str, int]) -> None:
        if i[we] and not (zero and i[wa] == 0):
            s["r"][i[wa]] = i[wd]

    def show(s: State, i: Mapping[str, int]) -> dict[str, int | None]:
        forward = {i[wa]: i[wd]} if bypass and i[we] else {}
        seen = s["r"] | forward | ({0: 0} if zero else {})
        return {o: seen.get(i[a]) for a, o in zip(reads, outs, strict=True)}

    pairs = ", ".join(f"{o} at {a}" for a, o in zip(reads, outs, strict=True))
    several = "each " if ports_read > 1 else ""
    facts = [
        (
            f"The clock edge writes {wd} to register {wa} when {we} is high.",
            f"`{we}` enables the write of `{wd}` into the register numbered `{wa}`.",
            f"One write port: with {we} = 1, {wd} goes to register {wa} on the edge.",
        ),
        (
            f"Reads are combinational: {pairs}.",
            f"Asynchronous read, {several}output shows the addressed register at once ({pairs}).",
            f"Without waiting for the clock the read data appear: {pairs}.",
        ),
    ]
    if zero:
        facts.append(
            (
                "Register 0 always reads as zero and writes to it are ignored.",
                "Register 0 is hardwired to 0.",
                "Address zero reads 0, whatever is written there.",
            )
        )
    if bypass:
        facts.append(
            (
                f"A read of the register that is being written in the same cycle already gives {wd} (write-through bypass).",
                f"While `{we}` is high a read port with the same address as `{wa}` forwards `{wd}` combinationally.",
                f"Internal forwarding: if {we} is high and a read address equals {wa}, that port returns {wd}{', except for register 0' if zero else ''}.",
            )
        )
    else:
        facts.append(
            (
                "A read in the same cycle as a write to that register gives the old value until the clock edge.",
                "There is no bypass from the write data to the read ports.",
                "",
            )
        )
    if cr.reset:
        facts.append(
            (
                "Reset clears all registers.",
                f"All {depth} registers are zero after reset.",
                "On reset every register becomes 0.",
            )
        )
    count = {1: "one read port", 2: "two read ports", 3: "three read ports"}[ports_read]
    return clocked(
        cr,
        Design(
            family="register_file",
            group="memory",
            params={"depth": depth, "width": width, "reads": ports_read, "zero": zero,
                    "bypass": bypass, "cleared": bool(cr.reset)},
            module=module,
            ports=ports,
            rtl=source(module, ports, *parts),
            model=lambda: Transparent({"r": dict(empty)}, move, show),
            titles=(
                f"a register file with {depth} registers of {width} bits and {count}",
                f"a {depth} x {width} register file ({count}, one write port)",
                f"a bank of {depth} {width}-bit general purpose registers",
                f"a {ports_read}R1W register file, {depth} entries of {width} bits",
            ),
            behaviour=tuple(facts),
            style={"zero": str(zero), "bypass": str(bypass)},
            stimulus=_reads(we=we, wa=wa, wd=wd, reads=reads, aw=aw, width=width),
        ),
    )  # fmt: skip


@family("lookup_table")
def lookup_table(rng: random.Random) -> Design:
    """A read-only memory of 4, 8 or 16 words, combinational or registered."""
    n = Names(rng)
    depth, width = rng.choice((4, 8, 8, 16)), rng.choice((3, 4, 5, 6, 8, 8))
    aw = (depth - 1).bit_length()
    words = [rng.getrandbits(width) for _ in range(depth)]
    timing = rng.choice(("comb", "comb", "sync", "enable"))
    module = n.module("rom", "lut", "lookup", "const_rom", "rom_core", "decode_rom")
    cr = ClockReset(n.clock(), None, "none", False)
    addr = n.pick("addr", "a", "index", "sel", "idx")
    en = n.pick("en", "re", "rd_en", "ce") if timing == "enable" else None
    q = n.pick("data", "q", "dout", "value", "rom_out")
    base = n.choose(("h", "h", "b", "d"))
    form = {"h": f"0{(width + 3) // 4}x", "b": f"0{width}b", "d": "d"}[base]
    shown = [format(w, form) for w in words]
    style = n.choose(("case", "function", "initial") if timing != "comb" else ("case", "function"))
    lits = [f"{width}'{base}{w}" for w in shown]
    rows = [
        f"{f'{aw}' + chr(39) + f'd{k}' if k < depth - 1 else 'default'}: {{}} {v};"
        for k, v in enumerate(lits)
    ]
    assign = "=" if timing == "comb" else "<="
    if style == "case":
        case = "\n".join(
            (f"case ({addr})", *("    " + r.format(f"{q} {assign}") for r in rows), "endcase")
        )
        gated = f"if ({en}) begin\n{indent(case)}\nend" if en else case
        parts = [
            f"always @(*) begin\n{indent(case)}\nend" if timing == "comb" else cr.process("", gated)
        ]
    elif style == "function":
        name, arg = n.pick("rom_word", "table_f", "lookup_f"), n.pick("i", "k", "x")
        case = "\n".join(
            (f"case ({arg})", *("    " + r.format(f"{name} =") for r in rows), "endcase")
        )
        parts = [
            f"function {bits(width)}{name};\n    input {bits(aw)}{arg};\n{indent(case)}\nendfunction"
        ]
        load = f"{q} <= {name}({addr});"
        parts.append(
            f"assign {q} = {name}({addr});"
            if timing == "comb"
            else cr.process("", f"if ({en})\n    {load}" if en else load)
        )
    else:
        mem = n.pick("mem", "rom_q", "words", "contents")
        fill = "\n".join(f"    {mem}[{k}] = {v};" for k, v in enumerate(lits))
        load = f"{q} <= {mem}[{addr}];"
        parts = [
            f"reg [{width - 1}:0] {mem} [0:{depth - 1}];",
            f"initial begin\n{fill}\nend",
            cr.process("", f"if ({en})\n    {load}" if en else load),
        ]
    reg = style == "case" or timing != "comb"
    ports = (
        *(cr.ports if timing != "comb" else ()),
        PortDecl("input", addr, aw, "address"),
        *([PortDecl("input", en, 1, "read enable")] if en else []),
        PortDecl("output", q, width, "addressed word", reg=reg),
    )

    def advance(s: State, i: Mapping[str, int]) -> dict[str, int | None]:
        if not en or i[en]:
            s["q"] = words[i[addr]]
        return {q: s["q"]}

    kind = {"h": "hexadecimal", "b": "binary", "d": "decimal"}[base]
    listed = ", ".join(shown)
    mapped = ", ".join(f"{k}: {v}" for k, v in enumerate(shown))
    told = ", ".join(f"{v} at {k}" for k, v in enumerate(shown))
    timing_fact = {
        "comb": (
            f"{q} follows {addr} combinationally.",
            "The lookup is purely combinational, there is no clock.",
            f"No register: `{q}` changes with `{addr}` at once.",
        ),
        "sync": (
            f"The output is registered: {q} takes the word at {addr} on every clock edge.",
            f"Synchronous ROM with one cycle of latency on `{q}`.",
            f"{q} is a register, loaded on each edge with the addressed word.",
        ),
        "enable": (
            f"The output is registered: {q} takes the word at {addr} on clock edges with {en} high and holds otherwise.",
            f"Synchronous read gated by `{en}`; with it low `{q}` keeps its value.",
            f"{q} is a register that loads the addressed word only when {en} = 1.",
        ),
    }[timing]
    design = Design(
        family="lookup_table",
        group="memory",
        params={"words": str(words), "width": width, "timing": timing},
        module=module,
        ports=ports,
        rtl=source(module, ports, *parts),
        model=lambda: Machine({"q": None}, advance),
        titles=(
            f"a {depth} x {width} read-only memory",
            f"a lookup table with {depth} constant {width}-bit words",
            f"a ROM of {depth} words, {width} bits each",
            f"a constant table that maps a {aw}-bit address to a {width}-bit value",
        ),
        behaviour=(
            (
                f"The contents from address 0 upwards, in {kind}, are {listed}.",
                f"Address and word ({kind} words): {mapped}.",
                f"It holds, {kind}, {told}.",
                f"Words 0 to {depth - 1} in {kind} notation: {listed}.",
            ),
            timing_fact,
        ),
        style={"body": style, "base": base},
    )
    return clocked(cr, design) if timing != "comb" else grammatical(design)
