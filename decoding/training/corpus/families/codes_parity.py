"""Parity and thermometer codes."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..design import Behaviour, Design, PortDecl
from ..names import Names
from ..registry import family
from ._combinational import always, an, combinational, draw_width, target

if TYPE_CHECKING:
    import random
    from collections.abc import Mapping

__all__: list[str] = []

_IN = ("in", "d", "x", "a", "data", "vec", "din", "word")


@family("parity")
def parity(rng: random.Random) -> Design:
    """Parity generator, checker, or word with its parity bit appended."""
    n = Names(rng)
    w = draw_width(rng, n, (4, 7, 8, 8, 8, 16, 32))
    odd = rng.random() < 0.45
    kind = rng.choice(("generate", "generate", "check", "check", "append"))
    a = n.pick(*_IN)
    p = n.pick("parity", "p", "par", "parity_in", "pbit") if kind == "check" else ""
    out = {
        "generate": n.pick("parity_o", "par_bit", "p_out", "parity_bit", "y"),
        "check": n.pick("error", "err", "perr", "parity_error", "bad"),
        "append": n.pick("code", "out", "frame", "coded", "tx_word"),
    }[kind]
    parity_bit = f"~^{a}" if odd else f"^{a}"
    value = {
        "generate": parity_bit,
        "check": f"~(^{{{a}, {p}}})" if odd else f"^{{{a}, {p}}}",
        "append": f"{{{parity_bit}, {a}}}",
    }[kind]
    style = n.choose(("reduce", "reduce", "loop"))
    reg = False
    if style == "loop" and kind != "append":
        t = target(rng, n, out, "")
        reg = t.reg
        start = f"{'~' if odd else ''}{p}" if kind == "check" else f"1'b{int(odd)}"
        body = f"{t.name} = {start};\nfor (i = 0; i < {w.text}; i = i + 1)\n    {t.name} = {t.name} ^ {a}[i];"
        text = t.wrap(f"integer i;\n{always(rng, body)}")
    elif kind == "check" and rng.random() < 0.5:
        text = f"wire {(e := n.pick('expected', 'calc', 'want'))} = {parity_bit};\nassign {out} = ({p} != {e});"
    else:
        text = f"assign {out} = {value};"
    ports = [PortDecl("input", a, w.value, "data", range=w.range)]
    ports += [PortDecl("input", p, 1, "received parity bit")] if p else []
    size = w.value + 1 if kind == "append" else 1
    span = f"[{w.parameter}:0]" if w.parameter and kind == "append" else ""
    ports.append(
        PortDecl(
            "output",
            out,
            size,
            {
                "generate": "parity bit",
                "check": "parity error",
                "append": "data with parity in the top bit",
            }[kind],
            reg=reg,
            range=span,
        )
    )

    def model(i: Mapping[str, int]) -> Mapping[str, int | None]:
        bit = (i[a].bit_count() & 1) ^ int(odd)
        if kind == "generate":
            return {out: bit}
        return {out: bit ^ i[p]} if kind == "check" else {out: bit << w.value | i[a]}

    sense = "odd" if odd else "even"
    facts: dict[str, Behaviour] = {
        "generate": (
            f"{out} is chosen so that {a} and {out} together hold an {sense} number of ones.",
            f"`{out}` is the {sense} parity bit of `{a}`: data plus parity contain an {sense} "
            "number of 1s.",
            f"Compute {sense} parity: {out} is the {'XNOR' if odd else 'XOR'} of all bits of {a}.",
        ),
        "check": (
            f"{out} is 1 when {a} together with {p} does not have {sense} parity.",
            f"`{out}` goes high if the number of ones in `{a}` and `{p}` together is "
            f"{'even' if odd else 'odd'}.",
            f"{p} is the received {sense} parity bit; {out} reports a mismatch.",
        ),
        "append": (
            f"The top bit of {out} is the {sense} parity bit, below it is {a}; the whole word has "
            "an "
            f"{sense} number of ones.",
            f"`{out}` is `{a}` with the {sense} parity bit placed above its most significant bit.",
            f"{out} = {{parity, {a}}} where the parity bit makes the number of ones {sense}.",
        ),
    }
    name = {"generate": "parity generator", "check": "parity checker", "append": "parity encoder"}[
        kind
    ]
    return combinational(
        rng,
        family="parity",
        group="codes",
        params={"width": w.value, "odd": odd, "kind": kind},
        module=n.module(
            "parity",
            name.replace(" ", "_"),
            f"{sense}_parity",
            "par_gen" if kind != "check" else "par_chk",
            f"parity{w.value}",
        ),
        ports=ports,
        body=text,
        function=model,
        width=w,
        titles=(
            an(f"{sense} {name} for {w.value} bits"),
            an(f"{w.value}-bit {name} ({sense} parity)"),
            f"a combinational {sense}-{name}, {w.value} data bits",
            f"a circuit that {'checks' if kind == 'check' else 'computes'} {sense} parity of "
            f"{an(f'{w.value}-bit word')}",
        ),
        behaviour=(facts[kind],),
        style=style,
    )


@family("thermometer")
def thermometer(rng: random.Random) -> Design:
    """Binary to thermometer code, or back."""
    n = Names(rng)
    bits = rng.choice((2, 3, 3, 4))
    lines = (1 << bits) - 1
    decode = rng.random() < 0.45
    a = (
        n.pick("therm", "t_in", "comp", "levels")
        if decode
        else n.pick("bin", "n", "level", "code", "x")
    )
    out = (
        n.pick("bin", "code", "q", "value") if decode else n.pick("therm", "bar", "t", "leds", "y")
    )
    style = n.choose(
        ("loop", "case" if not decode and bits <= 3 else "loop", "shift" if not decode else "case")
    )
    if decode and style == "case" and bits > 3:
        style = "loop"
    reg = style != "shift"
    if decode and style == "loop":
        body = (
            f"{out} = {bits}'d0;\nfor (i = 0; i < {lines}; i = i + 1)\n    {out} = {out} + {a}[i];"
        )
        text = f"integer i;\n{always(rng, body)}"
    elif decode:
        rows = [
            f"    {lines}'b{'0' * (lines - k)}{'1' * k}: {out} = {bits}'d{k};"
            for k in range(lines + 1)
        ]
        text = always(
            rng, "\n".join([f"case ({a})", *rows, f"    default: {out} = {bits}'d0;", "endcase"])
        )
    elif style == "loop":
        body = f"for (i = 0; i < {lines}; i = i + 1)\n    {out}[i] = ({a} > i[{bits - 1}:0]);"
        text = f"integer i;\n{always(rng, body)}"
    elif style == "case":
        rows = [
            f"    {bits}'d{k}: {out} = {lines}'b{'0' * (lines - k)}{'1' * k};" for k in range(lines)
        ]
        rows.append(f"    default: {out} = {{{lines}{{1'b1}}}};")
        text = always(rng, "\n".join([f"case ({a})", *rows, "endcase"]))
    else:
        text = f"assign {out} = ~({{{lines}{{1'b1}}}} << {a});"
    ports = [
        PortDecl("input", a, lines if decode else bits, "thermometer code" if decode else "number"),
        PortDecl(
            "output",
            out,
            bits if decode else lines,
            "number" if decode else "thermometer code",
            reg=reg,
        ),
    ]
    strict = decode and style == "case"

    def model(i: Mapping[str, int]) -> Mapping[str, int | None]:
        if not decode:
            return {out: (1 << i[a]) - 1}
        valid = i[a] & (i[a] + 1) == 0
        return {out: i[a].bit_count() if valid or not strict else 0}

    if decode:
        facts: list[Behaviour] = [
            (
                f"{a} is a thermometer code, filled with ones from bit 0; {out} is the number of "
                "ones.",
                f"`{out}` is the binary level of the thermometer code on `{a}` (lowest bits set "
                "first).",
                f"A code with the k lowest bits of {a} set gives {out} = k.",
            ),
            (
                "Invalid codes (with gaps) give 0.",
                f"If the ones are not contiguous from bit 0, {out} is 0.",
                "Any pattern that is no thermometer code decodes to zero.",
            )
            if strict
            else (
                "For codes with bubbles it is still the count of ones.",
                "Patterns with gaps are decoded as the number of set bits.",
                "Simply count the ones, also when the code has gaps.",
            ),
        ]
    else:
        facts = [
            (
                f"The {a} lowest bits of {out} are 1, the others 0.",
                f"`{out}` is a thermometer code: bit i is 1 iff i is less than `{a}`.",
                f"{out}[i] = 1 for every i < {a}, so that 0 gives no ones and {lines} gives all "
                "ones.",
            )
        ]
    name = "thermometer to binary" if decode else "binary to thermometer"
    return combinational(
        rng,
        family="thermometer",
        group="codes",
        params={"bits": bits, "decode": decode, "strict": strict},
        module=n.module(
            "therm_dec" if decode else "therm_enc",
            "thermometer",
            "t2b" if decode else "b2t",
            "bar_graph",
            "therm_code",
        ),
        ports=ports,
        body=text,
        function=model,
        titles=(
            f"a {name} converter ({bits} bits, {lines} lines)",
            f"a {bits}-bit thermometer {'decoder' if decode else 'encoder'}",
            f"a {'decoder of' if decode else 'bar-graph driver with'} "
            f"{lines}-{'bit thermometer codes' if decode else 'segment thermometer output'}",
            f"a converter from {'unary (thermometer)' if decode else 'binary'} to "
            f"{'binary' if decode else 'unary (thermometer)'} code",
        ),
        behaviour=tuple(facts),
        style=style,
    )
