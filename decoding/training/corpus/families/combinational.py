"""Selectors: multiplexers, demultiplexers and decoders."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..build import mask
from ..design import Design, PortDecl
from ..names import Names
from ..registry import family
from ._combinational import always, an, combinational, draw_width, listing, numbered, target

if TYPE_CHECKING:
    import random
    from collections.abc import Mapping

__all__: list[str] = []

_SELECT = ("sel", "sel", "select", "s", "mux_sel", "addr", "sel_i", "idx")
_OUT = ("y", "out", "q", "z", "dout", "data_out", "out_o", "result_o", "o")


def _mux_body(style: str, ins: list[str], sel: str, out: str, rest: str) -> str:
    """Statements (or an expression for `ternary` and `nested`) that choose among `ins`."""
    bits = (len(ins) - 1).bit_length()
    full = rest == ins[-1]
    rows = ins[:-1] if full else ins
    if style == "case":
        arms = [f"    {bits}'d{i}: {out} = {name};" for i, name in enumerate(rows)]
        return "\n".join([f"case ({sel})", *arms, f"    default: {out} = {rest};", "endcase"])
    if style == "if":
        arms = [f"if ({sel} == {bits}'d{i})\n    {out} = {n};" for i, n in enumerate(rows)]
        return "\nelse".join([*(f" {a}" for a in arms), f"\n    {out} = {rest};"]).lstrip()
    if style == "nested":
        return f"{sel}[1] ? ({sel}[0] ? {ins[3]} : {ins[2]}) : ({sel}[0] ? {ins[1]} : {ins[0]})"
    arms = [f"({sel} == {bits}'d{i}) ? {name} :" for i, name in enumerate(rows)]
    return "\n    ".join([*arms, rest])


@family("mux")
def mux(rng: random.Random) -> Design:
    """N:1 multiplexer with one port an input."""
    n = Names(rng)
    count = rng.choice((2, 2, 3, 4, 4, 4, 5, 6, 8))
    bits = (count - 1).bit_length()
    w = draw_width(rng, n, (1, 1, 2, 3, 4, 5, 8, 8, 12, 16, 24, 32))
    module = n.module(
        f"mux{count}", f"mux{count}to1", f"mux_{count}_1", "mux", "selector", "data_mux"
    )
    sel = n.pick(*_SELECT)
    out = n.pick(*_OUT)
    ins = numbered(rng, n, count, "d", "in", "i", "data", "x", "din")
    full = count == 1 << bits
    other = "last" if full else rng.choice(("zero", "last"))
    rest = w.zero if other == "zero" else ins[-1]
    options = ["case", "if", "ternary"] + (["nested"] * 2 if count == 4 else [])
    style = n.choose(options)
    t = target(rng, n, out, w.span)
    if count == 2:
        style = n.choose(("assign", "assign", "ifelse", "gates"))
        text = f"assign {out} = {sel} ? {ins[1]} : {ins[0]};"
        if style == "gates":
            e = f"{{{w.text}{{{sel}}}}}" if w.value > 1 else sel
            text = f"assign {out} = ({ins[1]} & {e}) | ({ins[0]} & ~{e});"
        if style == "ifelse":
            text = f"if ({sel})\n    {t.name} = {ins[1]};\nelse\n    {t.name} = {ins[0]};"
    else:
        text = _mux_body(style, ins, sel, t.name, rest)
    procedural = style in ("case", "if", "ifelse")
    if procedural:
        text = t.wrap(always(rng, text))
    elif count > 2:
        text = f"assign {out} = {text};"
    ports = [
        PortDecl("input", x, w.value, f"data input {i}", range=w.range) for i, x in enumerate(ins)
    ]
    ports.insert(rng.choice((0, count)), PortDecl("input", sel, bits, "select"))
    ports.append(
        PortDecl("output", out, w.value, "selected data", reg=procedural and t.reg, range=w.range)
    )

    def model(i: Mapping[str, int]) -> Mapping[str, int | None]:
        if i[sel] < count:
            return {out: i[ins[i[sel]]]}
        return {out: 0 if other == "zero" else i[ins[-1]]}

    facts = [_mux_fact(ins, sel, out)]
    if not full:
        what = "zero" if other == "zero" else ins[-1]
        codes = f"{count} to {(1 << bits) - 1}" if count < (1 << bits) - 1 else f"{count}"
        facts.append(
            (
                f"For select values of {count} and above the output is {what}.",
                f"Unused codes of {sel} ({codes}) give {what}.",
                f"Any other value of `{sel}` drives {what} onto {out}.",
                f"When {sel} is out of range, {out} = {what}.",
            )
        )
    bit = f"{w.value}-bit"
    return combinational(
        rng,
        family="mux",
        group="combinational",
        params={"inputs": count, "width": w.value, "other": other},
        module=module,
        ports=ports,
        body=text,
        function=model,
        width=w,
        titles=(
            f"{an(str(count))}-to-1 multiplexer" + (f" for {bit} words" if w.value > 1 else ""),
            an(f"{bit} {count}:1 mux"),
            f"a mux with {count} inputs of {w.value} bit" + ("s each" if w.value > 1 else " each"),
            an(f"{bit} wide data selector that picks one of {count} sources"),
            f"{an(str(count))}-way multiplexer, {bit} data",
            f"a combinational switch that routes one of {count} {bit} inputs to the output",
        ),
        behaviour=tuple(facts),
        style=style,
    )


def _mux_fact(ins: list[str], sel: str, out: str) -> tuple[str, ...]:
    """Paraphrases of "the select value is the number of the input"."""
    if len(ins) == 2:
        return (
            f"{out} is {ins[0]} when {sel} is 0 and {ins[1]} when {sel} is 1.",
            f"`{sel}` low passes `{ins[0]}`, high passes `{ins[1]}`.",
            f"If {sel} is set the output follows {ins[1]}, otherwise {ins[0]}.",
            f"Choose {ins[0]} when {sel}=0. Choose {ins[1]} when {sel}=1.",
        )
    table = listing([f"{i} selects {x}" for i, x in enumerate(ins)])
    return (
        f"{out} equals the input whose number is on {sel}: {table}.",
        f"The value of `{sel}` picks the input: {table}.",
        f"{sel}: " + ", ".join(f"{i} -> {x}" for i, x in enumerate(ins)) + ".",
        f"When {sel}=0, choose {ins[0]}, when {sel}=1, choose {ins[1]}, and so on up to {ins[-1]}.",
    )


@family("packed_mux")
def packed_mux(rng: random.Random) -> Design:
    """Multiplexer whose inputs are packed in one vector."""
    n = Names(rng)
    bits = rng.choice((2, 2, 3, 3, 4, 4, 5, 6, 8))
    count = 1 << bits
    width = rng.choice([x for x in (1, 1, 2, 4, 8, 16) if x * count <= 1024])
    module = n.module(
        f"mux{count}", "vector_mux", "packed_mux", "bus_mux", f"mux{count}to1v", "slice_select"
    )
    bus = n.pick("in", "din", "data", "data_in", "bus", "d", "inputs", "vec")
    sel = n.pick(*_SELECT)
    out = n.pick(*_OUT)
    styles = ["index", "index", "shift", "loop"] + (["case"] if bits == 2 else [])
    style = n.choose(styles)
    t = target(rng, n, out, f"[{width - 1}:0] " if width > 1 else "")
    pick = f"{bus}[{sel}]" if width == 1 else f"{bus}[{sel}*{width} +: {width}]"
    if style == "shift":
        pick = f"{bus} >> {sel}" if width == 1 else f"{bus} >> ({sel} * {width})"
        temp = n.pick("shifted", "aligned", "moved")
        low = "[0]" if width == 1 else f"[{width - 1}:0]"
        text = f"wire [{count * width - 1}:0] {temp} = {pick};\nassign {out} = {temp}{low};"
    elif style == "index":
        text = f"assign {out} = {pick};"
    elif style == "case":
        slices = [f"{bus}[{i * width + width - 1}:{i * width}]" for i in range(count)]
        if width == 1:
            slices = [f"{bus}[{i}]" for i in range(count)]
        text = t.wrap(always(rng, _mux_body("case", slices, sel, t.name, slices[-1])))
    else:
        cut = pick.replace(sel, "i")
        text = (
            f"{t.name} = {width}'d0;\nfor (i = 0; i < {count}; i = i + 1)\n"
            f"    if ({sel} == i[{bits - 1}:0])\n        {t.name} = {cut};"
        )
        text = f"integer i;\n{t.wrap(always(rng, text))}"
    reg = style in ("case", "loop") and t.reg
    ports = [
        PortDecl("input", bus, count * width, f"{count} packed inputs, input 0 lowest"),
        PortDecl("input", sel, bits, "number of the input"),
        PortDecl("output", out, width, "selected input", reg=reg),
    ]

    def model(i: Mapping[str, int]) -> Mapping[str, int | None]:
        return {out: mask(i[bus] >> i[sel] * width, width)}

    if width == 1:
        where: tuple[str, ...] = (
            f"{out} is bit number {sel} of {bus}.",
            f"`{sel}` is the index of the bit of `{bus}` that appears on `{out}`.",
            f"{sel}=0 should select {bus}[0], {sel}=1 selects bit {bus}[1], {sel}=2 selects bit "
            f"{bus}[2], etc.",
            f"Return {bus}[{sel}].",
        )
    else:
        where = (
            f"The {count} inputs are packed in {bus}; {sel}=0 selects bits "
            f"{bus}[{width - 1}:0], {sel}=1 selects bits {bus}[{2 * width - 1}:{width}], etc.",
            f"`{bus}` holds {count} words of {width} bits, word 0 in the lowest bits; "
            f"`{out}` is the word number `{sel}`.",
            f"{out} = the {width}-bit slice of {bus} that starts at bit {width}*{sel}.",
        )
    return combinational(
        rng,
        family="packed_mux",
        group="combinational",
        params={"inputs": count, "width": width},
        module=module,
        ports=ports,
        body=text,
        function=model,
        titles=(
            an(f"{width}-bit wide, {count}-to-1 multiplexer on a packed input vector"),
            f"{an(str(count))}:1 mux whose {width}-bit inputs are all packed into one "
            f"{count * width}-bit vector",
            f"a selector of one {width}-bit slice out of a {count * width}-bit bus",
            f"{an(str(count))}-way multiplexer with a single wide input of {count * width} bits",
        ),
        behaviour=(where,),
        style=style,
    )


@family("bus_selector")
def bus_selector(rng: random.Random) -> Design:
    """AND-OR multiplexer with one-hot selects, as used in place of tri-state buses."""
    n = Names(rng)
    count = rng.choice((2, 3, 3, 4, 4, 5))
    w = draw_width(rng, n, (4, 8, 8, 12, 16, 32))
    module = n.module("onehot_mux", "bus_select", "and_or_mux", "bus_mux", "shared_bus", "read_mux")
    sel = n.pick("sel", "grant", "oe", "onehot_sel", "en", "drive", "gnt")
    out = n.pick("bus", "y", "out", "bus_o", "rdata", "dout")
    ins = numbered(rng, n, count, "d", "src", "in", "data", "rdata_")
    style = n.choose(("assign", "if", "multi"))
    terms = [f"({{{w.text}{{{sel}[{i}]}}}} & {x})" for i, x in enumerate(ins)]
    t = target(rng, n, out, w.span)
    if style == "assign":
        text = f"assign {out} = " + "\n    | ".join(terms) + ";"
    elif style == "if":
        lines = [f"if ({sel}[{i}]) {t.name} = {t.name} | {x};" for i, x in enumerate(ins)]
        text = t.wrap(always(rng, "\n".join([f"{t.name} = {w.zero};", *lines])))
    else:
        gated = [n.pick(f"g_{x}", f"{x}_g") for x in ins]
        lines = [
            f"wire {w.span}{g} = {sel}[{i}] ? {x} : {w.zero};"
            for i, (g, x) in enumerate(zip(gated, ins, strict=True))
        ]
        text = "\n".join([*lines, f"assign {out} = {' | '.join(gated)};"])
    ports = [PortDecl("input", x, w.value, f"source {i}", range=w.range) for i, x in enumerate(ins)]
    ports.append(PortDecl("input", sel, count, "one select bit a source"))
    ports.append(
        PortDecl("output", out, w.value, "shared bus", reg=style == "if" and t.reg, range=w.range)
    )

    def model(i: Mapping[str, int]) -> Mapping[str, int | None]:
        value = 0
        for k, x in enumerate(ins):
            value |= i[x] if i[sel] >> k & 1 else 0
        return {out: value}

    table = listing([f"{sel}[{i}] enables {x}" for i, x in enumerate(ins)])
    return combinational(
        rng,
        family="bus_selector",
        group="combinational",
        params={"sources": count, "width": w.value},
        module=module,
        ports=ports,
        body=text,
        function=model,
        width=w,
        titles=(
            f"a {count}-input one-hot multiplexer with {w.value}-bit data",
            an(f"AND-OR bus selector for {count} sources of {w.value} bits"),
            f"a shared {w.value}-bit bus with {count} gated drivers and no tri-states",
            f"a mux of {count} {w.value}-bit words with decoded (one bit per input) selects",
        ),
        behaviour=(
            (
                f"{table}.",
                f"Each bit of `{sel}` gates one source: {table}.",
                f"Bit k of {sel} belongs to the k-th of {listing(ins)}, counted from zero.",
            ),
            (
                "Disabled sources contribute zeros and everything that is enabled is ORed "
                "together; "
                "nothing enabled gives zero.",
                f"{out} is the bitwise OR of all enabled sources, zero if there is none.",
                f"With no select bit set {out} is 0; with several set the words are ORed.",
            ),
        ),
        style=style,
    )
