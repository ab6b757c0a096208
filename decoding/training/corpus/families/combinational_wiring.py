"""Wiring: words split and joined, bitwise units, neighbouring bits, constants."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..build import mask
from ..design import Behaviour, Design, PortDecl
from ..names import Names
from ..registry import family
from ._combinational import always, an, combinational, draw_width, listing, numbered, pair, target

if TYPE_CHECKING:
    import random
    from collections.abc import Mapping

__all__: list[str] = []

_FIELDS = (
    ("opcode", "rd", "rs", "imm"),
    ("sign", "exponent", "mantissa", "spare"),
    ("tag", "index", "offset", "way"),
    ("hi", "mid", "lo", "rest"),
    ("red", "green", "blue", "alpha"),
    ("f3", "f2", "f1", "f0"),
)


def _slice(name: str, low: int, width: int) -> str:
    """A part of a vector."""
    return f"{name}[{low + width - 1}:{low}]" if width > 1 else f"{name}[{low}]"


@family("vector_split")
def vector_split(rng: random.Random) -> Design:
    """A word cut into two to four fields, top field first."""
    n = Names(rng)
    module = n.module("split", "field_split", "unpack", "slicer", "decode_fields")
    pool = rng.choice(_FIELDS)[: rng.choice((2, 3, 3, 4))]
    fields = [(n.pick(x), rng.choice((1, 2, 3, 4, 4, 5, 8, 8))) for x in pool]
    total = sum(width for _, width in fields)
    a = n.pick("word", "in", "data", "instr", "vec", "d")
    style = n.choose(("slices", "concat", "always"))
    places, low = [], total
    for name, width in fields:
        low -= width
        places.append((name, low, width))
    if style == "concat":
        text = f"assign {{{', '.join(x for x, _ in fields)}}} = {a};"
    elif style == "slices":
        text = "\n".join(f"assign {x} = {_slice(a, at, width)};" for x, at, width in places)
    else:
        text = always(rng, "\n".join(f"{x} = {_slice(a, at, width)};" for x, at, width in places))
    ports = [PortDecl("input", a, total, "word")]
    ports += [PortDecl("output", x, width, "field", reg=style == "always") for x, width in fields]

    def model(i: Mapping[str, int]) -> Mapping[str, int | None]:
        return {x: mask(i[a] >> at, width) for x, at, width in places}

    names = [x for x, _ in fields]
    table = listing([f"{x} is {_slice(a, at, width)}" for x, at, width in places])
    sizes = ", ".join(f"{x} ({width} bit{'s' if width > 1 else ''})" for x, width in fields)
    return combinational(
        rng,
        family="vector_split",
        group="combinational",
        params={"widths": " ".join(str(width) for _, width in fields)},
        module=module,
        ports=ports,
        body=text,
        function=model,
        titles=(
            f"a splitter of {an(f'{total}-bit word')} into {len(fields)} fields",
            f"a circuit that unpacks {an(f'{total}-bit vector')} into {listing(names)}",
            f"a field extractor with {len(fields)} outputs, pure wiring",
            f"a block that cuts {an(f'{total}-bit word')} into its parts",
        ),
        behaviour=(
            (
                f"{table}.",
                f"From the most significant bit down, `{a}` consists of {sizes}.",
                f"Split {a} as {{{', '.join(names)}}}, the first in the highest bits.",
            ),
        ),
        style=style,
    )


@family("vector_join")
def vector_join(rng: random.Random) -> Design:
    """Inputs concatenated into one word, padded with constant bits."""
    n = Names(rng)
    module = n.module("joiner", "concat", "pack", "assemble", "bus_join")
    count = rng.choice((2, 3, 3, 4, 5))
    ins = [
        (x, rng.choice((1, 2, 3, 4, 5, 8))) for x in numbered(rng, n, count, "in", "part", "d", "f")
    ]
    out = n.pick("word", "out", "y", "packed", "q")
    pad, high = rng.choice((0, 0, 1, 2, 3)), rng.random() < 0.4
    ones = rng.random() < 0.5
    fill = f"{pad}'b{('1' if ones else '0') * pad}"
    names = [x for x, _ in ins]
    parts = ([fill, *names] if high else [*names, fill]) if pad else names
    total = sum(width for _, width in ins) + pad
    style = n.choose(("concat", "concat", "always"))
    t = target(rng, n, out, f"[{total - 1}:0] ")
    joined = f"{{{', '.join(parts)}}}"
    text = (
        t.wrap(always(rng, f"{t.name} = {joined};"))
        if style == "always"
        else f"assign {out} = {joined};"
    )
    ports = [PortDecl("input", x, width, "part") for x, width in ins]
    ports.append(PortDecl("output", out, total, "word", reg=style == "always" and t.reg))

    def model(i: Mapping[str, int]) -> Mapping[str, int | None]:
        extra = mask(-int(ones), pad)
        word = extra if high else 0
        for x, width in ins:
            word = word << width | i[x]
        return {out: word if high else word << pad | extra}

    facts: list[Behaviour] = [
        (
            f"{out} is the concatenation of {listing(names)}, {names[0]} in the higher bits.",
            f"`{out}` = {joined}.",
            f"Put {listing(names)} side by side, the first one most significant.",
        )
    ]
    if pad:
        where, bits = ("top", "highest") if high else ("bottom", "lowest")
        digit = 1 if ones else 0
        few = f"{bits} bit of {out} is" if pad == 1 else f"{pad} {bits} bits of {out} are"
        facts.append(
            (
                f"The {few} constant {digit}.",
                f"At the {where} `{out}` has {pad} extra bit{'s' if pad > 1 else ''} set to {digit}.",
                f"{'Prepend' if high else 'Append'} {pad} bit{'s' if pad > 1 else ''} of value {digit} "
                f"at the {'most' if high else 'least'} significant end.",
            )
        )
    return combinational(
        rng,
        family="vector_join",
        group="combinational",
        params={
            "widths": " ".join(str(w) for _, w in ins),
            "pad": pad,
            "high": high and pad > 0,
            "ones": ones and pad > 0,
        },
        module=module,
        ports=ports,
        body=text,
        function=model,
        titles=(
            f"a concatenation of {count} vectors into {an(f'{total}-bit word')}",
            f"a packer of {count} fields into one word of {total} bits",
            f"a circuit that joins {listing(names)}",
            f"a block of pure wiring that assembles {an(f'{total}-bit vector')}",
        ),
        behaviour=tuple(facts),
        style=style,
    )


_BITWISE = {
    "and": ("&", "AND"),
    "or": ("|", "OR"),
    "xor": ("^", "XOR"),
    "xnor": ("~^", "XNOR"),
    "andn": ("& ~", "AND with the inverse of the second operand"),
}
_LOGICAL = {"land": ("&&", "logical AND"), "lor": ("||", "logical OR")}


@family("bitwise_unit")
def bitwise_unit(rng: random.Random) -> Design:
    """Several bitwise or logical functions of two vectors, side by side."""
    n = Names(rng)
    module = n.module("bitwise", "logic_unit", "vector_gates", "bit_ops", "gates_vec")
    w = draw_width(rng, n, (2, 3, 4, 8, 8, 16, 32))
    a, b = pair(rng, n)
    kinds = rng.sample(tuple(_BITWISE), rng.choice((1, 2, 3)))
    logical = rng.sample(tuple(_LOGICAL), rng.choice((0, 0, 1)))
    inverse = n.pick(f"not_{a}", "inv", f"{a}_n") if rng.random() < 0.3 else ""
    outs = {
        k: n.pick(f"out_{k}", f"y_{k}", f"{k}_o", f"{a}_{k}_{b}".lower())
        for k in (*kinds, *logical)
    }
    rows = [
        (y, f"{a} {(_BITWISE | _LOGICAL)[k][0]} {b}".replace("~ ", "~")) for k, y in outs.items()
    ]
    rows += [(inverse, f"~{a}")] if inverse else []
    style = n.choose(("assign", "assign", "always"))
    lines = [f"{y} = {e};" for y, e in rows]
    text = (
        always(rng, "\n".join(lines))
        if style == "always"
        else "\n".join(f"assign {x}" for x in lines)
    )
    ports = [PortDecl("input", x, w.value, "operand", range=w.range) for x in (a, b)]
    for y, _ in rows:
        one = y in [outs[k] for k in logical]
        ports.append(
            PortDecl(
                "output",
                y,
                1 if one else w.value,
                "result",
                reg=style == "always",
                range="" if one else w.range,
            )
        )

    def model(i: Mapping[str, int]) -> Mapping[str, int | None]:
        p, q = i[a], i[b]
        values = {
            "and": p & q,
            "or": p | q,
            "xor": p ^ q,
            "xnor": mask(~(p ^ q), w.value),
            "andn": p & ~q,
            "land": int(bool(p) and bool(q)),
            "lor": int(bool(p) or bool(q)),
        }
        result: dict[str, int | None] = {y: values[k] for k, y in outs.items()}
        return result | ({inverse: mask(~p, w.value)} if inverse else {})

    words = [
        f"{y} is the bitwise {_BITWISE[k][1]} of {a} and {b}"
        for k, y in outs.items()
        if k in _BITWISE
    ]
    words += [f"{outs[k]} (one bit) is the {_LOGICAL[k][1]} of {a} and {b}" for k in logical]
    words += [f"{inverse} is the bitwise inverse of {a}"] if inverse else []
    return combinational(
        rng,
        family="bitwise_unit",
        group="combinational",
        params={"width": w.value, "outputs": " ".join(sorted(outs)), "inverse": bool(inverse)},
        module=module,
        ports=ports,
        body=text,
        function=model,
        width=w,
        titles=(
            an(f"{w.value}-bit bitwise logic unit"),
            f"a set of gates on two {w.value}-bit vectors",
            f"a circuit with {len(rows)} logic function{'s' if len(rows) > 1 else ''} of {a} and {b}",
            f"a vector gate block, {w.value} bits wide",
        ),
        behaviour=(
            (
                f"{listing(words)}.",
                f"Outputs: {'; '.join(words)}.",
                f"{'. '.join(words)}.",
            ),
        ),
        style=style,
    )


@family("neighbour_bits")
def neighbour_bits(rng: random.Random) -> Design:
    """Relations between every bit of a vector and its neighbour, open or circular."""
    n = Names(rng)
    module = n.module("neighbours", "adjacent", "pair_gates", "gatesv", "edge_map")
    width = rng.choice((4, 4, 5, 8, 8, 16, 100))
    op, word = rng.choice((("&", "AND"), ("|", "OR"), ("^", "XOR")))
    wrap, left = rng.random() < 0.5, rng.random() < 0.5
    a = n.pick("in", "x", "d", "vec", "a")
    out = n.pick({"&": "both", "|": "any", "^": "different"}[op], "y", "out", "pairs", "rel")
    size = width if wrap else width - 1
    top = width - 1
    style = n.choose(("vector", "loop"))
    t = target(rng, n, out, f"[{size - 1}:0] ")
    # `left`: bit i meets bit i+1; otherwise bit i (or i+1 without wrap) meets the bit below it.
    turned = f"{{{a}[0], {a}[{top}:1]}}" if left else f"{{{a}[{top - 1}:0], {a}[{top}]}}"
    if style == "vector":
        text = (
            f"assign {out} = {a} {op} {turned};"
            if wrap
            else f"assign {out} = {a}[{top}:1] {op} {a}[{top - 1}:0];"
        )
    else:
        if wrap:
            ends = (
                f"{t.name}[{top}] = {a}[{top}] {op} {a}[0];\n"
                if left
                else f"{t.name}[0] = {a}[0] {op} {a}[{top}];\n"
            )
            run, other = (f"i = 0; i < {top}", "i+1") if left else (f"i = 1; i < {width}", "i-1")
        else:
            ends, run, other = "", f"i = 0; i < {top}", "i+1"
        body = f"{ends}for ({run}; i = i + 1)\n    {t.name}[i] = {a}[i] {op} {a}[{other}];"
        text = t.wrap(f"integer i;\n{always(rng, body)}")
    ports = [
        PortDecl("input", a, width, "vector"),
        PortDecl("output", out, size, f"{word} of neighbours", reg=style == "loop" and t.reg),
    ]

    def model(i: Mapping[str, int]) -> Mapping[str, int | None]:
        v = i[a]
        turn = v >> 1 | (v & 1) << top if left else mask(v << 1 | v >> top, width)
        turn = turn if wrap else v >> 1
        value = {"&": v & turn, "|": v | turn, "^": v ^ turn}[op]
        return {out: mask(value, size)}

    if not wrap:
        fact: Behaviour = (
            f"{out}[i] is the {word} of {a}[i] and {a}[i+1], for i from 0 to {size - 1}.",
            f"Every bit of `{out}` combines the bit of `{a}` at the same place and its left (higher) "
            f"neighbour with {word}; the top bit has no such neighbour, so there are {size} results.",
            f"{out}[{size - 1}:0] = {a}[{top}:1] {op} {a}[{top - 1}:0].",
        )
    else:
        other = "i+1" if left else "i-1"
        end = (
            f"{a}[{top}] has {a}[0] as its neighbour"
            if left
            else f"{a}[0] has {a}[{top}] as its neighbour"
        )
        fact = (
            f"{out}[i] is the {word} of {a}[i] and {a}[{other}]; the vector wraps around, so {end}.",
            f"Every bit of `{a}` is combined by {word} with its {'left (higher)' if left else 'right (lower)'} "
            f"neighbour; {end}.",
            f"{out} = {a} {op} {turned}.",
        )
    return combinational(
        rng,
        family="neighbour_bits",
        group="combinational",
        params={"width": width, "op": word, "wrap": wrap, "left": left and wrap},
        module=module,
        ports=ports,
        body=text,
        function=model,
        titles=(
            f"a circuit that combines neighbouring bits of {an(f'{width}-bit vector')}",
            f"a pairwise {word} of adjacent bits, {width} bits in",
            f"a comparison of every bit with its neighbour in a vector of {width} bits",
            an(
                f"{word} of neighbour bits ({'circular' if wrap else 'open ended'}) over {width} bits"
            ),
        ),
        behaviour=(fact,),
        style=style,
    )
