"""APB register slaves."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..build import ClockReset, clock_reset
from ..design import Behaviour, Design, PortDecl
from ..names import Names
from ..registry import family
from ._kit import Machine, State, clocked, source

if TYPE_CHECKING:
    import random
    from collections.abc import Callable, Mapping

__all__: list[str] = []


def _apb_traffic(
    v: dict[str, str], aw: int, width: int, status: str | None
) -> Callable[[random.Random, int], list[dict[str, int]]]:
    """Proper set-up and access phases, now and then a broken one."""

    def generate(rng: random.Random, cycles: int) -> list[dict[str, int]]:
        rows: list[dict[str, int]] = []
        while len(rows) < cycles:
            base = {
                v["sel"]: 1,
                v["en"]: 0,
                v["wr"]: rng.getrandbits(1),
                v["addr"]: rng.randrange(1 << aw)
                if rng.random() < 0.15
                else 4 * rng.randrange(4) % (1 << aw),
                v["wd"]: rng.getrandbits(width),
            }
            phases = [base, base | {v["en"]: 1}]
            roll = rng.random()
            if roll < 0.1:
                phases = phases[:1]
            elif roll < 0.3:
                phases.append(base | {v["sel"]: 0})
            elif roll < 0.35:
                phases = [base | {v["sel"]: 0, v["en"]: 1}]
            for phase in phases:
                rows.append(phase | ({status: rng.getrandbits(width)} if status else {}))  # noqa: PERF401
        return rows[:cycles]

    return generate


def _apb_ports(v: dict[str, str], cr: ClockReset, aw: int, width: int) -> tuple[PortDecl, ...]:
    return (
        *cr.ports,
        PortDecl("input", v["sel"], 1, "select"),
        PortDecl("input", v["en"], 1, "access phase"),
        PortDecl("input", v["wr"], 1, "1 writes, 0 reads"),
        PortDecl("input", v["addr"], aw, "byte address"),
        PortDecl("input", v["wd"], width, "write data"),
    )


def _apb_facts(
    v: dict[str, str],
    regs: tuple[str, ...],
    status: str | None,
    *,
    width: int,
    aw: int,
    registered: bool,
) -> list[Behaviour]:
    places = [f"{r} at 0x{4 * k:X}" for k, r in enumerate(regs)]
    facts: list[Behaviour] = [
        (
            f"Read/write registers of {width} bits, each also an output: {', '.join(places)}.",
            f"The register map is {', '.join(f'0x{4 * k:X}: {r}' for k, r in enumerate(regs))} (read/write, visible on the ports of the same name).",
            f"It holds {', '.join(f'`{r}` (byte address 0x{4 * k:X})' for k, r in enumerate(regs))}; their values are output ports.",
        )
    ]
    if status:
        facts.append(
            (
                f"Address 0x{4 * len(regs):X} reads the input {status}; writes to it are ignored.",
                f"`{status}` is read-only at 0x{4 * len(regs):X}.",
                f"The read-only word at 0x{4 * len(regs):X} is the input {status}.",
            )
        )
    facts += [
        (
            f"A write takes place at the clock edge with {v['sel']}, {v['en']} and {v['wr']} all high.",
            f"Registers are written in the access phase: `{v['sel']}` && `{v['en']}` && `{v['wr']}`.",
            f"{v['wd']} is stored on the edge where {v['sel']} = {v['en']} = {v['wr']} = 1.",
        ),
        (
            f"{v['rd']} is registered: it is loaded in the set-up phase of a read ({v['sel']} high, {v['en']} and {v['wr']} low) and holds otherwise.",
            f"The read data register `{v['rd']}` is updated at edges with `{v['sel']}` high and both `{v['en']}` and `{v['wr']}` low.",
            f"Reads are registered, {v['rd']} takes the selected word at the edge that ends the set-up phase ({v['sel']}, not {v['en']}, not {v['wr']}) and keeps it.",
        )
        if registered
        else (
            f"{v['rd']} is combinational: the selected word while {v['sel']} is high and {v['wr']} low, otherwise 0.",
            f"`{v['rd']}` shows the addressed word without a register during reads (`{v['sel']}` high, `{v['wr']}` low) and zero at other times.",
            f"Read data need no clock: {v['rd']} = addressed word when {v['sel']} && !{v['wr']}, else 0.",
        ),
        (
            f"Other addresses read as 0 and ignore writes; only bits {aw - 1} to 2 of {v['addr']} are decoded.",
            f"`{v['addr']}[{aw - 1}:2]` selects the word (the two low bits are ignored); unused words read zero and cannot be written.",
            "The lowest two address bits do not matter, and unmapped addresses return 0 and swallow writes.",
        ),
        (
            f"{v['ready']} is always 1 (no wait states).",
            f"There are no wait states, `{v['ready']}` is tied high.",
            f"{v['ready']} is constant high.",
        ),
    ]
    return facts


@family("apb_registers")
def apb_registers(rng: random.Random) -> Design:
    """APB slave with two or three registers, maybe a status word, no wait states."""
    n = Names(rng)
    width, count = rng.choice((8, 16, 32)), rng.choice((2, 2, 3))
    aw = rng.choice((4, 4, 5))
    has_status, registered = rng.random() < 0.5, rng.random() < 0.4
    module = n.module("apb_regs", "apb_slave", "apb_periph", "apb_csr", "apb_if")
    upper = rng.random() < 0.3
    base = clock_reset(rng, n)
    kind = base.kind
    cr = ClockReset(
        n.pick("PCLK" if upper else "pclk"), n.pick("PRESETn" if upper else "presetn"), kind, True
    )
    v = {key: n.pick(name.upper() if upper else name) for key, name in {
        "sel": "psel", "en": "penable", "wr": "pwrite", "addr": "paddr", "wd": "pwdata",
        "rd": "prdata", "ready": "pready"}.items()}  # fmt: skip
    regs = tuple(n.pick(*pool) for pool in (
        ("ctrl", "control", "cfg"), ("thresh", "limit", "period", "reload"), ("gain", "scratch", "level"))[:count])  # fmt: skip
    status = n.pick("status", "state_i", "sensor", "hw_status") if has_status else None
    we, rv = n.pick("wr_en", "write_now", "do_write"), n.pick("rd_mux", "rd_val", "selected")
    index = f"{v['addr']}[{aw - 1}:2]"
    iw = aw - 2
    idx = [f"{iw}'d{k}" for k in range(count + 1)]
    rows = [f"    {idx[k]}: {r} <= {v['wd']};" for k, r in enumerate(regs)]
    write = f"if ({we})\n    case ({index})\n" + "\n".join("    " + r for r in rows)
    write += "\n        default: ;\n    endcase"
    values = [*regs, *([status] if status else [])]
    read_rows = [f"        {idx[k]}: {rv} = {x};" for k, x in enumerate(values)]
    style = n.choose(("case", "ternary"))
    if style == "case":
        read = (
            f"always @(*) begin\n    case ({index})\n"
            + "\n".join(read_rows)
            + f"\n        default: {rv} = {width}'d0;\n    endcase\nend"
        )
        declare = f"reg [{width - 1}:0] {rv};"
    else:
        chain = "\n    ".join(f"({index} == {idx[k]}) ? {x} :" for k, x in enumerate(values))
        read, declare = f"wire [{width - 1}:0] {rv} = {chain} {width}'d0;", ""
    setup = f"{v['sel']} && !{v['en']} && !{v['wr']}"
    if registered:
        write += f"\nif ({setup})\n    {v['rd']} <= {rv};"
        out = ""
    else:
        out = f"assign {v['rd']} = ({v['sel']} && !{v['wr']}) ? {rv} : {width}'d0;"
    clear = "\n".join([*(f"{r} <= {width}'d0;" for r in regs), *([f"{v['rd']} <= {width}'d0;"] if registered else [])])  # fmt: skip
    ports = (
        *_apb_ports(v, cr, aw, width),
        *([PortDecl("input", status, width, "status word")] if status else []),
        PortDecl("output", v["rd"], width, "read data", reg=registered),
        PortDecl("output", v["ready"], 1, "access can finish"),
        *(
            PortDecl("output", r, width, f"register at 0x{4 * k:X}", reg=True)
            for k, r in enumerate(regs)
        ),
    )
    parts = [
        declare,
        f"wire {we} = {v['sel']} && {v['en']} && {v['wr']};",
        read,
        cr.process(clear, write),
        out,
        f"assign {v['ready']} = 1'b1;",
    ]

    def advance(s: State, i: Mapping[str, int]) -> dict[str, int | None]:
        at = i[v["addr"]] >> 2

        def look() -> int:
            if status and at == count:
                return i[status]
            return int(s["r"][at]) if at < count else 0

        before = look()
        if i[v["sel"]] and i[v["en"]] and i[v["wr"]] and at < count:
            s["r"][at] = i[v["wd"]]
        reading = i[v["sel"]] and not i[v["wr"]]
        if registered and reading and not i[v["en"]]:
            s["q"] = before
        shown = s["q"] if registered else look() if reading else 0
        return {v["rd"]: shown, v["ready"]: 1, **{r: s["r"][k] for k, r in enumerate(regs)}}

    facts = _apb_facts(v, regs, status, width=width, aw=aw, registered=registered)
    return clocked(
        cr,
        Design(
            family="apb_registers",
            group="protocol",
            params={"width": width, "registers": count, "address": aw, "status": has_status,
                    "registered": registered},
            module=module,
            ports=ports,
            rtl=source(module, ports, *parts),
            model=lambda: Machine({"r": [0] * count, "q": 0}, advance),
            titles=(
                f"an APB slave with {count} registers of {width} bits",
                f"an APB register block ({count} x {width} bits{', one status word' if status else ''})",
                f"a {width}-bit APB peripheral register interface",
                f"a set of {count} control registers behind an APB port",
            ),
            behaviour=tuple(facts),
            style={"body": style, "registered": str(registered)},
            stimulus=_apb_traffic(v, aw, width, status),
        ),
    )  # fmt: skip
