"""Bits of several words woven into one, and taken apart again."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..design import Design, PortDecl
from ..families._combinational import always, an, combinational, listing, numbered
from ..names import Names
from ..registry import family

if TYPE_CHECKING:
    import random
    from collections.abc import Mapping

__all__: list[str] = []

_WORD = ("code", "z", "morton", "word", "data", "mixed", "bus_w")
_AXES = (("x", "y", "z"), ("a", "b", "c"), ("row", "col", "plane"), ("i_x", "i_y", "i_z"))


def _weave(parts: list[int], width: int) -> int:
    """Bit k of every part in turn, from the lowest bit up."""
    woven = 0
    for k in range(width):
        for place, part in enumerate(parts):
            woven |= (part >> k & 1) << (len(parts) * k + place)
    return woven


def _unweave(word: int, count: int, width: int) -> list[int]:
    """The parts of a woven word."""
    return [sum((word >> (count * k + p) & 1) << k for k in range(width)) for p in range(count)]


def _body(
    rng: random.Random, style: str, word: str, parts: list[str], width: int, *, split: bool
) -> str:
    """RTL in one of the styles; with `split` from the word to the parts."""
    count = len(parts)
    if style == "concat" and split:
        rows = []
        for place, part in enumerate(parts):
            picked = ", ".join(f"{word}[{count * k + place}]" for k in reversed(range(width)))
            rows.append(f"assign {part} = {{{picked}}};")
        return "\n".join(rows)
    if style == "concat":
        bits = [f"{part}[{k}]" for k in reversed(range(width)) for part in reversed(parts)]
        lines = [", ".join(bits[k : k + 12]) for k in range(0, len(bits), 12)]
        return f"assign {word} = {{{(',' + chr(10) + '    ').join(lines)}}};"
    loop = "loop" if style == "loop" else "generate"
    k = {"loop": "i", "generate": "g"}[loop]
    lead = "" if loop == "loop" else "assign "
    rows = []
    for place, part in enumerate(parts):
        index = f"{count}*{k}" + (f" + {place}" if place else "")
        pair = (
            (f"{part}[{k}]", f"{word}[{index}]") if split else (f"{word}[{index}]", f"{part}[{k}]")
        )
        rows.append(f"{lead}{pair[0]} = {pair[1]};")
    if loop == "loop":
        inner = "\n".join(f"    {row}" for row in rows)
        text = f"for (i = 0; i < {width}; i = i + 1) begin\n{inner}\nend"
        return f"integer i;\n{always(rng, text)}"
    inner = "\n".join(f"        {row}" for row in rows)
    return (
        f"genvar g;\ngenerate\n    for (g = 0; g < {width}; g = g + 1) begin : weave\n"
        f"{inner}\n    end\nendgenerate"
    )


@family("bit_interleave")
def bit_interleave(rng: random.Random) -> Design:
    """Interleave the bits of two or three words (Morton code), or take such a word apart."""
    n = Names(rng)
    count, split = rng.choice((2, 2, 2, 3)), rng.random() < 0.4
    width = rng.choice((2, 3, 4, 4, 5, 8, 8, 10, 16) if count == 2 else (2, 3, 4, 5, 8))
    module = n.module(
        *(("bit_deinterleave", "morton_decode", "unweave", "bit_split") if split
          else ("bit_interleave", "morton_encode", "weave_bits", "zorder")),
        "interleaver",
    )  # fmt: skip
    if rng.random() < 0.6:
        parts = [n.pick(axis) for axis in rng.choice(_AXES)[:count]]
    else:
        parts = numbered(rng, n, count, "d", "in", "part") if not split else numbered(rng, n, count, "q", "out", "part")  # fmt: skip
    word = n.pick(*_WORD)
    if rng.random() < 0.3:
        parts.reverse()  # the first one named is not always the one in the lowest bits
    style = n.choose(
        ("loop", "generate", "concat") if width * count <= 24 else ("loop", "generate")
    )
    reg, total = style == "loop", width * count
    shown = sorted(parts)
    if split:
        ports = [PortDecl("input", word, total, "interleaved word")]
        ports += [PortDecl("output", p, width, "separated word", reg=reg) for p in shown]
    else:
        ports = [PortDecl("input", p, width, "word to interleave") for p in shown]
        ports.append(PortDecl("output", word, total, "interleaved word", reg=reg))

    def model(i: Mapping[str, int]) -> Mapping[str, int | None]:
        if split:
            return dict(zip(parts, _unweave(i[word], count, width), strict=True))
        return {word: _weave([i[p] for p in parts], width)}

    every = {2: "second", 3: "third"}[count]
    turn = listing([f"{word}[{k}]" for k in range(count)])
    first = listing([f"{p}[0]" for p in parts])
    rule = listing([f"{word}[{count}*i{f'+{k}' * bool(k)}]" for k in range(count)])
    each = listing([f"{p}[i]" for p in parts])
    starts = listing([f"{p} from bit {k} up" for k, p in enumerate(parts)])
    if split:
        titles = (
            an(f"{total}-bit bit deinterleaver with {count} outputs"),
            f"a Morton code decoder for {count} coordinates of {width} bits",
            f"a circuit that separates a bit-interleaved word into {count} words of {width} bits",
            f"a Z-order decoder from {total} to {count} times {width} bits",
        )
        fact = (
            f"For every i from 0 to {width - 1}, {each} are {rule}, in this order.",
            f"Bits of `{word}` belong to the outputs in turn, from bit 0 up: {turn} are {first}, and so on.",
            f"Each output collects every {every} bit of {word}: {starts}.",
        )
    else:
        titles = (
            f"a bit interleaver for {count} words of {width} bits",
            f"a Morton code encoder for {count} coordinates of {width} bits",
            f"a circuit that weaves the bits of {count} {width}-bit words into one word",
            f"a Z-order encoder from {count} times {width} to {total} bits",
        )
        fact = (
            f"For every i from 0 to {width - 1}, {rule} are {each}, in this order.",
            f"The bits of the inputs alternate in `{word}`, from bit 0 up: {turn} are {first}, and so on.",
            f"Each input fills every {every} bit of {word}: {starts}.",
        )
    return combinational(
        rng,
        family="bit_interleave",
        group="combinational",
        params={"count": count, "width": width, "split": split},
        module=module,
        ports=ports,
        body=_body(rng, style, word, parts, width, split=split),
        function=model,
        titles=titles,
        behaviour=(fact,),
        style=style,
    )
