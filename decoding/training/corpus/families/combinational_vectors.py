"""Vectors rearranged: reversal, swaps."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..build import mask
from ..design import Design, PortDecl
from ..names import Names
from ..registry import family
from ._combinational import always, an, combinational, draw_width, sentence, target

if TYPE_CHECKING:
    import random
    from collections.abc import Mapping

__all__: list[str] = []

_IN = ("in", "d", "x", "a", "data_in", "din", "data", "i_data", "word")


_OUT = ("out", "q", "y", "b", "data_out", "dout", "result", "o_data", "z")


@family("bit_reverse")
def bit_reverse(rng: random.Random) -> Design:
    """Mirror a vector, always or on demand."""
    n = Names(rng)
    optional = rng.random() < 0.25
    w = draw_width(rng, n, (4, 5, 6, 8, 8, 10, 16, 24, 32, 64, 100))
    module = n.module("bit_reverse", "reverse_bits", "bitrev", "mirror", "bit_flip")
    a, out = n.pick(*_IN), n.pick(*_OUT)
    en = n.pick("rev", "reverse", "flip", "mirror_en", "mode") if optional else ""
    options = ["loop", "generate"] + (["concat"] * 2 if w.value <= 8 and not w.parameter else [])
    style = n.choose(options)
    t = target(rng, n, out, w.span)
    flip = f"{a}[{w.top}-i]" if w.parameter else f"{a}[{w.value - 1} - i]"
    if style == "concat":
        bits = ", ".join(f"{a}[{i}]" for i in range(w.value))
        text = f"assign {out} = {en} ? {{{bits}}} : {a};" if en else f"assign {out} = {{{bits}}};"
    elif style == "loop":
        value = f"{en} ? {flip} : {a}[i]" if en else flip
        body = f"for (i = 0; i < {w.text}; i = i + 1)\n    {t.name}[i] = {value};"
        text = t.wrap(f"integer i;\n{always(rng, body)}")
    else:
        value = f"{en} ? {flip} : {a}[i]" if en else flip
        text = (
            f"genvar i;\ngenerate\n    for (i = 0; i < {w.text}; i = i + 1) begin : g_rev\n"
            f"        assign {out}[i] = {value};\n    end\nendgenerate"
        )
    ports = [PortDecl("input", a, w.value, "word", range=w.range)]
    if en:
        ports.append(PortDecl("input", en, 1, "reverse when high"))
    ports.append(
        PortDecl(
            "output", out, w.value, "mirrored word", reg=style == "loop" and t.reg, range=w.range
        )
    )

    def model(i: Mapping[str, int]) -> Mapping[str, int | None]:
        if en and not i[en]:
            return {out: i[a]}
        return {out: int(f"{i[a]:0{w.value}b}"[::-1], 2)}

    when = f"When {en} is 1, " if en else ""
    rest = f" With {en} = 0 the word passes unchanged." if en else ""
    return combinational(
        rng,
        family="bit_reverse",
        group="combinational",
        params={"width": w.value, "optional": optional},
        module=module,
        ports=ports,
        body=text,
        function=model,
        width=w,
        titles=(
            an(f"{w.value}-bit bit reverser"),
            f"a block that mirrors {an(f'{w.value}-bit word')}",
            f"a circuit that reverses the bit order of a {w.value} bit vector",
            f"a bit-order swap for {w.value} bits (MSB becomes LSB)",
        ),
        behaviour=(
            (
                f"{when}{out}[i] = {a}[{w.value - 1}-i].{rest}",
                f"{sentence(when, 'bit')} 0 of {a} goes to bit {w.value - 1} of {out}, bit 1 to bit "
                f"{w.value - 2}, and so on.{rest}",
                f"{sentence(when, 'the bits')} of `{a}` appear on `{out}` in reversed order.{rest}",
            ),
        ),
        style=style,
    )


@family("byte_swap")
def byte_swap(rng: random.Random) -> Design:
    """Reverse the order of bytes, half-words or nibbles."""
    n = Names(rng)
    unit, count = rng.choice(
        ((8, 2), (8, 2), (8, 4), (8, 4), (8, 4), (8, 8), (4, 2), (4, 4), (16, 2))
    )
    total = unit * count
    word = {4: "nibble", 8: "byte", 16: "half-word"}[unit]
    module = n.module(
        "byte_swap" if unit == 8 else "swapper", "endian_swap", "bswap", "swap", "reorder"
    )
    a, out = n.pick(*_IN), n.pick(*_OUT)
    en = n.pick("swap", "swap_en", "big_endian", "bswap", "sel") if rng.random() < 0.35 else ""
    style = n.choose(("concat", "concat", "slices", "loop"))
    parts = [f"{a}[{unit * k + unit - 1}:{unit * k}]" for k in range(count)]
    joined = f"{{{', '.join(parts)}}}"
    reg = style == "loop"
    if style == "concat":
        text = f"assign {out} = {en} ? {joined} : {a};" if en else f"assign {out} = {joined};"
    elif style == "slices":
        rows = []
        for k in range(count):
            high = unit * (count - k) - 1
            span = f"[{high}:{high - unit + 1}]"
            value = f"{en} ? {parts[k]} : {a}{span}" if en else parts[k]
            rows.append(f"assign {out}{span} = {value};")
        text = "\n".join(rows)
    else:
        source = f"{a}[{unit}*({count - 1}-k) +: {unit}]"
        value = f"{en} ? {source} : {a}[{unit}*k +: {unit}]" if en else source
        body = f"for (k = 0; k < {count}; k = k + 1)\n    {out}[{unit}*k +: {unit}] = {value};"
        text = f"integer k;\n{always(rng, body)}"
    ports = [PortDecl("input", a, total, "word")]
    if en:
        ports.append(PortDecl("input", en, 1, "swap when high"))
    ports.append(PortDecl("output", out, total, f"word with {word}s swapped", reg=reg))

    def model(i: Mapping[str, int]) -> Mapping[str, int | None]:
        if en and not i[en]:
            return {out: i[a]}
        value = 0
        for k in range(count):
            value = value << unit | mask(i[a] >> unit * k, unit)
        return {out: value}

    when = f"If {en} is high, " if en else ""
    rest = f" If {en} is low {out} equals {a}." if en else ""
    return combinational(
        rng,
        family="byte_swap",
        group="combinational",
        params={"unit": unit, "count": count, "optional": bool(en)},
        module=module,
        ports=ports,
        body=text,
        function=model,
        titles=(
            an(f"{total}-bit {word} swapper"),
            f"a {word} order reversal for {total}-bit words",
            f"a circuit that reverses the order of the {count} {word}s of a word",
            f"an endianness converter working on {word}s of a {total}-bit vector",
        ),
        behaviour=(
            (
                f"{sentence(when, 'the')} {word}s of {a} appear on {out} in reversed order; bits within a {word} "
                f"keep their order.{rest}",
                f"{sentence(when, 'the lowest')} {word} of `{a}` becomes the highest {word} of `{out}` and so "
                f"on.{rest}",
                f"{sentence(when, word)} k of {out} is {word} {count - 1}-k of {a}.{rest}",
            ),
        ),
        style=style,
    )
