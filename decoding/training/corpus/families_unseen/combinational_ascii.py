"""Hexadecimal digits as characters."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..build import indent
from ..design import Behaviour, Design, PortDecl
from ..families._combinational import always, an, combinational, target
from ..names import Names
from ..registry import family

if TYPE_CHECKING:
    import random
    from collections.abc import Mapping

__all__: list[str] = []

_CHAR = ("ascii", "char", "ch", "c", "txt", "rx_char")


@family("ascii_hex")
def ascii_hex(rng: random.Random) -> Design:
    """Hexadecimal digits to ASCII characters, or a character to its digit with a valid flag."""
    n = Names(rng)
    return _to_ascii(rng, n) if rng.random() < 0.5 else _from_ascii(rng, n)


def _digit(nibble: str, base: int) -> str:
    """The expression of one character."""
    return f"({nibble} < 4'd10) ? 8'h30 + {{4'd0, {nibble}}} : 8'h{base:x} + {{4'd0, {nibble}}}"


def _to_ascii(rng: random.Random, n: Names) -> Design:
    digits, upper = rng.choice((1, 1, 2, 2, 4)), rng.random() < 0.5
    base = 0x37 if upper else 0x57  # the letter A less ten
    width = 4 * digits
    module = n.module("hex_to_ascii", "hex2ascii", "nibble_to_char", "hex_char", "ascii_enc")
    a = n.pick("hex", "nibble", "d", "in", "value") if digits == 1 else n.pick("value", "data", "d", "in", "word")  # fmt: skip
    out = n.pick(*_CHAR) if digits == 1 else n.pick("chars", "text", "ascii", "str_o", "out")
    style = n.choose(("ternary", "function", "table") if digits == 1 else ("function", "loop"))
    reg = False
    name = n.pick("to_char", "hex_char_f", "digit", "conv")
    table = "\n".join(
        f"    4'h{v:x}: {{0}} = 8'h{v + (0x30 if v < 10 else base):x};" for v in range(15)
    )
    table += f"\n    default: {{0}} = 8'h{15 + base:x};"
    if style == "ternary":
        text = f"assign {out} = {_digit(a, base)};"
    elif style == "table":
        t = target(rng, n, out, "[7:0] ")
        reg = t.reg
        text = t.wrap(always(rng, f"case ({a})\n{table.format(t.name)}\nendcase"))
    elif style == "loop":
        reg = True
        arms = f"if ({a}[4*i +: 4] < 4'd10)\n    {out}[8*i +: 8] = 8'h30 + {{4'd0, {a}[4*i +: 4]}};\nelse\n    {out}[8*i +: 8] = 8'h{base:x} + {{4'd0, {a}[4*i +: 4]}};"  # fmt: skip
        text = f"integer i;\n{always(rng, f'for (i = 0; i < {digits}; i = i + 1) begin{chr(10)}{indent(arms)}{chr(10)}end')}"
    else:
        x = n.pick("nib", "v", "h")
        body = f"{name} = {_digit(x, base)};"
        calls = [f"{name}({a}[{4 * k + 3}:{4 * k}])" for k in reversed(range(digits))]
        value = f"{name}({a})" if digits == 1 else f"{{{', '.join(calls)}}}"
        text = f"function [7:0] {name};\n    input [3:0] {x};\n    {body}\nendfunction\nassign {out} = {value};"
    ports = [
        PortDecl("input", a, width, "hexadecimal digits" if digits > 1 else "hexadecimal digit"),
        PortDecl("output", out, 8 * digits, "ASCII code", reg=reg),
    ]

    def model(i: Mapping[str, int]) -> Mapping[str, int | None]:
        shown = f"{i[a]:0{digits}X}" if upper else f"{i[a]:0{digits}x}"
        return {out: int.from_bytes(shown.encode(), "big")}

    case, last = ("upper", "F") if upper else ("lower", "f")
    first = last.replace("F", "A").replace("f", "a")
    facts: list[Behaviour] = [
        (
            f"{'Each digit' if digits > 1 else a} from 0 to 9 becomes the character '0' to '9' (8'h30 to 8'h39) and 10 to 15 becomes '{first}' to '{last}'.",
            f"Digits map to ASCII '0'..'9' and '{first}'..'{last}' ({case} case).",
            f"The ASCII codes are 8'h30 plus the digit up to 9, and 8'h{base:x} plus the digit from 10 on ('{first}' to '{last}').",
        )
    ]
    if digits > 1:
        facts.append(
            (
                f"The most significant digit of {a} is the most significant byte of {out}.",
                f"Bits 3:0 of `{a}` give bits 7:0 of `{out}`, the next digit the next byte, and so on.",
                f"Digit k of {a} (bits 4k+3 to 4k) stands in byte k of {out}.",
            )
        )
    else:
        facts.append(
            (
                f"The character appears on {out}.",
                f"`{out}` is the code of the digit on `{a}`.",
                f"{out} carries the ASCII code for {a}.",
            )
        )
    return combinational(
        rng,
        family="ascii_hex",
        group="combinational",
        params={"decode": False, "digits": digits, "upper": upper},
        module=module,
        ports=ports,
        body=text,
        function=model,
        titles=(
            f"a hexadecimal to ASCII converter for {digits} digit{'s' * (digits > 1)}",
            an(f"{width}-bit binary to {case}-case hex text encoder"),
            f"a circuit that gives the {case}-case ASCII hex digit{'s' * (digits > 1)} of {an(f'{width}-bit number')}",
            f"a hex-to-character encoder, {digits} character{'s' * (digits > 1)} wide",
        ),
        behaviour=tuple(facts),
        style=f"to-{style}",
    )


def _from_ascii(rng: random.Random, n: Names) -> Design:
    letters = rng.choice(("upper", "lower", "both", "both"))
    module = n.module("ascii_to_hex", "ascii2hex", "char_to_nibble", "hex_parse", "ascii_dec")
    a, out = n.pick(*_CHAR), n.pick("hex", "nibble", "digit", "value", "y", "q")
    ok = n.pick("valid", "ok", "is_hex", "legal", "hit")
    style = n.choose(("ifs", "wires", "ranges"))
    ranges = [("9", 0x30, 0x39, 0x30)]
    ranges += [("F", 0x41, 0x46, 0x37)] if letters != "lower" else []
    ranges += [("f", 0x61, 0x66, 0x57)] if letters != "upper" else []
    tests = [f"{a} >= 8'h{lo:x} && {a} <= 8'h{hi:x}" for _, lo, hi, _ in ranges]
    # The low four bits of a letter are 1 to 6: nine less than its digit.
    values = [f"{a}[3:0]" if lo == 0x30 else f"{a}[3:0] + 4'd9" for _, lo, _, _ in ranges]
    reg = style != "wires"
    if style == "ifs":
        rows = [
            f"if ({test}) begin\n    {out} = {value};\n    {ok} = 1'b1;\nend else "
            for test, value in zip(tests, values, strict=True)
        ]
        text = always(rng, "".join(rows) + f"begin\n    {out} = 4'd0;\n    {ok} = 1'b0;\nend")
    elif style == "ranges":
        rows = [
            f"if ({test})\n    {out} = {value};\nelse "
            for test, value in zip(tests, values, strict=True)
        ]
        body = (
            f"{ok} = 1'b1;\n" + "".join(rows) + f"begin\n    {out} = 4'd0;\n    {ok} = 1'b0;\nend"
        )
        text = always(rng, body)
    else:
        num, let = n.pick("is_num", "dec", "d09"), n.pick("is_let", "alpha", "af")
        either = " || ".join(f"({test})" for test in tests[1:])
        text = (
            f"wire {num} = {tests[0]};\nwire {let} = {either};\nassign {ok} = {num} || {let};\n"
            f"assign {out} = {num} ? {a}[3:0] : {let} ? {a}[3:0] + 4'd9 : 4'd0;"
        )
    ports = [
        PortDecl("input", a, 8, "ASCII character"),
        PortDecl("output", out, 4, "digit", reg=reg),
        PortDecl("output", ok, 1, "character is a hexadecimal digit", reg=reg),
    ]

    def model(i: Mapping[str, int]) -> Mapping[str, int | None]:
        for _, lo, hi, base in ranges:
            if lo <= i[a] <= hi:
                return {out: i[a] - base, ok: 1}
        return {out: 0, ok: 0}

    said = {"upper": "'A' to 'F'", "lower": "'a' to 'f'", "both": "'A' to 'F' or 'a' to 'f'"}[
        letters
    ]
    short = {"upper": "A-F", "lower": "a-f", "both": "A-F, a-f"}[letters]
    other = {
        "upper": "Lower-case letters are not accepted.",
        "lower": "Upper-case letters are not accepted.",
        "both": "Upper and lower case mean the same.",
    }[letters]
    return combinational(
        rng,
        family="ascii_hex",
        group="combinational",
        params={"decode": True, "letters": letters},
        module=module,
        ports=ports,
        body=text,
        function=model,
        titles=(
            "an ASCII to hexadecimal digit converter",
            f"a decoder for hexadecimal characters (0-9, {short})",
            f"a parser of one hex character, letters {short}",
            "a circuit that turns an ASCII hex digit into its 4-bit value",
        ),
        behaviour=(
            (
                f"For a character '0' to '9' {out} is 0 to 9, for {said} it is 10 to 15, and {ok} is 1.",
                f"`{out}` is the value of the hex digit in `{a}`; digits are '0' to '9' and {said}. `{ok}` = 1 for these.",
                f"{ok} tells whether {a} is one of '0' to '9' or {said}, and {out} is the 4-bit value of the digit.",
            ),
            (
                f"For any other character {out} and {ok} are 0.",
                f"Everything else gives `{out}` = 0 with `{ok}` low.",
                f"If {a} is no such digit, both {out} and {ok} are zero.",
            ),
            (
                f"{other}",
                f"{other} The codes are 8-bit ASCII.",
                f"{other} Characters with bit 7 set are never digits.",
            ),
        ),
        style=f"from-{style}",
    )
