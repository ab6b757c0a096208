"""Manchester coding of words."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from ..build import clock_reset, indent
from ..design import Behaviour, Design, PortDecl
from ..families._kit import Machine, State, biased, bits, clocked, count_width, source, verilog_reg
from ..names import Names
from ..registry import family

if TYPE_CHECKING:
    import random
    from collections.abc import Mapping

    from ..build import ClockReset

__all__: list[str] = []


@dataclass(frozen=True, slots=True)
class _Line:
    """What fixes the waveform."""

    width: int
    half: int  # clocks of half a bit
    msb: bool
    rising: bool  # a one is low, then high (IEEE 802.3); else high, then low (Thomas)
    idle: int

    @property
    def clocks(self) -> int:
        """Length of a word."""
        return 2 * self.width * self.half

    def level(self, word: int, clock: int) -> int:
        """The line level in the given clock of a word."""
        index, second = divmod(clock // self.half, 2)
        bit = word >> (self.width - 1 - index if self.msb else index) & 1
        return bit ^ second ^ int(self.rising)


def _shifting(line: _Line, cr: ClockReset, v: Mapping[str, str], n: Names) -> tuple[str, ...]:
    """A shift register, a phase bit and counters."""
    sh, phase = n.pick("sh", "sr", "data_q", "shreg"), n.pick("phase", "second", "half_q")
    left = n.pick("left", "bit_cnt", "idx")
    w, cw, hw = line.width, count_width(line.width - 1), count_width(line.half - 1)
    moved = f"{{{sh}[{w - 2}:0], 1'b0}}" if line.msb else f"{{1'b0, {sh}[{w - 1}:1]}}"
    step = (
        f"{phase} <= ~{phase};\nif ({phase}) begin\n    {sh} <= {moved};\n"
        f"    if ({left} == {cw}'d0)\n        {v['busy']} <= 1'b0;\n    else\n        {left} <= {left} - 1'b1;\nend"
    )
    zero = ""
    begin = (
        f"{v['busy']} <= 1'b1;\n{sh} <= {v['data']};\n{phase} <= 1'b0;\n{left} <= {cw}'d{w - 1};"
    )
    regs = [verilog_reg(w, sh), verilog_reg(1, phase), verilog_reg(cw, left)]
    if line.half > 1:
        div = n.pick("div", "tick_cnt", "clk_cnt")
        regs.append(verilog_reg(hw, div))
        step = (
            f"if ({div} != {hw}'d{line.half - 1})\n    {div} <= {div} + 1'b1;\nelse begin\n"
            f"    {div} <= {hw}'d0;\n{indent(step)}\nend"
        )
        begin += f"\n{div} <= {hw}'d0;"
        zero = f"\n{div} <= {hw}'d0;"
    body = f"if (!{v['busy']}) begin\n    if ({v['load']}) begin\n{indent(begin, 8)}\n    end\nend else begin\n{indent(step)}\nend"  # fmt: skip
    reset = f"{v['busy']} <= 1'b0;\n{sh} <= {w}'d0;\n{phase} <= 1'b0;\n{left} <= {cw}'d0;{zero}"
    first = f"{sh}[{w - 1}]" if line.msb else f"{sh}[0]"
    level = f"~({first} ^ {phase})" if line.rising else f"{first} ^ {phase}"
    return (
        *regs,
        cr.process(reset, body),
        f"assign {v['tx']} = {v['busy']} ? {level} : 1'b{line.idle};",
    )


def _indexing(line: _Line, cr: ClockReset, v: Mapping[str, str], n: Names) -> tuple[str, ...]:
    """One counter over the clocks of a word, which also picks the bit."""
    word, cnt, index = (
        n.pick("word", "hold", "data_q"),
        n.pick("cnt", "pos", "t"),
        n.pick("index", "sel", "which"),
    )
    cw, w = count_width(line.clocks - 1), line.width
    iw, shift = count_width(w - 1), line.half.bit_length()  # half is a power of two
    part = f"{cnt}[{shift + iw - 1}:{shift}]" if iw > 1 else f"{cnt}[{shift}]"
    pick = f"{iw}'d{w - 1} - {part}" if line.msb else part
    second = f"{cnt}[{shift - 1}]"
    begin = f"{v['busy']} <= 1'b1;\n{word} <= {v['data']};\n{cnt} <= {cw}'d0;"
    body = (
        f"if ({v['busy']}) begin\n    {cnt} <= {cnt} + 1'b1;\n    if ({cnt} == {cw}'d{line.clocks - 1})\n"
        f"        {v['busy']} <= 1'b0;\nend else if ({v['load']}) begin\n{indent(begin)}\nend"
    )
    level = f"{word}[{index}] ^ {second}" if not line.rising else f"~({word}[{index}] ^ {second})"
    return (
        verilog_reg(w, word),
        verilog_reg(cw, cnt),
        f"wire {bits(iw)}{index} = {pick};",
        cr.process(f"{v['busy']} <= 1'b0;\n{word} <= {w}'d0;\n{cnt} <= {cw}'d0;", body),
        f"assign {v['tx']} = {v['busy']} ? {level} : 1'b{line.idle};",
    )


def _facts(line: _Line, v: Mapping[str, str]) -> tuple[Behaviour, ...]:
    """What a spec says."""
    load, data, tx, busy = v["load"], v["data"], v["tx"], v["busy"]
    w, half = line.width, line.half
    one, zero = (
        ("low, then high", "high, then low")
        if line.rising
        else ("high, then low", "low, then high")
    )
    name = "IEEE 802.3" if line.rising else "G. E. Thomas"
    first, last = ("most", "least") if line.msb else ("least", "most")
    time = f"{half} clock{'s' * (half > 1)}"
    return (
        (
            f"A clock edge with {load} high while {busy} is low takes the word {data} and starts to send it.",
            f"`{load}` = 1 captures `{data}` and begins transmission, provided `{busy}` is 0.",
            f"When idle, {load} loads {data}, and sending begins with the next cycle.",
        ),
        (
            f"Each bit takes two halves of {time} on {tx}: a 1 is sent as {one}, a 0 as {zero} ({name} convention).",
            f"Manchester code on `{tx}`, {time} a half-bit: one = {one}; zero = {zero}.",
            f"On {tx}, 1 is {one} and 0 is {zero}, each level lasting {time}.",
        ),
        (
            f"The {w} bits are sent {first} significant bit first.",
            f"Bit order: {first} significant to {last} significant.",
            f"The {first} significant bit of {data} goes first.",
        ),
        (
            f"{busy} is high for the {line.clocks} clocks of the word, beginning with the cycle after the load.",
            f"`{busy}` rises with the edge that takes the word and falls {line.clocks} clocks later.",
            f"Sending takes {line.clocks} clocks, during which {busy} is 1.",
        ),
        (
            f"While {busy} is high {load} is ignored.",
            f"`{load}` has no effect until `{busy}` is low again.",
            f"A {load} during transmission is lost.",
        ),
        (
            f"When nothing is sent {tx} is {line.idle}, also after reset.",
            f"The idle level of `{tx}` is {line.idle}; reset makes the sender idle.",
            f"{tx} rests at {line.idle} between words and after reset.",
        ),
    )


@family("manchester_encoder")
def manchester_encoder(rng: random.Random) -> Design:
    """Sends words in Manchester code, with busy flag."""
    n = Names(rng)
    line = _Line(
        width=rng.choice((4, 4, 8, 8, 8, 16)),
        half=rng.choice((1, 1, 2, 4)),
        msb=rng.random() < 0.6,
        rising=rng.random() < 0.6,
        idle=int(rng.random() < 0.35),
    )
    module = n.module("manchester_tx", "manchester_enc", "manch_encoder", "man_tx", "biphase_tx", "line_coder")  # fmt: skip
    cr = clock_reset(rng, n)
    v = {
        "load": n.pick("load", "start", "send", "wr", "valid", "go"),
        "data": n.pick("data", "din", "word_in", "tx_data", "d"),
        "tx": n.pick("tx", "line", "man_out", "q", "code", "sout"),
        "busy": n.pick("busy", "active", "sending", "tx_busy"),
    }
    style = n.choose(("shift", "index"))
    make = _shifting if style == "shift" else _indexing
    ports = (
        *cr.ports,
        PortDecl("input", v["load"], 1, "start sending"),
        PortDecl("input", v["data"], line.width, "word to send"),
        PortDecl("output", v["tx"], 1, "coded line"),
        PortDecl("output", v["busy"], 1, "a word is being sent", reg=True),
    )

    def advance(s: State, i: Mapping[str, int]) -> dict[str, int | None]:
        if s["t"] is not None:
            s["t"] = s["t"] + 1 if s["t"] < line.clocks - 1 else None
        elif i[v["load"]]:
            s["t"], s["w"] = 0, i[v["data"]]
        if s["t"] is None:
            return {v["tx"]: line.idle, v["busy"]: 0}
        return {v["tx"]: line.level(s["w"], s["t"]), v["busy"]: 1}

    return clocked(
        cr,
        Design(
            family="manchester_encoder",
            group="fsm",
            params={"width": line.width, "half": line.half, "msb_first": line.msb,
                    "rising_one": line.rising, "idle": line.idle},
            module=module,
            ports=ports,
            rtl=source(module, ports, *make(line, cr, v, n)),
            model=lambda: Machine({"t": None, "w": 0}, advance),
            titles=(
                f"a Manchester encoder for {line.width}-bit words",
                f"a serial transmitter of {line.width}-bit words in Manchester code",
                f"a {line.width}-bit Manchester line coder with busy flag",
                f"a biphase (Manchester) sender, {line.width} bits a word, {'MSB' if line.msb else 'LSB'} first",
            ),
            behaviour=_facts(line, v),
            style={"body": style},
            stimulus=biased({v["load"]: 1, v["data"]: line.width}, {v["load"]: 0.3}),
        ),
    )  # fmt: skip
