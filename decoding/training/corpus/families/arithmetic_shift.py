"""Shifters and rotators."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..build import mask
from ..design import Behaviour, Design, PortDecl
from ..names import Names
from ..registry import family
from ._combinational import always, an, combinational, signed

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
            (f"{fill.capitalize()}.", f"On the way {fill}.", f"It is {an(name)}: {fill}."),
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
