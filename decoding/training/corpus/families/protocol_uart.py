"""Asynchronous serial transmitter and receiver (8N1)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..build import ClockReset, clock_reset
from ..design import Behaviour, Design, PortDecl
from ..names import Names
from ..registry import family
from ._kit import Machine, State, biased, bits, clocked, source, verilog_reg

if TYPE_CHECKING:
    import random
    from collections.abc import Callable, Mapping

__all__: list[str] = []


class _Divider:
    """Clocks per bit: a literal, or a module parameter in a quarter of the designs."""

    def __init__(self, rng: random.Random, n: Names, *choices: int) -> None:
        self.clocks = rng.choice(choices)
        self.parameters: tuple[tuple[str, str], ...] = ()
        self.width = max(1, (self.clocks - 1).bit_length())
        self.last = f"{self.width}'d{self.clocks - 1}"
        self.half = f"{self.width}'d{self.clocks // 2 - 1}"
        self.name = ""
        if rng.random() < 0.3:
            self.name = n.pick("DIV", "CLKS_PER_BIT", "BIT_CYCLES", "DIVISOR")
            self.parameters = ((self.name, str(self.clocks)),)
            self.width = 16
            self.last, self.half = f"{self.name} - 1", f"{self.name} / 2 - 1"

    @property
    def text(self) -> str:
        return f"{self.name} (parameter, default {self.clocks})" if self.name else str(self.clocks)


def _tx_shift(cr: ClockReset, div: _Divider, v: dict[str, str]) -> list[str]:
    body = (
        f"if (!{v['busy']}) begin\n    if ({v['start']}) begin\n        {v['busy']} <= 1'b1;\n"
        f"        {v['sh']} <= {{1'b1, {v['data']}, 1'b0}};\n        {v['div']} <= {div.width}'d0;\n        {v['n']} <= 4'd0;\n    end\n"
        f"end else if ({v['div']} == {div.last}) begin\n    {v['div']} <= {div.width}'d0;\n"
        f"    {v['sh']} <= {{1'b1, {v['sh']}[9:1]}};\n    {v['n']} <= {v['n']} + 1'b1;\n"
        f"    if ({v['n']} == 4'd9)\n        {v['busy']} <= 1'b0;\n"
        f"end else begin\n    {v['div']} <= {v['div']} + 1'b1;\nend"
    )
    clear = f"{v['busy']} <= 1'b0;\n{v['sh']} <= 10'h3ff;\n{v['div']} <= {div.width}'d0;\n{v['n']} <= 4'd0;"
    return [
        f"reg [9:0] {v['sh']};",
        verilog_reg(div.width, v["div"]),
        f"reg [3:0] {v['n']};",
        *([f"reg {v['busy']};"] if v["ready"] else []),
        cr.process(clear, body),
        f"assign {v['tx']} = {v['sh']}[0];",
        *([f"assign {v['ready']} = !{v['busy']};"] if v["ready"] else []),
    ]


def _tx_fsm(cr: ClockReset, div: _Divider, v: dict[str, str]) -> list[str]:
    st, d, n = v["st"], v["div"], v["n"]
    body = (
        f"if ({st} == IDLE) begin\n    {d} <= {div.width}'d0;\n    if ({v['start']}) begin\n        {v['sh']} <= {v['data']};\n        {st} <= START;\n    end\n"
        f"end else if ({d} != {div.last}) begin\n    {d} <= {d} + 1'b1;\nend else begin\n    {d} <= {div.width}'d0;\n"
        f"    case ({st})\n        START: begin\n            {st} <= DATA;\n            {n} <= 3'd0;\n        end\n"
        f"        DATA: begin\n            {v['sh']} <= {v['sh']} >> 1;\n            {n} <= {n} + 1'b1;\n"
        f"            if ({n} == 3'd7)\n                {st} <= STOP;\n        end\n        default: {st} <= IDLE;\n    endcase\nend"
    )
    clear = f"{st} <= IDLE;\n{d} <= {div.width}'d0;\n{n} <= 3'd0;\n{v['sh']} <= 8'd0;"
    flag = (
        f"assign {v['ready']} = ({st} == IDLE);"
        if v["ready"]
        else f"assign {v['busy']} = ({st} != IDLE);"
    )
    return [
        "localparam [1:0] IDLE = 2'd0, START = 2'd1, DATA = 2'd2, STOP = 2'd3;",
        f"reg [1:0] {st};",
        f"reg [7:0] {v['sh']};",
        verilog_reg(div.width, d),
        f"reg [2:0] {n};",
        cr.process(clear, body),
        f"assign {v['tx']} = ({st} == START) ? 1'b0 : ({st} == DATA) ? {v['sh']}[0] : 1'b1;",
        flag,
    ]


@family("uart_tx")
def uart_tx(rng: random.Random) -> Design:
    """8N1 transmitter with a fixed or parameterised divider."""
    n = Names(rng)
    module = n.module("uart_tx", "serial_tx", "uart_transmitter", "tx_uart", "async_tx", "rs232_tx")
    cr = clock_reset(rng, n)
    div = _Divider(rng, n, 2, 3, 4, 4, 5, 6, 8, 10, 16)
    start = n.pick("start", "tx_start", "valid", "send", "wr")
    data = n.pick("data", "tx_data", "din", "byte_in", "d")
    tx = n.pick("tx", "txd", "serial_out", "tx_o")
    use_ready = rng.random() < 0.45
    style = n.choose(("shift", "fsm"))
    flag = n.pick("ready", "tx_ready", "rdy") if use_ready else n.pick("busy", "tx_busy", "active")
    v = {
        "start": start, "data": data, "tx": tx, "ready": flag if use_ready else "",
        "busy": n.pick("running", "sending") if use_ready else flag,
        "sh": n.pick("shreg", "sh", "frame", "shift_q"), "div": n.pick("div_cnt", "tick_cnt", "baud"),
        "n": n.pick("bit_cnt", "nbits", "bit_idx"), "st": n.pick("state", "st"),
    }  # fmt: skip
    ports = (
        *cr.ports,
        PortDecl("input", start, 1, "send request"),
        PortDecl("input", data, 8, "byte to send"),
        PortDecl("output", tx, 1, "serial line"),
        PortDecl(
            "output",
            flag,
            1,
            "ready for a byte" if use_ready else "transmission in progress",
            reg=style == "shift" and not use_ready,
        ),
    )
    parts = (_tx_shift if style == "shift" else _tx_fsm)(cr, div, v)
    clocks = div.clocks

    def advance(s: State, i: Mapping[str, int]) -> dict[str, int | None]:
        if s["left"]:
            s["left"] -= 1
        elif i[start]:
            s["left"], s["frame"] = 10 * clocks, 1 << 9 | i[data] << 1
        gone = (10 * clocks - s["left"]) // clocks
        line = s["frame"] >> gone & 1 if s["left"] else 1
        return {tx: line, flag: int(not s["left"]) if use_ready else int(bool(s["left"]))}

    free, taken = (
        (f"{flag} is high", f"{flag} is low")
        if use_ready
        else (f"{flag} is low", f"{flag} is high")
    )
    return clocked(
        cr,
        Design(
            family="uart_tx",
            group="protocol",
            params={"clocks": clocks, "ready": use_ready, "parameterised": bool(div.name)},
            module=module,
            ports=ports,
            rtl=source(module, ports, *parts, parameters=div.parameters),
            model=lambda: Machine({"left": 0, "frame": 0}, advance),
            titles=(
                "a UART transmitter (8N1)",
                "an asynchronous serial transmitter for bytes",
                "an 8N1 serial transmitter with a fixed bit time",
                "a UART TX unit, 8 data bits, no parity, one stop bit",
            ),
            behaviour=(
                (
                    f"A frame is a start bit 0, the eight bits of {data} with the least significant first, and a stop bit 1.",
                    f"`{tx}` sends 0 (start), then `{data}[0]` up to `{data}[7]`, then 1 (stop).",
                    f"8N1 framing on {tx}: start bit low, 8 data bits LSB first, one stop bit high, no parity.",
                ),
                (
                    f"Each bit lasts {div.text} clock cycles.",
                    f"One bit time is {div.text} clocks.",
                    f"The divider is {div.text}: so many clock cycles per bit.",
                ),
                (
                    f"When idle ({free}), a clock edge with {start} high takes the byte, and the start bit appears on {tx} right after this edge.",
                    f"`{start}` is accepted only while {free}; `{data}` is captured then and transmission begins with the next cycle.",
                    f"A byte is accepted at an edge with {start} = 1 while {free}; {data} may change afterwards.",
                ),
                (
                    f"{taken} from the cycle of the start bit to the last cycle of the stop bit; requests in that time are ignored.",
                    f"During the whole frame, ten bit times, {taken} and `{start}` has no effect.",
                    f"For exactly ten bit times {taken}; {start} is not looked at meanwhile.",
                ),
                (
                    f"{tx} is 1 when idle and after reset.",
                    f"The line `{tx}` rests at 1.",
                    f"Idle level of {tx}: high.",
                ),
            ),
            parameters=div.parameters,
            style={"body": style},
            stimulus=biased({start: 1, data: 8}, {start: 0.3}),
        ),
    )


def _line(clocks: int, rx: str) -> Callable[[random.Random, int], list[dict[str, int]]]:
    """Frames with pauses, glitches and missing stop bits."""

    def generate(rng: random.Random, cycles: int) -> list[dict[str, int]]:
        levels: list[int] = [1] * 4
        while len(levels) < cycles:
            if rng.random() < 0.1:
                levels += [0] * rng.randint(1, clocks // 2)
            frame = [0, *(rng.getrandbits(1) for _ in range(8)), int(rng.random() < 0.65)]
            for level in frame:
                levels += [level] * clocks
            levels += [1] * rng.choice((0, 0, 1, clocks, 2 * clocks))
        return [{rx: level} for level in levels[:cycles]]

    return generate


@family("uart_rx")
def uart_rx(rng: random.Random) -> Design:
    """8N1 receiver that samples in the middle of each bit."""
    n = Names(rng)
    module = n.module("uart_rx", "serial_rx", "uart_receiver", "rx_uart", "async_rx", "rs232_rx")
    cr = clock_reset(rng, n)
    div = _Divider(rng, n, 4, 4, 4, 6, 8, 8, 16)
    rx = n.pick("rx", "rxd", "serial_in", "rx_i")
    data = n.pick("data", "rx_data", "dout", "byte_out", "q")
    valid = n.pick("valid", "rx_valid", "done", "data_valid", "strobe")
    err = n.pick("frame_err", "err", "framing_error", "stop_err") if rng.random() < 0.45 else None
    st, cnt = n.pick("state", "st"), n.pick("cnt", "tick_cnt", "clk_cnt")
    nb, sh = n.pick("bit_cnt", "nbits", "bit_idx"), n.pick("shreg", "sh", "rx_shift")
    ports = (
        *cr.ports,
        PortDecl("input", rx, 1, "serial line"),
        PortDecl("output", data, 8, "received byte", reg=True),
        PortDecl("output", valid, 1, "byte received, one cycle", reg=True),
        *([PortDecl("output", err, 1, "bad stop bit, one cycle", reg=True)] if err else []),
    )
    bad = f"            {err} <= !{rx};\n" if err else ""
    zero = f"{cnt} <= {div.width}'d0;"
    style = n.choose(("case", "ifs"))
    started = f"if ({cnt} == {div.half}) begin\n            {zero}\n            {st} <= {rx} ? IDLE : DATA;\n        end"
    sample = (
        f"if ({cnt} == {div.last}) begin\n            {zero}\n            {sh} <= {{{rx}, {sh}[7:1]}};\n"
        f"            {nb} <= {nb} + 1'b1;\n            if ({nb} == 3'd7)\n                {st} <= STOP;\n        end"
    )
    finish = (
        f"if ({cnt} == {div.last}) begin\n            {st} <= IDLE;\n            {valid} <= {rx};\n{bad}"
        f"            if ({rx})\n                {data} <= {sh};\n        end"
    )
    begin = f"{zero}\n        {nb} <= 3'd0;\n        if (!{rx})\n            {st} <= START;"
    pre = f"{valid} <= 1'b0;\n" + (f"{err} <= 1'b0;\n" if err else "") + f"{cnt} <= {cnt} + 1'b1;\n"
    if style == "case":
        body = (
            f"{pre}case ({st})\n    IDLE: begin\n        {begin}\n    end\n    START:\n        {started}\n"
            f"    DATA:\n        {sample}\n    default:\n        {finish}\nendcase"
        )
    else:
        body = (
            f"{pre}if ({st} == IDLE) begin\n    {begin.replace(chr(10) + '    ', chr(10))}\n"
            + "".join(
                f"end else if ({st} == {label}) begin\n    {text.replace(chr(10) + '    ', chr(10))}\n"
                for label, text in (("START", started), ("DATA", sample), ("STOP", finish))
            )
            + "end"
        )
    clear = (
        f"{st} <= IDLE;\n{zero}\n{nb} <= 3'd0;\n{sh} <= 8'd0;\n{data} <= 8'd0;\n{valid} <= 1'b0;"
    )
    clear += f"\n{err} <= 1'b0;" if err else ""
    parts = [
        "localparam [1:0] IDLE = 2'd0, START = 2'd1, DATA = 2'd2, STOP = 2'd3;",
        f"reg [1:0] {st};",
        f"reg {bits(div.width)}{cnt};",
        f"reg [2:0] {nb};",
        f"reg [7:0] {sh};",
        cr.process(clear, body),
    ]
    clocks = div.clocks

    def advance(s: State, i: Mapping[str, int]) -> dict[str, int | None]:
        good = broken = 0
        if s["t"] is None:
            s["t"] = None if i[rx] else 0
        else:
            s["t"] += 1
            number, rest = divmod(s["t"] - clocks // 2, clocks)
            if rest == 0 and number == 0 and i[rx]:
                s["t"] = None
            elif rest == 0 and 1 <= number <= 8:
                s["sh"] = (s["sh"] >> 1) | i[rx] << 7
            elif rest == 0 and number == 9:
                s["t"], good, broken = None, i[rx], 1 - i[rx]
                s["data"] = s["sh"] if good else s["data"]
        outs: dict[str, int | None] = {data: s["data"], valid: good}
        return outs | ({err: broken} if err else {})

    half = f"{div.name}/2" if div.name else str(clocks // 2)
    facts: list[Behaviour] = [
        (
            f"A bit lasts {div.text} clock cycles; frames have a low start bit, eight data bits with the least significant first, and a high stop bit, no parity.",
            f"8N1 framing, LSB first, with {div.text} clocks per bit on `{rx}`.",
            f"It receives start bit (0), 8 data bits starting with bit 0, stop bit (1) from {rx}, each {div.text} clocks long.",
        ),
        (
            f"The clock edge that samples {rx} low in idle starts a frame; {half} clocks later the line is checked again, and if it is high by then the receiver returns to idle.",
            f"After `{rx}` was seen low, the start bit is verified {half} clock edges later; a high level there is a false start and leads back to idle.",
            f"Start detection: {rx} low while idle, confirmed {half} cycles after that edge (mid start bit), otherwise ignored.",
        ),
        (
            "From that check on every bit time later a data bit is sampled, and after the eighth, one bit time later, the stop bit; then the receiver is idle again at once.",
            "The eight data bits and the stop bit are each sampled one bit time after the previous sample, i.e. in mid-bit; after the stop sample it is idle.",
            "Sampling continues at intervals of one bit time: eight data bits, then the stop bit, upon which the state is idle.",
        ),
        (
            f"If the stop bit is 1, {data} takes the byte and {valid} is high for one cycle, both right after the stop sample; otherwise the byte is dropped.",
            f"With a good stop bit `{valid}` pulses for one clock as `{data}` is updated; with a low stop bit `{data}` is unchanged and `{valid}` stays low.",
            f"On a high stop bit the byte is loaded into {data} together with a one-cycle {valid}; on a low one it is discarded.",
        ),
    ]
    if err:
        facts.append(
            (
                f"{err} is high for one cycle when the stop bit is 0.",
                f"A low stop bit pulses `{err}` for one clock.",
                f"A missing stop bit is reported by a one-cycle pulse on {err}.",
            )
        )
    facts.append(
        (
            f"{data} holds until the next good byte.",
            f"`{data}` is a register that keeps the last byte.",
            "",
        )
    )
    return clocked(
        cr,
        Design(
            family="uart_rx",
            group="protocol",
            params={"clocks": clocks, "error": bool(err), "parameterised": bool(div.name)},
            module=module,
            ports=ports,
            rtl=source(module, ports, *parts, parameters=div.parameters),
            model=lambda: Machine({"t": None, "sh": 0, "data": 0}, advance),
            titles=(
                "a UART receiver (8N1)",
                "an asynchronous serial receiver for bytes",
                "an 8N1 serial receiver that samples in the middle of each bit",
                "a UART RX unit, 8 data bits, no parity, one stop bit",
            ),
            behaviour=tuple(facts),
            parameters=div.parameters,
            style={"body": style},
            stimulus=_line(clocks, rx),
        ),
    )
