"""Decoders and demultiplexers."""

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


def _decoder_text(
    rng: random.Random, n: Names, style: str, count: int, names: dict[str, str]
) -> tuple[str, bool]:
    """The RTL of an active-high decoder of `names`, and whether the output is a `reg`."""
    a, out, en = names["in"], names["out"], names["en"]
    bits = (count - 1).bit_length()
    t = target(rng, n, out, f"[{count - 1}:0] ")
    inv = "~" if names["low"] else ""
    one = f"{{{{{count - 1}{{1'b0}}}}, 1'b1}}"
    idle = f"{{{count}{{1'b1}}}}" if inv else f"{count}'d0"
    if style == "shift":
        value = f"{one} << {a}"
        if en:
            value = f"{en} ? {inv}({value}) : {idle}"
            return f"assign {out} = {value};", False
        return f"assign {out} = {inv}({value});" if inv else f"assign {out} = {value};", False
    if style == "index":
        body = f"{t.name} = {idle};\n"
        body += f"if ({en})\n    " if en else ""
        body += f"{t.name}[{a}] = 1'b{0 if inv else 1};"
    elif style == "loop":
        index = f"k[{bits - 1}:0]" if bits > 1 else "k[0]"
        cond = f"{en} && ({a} == {index})" if en else f"({a} == {index})"
        value = f"!({cond})" if inv and en else (f"{a} != {index}" if inv else cond)
        body = f"for (k = 0; k < {count}; k = k + 1)\n    {t.name}[k] = {value};"
        return f"integer k;\n{t.wrap(always(rng, body))}", t.reg
    else:
        arms = []
        for i in range(count):
            code = mask(~(1 << i), count) if inv else 1 << i
            arms.append(f"{bits}'d{i}: {t.name} = {count}'b{code:0{count}b};")
        inner = "\n".join(f"    {arm}" for arm in arms)
        case = f"case ({a})\n{inner}\n    default: {t.name} = {idle};\nendcase"
        if en:
            lines = case.replace("\n", "\n    ")
            body = f"{t.name} = {idle};\nif ({en}) begin\n    {lines}\nend"
        else:
            body = case
    return t.wrap(always(rng, body)), t.reg


@family("decoder")
def decoder(rng: random.Random) -> Design:
    """Binary to one-hot decoder, with or without enable, active high or low."""
    n = Names(rng)
    bits = rng.choice((1, 2, 2, 3, 3, 4))
    count = 1 << bits
    enable = rng.random() < 0.65
    low = rng.random() < 0.25
    module = n.module(
        f"decoder{bits}to{count}", "decoder", f"dec_{bits}_{count}", "bin_to_onehot", "addr_decoder"
    )
    a = n.pick("a", "addr", "sel", "in", "bin", "code", "A")
    en = n.pick("en", "enable", "e", "ce", "en_i", "valid") if enable else ""
    out = (
        n.pick("y_n", "sel_n", "cs_n", "out_n")
        if low
        else n.pick("y", "out", "dec", "onehot", "sel_o", "d")
    )
    options = ["shift", "index", "loop"] + (["case"] * 2 if bits in (2, 3) else [])
    style = n.choose(options)
    names = {"in": a, "out": out, "en": en, "low": "1" if low else ""}
    text, reg = _decoder_text(rng, n, style, count, names)
    ports = [PortDecl("input", a, bits, "binary code")]
    if enable:
        ports.insert(rng.choice((0, 1)), PortDecl("input", en, 1, "enable"))
    ports.append(
        PortDecl("output", out, count, "one line a code" + (", active low" if low else ""), reg=reg)
    )

    def model(i: Mapping[str, int]) -> Mapping[str, int | None]:
        value = 1 << i[a] if not enable or i[en] else 0
        return {out: mask(~value, count) if low else value}

    on, off = ("0", "1") if low else ("1", "0")
    facts: list[tuple[str, ...]] = [
        (
            f"Bit number {a} of {out} is {on} and all other bits are {off}.",
            f"The line of `{out}` that `{a}` addresses goes {'low' if low else 'high'}, the rest "
            f"stay {'high' if low else 'low'}.",
            f"{out}[i] is {on} exactly if {a} equals i"
            + (" (and the decoder is enabled)." if enable else "."),
            f"Exactly one output is driven to {on}: the one whose index is the value of {a}; the "
            f"others are {off}.",
        )
    ]
    if enable:
        facts.append(
            (
                f"While {en} is low every bit of {out} is {off}.",
                f"`{en}` = 0 makes all outputs {'inactive (high)' if low else 'zero'}.",
                f"Without {en} no line is active: all of {out} is {off}.",
            )
        )
    if low:
        facts.append(("The outputs are active low.", "Active-low outputs.", ""))
    extra = " with enable" if enable else ""
    return combinational(
        rng,
        family="decoder",
        group="combinational",
        params={"bits": bits, "enable": enable, "active_low": low},
        module=module,
        ports=ports,
        body=text,
        function=model,
        titles=(
            f"a {bits}-to-{count} decoder{extra}",
            f"a binary decoder{extra}, {bits} bit{'s' if bits > 1 else ''} in and {count} lines "
            "out",
            f"a {bits}:{count} line decoder{extra}",
            f"a binary to {'one-cold' if low else 'one-hot'} converter with {count} outputs{extra}",
        ),
        behaviour=tuple(facts),
        style=style,
    )


def _demux_separate(rng: random.Random, n: Names) -> Design:
    """Demultiplexer with one port an output."""
    count = rng.choice((2, 3, 4, 4))
    bits = (count - 1).bit_length()
    w = draw_width(rng, n, (1, 1, 2, 4, 8, 8, 16, 32))
    module = n.module("demux", f"demux1to{count}", f"demux{count}", "router", "distributor")
    d = n.pick("d", "in", "din", "data_in", "x", "data")
    sel = n.pick("sel", "s", "select", "dest", "addr")
    outs = numbered(rng, n, count, "y", "out", "q", "dout", "o")
    style = n.choose(("assign", "case", "if"))
    match = [f"{sel} == {bits}'d{i}" for i in range(count)]
    if count == 2:
        match = [f"!{sel}", sel]
    if style == "assign":
        text = "\n".join(
            f"assign {y} = ({m}) ? {d} : {w.zero};" for y, m in zip(outs, match, strict=True)
        )
    else:
        clear = "\n".join(f"{y} = {w.zero};" for y in outs)
        if style == "case":
            arms = [f"    {bits}'d{i}: {y} = {d};" for i, y in enumerate(outs)]
            arms[-1] = f"    default: {outs[-1]} = {d};" if count == 1 << bits else arms[-1]
            if count != 1 << bits:
                arms.append("    default: ;")
            pick = "\n".join([f"case ({sel})", *arms, "endcase"])
        else:
            pick = "\nelse ".join(
                f"if ({m})\n    {y} = {d};" for y, m in zip(outs, match, strict=True)
            )
        text = always(rng, f"{clear}\n{pick}")
    ports = [
        PortDecl("input", d, w.value, "data", range=w.range),
        PortDecl("input", sel, bits, "destination"),
        *(
            PortDecl("output", y, w.value, f"output {i}", reg=style != "assign", range=w.range)
            for i, y in enumerate(outs)
        ),
    ]

    def model(i: Mapping[str, int]) -> Mapping[str, int | None]:
        return {y: i[d] if i[sel] == k else 0 for k, y in enumerate(outs)}

    table = ", ".join(f"{i} = {y}" for i, y in enumerate(outs))
    spare = "" if count == 1 << bits else f" For {sel} of {count} and above all outputs are 0."
    return combinational(
        rng,
        family="demux",
        group="combinational",
        params={"outputs": count, "width": w.value, "packed": False},
        module=module,
        ports=ports,
        body=text,
        function=model,
        width=w,
        titles=(
            f"a 1-to-{count} demultiplexer for {w.value}-bit data",
            an(f"{w.value}-bit demux with {count} outputs"),
            f"a data distributor that sends one {w.value}-bit input to one of {count} outputs",
            f"a 1:{count} demux, {w.value} bit{'s' if w.value > 1 else ''} wide",
        ),
        behaviour=(
            (
                f"{d} appears on the output chosen by {sel} ({table}); the others are zero.{spare}",
                f"`{sel}` names the destination ({table}); outputs not chosen stay at 0.{spare}",
                f"Route {d} to {listing(outs, 'or')} for {sel} = "
                f"{listing([str(i) for i in range(count)], 'or')}; "
                f"every output that is not selected is all zeros.{spare}",
            ),
        ),
        style=style,
    )


def _demux_packed(rng: random.Random, n: Names) -> Design:
    """Demultiplexer whose outputs are the bits of a vector."""
    bits = rng.choice((2, 3, 3, 4))
    count = 1 << bits
    module = n.module("demux", f"demux1to{count}", f"demux{count}", "bit_router", "strobe_demux")
    d = n.pick("d", "in", "din", "strobe", "x", "we")
    sel = n.pick("sel", "s", "select", "dest", "addr")
    out = n.pick("y", "out", "q", "we_o", "strobes")
    style = n.choose(("shift", "index", "generate"))
    reg = style == "index"
    if style == "shift":
        text = f"assign {out} = {{{{{count - 1}{{1'b0}}}}, {d}}} << {sel};"
    elif reg:
        text = always(rng, f"{out} = {count}'d0;\n{out}[{sel}] = {d};")
    else:
        text = (
            f"genvar g;\ngenerate\n    for (g = 0; g < {count}; g = g + 1) begin : lane\n"
            f"        assign {out}[g] = {d} & ({sel} == g);\n    end\nendgenerate"
        )
    ports = [
        PortDecl("input", d, 1, "data"),
        PortDecl("input", sel, bits, "destination"),
        PortDecl("output", out, count, "one bit a destination", reg=reg),
    ]

    def model(i: Mapping[str, int]) -> Mapping[str, int | None]:
        return {out: i[d] << i[sel]}

    return combinational(
        rng,
        family="demux",
        group="combinational",
        params={"outputs": count, "width": 1, "packed": True},
        module=module,
        ports=ports,
        body=text,
        function=model,
        titles=(
            f"a 1-to-{count} demultiplexer",
            f"a single-bit demux with {count} destinations in one output vector",
            f"a 1:{count} bit distributor",
            f"a demux that steers one bit to one of {count} output lines",
        ),
        behaviour=(
            (
                f"{d} is copied to {out}[{sel}]; all other bits of {out} are zero.",
                f"Bit `{sel}` of `{out}` follows `{d}`, the remaining bits are 0.",
                f"The line of {out} with index {sel} carries {d} and the rest are held low.",
            ),
        ),
        style=style,
    )


@family("demux")
def demux(rng: random.Random) -> Design:
    """Demultiplexer with separate or packed outputs."""
    n = Names(rng)
    return _demux_separate(rng, n) if rng.random() < 0.6 else _demux_packed(rng, n)
