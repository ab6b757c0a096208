"""Words to bits and bits to words."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..build import clock_reset, indent
from ..design import Behaviour, Design, PortDecl
from ..names import Names
from ..registry import family
from ._kit import Machine, State, biased, clocked, source

if TYPE_CHECKING:
    import random
    from collections.abc import Mapping

__all__: list[str] = []


def _order(msb: bool) -> tuple[str, str]:
    return ("most significant", "MSB") if msb else ("least significant", "LSB")


@family("parallel_to_serial")
def parallel_to_serial(rng: random.Random) -> Design:
    """Load a word, shift it out with a valid flag; optionally back to back."""
    n = Names(rng)
    width, msb, seamless = (
        rng.choice((4, 4, 5, 6, 8, 8, 12, 16)),
        rng.random() < 0.5,
        rng.random() < 0.4,
    )
    module = n.module("p2s", "serializer", "par2ser", "piso", "parallel_to_serial", "ser_out")
    cr = clock_reset(rng, n)
    load = n.pick("load", "valid", "in_valid", "start", "wr")
    din = n.pick("din", "data", "parallel_in", "d", "data_in")
    ready = n.pick("ready", "in_ready", "idle", "rdy")
    sout = n.pick("sout", "serial_out", "dout", "so", "ser")
    sval = n.pick("sout_valid", "out_valid", "active", "sval", "shifting")
    sh, cnt = n.pick("shreg", "sh", "buffer", "shift_q"), n.pick("cnt", "left", "bits_left")
    cw = width.bit_length()
    style = n.choose(("count", "nested"))
    out_bit = f"{sh}[{width - 1}]" if msb else f"{sh}[0]"
    shifted = f"{{{sh}[{width - 2}:0], 1'b0}}" if msb else f"{{1'b0, {sh}[{width - 1}:1]}}"
    if rng.random() < 0.4:
        shifted = f"{sh} << 1" if msb else f"{sh} >> 1"
    accept = f"{load} && {ready}"
    take = f"{sh} <= {din};\n    {cnt} <= {cw}'d{width};"
    if style == "count":
        body = (
            f"if ({accept}) begin\n    {take}\nend else if ({cnt} != {cw}'d0) begin\n"
            f"    {sh} <= {shifted};\n    {cnt} <= {cnt} - 1'b1;\nend"
        )
    else:
        body = (
            f"if ({sval}) begin\n    {sh} <= {shifted};\n    {cnt} <= {cnt} - 1'b1;\nend\n"
            f"if ({accept}) begin\n    {take}\nend"
        )
    free = f"({cnt} <= {cw}'d1)" if seamless else f"({cnt} == {cw}'d0)"
    ports = (
        *cr.ports,
        PortDecl("input", load, 1, "word is offered"),
        PortDecl("input", din, width, "parallel word"),
        PortDecl("output", ready, 1, "a word can be taken"),
        PortDecl("output", sout, 1, "serial data"),
        PortDecl("output", sval, 1, "serial data is valid"),
    )
    parts = [
        f"reg [{width - 1}:0] {sh};",
        f"reg [{cw - 1}:0] {cnt};",
        cr.process(f"{sh} <= {width}'d0;\n{cnt} <= {cw}'d0;", body),
        f"assign {ready} = {free};",
        f"assign {sval} = ({cnt} != {cw}'d0);",
        f"assign {sout} = {out_bit};",
    ]

    def advance(s: State, i: Mapping[str, int]) -> dict[str, int | None]:
        if i[load] and s["n"] <= int(seamless):
            s["w"], s["n"] = i[din], width
        elif s["n"]:
            s["n"] -= 1
        at = s["n"] - 1 if msb else width - s["n"]
        bit = s["w"] >> at & 1 if s["n"] else None
        return {ready: int(s["n"] <= int(seamless)), sout: bit, sval: int(s["n"] > 0)}

    long, short = _order(msb)
    when: Behaviour = (
        (
            f"{ready} is high while nothing is being sent and also during the last bit, so that words can follow without a gap.",
            f"`{ready}` goes high already in the cycle of the last bit; a word accepted there continues seamlessly.",
            f"A new word is accepted when idle or in the cycle of the final bit ({ready} high), which allows back-to-back words.",
        )
        if seamless
        else (
            f"{ready} is high only while nothing is being sent.",
            f"`{ready}` is the inverse of `{sval}`; no word is taken during the transmission, not even in its last cycle.",
            f"A new word is accepted only when idle ({ready} high), thus with a gap of at least one cycle between words.",
        )
    )
    return clocked(
        cr,
        Design(
            family="parallel_to_serial",
            group="protocol",
            params={"width": width, "msb": msb, "seamless": seamless},
            module=module,
            ports=ports,
            rtl=source(module, ports, *parts),
            model=lambda: Machine({"w": 0, "n": 0}, advance),
            titles=(
                f"a {width}-bit parallel-to-serial converter, {short} first",
                f"a serializer for {width}-bit words",
                f"a {width}-bit PISO unit with load and ready",
                f"a unit that sends a {width}-bit word bit by bit, {short} first",
            ),
            behaviour=(
                (
                    f"A word on {din} is taken at a clock edge with {load} and {ready} high.",
                    f"`{load}` loads `{din}`, provided that `{ready}` is high; otherwise it is ignored.",
                    f"{load} is honoured only together with {ready} and captures {din}.",
                ),
                (
                    f"In the {width} cycles after that {sout} shows its bits, one per clock, {long} first, with {sval} high.",
                    f"The bits then appear on `{sout}` in {width} consecutive cycles starting with the {short}, marked by `{sval}`.",
                    f"{sval} is high for the following {width} clocks, in which {sout} carries the word {short} first.",
                ),
                when,
                (
                    f"{sout} does not matter while {sval} is low.",
                    f"Outside of `{sval}` the value of `{sout}` is unspecified.",
                    "",
                ),
            ),
            style={"body": style},
            stimulus=biased({load: 1, din: width}, {load: 0.55}),
        ),
    )


@family("serial_to_parallel")
def serial_to_parallel(rng: random.Random) -> Design:
    """Collect bits into words, aligned by a flag on the first bit."""
    n = Names(rng)
    width, msb = rng.choice((4, 4, 5, 6, 8, 8, 10)), rng.random() < 0.5
    module = n.module("s2p", "deserializer", "ser2par", "sipo", "frame_rx", "word_collector")
    cr = clock_reset(rng, n)
    sin = n.pick("sin", "serial_in", "din", "si", "rx_bit")
    first = n.pick("first", "frame", "sof", "sync", "start")
    en = n.pick("en", "bit_valid", "sin_valid", "strobe") if rng.random() < 0.5 else None
    word = n.pick("dout", "data", "parallel_out", "q", "rx_word")
    valid = n.pick("valid", "word_valid", "done", "out_valid")
    sh, cnt = n.pick("shreg", "sh", "collect", "acc"), n.pick("cnt", "pos", "nbits")
    cw = width.bit_length()
    style = n.choose(("merged", "next"))
    held = style == "next"
    entered = f"{{{sh}[{width - 2}:0], {sin}}}" if msb else f"{{{sin}, {sh}[{width - 1}:1]}}"
    ports = (
        *cr.ports,
        *([PortDecl("input", en, 1, "bit is valid")] if en else []),
        PortDecl("input", sin, 1, "serial data"),
        PortDecl("input", first, 1, "marks the first bit of a word"),
        PortDecl("output", word, width, "collected word", reg=held),
        PortDecl("output", valid, 1, "word complete, one cycle", reg=True),
    )
    last = f"{cnt} == {cw}'d{width - 1}"
    body = (
        f"if ({first} || {cnt} != {cw}'d0) begin\n    {sh} <= {entered};\n"
        f"    {cnt} <= {first} ? {cw}'d1 : ({last}) ? {cw}'d0 : {cnt} + 1'b1;\n"
        f"    {valid} <= !{first} && ({last});\n"
        + (f"    if (!{first} && {last})\n        {word} <= {entered};\n" if held else "")
        + "end"
    )
    if en:
        body = f"if ({en}) begin\n{indent(body)}\nend"
    clear = f"{sh} <= {width}'d0;\n{cnt} <= {cw}'d0;\n{valid} <= 1'b0;"
    if held:
        clear += f"\n{word} <= {width}'d0;"
    parts = [
        f"reg [{width - 1}:0] {sh};",
        f"reg [{cw - 1}:0] {cnt};",
        cr.process(clear, f"{valid} <= 1'b0;\n{body}"),
        "" if held else f"assign {word} = {sh};",
    ]

    def advance(s: State, i: Mapping[str, int]) -> dict[str, int | None]:
        done = 0
        if (not en or i[en]) and (i[first] or s["bits"]):
            s["bits"] = ([] if i[first] else s["bits"]) + [i[sin]]
            if len(s["bits"]) == width:
                bits = s["bits"] if msb else s["bits"][::-1]
                s["w"], s["bits"], done = int("".join(map(str, bits)), 2), [], 1
        return {word: s["w"] if held or done else None, valid: done}

    long, short = _order(msb)
    facts: list[Behaviour] = [
        (
            f"{first} high marks the first bit of a word on {sin}; the word has {width} bits, one per {'cycle with ' + en + ' high' if en else 'clock'}, {long} first.",
            f"A word of {width} bits begins with the bit for which `{first}` is high and arrives on `{sin}` {short} first.",
            f"Words are {width} bits long, {short} first on {sin}, aligned by {first} on their first bit.",
        ),
        (
            f"After the edge that samples the last bit, {valid} is high for one clock cycle and {word} shows the whole word.",
            f"`{valid}` pulses for one clock right after bit number {width} has been sampled, with the word on `{word}`.",
            f"As soon as all {width} bits are in, {word} holds the word and {valid} is high for a single cycle.",
        ),
        (
            f"{first} in the middle of a word abandons it and starts a new one with this bit.",
            f"A premature `{first}` restarts the collection; the incomplete word is lost.",
            f"If {first} comes early, the bits so far are dropped and counting begins again at this bit.",
        ),
        (
            f"After a complete word further bits are ignored until {first} is high again.",
            f"Between words, bits without `{first}` do nothing.",
            f"Outside a word it waits for {first}.",
        ),
        (
            (
                f"{word} holds the last complete word until the next one.",
                f"`{word}` is updated only with a complete word.",
                f"Between completions {word} does not change.",
            )
            if held
            else (
                f"{word} matters only while {valid} is high.",
                f"Outside of `{valid}` the value of `{word}` is unspecified.",
                f"{word} need not be stable except in the cycle of {valid}.",
            )
        ),
    ]
    if en:
        facts.append(
            (
                f"Cycles with {en} low are skipped: {sin} and {first} are not looked at.",
                f"`{en}` qualifies `{sin}` and `{first}`.",
                f"Only cycles with {en} = 1 bring a bit.",
            )
        )
    return clocked(
        cr,
        Design(
            family="serial_to_parallel",
            group="protocol",
            params={"width": width, "msb": msb, "qualified": bool(en), "held": held},
            module=module,
            ports=ports,
            rtl=source(module, ports, *parts),
            model=lambda: Machine({"w": 0, "bits": []}, advance),
            titles=(
                f"a {width}-bit serial-to-parallel converter with frame flag",
                f"a deserializer for {width}-bit words, {short} first",
                f"a {width}-bit SIPO receiver aligned by {first}",
                f"a collector that turns a bit stream into {width}-bit words",
            ),
            behaviour=tuple(facts),
            style={"body": style},
            stimulus=biased(
                {sin: 1, first: 1, **({en: 1} if en else {})}, {first: 0.11, en or "": 0.8}
            ),
        ),
    )
