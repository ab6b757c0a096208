"""Shifters, rotators and multipliers."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..build import indent, mask
from ..design import Behaviour, Design, PortDecl
from ..names import Names
from ..registry import family
from ._combinational import always, an, combinational, draw_width, pair, signed

if TYPE_CHECKING:
    import random
    from collections.abc import Mapping

__all__: list[str] = []

_IN = ("in", "d", "a", "data_in", "x", "din", "word")
_OUT = ("out", "y", "q", "data_out", "result", "dout")


def _log_stages(rng: random.Random, n: Names, width: int, bits: int, names: dict[str, str]) -> str:
    """A logarithmic shifter: one mux stage for every bit of the amount."""
    kind, source = names["kind"], names["a"]
    prefix, lines = rng.choice(("s", "st", "stage")), []
    for k in range(bits):
        step = 1 << k
        target = names["y"] if k == bits - 1 else n.pick(f"{prefix}{k}", f"lvl{k}")
        low, high = f"{source}[{width - step - 1}:0]", f"{source}[{width - 1}:{step}]"
        moved = {
            "left": f"{{{low}, {step}'d0}}",
            "right": f"{{{step}'d0, {high}}}",
            "arith": f"{{{{{step}{{{source}[{width - 1}]}}}}, {high}}}",
            "rotl": f"{{{low}, {source}[{width - 1}:{width - step}]}}",
            "rotr": f"{{{source}[{step - 1}:0], {high}}}",
        }[kind]
        moved = moved.replace("[0:0]", "[0]").replace(
            f"[{width - 1}:{width - 1}]", f"[{width - 1}]"
        )
        how = "assign" if k == bits - 1 else f"wire [{width - 1}:0]"
        lines.append(f"{how} {target} = {names['n']}[{k}] ? {moved} : {source};")
        source = target
    return "\n".join(lines)


def _operator(kind: str, a: str, s: str, width: int) -> str:
    """A shift or rotation as one expression."""
    return {
        "left": f"{a} << {s}",
        "right": f"{a} >> {s}",
        "arith": f"$signed({a}) >>> {s}",
        "rotl": f"({a} << {s}) | ({a} >> ({width} - {s}))",
        "rotr": f"({a} >> {s}) | ({a} << ({width} - {s}))",
    }[kind]


def _shifted(kind: str, value: int, amount: int, width: int) -> int:
    """The value of a shift or rotation."""
    if kind in ("rotl", "rotr"):
        left = amount % width if kind == "rotl" else -amount % width
        return mask(value << left | value >> (width - left), width)
    moved = {
        "left": value << amount,
        "right": value >> amount,
        "arith": signed(value, width) >> amount,
    }[kind]
    return mask(moved, width)


_WORDS = {
    "left": ("shifted left", "zeros enter at the right", "left shifter"),
    "right": ("shifted right logically", "zeros enter at the left", "logical right shifter"),
    "arith": (
        "shifted right arithmetically",
        "copies of the sign bit enter at the left",
        "arithmetic right shifter",
    ),
    "rotl": ("rotated left", "bits leaving at the left come back at the right", "left rotator"),
    "rotr": ("rotated right", "bits leaving at the right come back at the left", "right rotator"),
}


@family("barrel_shifter")
def barrel_shifter(rng: random.Random) -> Design:
    """Shift or rotate by a variable amount in one direction."""
    n = Names(rng)
    width = rng.choice((4, 8, 8, 8, 16, 16, 32, 32))
    kind = rng.choice(tuple(_WORDS))
    bits = (width - 1).bit_length()
    a, s, y = n.pick(*_IN), n.pick("shamt", "amt", "sh", "shift", "n", "amount"), n.pick(*_OUT)
    style = n.choose(("operator", "stages", "stages") + (("case",) if width == 4 else ()))
    reg = False
    if style == "stages":
        text = _log_stages(rng, n, width, bits, {"kind": kind, "a": a, "n": s, "y": y})
    elif style == "case":
        reg = True
        rows = []
        for k in range(width):
            places = [
                (p - k if kind in ("left", "rotl") else p + k) for p in range(width - 1, -1, -1)
            ]
            rows.append(f"    {bits}'d{k}: {y} = {_gather(kind, a, places, width)};")
        rows[-1] = rows[-1].replace(f"{bits}'d{width - 1}", "default")
        text = always(rng, "\n".join([f"case ({s})", *rows, "endcase"]))
    elif kind in ("rotl", "rotr") and rng.random() < 0.5:
        double = n.pick("twice", "dbl", "pair")
        side = f"{double} << {s}" if kind == "rotl" else f"{double} >> {s}"
        spread = n.pick("moved", "spread", "rot")
        cut = f"[{2 * width - 1}:{width}]" if kind == "rotl" else f"[{width - 1}:0]"
        text = (
            f"wire [{2 * width - 1}:0] {double} = {{{a}, {a}}};\n"
            f"wire [{2 * width - 1}:0] {spread} = {side};\nassign {y} = {spread}{cut};"
        )
    else:
        text = f"assign {y} = {_operator(kind, a, s, width)};"
    ports = [
        PortDecl("input", a, width, "word"),
        PortDecl("input", s, bits, "amount"),
        PortDecl("output", y, width, "moved word", reg=reg),
    ]

    def model(i: Mapping[str, int]) -> Mapping[str, int | None]:
        return {y: _shifted(kind, i[a], i[s], width)}

    verb, fill, name = _WORDS[kind]
    return combinational(
        rng,
        family="barrel_shifter",
        group="arithmetic",
        params={"width": width, "kind": kind},
        module=n.module(
            "barrel_shifter",
            "shifter" if kind[:3] != "rot" else "rotator",
            "bshift",
            f"sh{width}",
            "log_shifter",
        ),
        ports=ports,
        body=text,
        function=model,
        titles=(
            an(f"{width}-bit barrel {name}"),
            f"a combinational {name} for {width}-bit words",
            f"a barrel shifter ({name}), {width} bits",
            f"a single-cycle variable {name} with {bits}-bit amount",
        ),
        behaviour=(
            (
                f"{y} is {a} {verb} by {s} positions.",
                f"`{a}` is {verb} by the number of places given on `{s}` (0 to {width - 1}); the "
                "result "
                f"is `{y}`.",
                f"The word {a} leaves on {y}, {verb} by {s} bits.",
            ),
            (f"{fill.capitalize()}.", f"On the way {fill}.", f"It is a {name}: {fill}."),
        ),
        style=style,
    )


def _gather(kind: str, a: str, places: list[int], width: int) -> str:
    """A concatenation of single bits of `a`; places outside are filled by `kind`."""
    parts = []
    for p in places:
        if 0 <= p < width:
            parts.append(f"{a}[{p}]")
        elif kind in ("rotl", "rotr"):
            parts.append(f"{a}[{p % width}]")
        else:
            parts.append(f"{a}[{width - 1}]" if kind == "arith" else "1'b0")
    return f"{{{', '.join(parts)}}}"


@family("multi_shifter")
def multi_shifter(rng: random.Random) -> Design:
    """Shifter whose kind of movement is an input."""
    n = Names(rng)
    width = rng.choice((8, 8, 16, 16, 32))
    bits = (width - 1).bit_length()
    count = rng.choice((2, 2, 3, 4))
    kinds = rng.sample(tuple(_WORDS), count)
    a, s, y = n.pick(*_IN), n.pick("shamt", "amt", "sh", "n", "amount"), n.pick(*_OUT)
    mode = n.pick("mode", "op", "kind", "dir", "ctl")
    mb = (count - 1).bit_length()
    style = n.choose(("case", "ternary") if count > 2 else ("ternary", "if"))
    rows = [_operator(k, a, s, width) for k in kinds]
    # `>>>` next to unsigned operands would be evaluated unsigned, so it gets a wire of its own.
    extra = ""
    if "arith" in kinds:
        w = n.pick("sra", "ashift", "arith_r")
        extra = f"wire [{width - 1}:0] {w} = $signed({a}) >>> {s};\n"
        rows[kinds.index("arith")] = w
    if style == "if":
        text = always(rng, f"if ({mode})\n    {y} = {rows[1]};\nelse\n    {y} = {rows[0]};")
    elif style == "case":
        arms = [f"    {mb}'d{k}: {y} = {e};" for k, e in enumerate(rows)]
        arms.append(f"    default: {y} = {a};") if count == 3 else None
        if count == 4:
            arms[-1] = arms[-1].replace(f"{mb}'d3", "default")
        text = always(rng, "\n".join([f"case ({mode})", *arms, "endcase"]))
    elif count == 2:
        text = f"assign {y} = {mode} ? ({rows[1]}) : ({rows[0]});"
    else:
        arms = [f"({mode} == {mb}'d{k}) ? ({e}) :" for k, e in enumerate(rows)]
        arms, last = (arms[:3], f"({rows[3]})") if count == 4 else (arms, a)
        text = f"assign {y} = " + "\n    ".join([*arms, last]) + ";"
    ports = [
        PortDecl("input", a, width, "word"),
        PortDecl("input", s, bits, "amount"),
        PortDecl("input", mode, mb, "kind of movement"),
        PortDecl("output", y, width, "moved word", reg=style in ("case", "if")),
    ]

    def model(i: Mapping[str, int]) -> Mapping[str, int | None]:
        return {y: _shifted(kinds[i[mode]], i[a], i[s], width) if i[mode] < count else i[a]}

    table = [f"{k}: {_WORDS[x][0]}" for k, x in enumerate(kinds)]
    facts: list[Behaviour] = [
        (
            f"{y} is {a} moved by {s} positions; {mode} says how ({', '.join(table)}).",
            f"`{mode}` selects the movement of `{a}` by `{s}` bits: {'; '.join(table)}.",
            f"By {s} places {a} is "
            + ", or ".join(f"{_WORDS[x][0]} if {mode} = {k}" for k, x in enumerate(kinds))
            + f"; the result is {y}.",
        )
    ]
    if count == 3:
        facts.append(
            (
                f"{mode} = 3 passes {a} unchanged.",
                f"For the unused code 3 `{y}` equals `{a}`.",
                f"With {mode} at 3 nothing is moved.",
            )
        )
    return combinational(
        rng,
        family="multi_shifter",
        group="arithmetic",
        params={"width": width, "kinds": " ".join(kinds)},
        module=n.module("shift_unit", "shifter", "barrel", "shift_rot", "universal_shifter"),
        ports=ports,
        body=extra + text,
        function=model,
        titles=(
            an(f"{width}-bit shift unit with {count} modes"),
            f"a barrel shifter for {width}-bit words that can do {count} kinds of shift",
            f"a combinational shifter with selectable direction and kind, {width} bits",
            f"a universal shifter, {width} bits wide",
        ),
        behaviour=tuple(facts),
        style=style,
    )


@family("multiplier")
def multiplier(rng: random.Random) -> Design:
    """Combinational multiplier, signed or unsigned."""
    n = Names(rng)
    wa = draw_width(rng, n, (2, 3, 4, 4, 5, 8, 8, 12, 16))
    other = wa.value if wa.parameter or rng.random() < 0.7 else rng.choice((2, 3, 4, 6, 8))
    is_signed = rng.random() < 0.35
    a, b = pair(rng, n, ("mcand", "mplier"))
    p = n.pick("p", "prod", "product", "result", "out")
    total = wa.value + other
    top = f"2*{wa.parameter}-1" if wa.parameter else str(total - 1)
    style = "operator"
    if not is_signed and not wa.parameter and 2 < other <= 8:
        style = n.choose(("operator", "loop", "partial"))
    reg = style == "loop"
    if style == "operator":
        text = (
            f"assign {p} = $signed({a}) * $signed({b});"
            if is_signed
            else f"assign {p} = {a} * {b};"
        )
    elif style == "loop":
        body = f"if ({b}[i])\n    {p} = {p} + ({{{other}'d0, {a}}} << i);"
        body = f"{p} = {total}'d0;\nfor (i = 0; i < {other}; i = i + 1)\n{indent(body)}"
        text = f"integer i;\n{always(rng, body)}"
    else:
        wide = n.pick("a_ext", "wide", "mc")
        terms = [f"({b}[{k}] ? {wide} << {k} : {total}'d0)" for k in range(other)]
        text = (
            f"wire [{total - 1}:0] {wide} = {{{other}'d0, {a}}};\nassign {p} = "
            + "\n    + ".join(terms)
            + ";"
        )
    ports = [
        PortDecl("input", a, wa.value, "multiplicand", range=wa.range),
        PortDecl("input", b, other, "multiplier", range=wa.range),
        PortDecl(
            "output", p, total, "product", reg=reg, range=f"[{top}:0]" if wa.parameter else ""
        ),
    ]

    def model(i: Mapping[str, int]) -> Mapping[str, int | None]:
        if is_signed:
            return {p: mask(signed(i[a], wa.value) * signed(i[b], other), total)}
        return {p: i[a] * i[b]}

    kind = "signed" if is_signed else "unsigned"
    return combinational(
        rng,
        family="multiplier",
        group="arithmetic",
        params={"a": wa.value, "b": other, "signed": is_signed},
        module=n.module(
            "multiplier",
            "mult",
            f"mul{wa.value}x{other}",
            "mul_unit",
            "umul" if not is_signed else "smul",
        ),
        ports=ports,
        body=text,
        function=model,
        width=wa,
        titles=(
            f"a {kind} {wa.value}x{other} multiplier"
            if kind == "signed"
            else f"an {kind} {wa.value}x{other} multiplier",
            f"a combinational {kind} multiplier of {wa.value} by {other} bits",
            f"a multiply unit for {kind} numbers, {wa.value}-bit times {other}-bit",
            f"a parallel multiplier with {an(f'{total}-bit product')}",
        ),
        behaviour=(
            (
                f"{p} is the full {total}-bit product of {a} and {b}.",
                f"`{p}` = {a} * {b}, all {total} bits.",
                f"Multiply {a} by {b} and output the complete product on {p}.",
            ),
            (
                f"The operands are {kind}" + (" (two's complement)." if is_signed else "."),
                f"It is {kind} multiplication.",
                f"Treat {a} and {b} as {kind} numbers.",
            ),
        ),
        style=style,
    )


@family("constant_multiply")
def constant_multiply(rng: random.Random) -> Design:
    """Multiplication of an unsigned number by a constant, sometimes plus an offset."""
    n = Names(rng)
    width = rng.choice((4, 5, 6, 8, 8, 8, 10, 12))
    factor = rng.choice((3, 5, 6, 7, 9, 10, 11, 12, 13, 15, 17, 20, 21, 24, 25, 31, 100))
    offset = rng.choice((0, 0, 0, 1, 2, 7, 32))
    a, y = n.pick(*_IN), n.pick(*_OUT, "prod")
    total = (((1 << width) - 1) * factor + offset).bit_length()
    powers = [k for k in range(factor.bit_length()) if factor >> k & 1]
    style = n.choose(("operator",) + (("shifts", "shifts") if len(powers) <= 3 else ()))
    plus = f" + {total}'d{offset}" if offset else ""
    if style == "shifts":
        e = n.pick("ext", "wide", "a_ext")
        terms = " + ".join(f"({e} << {k})" if k else e for k in reversed(powers))
        text = (
            f"wire [{total - 1}:0] {e} = {{{total - width}'d0, {a}}};\nassign {y} = {terms}{plus};"
        )
    else:
        text = f"assign {y} = {a} * {total}'d{factor}{plus};"
    ports = [PortDecl("input", a, width, "number"), PortDecl("output", y, total, "product")]

    def model(i: Mapping[str, int]) -> Mapping[str, int | None]:
        return {y: i[a] * factor + offset}

    formula = f"{factor} * {a}" + (f" + {offset}" if offset else "")
    shifts = " Use shifts and additions, no multiplier." if style == "shifts" else ""
    add = f" plus {offset}" if offset else ""
    return combinational(
        rng,
        family="constant_multiply",
        group="arithmetic",
        params={"width": width, "factor": factor, "offset": offset},
        module=n.module(f"times{factor}", f"mul_by_{factor}", "const_mult", "scale", "gain"),
        ports=ports,
        body=text,
        function=model,
        titles=(
            f"a multiplier by the constant {factor}{add}",
            f"a circuit that multiplies {an(f'{width}-bit number')} by "
            f"{factor}{' and adds ' + str(offset) if offset else ''}",
            f"a constant-coefficient multiplier (times {factor}{add}) for {width}-bit inputs",
            f"a scaling block: {width}-bit input times {factor}{add}",
        ),
        behaviour=(
            (
                f"{y} = {formula}, unsigned, without overflow.{shifts}",
                f"`{y}` carries `{a}` (unsigned) times {factor}{add} in full precision.{shifts}",
                f"The {total}-bit output {y} equals {formula} for the unsigned input.{shifts}",
            ),
        ),
        style=style,
    )
