"""Tables: lookup functions and recognition of codes."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..build import indent
from ..design import Design, PortDecl
from ..names import Names
from ..registry import family
from ._combinational import always, an, combinational, listing, target

if TYPE_CHECKING:
    import random
    from collections.abc import Mapping

__all__: list[str] = []


@family("constant_table")
def constant_table(rng: random.Random) -> Design:
    """A small table of constants, with a value for all other codes."""
    n = Names(rng)
    module = n.module("lut", "lookup", "table_rom", "code_map", "const_table", "translate")
    bits, width = rng.choice((2, 3, 3, 4)), rng.choice((4, 4, 6, 8, 8, 12, 16))
    full = 1 << bits
    count = full if rng.random() < 0.5 else rng.randint(full // 2, full - 1)
    values = [rng.getrandbits(width) for _ in range(count)]
    other = rng.choice((0, 0, (1 << width) - 1, rng.getrandbits(width)))
    base = rng.choice("hhdb") if width <= 8 else "h"
    a = n.pick("addr", "idx", "sel", "code", "in", "state")
    out = n.pick("data", "value", "out", "y", "coef", "q")

    def literal(value: int) -> str:
        return f"{width}'{base}{value:{ {'h': 'x', 'd': 'd', 'b': f'0{width}b'}[base] }}"

    style = n.choose(("case", "case", "function", "ternary" if count <= 5 else "case"))
    t = target(rng, n, out, f"[{width - 1}:0] ")
    last = literal(other)
    rows = list(enumerate(map(literal, values)))
    if count == full:
        last = rows.pop()[1]
    if style == "ternary":
        arms = [f"({a} == {bits}'d{k}) ? {v} :" for k, v in rows]
        text = f"assign {out} = " + "\n    ".join([*arms, last]) + ";"
    else:
        f = n.pick("lookup_f", "table_f", "entry") if style == "function" else t.name
        source = "k" if style == "function" else a
        arms = [f"    {bits}'d{k}: {f} = {v};" for k, v in rows]
        case = "\n".join([f"case ({source})", *arms, f"    default: {f} = {last};", "endcase"])
        if style == "case":
            text = t.wrap(always(rng, case))
        else:
            text = (
                f"function [{width - 1}:0] {f};\n    input [{bits - 1}:0] k;\n{indent(case)}\n"
                f"endfunction\n\nassign {out} = {f}({a});"
            )
    ports = [
        PortDecl("input", a, bits, "index"),
        PortDecl("output", out, width, "table entry", reg=style == "case" and t.reg),
    ]

    def model(i: Mapping[str, int]) -> Mapping[str, int | None]:
        return {out: values[i[a]] if i[a] < count else other}

    shown = {"h": "0x{:x}", "d": "{}", "b": f"0b{{:0{width}b}}"}[base]
    texts = [shown.format(v) for v in values]
    rest = "" if count == full else f" All other values of {a} give {shown.format(other)}."
    table = ", ".join(f"{k} -> {v}" for k, v in enumerate(texts))
    return combinational(
        rng,
        family="constant_table",
        group="combinational",
        params={"bits": bits, "width": width, "values": " ".join(map(str, values)), "other": other},
        module=module,
        ports=ports,
        body=text,
        function=model,
        titles=(
            f"a lookup table with {count} entries of {width} bits",
            f"a combinational ROM of {count} constants",
            an(f"{bits}-bit to {width}-bit code translation table"),
            f"a table of {width}-bit constants selected by {an(f'{bits}-bit index')}",
        ),
        behaviour=(
            (
                f"{out} depends on {a} as follows: {table}.{rest}",
                f"`{a}` indexes the constants {', '.join(texts)} (from index 0), the chosen one appears "
                f"on `{out}`.{rest}",
                f"Table, {a} -> {out}: {'; '.join(f'{k}: {v}' for k, v in enumerate(texts))}.{rest}",
            ),
        ),
        style=style,
    )


_EVENTS = (
    ("left", "right", "up", "down"),
    ("start", "stop", "pause", "resume"),
    ("load", "store", "branch", "jump"),
    ("is_ack", "is_nak", "is_sof", "is_eof"),
    ("red", "green", "blue", "white"),
    ("cmd_read", "cmd_write", "cmd_erase", "cmd_reset"),
)


@family("code_match")
def code_match(rng: random.Random) -> Design:
    """One output for each of a few codes, with or without an output for unknown codes."""
    n = Names(rng)
    module = n.module("code_match", "cmd_decode", "key_decode", "scancode", "recognizer", "matcher")
    width = rng.choice((4, 6, 8, 8, 8, 16))
    names = [n.pick(x) for x in rng.choice(_EVENTS)[: rng.choice((2, 3, 4, 4))]]
    codes = rng.sample(range(1 << width), len(names))
    a = n.pick("code", "scancode_in", "key", "cmd", "opcode", "char")
    unknown = n.pick("unknown", "invalid", "no_match", "illegal") if rng.random() < 0.35 else ""
    literals = [f"{width}'h{c:0{width // 4 or 1}x}" for c in codes]
    style = n.choose(("case", "case", "assign", "if"))
    reg = style != "assign"
    if style == "assign":
        lines = [f"assign {x} = ({a} == {c});" for x, c in zip(names, literals, strict=True)]
        lines += [f"assign {unknown} = ~({' | '.join(names)});"] if unknown else []
        text = "\n".join(lines)
    else:
        clear = "\n".join(f"{x} = 1'b0;" for x in (*names, *([unknown] if unknown else [])))
        if style == "case":
            arms = [f"    {c}: {x} = 1'b1;" for x, c in zip(names, literals, strict=True)]
            arms.append(f"    default: {unknown} = 1'b1;" if unknown else "    default: ;")
            pick = "\n".join([f"case ({a})", *arms, "endcase"])
        else:
            arms = [
                f"if ({a} == {c})\n    {x} = 1'b1;" for x, c in zip(names, literals, strict=True)
            ]
            pick = "\nelse ".join(arms) + (f"\nelse\n    {unknown} = 1'b1;" if unknown else "")
        text = always(rng, f"{clear}\n{pick}")
    ports = [PortDecl("input", a, width, "code")]
    ports += [
        PortDecl("output", x, 1, f"code {c:#x}", reg=reg) for x, c in zip(names, codes, strict=True)
    ]
    ports += [PortDecl("output", unknown, 1, "none of the codes", reg=reg)] if unknown else []

    def model(i: Mapping[str, int]) -> Mapping[str, int | None]:
        result: dict[str, int | None] = {
            x: int(i[a] == c) for x, c in zip(names, codes, strict=True)
        }
        return result | ({unknown: int(i[a] not in codes)} if unknown else {})

    def stimulus(source: random.Random, cycles: int) -> list[dict[str, int]]:
        near = [c ^ 1 << k for c in codes for k in range(width)]
        return [
            {
                a: source.choice(
                    (source.choice(codes), source.choice(near), source.getrandbits(width))
                )
            }
            for _ in range(cycles)
        ]

    table = listing([f"{x} for 0x{c:x}" for x, c in zip(names, codes, strict=True)])
    rest = (
        f"{unknown} is high for every other code"
        if unknown
        else "for every other code all outputs are 0"
    )
    return combinational(
        rng,
        family="code_match",
        group="combinational",
        params={"width": width, "codes": " ".join(map(str, codes)), "unknown": bool(unknown)},
        module=module,
        ports=ports,
        body=text,
        function=model,
        stimulus=stimulus,
        titles=(
            f"a recogniser for {len(names)} {width}-bit codes",
            f"a command decoder with {len(names)} outputs",
            f"a circuit that detects certain values of {an(f'{width}-bit code')}",
            f"a decoder from {width}-bit codes to {listing(names)}",
        ),
        behaviour=(
            (
                f"Exactly one output follows each code on {a}: {table}; {rest}.",
                f"`{a}` raises "
                + listing([f"`{x}` at 0x{c:x}" for x, c in zip(names, codes, strict=True)])
                + f"; {rest}.",
                "; ".join(f"{x} = ({a} == 0x{c:x})" for x, c in zip(names, codes, strict=True))
                + f"; {rest}.",
            ),
        ),
        style=style,
    )
