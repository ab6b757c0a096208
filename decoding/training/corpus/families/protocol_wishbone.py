"""Wishbone register slaves."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..build import clock_reset
from ..design import Behaviour, Design, PortDecl
from ..names import Names
from ..registry import family
from ._kit import Machine, State, clocked, source

if TYPE_CHECKING:
    import random
    from collections.abc import Callable, Mapping

__all__: list[str] = []


def _wb_traffic(
    v: dict[str, str], aw: int, width: int, sel: int
) -> Callable[[random.Random, int], list[dict[str, int]]]:
    def generate(rng: random.Random, cycles: int) -> list[dict[str, int]]:
        rows: list[dict[str, int]] = []
        while len(rows) < cycles:
            row = {
                v["cyc"]: int(rng.random() < 0.9),
                v["stb"]: int(rng.random() < 0.9),
                v["we"]: rng.getrandbits(1),
                v["adr"]: rng.getrandbits(aw),
                v["di"]: rng.getrandbits(width),
                **({v["sel"]: rng.getrandbits(sel)} if sel else {}),
            }
            rows += [dict(row) for _ in range(rng.choice((1, 2, 2, 2, 3)))]
            rows += [row | {v["stb"]: 0}] * rng.choice((0, 0, 1))
        return rows[:cycles]

    return generate


@family("wishbone_registers")
def wishbone_registers(rng: random.Random) -> Design:
    """Classic Wishbone slave with a small register array and a registered acknowledge."""
    n = Names(rng)
    width, aw = rng.choice((8, 8, 16, 32)), rng.choice((1, 2, 2, 3))
    lanes = width // 8 if width > 8 and rng.random() < 0.5 else 0
    export = rng.random() < 0.5
    module = n.module("wb_regs", "wb_slave", "wishbone_slave", "wb_periph", "wb_gpr")
    cr = clock_reset(rng, n)
    form = n.choose(("wb_{}_i wb_{}_o", "{}_i {}_o", "{} {}"))
    ins, outs = form.split()
    v = {k: n.pick(ins.format(k)) for k in ("cyc", "stb", "we", "adr")}
    v["di"], v["do"] = (n.pick("dat_w"), n.pick("dat_r")) if form == "{} {}" else (n.pick(ins.format("dat")), n.pick(outs.format("dat")))  # fmt: skip
    v["ack"] = n.pick(outs.format("ack"))
    v["sel"] = n.pick(ins.format("sel")) if lanes else ""
    first = n.pick("ctrl", "reg0_o", "leds", "gpo") if export else ""
    regs, hit, k = (
        n.pick("regs", "file_q", "bank"),
        n.pick("hit", "access", "request"),
        n.pick("i", "k"),
    )
    depth = 1 << aw
    if lanes:
        store = "\n".join(
            f"        if ({v['sel']}[{b}])\n            {regs}[{v['adr']}][{8 * b + 7}:{8 * b}] <= {v['di']}[{8 * b + 7}:{8 * b}];"
            for b in range(lanes)
        )
        write = f"    if ({v['we']}) begin\n{store}\n    end else begin\n        {v['do']} <= {regs}[{v['adr']}];\n    end"
    else:
        write = f"    if ({v['we']})\n        {regs}[{v['adr']}] <= {v['di']};\n    else\n        {v['do']} <= {regs}[{v['adr']}];"
    body = f"{v['ack']} <= {hit};\nif ({hit}) begin\n{write}\nend"
    clear = (
        f"{v['ack']} <= 1'b0;\n{v['do']} <= {width}'d0;\nfor ({k} = 0; {k} < {depth}; {k} = {k} + 1)\n"
        f"    {regs}[{k}] <= {width}'d0;"
    )
    ports = (
        *cr.ports,
        PortDecl("input", v["cyc"], 1, "bus cycle"),
        PortDecl("input", v["stb"], 1, "strobe"),
        PortDecl("input", v["we"], 1, "1 writes, 0 reads"),
        *([PortDecl("input", v["sel"], lanes, "byte lane select")] if lanes else []),
        PortDecl("input", v["adr"], aw, "word address"),
        PortDecl("input", v["di"], width, "write data"),
        PortDecl("output", v["do"], width, "read data", reg=True),
        PortDecl("output", v["ack"], 1, "acknowledge", reg=True),
        *([PortDecl("output", first, width, "value of register 0")] if export else []),
    )
    parts = [
        f"reg [{width - 1}:0] {regs} [0:{depth - 1}];",
        f"integer {k};",
        f"wire {hit} = {v['cyc']} && {v['stb']} && !{v['ack']};",
        cr.process(clear, body),
        f"assign {first} = {regs}[0];" if export else "",
    ]
    full = (1 << width) - 1

    def advance(s: State, i: Mapping[str, int]) -> dict[str, int | None]:
        now = int(i[v["cyc"]] and i[v["stb"]] and not s["ack"])
        s["ack"] = now
        at = i[v["adr"]]
        if now and i[v["we"]]:
            keep = 0
            if lanes:
                keep = full & ~sum(0xFF << 8 * b for b in range(lanes) if i[v["sel"]] >> b & 1)
            s["r"][at] = (s["r"][at] & keep) | (i[v["di"]] & ~keep & full)
        elif now:
            s["q"] = s["r"][at]
        return {v["do"]: s["q"], v["ack"]: s["ack"], **({first: s["r"][0]} if export else {})}

    cyc, stb, we, adr, di, do, ack = (
        v[key] for key in ("cyc", "stb", "we", "adr", "di", "do", "ack")
    )
    facts: list[Behaviour] = [
        (
            f"An access happens at a clock edge with {cyc} and {stb} high and {ack} low; {ack} is then high for the following cycle.",
            f"`{ack}` is registered and goes high for one cycle after `{cyc}` && `{stb}` && !`{ack}`; the access itself is carried out at that same edge.",
            f"The slave acts on edges where {cyc} = {stb} = 1 and {ack} = 0, and answers with a one-cycle {ack} right after.",
        ),
        (
            f"With {we} high the access writes {di} to word {adr}, with {we} low it loads word {adr} into the register {do}, which holds otherwise.",
            f"`{we}` selects: 1 stores `{di}` in the word addressed by `{adr}`, 0 reads that word into `{do}`. `{do}` changes only on reads.",
            f"Writes put {di} into the register numbered {adr}; reads copy that register to {do} at the edge of the access, and {do} is kept until the next read.",
        ),
        (
            f"The {depth} words are read/write and cleared by reset.",
            f"All {depth} registers reset to 0.",
            f"There are {depth} registers, zero after reset.",
        ),
        (
            f"While {stb} stays high an access is carried out every second cycle.",
            f"Holding `{cyc}` and `{stb}` therefore gives an acknowledge in every other cycle.",
            "",
        ),
    ]
    if lanes:
        facts.append(
            (
                f"On writes only the bytes whose bit in {v['sel']} is high are changed (bit 0 for the lowest byte); reads ignore {v['sel']}.",
                f"`{v['sel']}` enables the byte lanes of a write, bit b for bits 8b+7 to 8b; it has no effect on reads.",
                f"Byte lanes with {v['sel']} = 0 keep their content in a write, lane 0 being the low byte. A read always returns the whole word.",
            )
        )
    if export:
        facts.append(
            (
                f"{first} is the value of register 0.",
                f"Register 0 is visible on `{first}`.",
                f"The output {first} always shows word 0.",
            )
        )
    return clocked(
        cr,
        Design(
            family="wishbone_registers",
            group="protocol",
            params={"width": width, "address": aw, "lanes": lanes, "export": export},
            module=module,
            ports=ports,
            rtl=source(module, ports, *parts),
            model=lambda: Machine({"r": [0] * depth, "q": 0, "ack": 0}, advance),
            titles=(
                f"a Wishbone slave with {depth} registers of {width} bits",
                f"a {width}-bit Wishbone register block ({depth} words)",
                f"a classic-cycle Wishbone peripheral holding {depth} read/write words",
                f"a small register bank on the Wishbone bus ({depth} x {width})",
            ),
            behaviour=tuple(facts),
            style={"lanes": str(bool(lanes))},
            stimulus=_wb_traffic(v, aw, width, lanes),
        ),
    )
