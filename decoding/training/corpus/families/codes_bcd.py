"""Binary-coded decimal."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..build import indent, mask
from ..design import Behaviour, Design, PortDecl
from ..names import Names
from ..registry import family
from ._combinational import always, an, combinational, pair

if TYPE_CHECKING:
    import random
    from collections.abc import Mapping

__all__: list[str] = []


@family("bcd_adder")
def bcd_adder(rng: random.Random) -> Design:
    """One-digit BCD adder, or several digits built from it."""
    n = Names(rng)
    digits = rng.choice((1, 1, 1, 2, 4))
    a, b = pair(rng, n, ("bcd_a", "bcd_b"))
    cin = n.pick("cin", "ci", "carry_in", "c_in") if digits > 1 or rng.random() < 0.7 else ""
    s, co = n.pick("sum", "s", "digit", "result"), n.pick("cout", "co", "carry_out", "carry")
    plus = f" + {cin}" if cin else ""
    raw = n.pick("raw", "t", "bin_sum", "total")
    cell = n.pick("bcd_digit", "digit_add", "bcd1")
    core = "wire [4:0] {raw} = {{1'b0, {a}}} + {{1'b0, {b}}}{plus};\n"
    style = n.choose(("ternary", "always")) if digits == 1 else "cells"
    helper, reg = "", False
    if digits == 1:
        text = core.format(raw=raw, a=a, b=b, plus=plus)
        if style == "ternary":
            over = n.pick("over", "adjust", "gt9")
            text += f"wire {over} = ({raw} > 5'd9);\nassign {co} = {over};\nassign {s} = {over} ? {raw}[3:0] + 4'd6 : {raw}[3:0];"
        else:
            reg = True
            text += always(
                rng,
                f"if ({raw} > 5'd9) begin\n    {s} = {raw}[3:0] + 4'd6;\n    {co} = 1'b1;\n"
                f"end else begin\n    {s} = {raw}[3:0];\n    {co} = 1'b0;\nend",
            )
    else:
        c = n.pick("c", "cy", "carries")
        text = (
            f"wire [{digits}:0] {c};\nassign {c}[0] = {cin};\nassign {co} = "
            f"{c}[{digits}];\ngenvar k;\ngenerate\n"
            f"    for (k = 0; k < {digits}; k = k + 1) begin : dig\n        {cell} u (\n"
            f"            .a({a}[4*k +: 4]), .b({b}[4*k +: 4]), .ci({c}[k]),\n"
            f"            .s({s}[4*k +: 4]), .co({c}[k+1])\n        );\n    end\nendgenerate"
        )
        helper = (
            f"module {cell} (\n    input [3:0] a,\n    input [3:0] b,\n    input ci,\n    output "
            "[3:0] s,\n"
            "    output co\n);\n    wire [4:0] t = {1'b0, a} + {1'b0, b} + ci;\n    assign co = "
            "(t > 5'd9);\n"
            "    assign s = co ? t[3:0] + 4'd6 : t[3:0];\nendmodule\n"
        )
    ports = [PortDecl("input", x, 4 * digits, "BCD operand") for x in (a, b)]
    ports += [PortDecl("input", cin, 1, "carry in")] if cin else []
    ports += [
        PortDecl("output", s, 4 * digits, "BCD sum", reg=reg),
        PortDecl("output", co, 1, "decimal carry", reg=reg),
    ]

    def model(i: Mapping[str, int]) -> Mapping[str, int | None]:
        carry, value = (i[cin] if cin else 0), 0
        for k in range(digits):
            x, y = mask(i[a] >> 4 * k, 4), mask(i[b] >> 4 * k, 4)
            if x > 9 or y > 9:
                return {}  # no BCD digits: nothing is promised
            total = x + y + carry
            carry = int(total > 9)
            value |= mask(total + 6 * carry, 4) << 4 * k
        return {s: value, co: carry}

    def stimulus(source: random.Random, cycles: int) -> list[dict[str, int]]:
        rows = []
        for _ in range(cycles):
            top = source.choice((9, 9, 9, 1)) if cycles else 9
            row = {
                x: sum(source.randint(9 - top, 9) << 4 * k for k in range(digits)) for x in (a, b)
            }
            rows.append(row | ({cin: source.getrandbits(1)} if cin else {}))
        return rows

    what = "one decimal digit" if digits == 1 else f"{digits} decimal digits"
    return combinational(
        rng,
        family="bcd_adder",
        group="codes",
        params={"digits": digits, "cin": bool(cin)},
        module=n.module("bcd_adder", "bcd_add", f"bcd_add{digits}", "decimal_adder", "bcdadd"),
        ports=ports,
        body=text,
        function=model,
        helpers=helper,
        stimulus=stimulus,
        titles=(
            f"a BCD adder for {what}",
            f"a {digits}-digit BCD adder" + (" with carry in" if cin else ""),
            f"a decimal adder on binary-coded digits ({4 * digits} bits)",
            f"a binary-coded-decimal adder, {what} wide",
        ),
        behaviour=(
            (
                f"{s} and the decimal carry {co} are the BCD sum of {a}, "
                f"{b}{f' and {cin}' if cin else ''}.",
                f"Add the BCD operands `{a}` and `{b}`{f' and the carry `{cin}`' if cin else ''}; "
                f"`{s}` is "
                f"again BCD and `{co}` the carry out of the top digit.",
                "Each digit whose sum exceeds 9 is corrected by 6 and carries into the next; the "
                "sum is "
                f"{s}{f', the carry in is {cin}' if cin else ''} and the last carry is {co}.",
            ),
            (
                "The operands hold valid BCD digits only.",
                "Inputs above 9 in a digit do not occur.",
                "",
            ),
        )
        + (
            (
                (
                    "The least significant digit is in bits 3:0.",
                    "Digits are packed, lowest digit in the low nibble.",
                    "",
                ),
            )
            if digits > 1
            else ()
        ),
        style=style,
    )


@family("bin_to_bcd")
def bin_to_bcd(rng: random.Random) -> Design:
    """Combinational double dabble, or division by ten for small numbers."""
    n = Names(rng)
    width = rng.choice((4, 5, 6, 7, 8, 8, 10, 12))
    digits = len(str((1 << width) - 1))
    a = n.pick("bin", "x", "value", "in", "binary")
    split = digits <= 3 and rng.random() < 0.4
    pools = (("ones", "units", "u"), ("tens", "t", "ten"), ("hundreds", "h", "hund"))
    outs = (
        [n.pick(*pools[k]) for k in range(digits)]
        if split
        else [n.pick("bcd", "out", "dec", "digits")]
    )
    options = ["divide"] if width <= 8 else []
    style = n.choose([*options, "dabble", "dabble"])
    reg = False
    if style == "divide":
        parts = [
            f"({a} / {width}'d{10**k}) % {width}'d10" if k else f"{a} % {width}'d10"
            for k in range(digits)
        ]
        names = [n.pick(f"dig{k}", f"rem{k}") for k in range(digits)]
        goals = outs if split else [f"{outs[0]}[{4 * k + 3}:{4 * k}]" for k in range(digits)]
        rows = zip(names, parts, goals, strict=True)
        text = "\n".join(
            f"wire [{width - 1}:0] {d} = {e};\nassign {y} = {d}[3:0];" for d, e, y in rows
        )
    else:
        total = 4 * digits
        acc = n.pick("acc", "scratch", "bcd_r", "sh") if split else outs[0]
        reg = not split
        fix = "\n".join(
            f"if ({acc}[{4 * k + 3}:{4 * k}] > 4'd4)\n    {acc}[{4 * k + 3}:{4 * k}] = "
            f"{acc}[{4 * k + 3}:{4 * k}] + 4'd3;"
            for k in range(digits)
        )
        body = (
            f"{acc} = {total}'d0;\nfor (i = {width - 1}; i >= 0; i = i - 1) begin\n{indent(fix)}\n"
            f"    {acc} = {{{acc}[{total - 2}:0], {a}[i]}};\nend"
        )
        text = (
            "integer i;\n" + (f"reg [{total - 1}:0] {acc};\n" if split else "") + always(rng, body)
        )
        if split:
            text += "".join(
                f"\nassign {y} = {acc}[{4 * k + 3}:{4 * k}];" for k, y in enumerate(outs)
            )
    ports = [PortDecl("input", a, width, "binary number")]
    if split:
        ports += [
            PortDecl("output", y, 4, f"decimal digit, weight {10**k}", reg=reg)
            for k, y in reversed(list(enumerate(outs)))
        ]
    else:
        ports.append(PortDecl("output", outs[0], 4 * digits, "BCD digits", reg=reg))

    def model(i: Mapping[str, int]) -> Mapping[str, int | None]:
        text_ = f"{i[a]:0{digits}d}"
        if split:
            return {y: int(text_[digits - 1 - k]) for k, y in enumerate(outs)}
        return {outs[0]: int(text_, 16)}

    weights = ("ones", "tens", "hundreds")
    if split:
        fact: Behaviour = (
            f"{', '.join(f'{y} is the {weights[k]} digit' for k, y in enumerate(outs))} of the "
            f"unsigned number {a}.",
            f"The decimal digits of `{a}` appear on {', '.join(f'`{y}`' for y in reversed(outs))} "
            "(most significant first).",
            f"Split {a} into decimal digits: "
            f"{', '.join(f'{y} ({10**k})' for k, y in enumerate(outs))}.",
        )
    else:
        fact = (
            f"{outs[0]} holds the {digits} decimal digits of the unsigned number {a}, four bits "
            "each, units lowest.",
            f"`{outs[0]}`[3:0] is the ones digit of `{a}`, the next nibble the tens and so on "
            f"({digits} BCD digits).",
            f"Convert {a} to packed BCD with {digits} digits on {outs[0]}, least significant "
            "digit in bits 3:0.",
        )
    facts: list[Behaviour] = [fact]
    if style == "dabble":
        facts.append(
            ("Use the double dabble (shift and add 3) method.", "It works by shift-and-add-3.", "")
        )
    return combinational(
        rng,
        family="bin_to_bcd",
        group="codes",
        params={"width": width, "split": split},
        module=n.module(
            "bin2bcd",
            "bin_to_bcd",
            "double_dabble" if style == "dabble" else "to_decimal",
            "bcd_convert",
            "dec_digits",
        ),
        ports=ports,
        body=text,
        function=model,
        titles=(
            an(f"{width}-bit binary to BCD converter"),
            f"a converter from {width}-bit binary to {digits} decimal digits",
            f"a combinational binary-to-BCD block, {width} bits in",
            f"a circuit that turns {an(f'{width}-bit number')} into decimal digits",
        ),
        behaviour=tuple(facts),
        style=style,
    )
