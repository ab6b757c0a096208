"""SPI masters, mode 0."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..build import ClockReset, clock_reset
from ..design import Behaviour, Design, PortDecl
from ..names import Names
from ..registry import family
from ._kit import Machine, State, biased, clocked, source, word_of

if TYPE_CHECKING:
    import random
    from collections.abc import Mapping

__all__: list[str] = []


def _master_body(cr: ClockReset, v: dict[str, str], width: int, half: int, msb: bool) -> list[str]:
    """One shift register for both directions; the sampled bit waits for the falling edge."""
    dw, cw = max(1, (half - 1).bit_length()), (width - 1).bit_length()
    sh, sclk, inb = v["sh"], v["sclk"], v["in"]
    entered = inb or "1'b0"
    moved = f"{{{sh}[{width - 2}:0], {entered}}}" if msb else f"{{{entered}, {sh}[{width - 1}:1]}}"
    sample = f"{inb} <= {v['miso']};" if inb else ""
    step = (
        f"{sclk} <= !{sclk};\n"
        + (f"if (!{sclk}) begin\n    {sample}\nend else begin\n" if inb else f"if ({sclk}) begin\n")
        + f"    {sh} <= {moved};\n    {v['n']} <= {v['n']} + 1'b1;\n"
        + f"    if ({v['n']} == {cw}'d{width - 1}) begin\n        {v['busy']} <= 1'b0;\n        {v['done']} <= 1'b1;\n    end\nend"
    )
    pad = "\n    "
    start = f"{v['busy']} <= 1'b1;{pad}{sh} <= {v['din']};{pad}{v['n']} <= {cw}'d0;"
    if half > 1:
        start += f"{pad}{v['div']} <= {dw}'d0;"
        run = (
            f"end else if ({v['busy']} && {v['div']} != {dw}'d{half - 1}) begin\n    {v['div']} <= {v['div']} + 1'b1;\n"
            f"end else if ({v['busy']}) begin\n    {v['div']} <= {dw}'d0;\n"
        )
    else:
        run = f"end else if ({v['busy']}) begin\n"
    body = f"{v['done']} <= 1'b0;\nif (!{v['busy']} && {v['start']}) begin\n    {start}\n{run}    {step.replace(chr(10), pad)}\nend"
    clear = f"{v['busy']} <= 1'b0;\n{v['done']} <= 1'b0;\n{sclk} <= 1'b0;\n{sh} <= {width}'d0;\n{v['n']} <= {cw}'d0;"
    if half > 1:
        clear += f"\n{v['div']} <= {dw}'d0;"
    if inb:
        clear += f"\n{inb} <= 1'b0;"
    return [
        f"reg [{width - 1}:0] {sh};",
        f"reg [{cw - 1}:0] {v['n']};",
        (f"reg [{dw - 1}:0] {v['div']};" if dw > 1 else f"reg {v['div']};") if half > 1 else "",
        f"reg {inb};" if inb else "",
        cr.process(clear, body),
        f"assign {v['mosi']} = {sh}[{width - 1 if msb else 0}];",
        f"assign {v['cs']} = !{v['busy']};",
        f"assign {v['dout']} = {sh};" if inb else "",
    ]


@family("spi_master")
def spi_master(rng: random.Random) -> Design:
    """Mode 0 master for one word, with or without a receive path."""
    n = Names(rng)
    width, half, msb = (
        rng.choice((4, 8, 8, 8, 16)),
        rng.choice((1, 1, 2, 3, 4)),
        rng.random() < 0.75,
    )
    receive = rng.random() < 0.6
    module = n.module("spi_master", "spi_tx", "spi_ctrl", "spi", "spi_shift")
    cr = clock_reset(rng, n)
    v = {
        "start": n.pick("start", "go", "send", "valid"),
        "din": n.pick("tx_data", "din", "data_in", "wdata"),
        "miso": n.pick("miso", "sdi", "spi_miso") if receive else "",
        "sclk": n.pick("sclk", "sck", "spi_sck"),
        "mosi": n.pick("mosi", "sdo", "spi_mosi"),
        "cs": n.pick("cs_n", "ss_n", "csn", "spi_cs_n"),
        "busy": n.pick("busy", "active", "busy_o"),
        "done": n.pick("done", "finished", "done_o"),
        "dout": n.pick("rx_data", "dout", "data_out", "rdata") if receive else "",
        "sh": n.pick("shreg", "sh", "shift_q"),
        "n": n.pick("bit_cnt", "n_bits", "cnt"),
        "div": n.pick("div_cnt", "half_cnt", "pre"),
        "in": n.pick("sampled", "in_bit", "miso_q") if receive else "",
    }
    ports = (
        *cr.ports,
        PortDecl("input", v["start"], 1, "start a transfer"),
        PortDecl("input", v["din"], width, "word to send"),
        *([PortDecl("input", v["miso"], 1, "serial data in")] if receive else []),
        PortDecl("output", v["sclk"], 1, "serial clock", reg=True),
        PortDecl("output", v["mosi"], 1, "serial data out"),
        PortDecl("output", v["cs"], 1, "chip select, active low"),
        PortDecl("output", v["busy"], 1, "transfer in progress", reg=True),
        PortDecl("output", v["done"], 1, "transfer finished, one cycle", reg=True),
        *([PortDecl("output", v["dout"], width, "received word")] if receive else []),
    )
    total = 2 * half * width

    def advance(s: State, i: Mapping[str, int]) -> dict[str, int | None]:
        done = 0
        if s["t"] is None:
            if i[v["start"]]:
                s["t"], s["w"], s["in"] = 0, i[v["din"]], []
        else:
            s["t"] += 1
            if receive and s["t"] % (2 * half) == half:
                s["in"].append(i[v["miso"]])
            if s["t"] == total:
                s["t"], done = None, 1
                s["rx"] = word_of(s["in"], msb) if receive else 0
        busy = s["t"] is not None
        at = s["t"] // (2 * half) if busy else 0
        outs: dict[str, int | None] = {
            v["sclk"]: int(busy and s["t"] % (2 * half) >= half),
            v["mosi"]: s["w"] >> (width - 1 - at if msb else at) & 1 if busy else None,
            v["cs"]: int(not busy),
            v["busy"]: int(busy),
            v["done"]: done,
        }
        return outs | ({v["dout"]: None if busy else s["rx"]} if receive else {})

    order, short = ("most", "MSB") if msb else ("least", "LSB")
    plural = "s" * (half > 1)
    start, din, sclk, mosi, cs = v["start"], v["din"], v["sclk"], v["mosi"], v["cs"]
    busy, done, miso, dout = v["busy"], v["done"], v["miso"], v["dout"]
    facts: list[Behaviour] = [
        (
            f"When idle, a clock edge with {start} high takes {din}; {busy} goes high, {cs} low, and the first bit is on {mosi} at once. {start} is ignored while {busy}.",
            f"`{start}` is accepted only while `{busy}` is low: `{din}` is captured, `{cs}` falls, `{busy}` rises and `{mosi}` shows the first bit from that edge on.",
            f"A transfer begins at an edge with {start} = 1 in idle: {din} is loaded, {cs} is asserted (low), {busy} set, {mosi} carries bit one; no other start is taken until it is over.",
        ),
        (
            f"SPI mode 0: {sclk} rests low and toggles every {half} clock cycle{plural} during the transfer, first rising {half} cycle{plural} after the start, {width} pulses in all.",
            f"`{sclk}` idles at 0; each of the {width} bits has {half} cycle{plural} of low followed by {half} cycle{plural} of high.",
            f"There are {width} periods of {sclk}, each {half} clock{plural} low and then {half} clock{plural} high, idle level low (CPOL=0, CPHA=0).",
        ),
        (
            f"{mosi} sends the {order} significant bit first and changes with the falling edge of {sclk}.",
            f"`{mosi}` goes out {short} first, each bit stable for a whole `{sclk}` period.",
            f"Bit order is {short} first; {mosi} moves on to the next bit as {sclk} falls.",
        ),
        (
            f"With the last falling edge {busy} goes low, {cs} high, and {done} is high for one cycle.",
            f"The edge that ends the last high phase of `{sclk}` also ends the transfer: `{busy}` falls, `{cs}` rises and `{done}` pulses for one clock.",
            f"After the {width}th pulse, at the same time as {sclk} falls, {cs} and {busy} are released and {done} is set for a single cycle.",
        ),
    ]
    if receive:
        facts.append(
            (
                f"{miso} is sampled at the clock edges at which {sclk} rises, in the same bit order; the word is on {dout} from {done} until the next start (undefined during a transfer).",
                f"At each rising `{sclk}` the bit on `{miso}` is taken ({short} first); `{dout}` shows the received word from the end of the transfer until another begins.",
                f"Received bits come from {miso} as {sclk} rises, {short} first, and {dout} is valid whenever {busy} is low.",
            )
        )
    facts.append(
        (
            f"{mosi} does not matter when idle.",
            f"Outside a transfer `{mosi}` may have any value.",
            "",
        )
    )
    return clocked(
        cr,
        Design(
            family="spi_master",
            group="protocol",
            params={"width": width, "half": half, "msb": msb, "receive": receive},
            module=module,
            ports=ports,
            rtl=source(module, ports, *_master_body(cr, v, width, half, msb)),
            model=lambda: Machine({"t": None, "w": 0, "in": [], "rx": 0}, advance),
            titles=(
                f"an SPI master for {width}-bit words (mode 0)",
                f"an SPI mode 0 {'master' if receive else 'transmitter'}, {width} bits, {short} first",
                f"a {width}-bit SPI controller with chip select",
                f"a serial peripheral interface master sending {width} bits per transfer",
            ),
            behaviour=tuple(facts),
            style={"half": str(half)},
            stimulus=biased(
                {v["start"]: 1, v["din"]: width, **({v["miso"]: 1} if receive else {})},
                {v["start"]: 0.3},
            ),
        ),
    )
