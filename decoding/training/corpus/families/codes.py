"""Counting: ones, leading zeros."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..build import indent, mask
from ..design import Behaviour, Design, PortDecl
from ..names import Names
from ..registry import family
from ._combinational import always, an, combinational, target

if TYPE_CHECKING:
    import random
    from collections.abc import Mapping

__all__: list[str] = []

_IN = ("in", "d", "x", "a", "data", "vec", "din", "word")


@family("popcount")
def popcount(rng: random.Random) -> Design:
    """Number of ones (or zeros) in a vector."""
    n = Names(rng)
    width = rng.choice((3, 3, 4, 5, 6, 7, 8, 8, 8, 12, 16, 16, 32))
    zeros = rng.random() < 0.2
    bits = width.bit_length()
    a, out = (
        n.pick(*_IN),
        n.pick("count", "cnt", "ones" if not zeros else "zeros", "out", "y", "total"),
    )
    style = n.choose(
        ["loop", "loop", "function"]
        + (["sum"] if width <= 8 else [])
        + (["tree"] if width in (4, 8) else [])
    )
    t = target(rng, n, out, f"[{bits - 1}:0] ")
    bit = f"!{a}[i]" if zeros else f"{a}[i]"
    reg = False
    if style == "loop":
        reg = t.reg
        body = f"{t.name} = {bits}'d0;\nfor (i = 0; i < {width}; i = i + 1)\n"
        body += rng.choice(
            (
                f"    if ({bit})\n        {t.name} = {t.name} + 1'b1;",
                f"    {t.name} = {t.name} + {bit};",
            )
        )
        text = t.wrap(f"integer i;\n{always(rng, body)}")
    elif style == "function":
        f = n.pick("count_ones", "popcnt", "ones_in", "weight")
        source = f"~{a}" if zeros else a
        inner = f"{f} = {bits}'d0;\nfor (i = 0; i < {width}; i = i + 1)\n    {f} = {f} + v[i];"
        text = (
            f"function [{bits - 1}:0] {f};\n    input [{width - 1}:0] v;\n    integer i;\n    "
            "begin\n"
            f"{indent(inner, 8)}\n    end\nendfunction\n\nassign {out} = {f}({source});"
        )
    elif style == "tree":
        inv, lines, layer = ("~" if zeros else ""), [], []
        for k in range(0, width, 2):
            name = n.pick(f"s{k // 2}", f"p{k // 2}")
            lines.append(
                f"wire [1:0] {name} = {{1'b0, {inv}{a}[{k}]}} + {{1'b0, {inv}{a}[{k + 1}]}};"
            )
            layer.append(name)
        size = 2
        while len(layer) > 2:
            layer2 = []
            for k in range(0, len(layer), 2):
                name = n.pick(f"t{k // 2}", f"q{k // 2}")
                lines.append(
                    f"wire [{size}:0] {name} = {{1'b0, {layer[k]}}} + {{1'b0, {layer[k + 1]}}};"
                )
                layer2.append(name)
            layer, size = layer2, size + 1
        text = "\n".join([*lines, f"assign {out} = {{1'b0, {layer[0]}}} + {{1'b0, {layer[1]}}};"])
    else:
        inv = "~" if zeros else ""
        pad = f"{bits - 1}'d0"
        terms = " + ".join(f"{{{pad}, {inv}{a}[{k}]}}" for k in range(width))
        text = f"assign {out} = {terms};"
    ports = [PortDecl("input", a, width, "vector"), PortDecl("output", out, bits, "count", reg=reg)]

    def model(i: Mapping[str, int]) -> Mapping[str, int | None]:
        ones = i[a].bit_count()
        return {out: width - ones if zeros else ones}

    what = "zeros" if zeros else "ones"
    digit = "0" if zeros else "1"
    return combinational(
        rng,
        family="popcount",
        group="codes",
        params={"width": width, "zeros": zeros},
        module=n.module(
            "popcount", f"count_{what}", f"popcnt{width}", "bit_counter", "hamming_weight"
        ),
        ports=ports,
        body=text,
        function=model,
        titles=(
            an(f"{width}-bit population count of {what}"),
            f"a circuit that counts the number of '{digit}'s in {an(f'{width}-bit vector')}",
            an(f"{what} counter for a {width}-bit word (combinational)"),
            f"a bit counter that tells how many of {width} bits are {digit}",
        ),
        behaviour=(
            (
                f"{out} is the number of bits of {a} that are {digit}.",
                f"`{out}` counts the {what} in `{a}` (0 to {width}).",
                f"Count all {what} among the {width} bits of {a} and put the total on {out}.",
            ),
        ),
        style=style,
    )


@family("leading_zeros")
def leading_zeros(rng: random.Random) -> Design:
    """Leading or trailing zero (or one) count."""
    n = Names(rng)
    width = rng.choice((4, 5, 8, 8, 8, 16, 16, 32))
    leading, ones = rng.random() < 0.65, rng.random() < 0.15
    bits = width.bit_length()
    a, out = n.pick(*_IN), n.pick("count", "lz" if leading else "tz", "cnt", "n_zeros", "out")
    flag = n.pick("all_zero", "empty", "none", "z") if not ones and rng.random() < 0.35 else ""
    style = n.choose(("loop", "scan") + (("casez",) if width <= 8 else ()))
    t = target(rng, n, out, f"[{bits - 1}:0] ")
    stop, go = ("0", "1") if ones else ("1", "0")
    bit = f"!{a}[i]" if ones else f"{a}[i]"
    head = ""
    if style == "casez":
        rows = []
        for k in range(width):
            pattern = go * k + stop + "?" * (width - 1 - k)
            pattern = pattern if leading else pattern[::-1]
            rows.append(f"    {width}'b{pattern}: {t.name} = {bits}'d{k};")
        body = "\n".join(
            [f"casez ({a})", *rows, f"    default: {t.name} = {bits}'d{width};", "endcase"]
        )
    elif style == "loop":
        # The last assignment wins, so the scan runs towards the end that counts.
        head = "integer i;\n"
        run = f"i = 0; i < {width}; i = i + 1" if leading else f"i = {width - 1}; i >= 0; i = i - 1"
        index = f"{bits}'d{width - 1} - i[{bits - 1}:0]" if leading else f"i[{bits - 1}:0]"
        body = (
            f"{t.name} = {bits}'d{width};\nfor ({run})\n    if ({bit})\n        {t.name} = {index};"
        )
    else:
        done = n.pick("found", "done", "seen")
        head = f"integer i;\nreg {done};\n"
        run = f"i = {width - 1}; i >= 0; i = i - 1" if leading else f"i = 0; i < {width}; i = i + 1"
        inner = (
            f"if ({bit})\n    {done} = 1'b1;\nelse if (!{done})\n    {t.name} = {t.name} + 1'b1;"
        )
        body = f"{t.name} = {bits}'d0;\n{done} = 1'b0;\nfor ({run})\n{indent(inner)}"
    text = t.wrap(head + always(rng, body))
    if flag:
        text += f"\nassign {flag} = ({a} == {width}'d0);"
    ports = [
        PortDecl("input", a, width, "vector"),
        PortDecl("output", out, bits, "count", reg=t.reg),
    ]
    ports += [PortDecl("output", flag, 1, "no bit is set")] if flag else []

    def model(i: Mapping[str, int]) -> Mapping[str, int | None]:
        value = mask(~i[a], width) if ones else i[a]
        if not value:
            count = width
        else:
            count = width - value.bit_length() if leading else (value & -value).bit_length() - 1
        return {out: count} | ({flag: int(i[a] == 0)} if flag else {})

    side, end = ("leading", "most") if leading else ("trailing", "least")
    what, digit, other = ("ones", "1", "0") if ones else ("zeros", "0", "1")
    facts: list[Behaviour] = [
        (
            f"{out} is the number of {side} {what} of {a}, counted from the {end} significant bit.",
            f"`{out}` tells how many {what} precede the first {other}, starting at the {end} "
            f"significant bit of `{a}`.",
            f"Count consecutive {digit} bits of {a} from bit {width - 1 if leading else 0} until "
            "the "
            f"first {other}.",
        ),
        (
            f"If all bits are {digit} the count is {width}.",
            f"A word without any {other} gives {width}.",
            f"{out} = {width} when {a} contains no {other}.",
        ),
    ]
    if flag:
        facts.append(
            (
                f"{flag} is 1 if {a} is zero.",
                f"`{flag}` = ({a} == 0).",
                f"An all-zero word raises {flag}.",
            )
        )
    short = f"{'l' if leading else 't'}{'o' if ones else 'z'}"
    return combinational(
        rng,
        family="leading_zeros",
        group="codes",
        params={"width": width, "leading": leading, "ones": ones, "flag": bool(flag)},
        module=n.module(
            f"{short}c",
            f"count_{side}_{what}",
            f"{'c' + short}",
            f"{side}_{what}",
            f"{short}d{width}",
        ),
        ports=ports,
        body=text,
        function=model,
        titles=(
            f"a {side} {what} counter for {width} bits",
            an(f"{width}-bit {side}-{what[:-1]} count"),
            f"a combinational {side} {what[:-1]} counter, {width} bits wide",
            f"a circuit that counts {side} {what} of {an(f'{width}-bit word')}",
        ),
        behaviour=tuple(facts),
        style=style,
    )
