"""Data registers."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..registry import family
from ._phrases import facts, says_priority
from ._seq import Draft, Machine, Outputs, State

if TYPE_CHECKING:
    import random
    from collections.abc import Mapping

    from ..design import Design

__all__: list[str] = []

_D = ("d", "din", "data_in", "d_i", "in", "i_data", "wdata", "data")
_Q = ("q", "dout", "data_out", "q_o", "out", "o_data", "q_out", "rdata")
_EN = ("en", "enable", "ce", "load", "we", "wr_en", "clk_en")


@family("d_register")
def d_register(rng: random.Random) -> Design:
    """D register with optional enable, clear and set."""
    d = Draft(rng, "registers", "d_reg dff register reg_en d_ff data_reg dreg", allow_none=True)
    w = d.bus(rng.choice((1, 1, 2, 3, 4, 8, 8, 12, 16, 24, 32)), parameter=True)
    clr = d.maybe(0.3, "synchronous clear", "clr", "clear", "sclr", "flush", "zero")
    preset = d.maybe(0.25, "synchronous set", "set", "preset", "sset", "pre", "fill")
    en = d.maybe(0.6, "load enable", *_EN)
    data = d.input("data in", *_D, bus=w)
    out, q = d.registered("registered data", _Q, ("q_r", "data_r", "reg_q", "ff", "store"), w)
    first = rng.choice((0, 0, 0, 0, rng.randrange(w.top + 1))) if d.cr.reset else 0
    start = w.lit(first) if first else w.zero
    d.update(q, w, start, (clr, w.zero), (preset, w.ones), (en or None, data))
    known = int(d.cr.reset is not None)

    def step(s: State, i: Mapping[str, int]) -> Outputs:
        if i.get(clr) or i.get(preset) or i.get(en, 1):
            s["q"] = 0 if i.get(clr) else w.top if i.get(preset) else i[data]
            s["known"] = 1
        return {out: s["q"] if s["known"] else None}

    width = w.width
    bits = "one-bit" if width == 1 else f"{width}-bit"
    return d.finish(
        "d_register",
        {
            "width": width,
            "enable": bool(en),
            "clear": bool(clr),
            "set": bool(preset),
            "first": first,
        },
        lambda: Machine({"q": first, "known": known}, step),
        (
            f"a {bits} D register",
            f"a {bits} data register built from D flip-flops",
            f"a {bits} storage register",
            f"a {bits} clocked register",
            *(("a D flip-flop", "a single D-type flip-flop") if width == 1 else ()),
        ),
        facts(
            (
                f"When {en} is high, {data} is stored in {out}; otherwise {out} keeps its value.",
                f"`{out}` takes `{data}` on clock edges with `{en}` = 1 and holds on the others.",
                f"{en} enables loading of {data}; without it the old value stays.",
                f"It captures {data} only while {en} is asserted.",
            )
            if en
            else (
                f"{out} takes the value of {data} at each rising clock edge.",
                f"On every rising edge `{data}` is copied to `{out}`.",
                f"{data} appears on {out} one clock later.",
                f"It stores {data} every cycle.",
            ),
            (
                f"{clr} high clears the register to zero at the clock edge.",
                f"`{clr}` is a synchronous clear: {out} becomes 0.",
                f"A one on {clr} makes {out} 0 at the next edge.",
            )
            if clr
            else None,
            (
                f"{preset} high sets every bit of {out} to one at the clock edge.",
                f"`{preset}` is a synchronous set: {out} becomes all ones.",
                f"A one on {preset} fills {out} with ones at the next edge.",
            )
            if preset
            else None,
            says_priority(clr, preset, en)
            or (
                (
                    f"{clr or preset} takes precedence over loading.",
                    f"It wins over {data}.",
                    f"Loading happens only while {clr or preset} is low.",
                )
                if clr or preset
                else None
            ),
            (
                f"The reset value is {first}.",
                f"Reset loads {w.lit(first)}.",
                f"After reset {out} is {first} (decimal).",
            )
            if first
            else None,
        ),
    )


@family("byte_enable_register")
def byte_enable_register(rng: random.Random) -> Design:
    """Register written by lanes."""
    d = Draft(rng, "registers", "byte_reg reg_be lane_register masked_reg reg32_be bytewise_reg")
    lane = rng.choice((8, 8, 8, 4))
    lanes = rng.choice((2, 2, 4, 4) if lane == 8 else (2, 4))
    w, e = d.bus(lane * lanes), d.bus(lanes)
    we = d.maybe(0.5, "write enable", "we", "wr", "wr_en", "write", "en")
    be = d.input("lane enables", "be", "byte_en", "strb", "wstrb", "byteena", "lane_en", bus=e)
    data = d.input("write data", *_D, bus=w)
    loop = rng.random() < 0.4
    if loop:
        out = d.output("register content", *_Q, bus=w, reg=True)
        q = out
        k = d.n.pick("i", "k", "lane", "b")
        d.declare(f"integer {k};")
        part = f"[{k}*{lane} +: {lane}]"
        gate = f"{we} && {be}[{k}]" if we else f"{be}[{k}]"
        body = (
            f"for ({k} = 0; {k} < {lanes}; {k} = {k} + 1)\n    if ({gate})\n"
            f"        {q}{part} <= {data}{part};"
        )
    else:
        out, q = d.registered("register content", _Q, ("q_r", "data_r", "store", "word"), w)
        parts = [f"[{(k + 1) * lane - 1}:{k * lane}]" for k in range(lanes)]
        lines = "\n".join(f"if ({be}[{k}]) {q}{p} <= {data}{p};" for k, p in enumerate(parts))
        body = f"if ({we}) begin\n    " + lines.replace("\n", "\n    ") + "\nend" if we else lines
    d.clocked(f"{q} <= {w.zero};", body)

    def step(s: State, i: Mapping[str, int]) -> Outputs:
        take = sum(((1 << lane) - 1) << (k * lane) for k in range(lanes) if i[be] >> k & 1)
        if i.get(we, 1):
            s["q"] = s["q"] & ~take | i[data] & take
        return {out: s["q"]}

    word = "byte" if lane == 8 else "nibble"
    return d.finish(
        "byte_enable_register",
        {"lane": lane, "lanes": lanes, "write": bool(we)},
        lambda: Machine({"q": 0}, step),
        (
            f"a {w.width}-bit register with {word} enables",
            f"a {w.width}-bit register written {word} by {word}",
            f"a register of {lanes} {word}s with one write strobe per {word}",
            f"a {w.width} bit word register with a {word}-lane write mask",
        ),
        facts(
            (
                f"Bit k of {be} enables {word} k, bits {lane}k+{lane - 1} to {lane}k of {data}, to "
                "be written.",
                f"Each bit of `{be}` lets the {word} of `{data}` with the same index into the "
                f"register, {be}[0] the least significant one.",
                f"{be}[k] = 1 updates the k-th {word} of {out} from {data}.",
            ),
            (
                f"{word.capitalize()}s whose enable is low keep their value.",
                f"The other {word}s hold.",
                f"A {word} that is not enabled does not change.",
            ),
            (
                f"Nothing is written unless {we} is high.",
                f"`{we}` must be 1 for any write; else everything holds.",
                f"{we} low blocks all writes.",
            )
            if we
            else None,
        ),
    )
