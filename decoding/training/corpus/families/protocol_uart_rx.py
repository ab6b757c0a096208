"""Asynchronous serial receivers (8N1)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..build import clock_reset
from ..design import Behaviour, Design, PortDecl
from ..names import Names
from ..registry import family
from ._bit_time import BitTime
from ._kit import Machine, State, bits, clocked, source

if TYPE_CHECKING:
    import random
    from collections.abc import Callable, Mapping

__all__: list[str] = []


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
    div = BitTime(rng, n, 4, 4, 4, 6, 8, 8, 16)
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
