"""Arithmetic logic units."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from ..build import mask
from ..design import Behaviour, Design, PortDecl
from ..names import Names
from ..registry import family
from ._combinational import always, an, combinational, draw_width, pair, signed, target

if TYPE_CHECKING:
    import random
    from collections.abc import Callable, Mapping

    from ._combinational import Width

__all__: list[str] = []


@dataclass(frozen=True, slots=True)
class _Op:
    """One ALU operation; `text` and `words` are formatted with the operand names."""

    name: str
    text: str
    words: str
    value: Callable[[int, int, int], int]  # a, b, width; masked by the caller


def _less(a: int, b: int, width: int) -> int:
    return int(signed(a, width) < signed(b, width))


_OPS = (
    _Op("add", "{a} + {b}", "{a} + {b}", lambda a, b, _w: a + b),
    _Op("sub", "{a} - {b}", "{a} - {b}", lambda a, b, _w: a - b),
    _Op("and", "{a} & {b}", "{a} AND {b}", lambda a, b, _w: a & b),
    _Op("or", "{a} | {b}", "{a} OR {b}", lambda a, b, _w: a | b),
    _Op("xor", "{a} ^ {b}", "{a} XOR {b}", lambda a, b, _w: a ^ b),
    _Op("nor", "~({a} | {b})", "NOT ({a} OR {b})", lambda a, b, _w: ~(a | b)),
    _Op("nand", "~({a} & {b})", "NOT ({a} AND {b})", lambda a, b, _w: ~(a & b)),
    _Op("xnor", "~({a} ^ {b})", "{a} XNOR {b}", lambda a, b, _w: ~(a ^ b)),
    _Op("not", "~{a}", "NOT {a}", lambda a, _b, _w: ~a),
    _Op("pass_a", "{a}", "{a}", lambda a, _b, _w: a),
    _Op("pass_b", "{b}", "{b}", lambda _a, b, _w: b),
    _Op("shl1", "{a} << 1", "{a} shifted left by one", lambda a, _b, _w: a << 1),
    _Op("shr1", "{a} >> 1", "{a} shifted right by one (logical)", lambda a, _b, _w: a >> 1),
    _Op("inc", "{a} + 1'b1", "{a} + 1", lambda a, _b, _w: a + 1),
    _Op("dec", "{a} - 1'b1", "{a} - 1", lambda a, _b, _w: a - 1),
    _Op("neg", "~{a} + 1'b1", "-{a}", lambda a, _b, _w: -a),
    _Op("sltu", "{z}, {a} < {b}", "1 if {a} < {b} (unsigned), else 0", lambda a, b, _w: int(a < b)),
    _Op("slt", "{z}, $signed({a}) < $signed({b})", "1 if {a} < {b} (signed), else 0", _less),
    _Op("eq", "{z}, {a} == {b}", "1 if {a} equals {b}, else 0", lambda a, b, _w: int(a == b)),
)


def _expression(op: _Op, a: str, b: str, w: Width) -> str:
    """The Verilog of one operation; flags are padded to the width."""
    zeros = f"{{({w.top}){{1'b0}}}}" if w.parameter else f"{w.value - 1}'d0"
    text = op.text.format(a=a, b=b, z=zeros)
    return f"{{{text}}}" if "{z}" in op.text else text


def _flag_lines(
    flags: dict[str, str], y: str, w: Width, carry: tuple[str, str, str] | None
) -> list[str]:
    """Assignments of the flags; `carry` is the code test and the operands of the addition."""
    lines = []
    if "zero" in flags:
        lines.append(f"assign {flags['zero']} = ({y} == {w.zero});")
    if "negative" in flags:
        lines.append(f"assign {flags['negative']} = {y}[{w.top}];")
    if "parity" in flags:
        lines.append(f"assign {flags['parity']} = ^{y};")
    if "carry" in flags and carry:
        test, a, b = carry
        lines.insert(0, f"wire [{w.text}:0] wide_sum = {{1'b0, {a}}} + {{1'b0, {b}}};")
        lines.append(f"assign {flags['carry']} = ({test}) & wide_sum[{w.text}];")
    return lines


_FLAG_NAMES = {
    "zero": ("zero", "z", "zero_flag", "is_zero"),
    "negative": ("neg", "n_flag", "negative", "sign"),
    "carry": ("carry", "c_flag", "cout", "carry_flag"),
    "parity": ("parity", "p_flag", "par", "odd"),
}


def _flag_fact(kind: str, name: str, y: str, codes: tuple[int, str]) -> Behaviour:
    """What a spec says about one flag."""
    code, formula = codes
    return {
        "zero": (
            f"{name} is 1 when {y} is zero.",
            f"`{name}` = ({y} == 0).",
            f"{name} flags an all-zero result.",
        ),
        "negative": (
            f"{name} is the top bit of {y}.",
            f"`{name}` copies the sign bit of `{y}`.",
            f"{name} is set if the result is negative in two's complement.",
        ),
        "parity": (
            f"{name} is the XOR of all bits of {y}.",
            f"`{name}` is 1 when {y} has an odd number of ones.",
            f"The odd parity of the result is shown on {name}.",
        ),
        "carry": (
            f"{name} is the carry out of {formula}; for all other operations it is 0.",
            f"`{name}` is only meaningful for the addition (code {code}) and 0 otherwise.",
            f"Operation {code} also sets {name} to its carry out; the others clear it.",
        ),
    }[kind]


@family("alu")
def alu(rng: random.Random) -> Design:
    """ALU with a random table of four to eight operations and some flags."""
    n = Names(rng)
    w = draw_width(rng, n, (4, 4, 8, 8, 8, 16, 16, 32))
    bits = rng.choice((2, 3, 3))
    count = 4 if bits == 2 else rng.choice((5, 6, 7, 8, 8))
    common = rng.sample(_OPS[:5], min(5, count - 1))
    ops = common + rng.sample(_OPS[5:], count - len(common))
    rng.shuffle(ops)
    a, b = pair(rng, n)
    sel = n.pick("op", "alu_op", "opcode", "sel", "ctrl", "func")
    y = n.pick("result", "out", "r", "alu_out", "res")
    kinds = [k for k in ("zero", "negative", "carry", "parity") if rng.random() < 0.35]
    adds = [k for k, op in enumerate(ops) if op.name == "add"]
    kinds = [k for k in kinds if k != "carry" or adds]
    flags = {k: n.pick(*_FLAG_NAMES[k]) for k in kinds}
    style = n.choose(("case", "case", "localparam", "ternary"))
    t = target(rng, n, y, w.span)
    rows = [_expression(op, a, b, w) for op in ops]
    text = _alu_text(
        rng, style, t.name if style != "ternary" else y, sel, (bits, ops, rows, w.zero)
    )
    text = text if style == "ternary" else t.wrap(text)
    code = adds[0] if adds else 0
    carry = (f"{sel} == {bits}'d{code}", a, b) if "carry" in flags else None
    text = "\n".join([text, *_flag_lines(flags, y, w, carry)])
    ports = [PortDecl("input", x, w.value, "operand", range=w.range) for x in (a, b)]
    ports.insert(rng.choice((0, 2)), PortDecl("input", sel, bits, "operation"))
    ports.append(
        PortDecl("output", y, w.value, "result", reg=style != "ternary" and t.reg, range=w.range)
    )
    ports += [PortDecl("output", f, 1, f"{k} flag") for k, f in flags.items()]

    def model(i: Mapping[str, int]) -> Mapping[str, int | None]:
        index = i[sel]
        value = mask(ops[index].value(i[a], i[b], w.value), w.value) if index < count else 0
        full: dict[str, int] = {
            "zero": int(value == 0),
            "negative": value >> w.value - 1,
            "parity": value.bit_count() & 1,
            "carry": i[a] + i[b] >> w.value if index == code else 0,
        }
        return {y: value} | {f: full[k] for k, f in flags.items()}

    return combinational(
        rng,
        family="alu",
        group="arithmetic",
        params={"width": w.value, "ops": " ".join(op.name for op in ops), "flags": " ".join(flags)},
        module=n.module("alu", f"alu{w.value}", "simple_alu", "arith_logic", "exec_unit"),
        ports=ports,
        body=text,
        function=model,
        width=w,
        titles=(
            an(f"{w.value}-bit ALU with {count} operations"),
            an(f"arithmetic logic unit, {w.value} bits, {count} functions"),
            f"a small ALU for {w.value}-bit operands" + (" with flags" if flags else ""),
            f"a combinational execution unit that performs one of {count} operations on two "
            f"{w.value}-bit words",
        ),
        behaviour=(
            *_alu_facts(ops, (a, b, sel, y), bits),
            *(_flag_fact(k, f, y, (code, f"{a} + {b}")) for k, f in flags.items()),
        ),
        style=style,
    )


def _alu_text(
    rng: random.Random,
    style: str,
    y: str,
    sel: str,
    table: tuple[int, list[_Op], list[str], str],
) -> str:
    """The selection of the result."""
    bits, ops, rows, zero = table
    full = len(rows) == 1 << bits
    if style == "ternary":
        arms = [f"({sel} == {bits}'d{k}) ? {e} :" for k, e in enumerate(rows)]
        arms, last = (arms[:-1], rows[-1]) if full else (arms, zero)
        return f"assign {y} = " + "\n    ".join([*arms, last]) + ";"
    labels = [f"{bits}'b{k:0{bits}b}" for k in range(len(rows))]
    declared = ""
    if style == "localparam":
        labels = [f"OP_{op.name.upper()}" for op in ops]
        pairs = ", ".join(f"{x} = {bits}'d{k}" for k, x in enumerate(labels))
        declared = f"localparam [{bits - 1}:0] {pairs};\n"
    arms = [f"    {x}: {y} = {e};" for x, e in zip(labels, rows, strict=True)]
    arms.append(f"    default: {y} = {zero};")
    return declared + always(rng, "\n".join([f"case ({sel})", *arms, "endcase"]))


def _alu_facts(ops: list[_Op], names: tuple[str, str, str, str], bits: int) -> list[Behaviour]:
    """The operation table in words, and what unused codes do."""
    a, b, sel, y = names
    words = [op.words.format(a=a, b=b) for op in ops]
    facts: list[Behaviour] = [
        (
            f"{sel} selects the operation: "
            + ", ".join(f"{k}: {x}" for k, x in enumerate(words))
            + ".",
            f"`{y}` depends on `{sel}`: "
            + "; ".join(f"{k:0{bits}b} -> {x}" for k, x in enumerate(words))
            + ".",
            f"The value of {y} is "
            + "; ".join(f"{x} for {sel} = {k}" for k, x in enumerate(words))
            + ".",
        )
    ]
    if len(ops) < 1 << bits:
        facts.append(
            (
                "Other codes give a result of zero.",
                f"For unused values of {sel}, {y} is 0.",
                "Undefined opcodes return all zeros.",
            )
        )
    return facts
