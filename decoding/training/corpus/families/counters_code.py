"""Counters in other codes: decimal and Gray."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..registry import family
from ._phrases import facts, says_clear, says_hold, says_priority
from ._seq import Bus, Draft, Machine, Outputs, State, chain

if TYPE_CHECKING:
    import random
    from collections.abc import Mapping

    from ..design import Design

__all__: list[str] = []

_EN = ("en", "enable", "ce", "cnt_en", "advance", "tick", "step")
_CLR = ("clr", "clear", "sclr", "sync_clr", "restart")


@family("bcd_counter")
def bcd_counter(rng: random.Random) -> Design:
    """One decimal digit with carry out."""
    d = Draft(
        rng,
        "counters",
        "bcd_counter decade_counter decimal_counter bcd_digit digit_counter",
    )
    w = d.bus(4)
    clr = d.maybe(0.3, "synchronous clear", *_CLR)
    en = d.maybe(0.7, "count enable", *_EN)
    down = d.maybe(0.2, "count down", "down", "dn", "dec", "count_down")
    out, q = d.registered(
        "BCD digit", ("digit", "q", "bcd", "value", "count"), ("digit_r", "cnt", "bcd_q"), w
    )
    carry = ""
    if not down and rng.random() < 0.6:
        carry = d.output("carry to the next digit", "carry", "co", "cout", "tc", "ripple")
        gate = f"{en} && " if en else ""
        d.tail(f"assign {carry} = {gate}({q} == 4'd9);")
    up_move = f"{q} <= ({q} == 4'd9) ? 4'd0 : {q} + 4'd1;"
    if rng.random() < 0.5:
        up_move = chain((f"{q} == 4'd9", f"{q} <= 4'd0;"), (None, f"{q} <= {q} + 1'b1;"))
    down_move = f"{q} <= ({q} == 4'd0) ? 4'd9 : {q} - 4'd1;"
    move = chain((down, down_move), (None, up_move))
    d.clocked(f"{q} <= {w.zero};", chain((clr, f"{q} <= {w.zero};"), (en or None, move)))

    def step(s: State, i: Mapping[str, int]) -> Outputs:
        if i.get(clr):
            s["q"] = 0
        elif i.get(en, 1):
            s["q"] = (s["q"] + (-1 if i.get(down) else 1)) % 10
        flag = int(s["q"] == 9 and i.get(en, 1) == 1)
        return {out: s["q"], carry: flag} if carry else {out: s["q"]}

    gate = f" while {en} is high" if en else ""
    return d.finish(
        "bcd_counter",
        {"clear": bool(clr), "enable": bool(en), "down": bool(down), "carry": bool(carry)},
        lambda: Machine({"q": 0}, step),
        (
            "a one-digit BCD counter",
            "a decade counter",
            "a decimal digit counter (0 to 9)",
            "a BCD digit that counts from 0 to 9",
        ),
        facts(
            (
                f"{down} selects the direction: low counts 0 to 9 and around, high counts 9 to 0 "
                "and around.",
                f"With `{down}` = 0 it increments (9 is followed by 0), with `{down}` = 1 it "
                "decrements (0 is followed by 9).",
                f"The digit goes up when {down} is low and down when it is high, modulo ten.",
            )
            if down
            else (
                "It counts up and 9 is followed by 0.",
                f"`{out}` increments modulo ten.",
                f"The digit on {out} runs through 0, 1, …, 9, 0, …",
            ),
            says_hold(en, "the digit")
            or ("It counts every clock cycle.", "A step is made on each rising edge.", ""),
            says_clear(clr, "the digit"),
            says_priority(clr, en),
            (
                f"{carry} is high while the digit is 9{' and ' + en + ' is high' if en else ''}.",
                f"`{carry}` is combinational: digit equal to 9{gate}.",
                f"For chaining digits, {carry} = 1 at 9{gate}, else 0.",
            )
            if carry
            else None,
        ),
    )


@family("bcd_counter_2digit")
def bcd_counter_2digit(rng: random.Random) -> Design:
    """Two decimal digits, up to 99 or another last value."""
    d = Draft(rng, "counters", "bcd2_counter two_digit_counter bcd_counter dec_counter counter_99")
    digit = d.bus(4)
    en = d.maybe(0.7, "count enable", *_EN)
    last = rng.choice((99, 99, 99, 59, 23, 11, 31, 49))
    packed = rng.random() < 0.35
    if packed:
        both = d.output("two BCD digits, tens in [7:4]", "bcd", "q", "value", "count", bus=Bus(8))
        tens = d.reg("tens", "hi_digit", "tens_r", bus=digit)
        ones = d.reg("ones", "lo_digit", "ones_r", bus=digit)
        d.tail(f"assign {both} = {{{tens}, {ones}}};")
    else:
        both = ""
        tens = d.output("tens digit", "tens", "hi", "digit1", "bcd_tens", bus=digit, reg=True)
        ones = d.output("ones digit", "ones", "lo", "digit0", "units", bus=digit, reg=True)
    zero = f"{tens} <= 4'd0;\n{ones} <= 4'd0;"
    nine = chain(
        (f"{ones} == 4'd9", f"{ones} <= 4'd0;\n{tens} <= {tens} + 1'b1;"),
        (None, f"{ones} <= {ones} + 1'b1;"),
    )
    if last == 99:
        rise = chain((f"{tens} == 4'd9", f"{tens} <= 4'd0;"), (None, f"{tens} <= {tens} + 1'b1;"))
        move = chain(
            (f"{ones} == 4'd9", f"{ones} <= 4'd0;\n{rise}"), (None, f"{ones} <= {ones} + 1'b1;")
        )
    else:
        at = f"{tens} == 4'd{last // 10} && {ones} == 4'd{last % 10}"
        first, rest = nine.split("\n", 1)
        move = (
            f"if ({at}) begin\n    {tens} <= 4'd0;\n    {ones} <= 4'd0;\nend else {first}\n{rest}"
        )
    d.clocked(zero, chain((en or None, move)))

    def step(s: State, i: Mapping[str, int]) -> Outputs:
        if i.get(en, 1):
            s["q"] = (s["q"] + 1) % (last + 1)
        high, low = divmod(s["q"], 10)
        return {both: high * 16 + low} if both else {tens: high, ones: low}

    where = (
        f"the tens in {both}[7:4] and the ones in {both}[3:0]"
        if both
        else f"the tens on {tens} and the ones on {ones}"
    )
    return d.finish(
        "bcd_counter_2digit",
        {"last": last, "enable": bool(en), "packed": packed},
        lambda: Machine({"q": 0}, step),
        (
            f"a two-digit BCD counter from 00 to {last}",
            f"a two digit decimal counter counting 00 to {last}",
            f"a BCD up counter with tens and ones, wrapping after {last}",
            f"a decimal counter of two digits, modulo {last + 1}",
        ),
        facts(
            (
                f"It counts up in decimal, with {where}.",
                f"Two BCD digits are kept, {where}; each step adds one.",
                f"Each step increments the decimal number, {where}.",
            ),
            (
                f"After {last} it starts again at 00.",
                f"The value {last} is followed by 00.",
                f"It rolls over from {last} to 00.",
            ),
            says_hold(en, "the value")
            or ("It counts every clock cycle.", "A step is made on each rising edge.", ""),
        ),
    )


@family("gray_counter")
def gray_counter(rng: random.Random) -> Design:
    """Counter whose output is reflected Gray code."""
    d = Draft(rng, "counters", "gray_counter gray_cnt graycode_counter gray_ptr counter_gray")
    w = d.bus(rng.choice((3, 3, 4, 4, 5, 6, 8)), parameter=True)
    en = d.maybe(0.75, "count enable", *_EN, "inc")
    style = d.one_of("comb", "comb", "registered")
    b = d.reg("bin", "bin_cnt", "binary", "cnt_bin", "b", bus=w)
    if style == "comb":
        out = d.output("Gray coded count", "gray", "g", "q", "gray_out", "code", bus=w)
        d.clocked(f"{b} <= {w.zero};", chain((en or None, f"{b} <= {b} + 1'b1;")))
        d.tail(f"assign {out} = {d.one_of(f'{b} ^ ({b} >> 1)', f'({b} >> 1) ^ {b}')};")
    else:
        out = d.output("Gray coded count", "gray", "g", "q", "gray_out", "code", bus=w, reg=True)
        step_name = d.wire("bin_next", "next_bin", "bin_inc", bus=w)
        d.add(f"assign {step_name} = {b} + 1'b1;")
        both = f"{b} <= {step_name};\n{out} <= {step_name} ^ ({step_name} >> 1);"
        d.clocked(f"{b} <= {w.zero};\n{out} <= {w.zero};", chain((en or None, both)))

    def step(s: State, i: Mapping[str, int]) -> Outputs:
        s["q"] = (s["q"] + i.get(en, 1)) & w.top
        return {out: s["q"] ^ s["q"] >> 1}

    width = w.width
    return d.finish(
        "gray_counter",
        {"width": width, "enable": bool(en)},
        lambda: Machine({"q": 0}, step),
        (
            f"a {width}-bit Gray code counter",
            f"a counter with Gray-coded output, {width} bits",
            f"a {width} bit reflected-binary (Gray) counter",
            f"a {width}-bit counter in which one output bit changes per step",
        ),
        facts(
            (
                f"{out} is the Gray code of a binary up counter, b ^ (b >> 1), that starts at 0.",
                f"`{out}` steps through the reflected Gray sequence 0, 1, 3, 2, 6, 7, 5, 4, …",
                "Internally it counts in binary from zero; the output is that count exclusive-or "
                "itself shifted right by one.",
            ),
            says_hold(en, "the code")
            or (
                "It advances in every clock cycle.",
                "Each rising edge takes it to the next code.",
                "It steps continuously.",
            ),
            (
                f"After {1 << width} steps the sequence repeats.",
                "It wraps around to 0 at the end of the sequence.",
                "",
            ),
        ),
    )
