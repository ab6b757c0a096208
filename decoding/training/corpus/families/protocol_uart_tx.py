"""Asynchronous serial transmitters (8N1)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..build import ClockReset, clock_reset
from ..design import Design, PortDecl
from ..names import Names
from ..registry import family
from ._bit_time import BitTime
from ._kit import Machine, State, biased, clocked, source, verilog_reg

if TYPE_CHECKING:
    import random
    from collections.abc import Mapping

__all__: list[str] = []


def _tx_shift(cr: ClockReset, div: BitTime, v: dict[str, str]) -> list[str]:
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


def _tx_fsm(cr: ClockReset, div: BitTime, v: dict[str, str]) -> list[str]:
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
    div = BitTime(rng, n, 2, 3, 4, 4, 5, 6, 8, 10, 16)
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
