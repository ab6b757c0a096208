"""SPI receivers, mode 0."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..build import clock_reset
from ..design import Design, PortDecl
from ..names import Names
from ..registry import family
from ._kit import Machine, State, clocked, source, word_of

if TYPE_CHECKING:
    import random
    from collections.abc import Callable, Mapping

__all__: list[str] = []


def _spi_traffic(
    sclk: str, cs: str, mosi: str, width: int
) -> Callable[[random.Random, int], list[dict[str, int]]]:
    def generate(rng: random.Random, cycles: int) -> list[dict[str, int]]:
        rows: list[dict[str, int]] = []
        while len(rows) < cycles:
            selected = int(rng.random() < 0.85)
            count = rng.choice((width, width, 2 * width, rng.randint(1, 2 * width)))
            for _ in range(count):
                bit = rng.getrandbits(1)
                for level in (0, 1):
                    for _ in range(rng.choice((1, 1, 2))):
                        rows.append({sclk: level, cs: 1 - selected, mosi: bit})  # noqa: PERF401
            for _ in range(rng.randint(0, 3)):
                rows.append({sclk: rng.getrandbits(1), cs: rng.getrandbits(1), mosi: 0})  # noqa: PERF401
        return rows[:cycles]

    return generate


@family("spi_slave")
def spi_slave(rng: random.Random) -> Design:
    """Receiver that samples the SPI lines with the system clock."""
    n = Names(rng)
    width, msb = rng.choice((4, 8, 8, 8, 16)), rng.random() < 0.75
    module = n.module("spi_slave", "spi_rx", "spi_receiver", "spi_target", "spi_in")
    cr = clock_reset(rng, n)
    sclk, cs, mosi = n.pick("sclk", "sck", "spi_sck"), n.pick("cs_n", "ss_n", "csn"), n.pick("mosi", "sdi", "spi_mosi")  # fmt: skip
    data, valid = (
        n.pick("data", "rx_data", "dout", "rx_word"),
        n.pick("valid", "rx_valid", "done", "strobe"),
    )
    sh, cnt = n.pick("shreg", "sh", "shift_q"), n.pick("bit_cnt", "cnt", "n_bits")
    prev, rise = n.pick("sclk_q", "last_sclk", "sck_d"), n.pick("rise", "sclk_rise", "edge_seen")
    cw = (width - 1).bit_length()
    entered = f"{{{sh}[{width - 2}:0], {mosi}}}" if msb else f"{{{mosi}, {sh}[{width - 1}:1]}}"
    style = n.choose(("wire", "inline"))
    cond = rise if style == "wire" else f"{sclk} && !{prev}"
    body = (
        f"{prev} <= {sclk};\n{valid} <= 1'b0;\nif ({cs}) begin\n    {cnt} <= {cw}'d0;\n"
        f"end else if ({cond}) begin\n    {sh} <= {entered};\n    {cnt} <= {cnt} + 1'b1;\n"
        f"    if ({cnt} == {cw}'d{width - 1}) begin\n        {data} <= {entered};\n        {valid} <= 1'b1;\n    end\nend"
    )
    clear = f"{prev} <= 1'b0;\n{valid} <= 1'b0;\n{cnt} <= {cw}'d0;\n{sh} <= {width}'d0;\n{data} <= {width}'d0;"
    ports = (
        *cr.ports,
        PortDecl("input", sclk, 1, "serial clock"),
        PortDecl("input", cs, 1, "chip select, active low"),
        PortDecl("input", mosi, 1, "serial data"),
        PortDecl("output", data, width, "received word", reg=True),
        PortDecl("output", valid, 1, "word received, one cycle", reg=True),
    )
    parts = [
        f"reg {prev};",
        f"reg [{width - 1}:0] {sh};",
        f"reg [{cw - 1}:0] {cnt};",
        f"wire {rise} = {sclk} && !{prev};" if style == "wire" else "",
        cr.process(clear, body),
    ]

    def advance(s: State, i: Mapping[str, int]) -> dict[str, int | None]:
        rising, done = i[sclk] and not s["prev"], 0
        s["prev"] = i[sclk]
        if i[cs]:
            s["bits"] = []
        elif rising:
            s["bits"].append(i[mosi])
            if len(s["bits"]) == width:
                s["w"], s["bits"], done = word_of(s["bits"], msb), [], 1
        return {data: s["w"], valid: done}

    order, short = ("most", "MSB") if msb else ("least", "LSB")
    return clocked(
        cr,
        Design(
            family="spi_slave",
            group="protocol",
            params={"width": width, "msb": msb},
            module=module,
            ports=ports,
            rtl=source(module, ports, *parts),
            model=lambda: Machine({"prev": 0, "bits": [], "w": 0}, advance),
            titles=(
                f"an SPI slave receiver for {width}-bit words",
                f"a synchronous SPI mode 0 receiver, {width} bits, {short} first",
                f"an SPI target that collects {width}-bit words",
                f"a {width}-bit SPI input with the system clock oversampling the bus",
            ),
            behaviour=(
                (
                    f"{sclk}, {cs} and {mosi} are sampled with the system clock and need no synchroniser; a rising edge of {sclk} means it is high now and was low at the previous clock edge (low assumed after reset).",
                    f"The SPI lines are used synchronously: `{sclk}` rises when it is sampled 1 after a sample of 0, where the sample before the first is 0.",
                    f"Edges of {sclk} are found by comparing it with its value at the previous clock edge, a register that resets to 0 and follows {sclk} even while {cs} is high.",
                ),
                (
                    f"On such an edge with {cs} low the bit on {mosi} is shifted in, {order} significant bit first.",
                    f"Each rising `{sclk}` with `{cs}` = 0 takes one bit from `{mosi}` ({short} first).",
                    f"While selected ({cs} low), every rising {sclk} delivers a bit on {mosi}, {short} first.",
                ),
                (
                    f"With bit number {width} the word is loaded into {data} and {valid} is high for one clock cycle; counting then starts again.",
                    f"After {width} bits `{data}` takes the word and `{valid}` pulses for one clock, and the next bit is the first of the next word.",
                    f"Every {width} bits {data} is updated, accompanied by a one-cycle {valid}; several words may follow under one selection.",
                ),
                (
                    f"{cs} high resets the bit count, so that an incomplete word is dropped; {data} holds.",
                    f"Deselecting (`{cs}` = 1) throws away a partial word and keeps `{data}`.",
                    f"Whenever {cs} is high the bits received so far are forgotten; {data} keeps the last whole word.",
                ),
            ),
            style={"body": style},
            stimulus=_spi_traffic(sclk, cs, mosi, width),
        ),
    )
