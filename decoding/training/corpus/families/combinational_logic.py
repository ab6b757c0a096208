"""Random logic: truth tables, gate networks."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..design import Design, PortDecl
from ..names import Names
from ..registry import family
from ._combinational import always, an, combinational, listing

if TYPE_CHECKING:
    import random
    from collections.abc import Mapping, Sequence

__all__: list[str] = []

_ONE = ("y", "f", "out", "z", "q", "o", "result")


def _product(ins: Sequence[str], index: int) -> str:
    """The minterm of `index`; the first input is the highest bit."""
    top = len(ins) - 1
    return " & ".join(x if index >> (top - k) & 1 else f"~{x}" for k, x in enumerate(ins))


def _table_text(
    rng: random.Random, n: Names, style: str, ins: list[str], rows: list[int]
) -> tuple[str, str]:
    """RTL that makes the function with ones at `rows`; also the name of its output."""
    out = n.pick(*_ONE)
    count = len(ins)
    joined = f"{{{', '.join(ins)}}}"
    if style == "sop":
        return out, f"assign {out} = " + "\n    | ".join(
            f"({_product(ins, r)})" for r in rows
        ) + ";"
    if style == "pos":
        zeros = [r for r in range(1 << count) if r not in rows]
        return out, f"assign {out} = ~(" + "\n    | ".join(
            f"({_product(ins, r)})" for r in zeros
        ) + ");"
    if style == "lookup":
        bits = "".join("1" if r in rows else "0" for r in range((1 << count) - 1, -1, -1))
        table = n.pick("table_c", "lut", "truth", "rom")
        line = f"wire [{(1 << count) - 1}:0] {table} = {1 << count}'b{bits};\n"
        return out, f"{line}assign {out} = {table}[{joined}];"
    ones = ", ".join(f"{count}'b{r:0{count}b}" for r in rows)
    return out, always(
        rng, f"case ({joined})\n    {ones}: {out} = 1'b1;\n    default: {out} = 1'b0;\nendcase"
    )


@family("truth_table")
def truth_table(rng: random.Random) -> Design:
    """A random function of three or four inputs, given by its minterms."""
    n = Names(rng)
    count = rng.choice((2, 3, 3, 3, 4))
    pools = (
        ("a", "b", "c", "d"),
        ("x3", "x2", "x1", "x0"),
        ("A", "B", "C", "D"),
        ("w", "x", "y", "z"),
    )
    ins = [
        n.pick(name) for name in rng.choice(pools)[4 - count if rng.random() < 0.2 else 0 :][:count]
    ]
    size = rng.randint(1, (1 << count) - 1)
    rows = sorted(rng.sample(range(1 << count), min(size, 8)))
    style = n.choose(
        ["sop", "sop", "case", "lookup"] + (["pos"] if len(rows) * 2 > 1 << count else [])
    )
    module = n.module("truth_table", "logic_fn", "func", "comb_logic", "sop", "minterms")
    out, text = _table_text(rng, n, style, ins, rows)
    ports = [PortDecl("input", x, 1, "input") for x in ins]
    ports.append(PortDecl("output", out, 1, "function value", reg=style == "case"))

    def model(i: Mapping[str, int]) -> Mapping[str, int | None]:
        index = 0
        for x in ins:
            index = index << 1 | i[x]
        return {out: int(index in rows)}

    order = "".join(f"{x}," for x in ins)[:-1]
    codes = listing([f"{r:0{count}b}" for r in rows])
    words = [
        " and ".join(f"{x}={r >> (count - 1 - k) & 1}" for k, x in enumerate(ins)) for r in rows
    ]
    table = "; ".join(f"{r:0{count}b} -> {int(r in rows)}" for r in range(1 << count))
    function: dict[str, int | str | bool] = {"inputs": count, "minterms": " ".join(map(str, rows))}
    return combinational(
        rng,
        family="truth_table",
        group="combinational",
        params=function,
        module=module,
        ports=ports,
        body=text,
        function=model,
        titles=(
            f"a logic function of {count} inputs",
            f"a combinational circuit with inputs {listing(ins)} that implements a truth table",
            f"a {count}-input Boolean function given by its minterms",
            f"a sum-of-products circuit over {listing(ins)}",
        ),
        behaviour=(
            (
                f"{out} is 1 when {{{order}}} is {codes.replace(' and ', ' or ')}, and 0 for all "
                "other inputs.",
                f"Reading ({order}) as a binary number with {ins[0]} as the MSB, {out} = 1 for "
                f"{listing([str(r) for r in rows])} and 0 otherwise.",
                f"{out}({order}) = sum of minterms m({', '.join(map(str, rows))}), {ins[0]} is the "
                f"most significant variable.",
                f"Truth table, {order} -> {out}: {table}.",
                f"The output is high if {'; or if '.join(words)}. Otherwise it is low.",
            ),
        ),
        style=style,
    )


_GATES = {"and": "&", "or": "|", "xor": "^", "nand": "&", "nor": "|", "xnor": "^"}


_SIGNALS = (
    ("a", "b", "c", "d", "e"),
    ("door", "key", "seat", "belt", "ignition"),
    ("req", "busy", "ready", "mask", "stall"),
    ("start", "stop", "fault", "enable", "bypass"),
    ("rd", "wr", "cs", "hit", "dirty"),
    ("p", "q", "r", "s", "t"),
    ("temp_high", "fan_on", "manual", "power_ok", "alarm"),
)


def _gate(op: str, left: str, right: str) -> str:
    """One two-input gate in Verilog."""
    core = f"{left} {_GATES[op]} {right}"
    return f"~({core})" if op.startswith("n") or op == "xnor" else f"({core})"


def _value(op: str, left: int, right: int) -> int:
    """The value of one two-input gate."""
    base = {"&": left & right, "|": left | right, "^": left ^ right}[_GATES[op]]
    return base ^ (1 if op in ("nand", "nor", "xnor") else 0)


@family("gate_network")
def gate_network(rng: random.Random) -> Design:
    """A small network of gates over named inputs, told gate by gate."""
    n = Names(rng)
    ins = [n.pick(x) for x in rng.sample(rng.choice(_SIGNALS), rng.randint(2, 4))]
    out = n.pick("y", "out", "f", "go", "ok", "result", "z")
    nodes = rng.randint(1, 4)
    wires = [n.pick(f"n{k + 1}", f"w{k + 1}", f"g{k + 1}") for k in range(nodes - 1)] + [out]
    gates: list[tuple[str, str, str, bool, str]] = []
    fresh = list(ins)
    for wire in wires:
        left = gates[-1][0] if gates else fresh.pop(rng.randrange(len(fresh)))
        choices = fresh or [x for x in ins if x != left]
        right = choices[rng.randrange(len(choices))]
        if right in fresh:
            fresh.remove(right)
        gates.append((wire, rng.choice(tuple(_GATES)), left, rng.random() < 0.25, right))
    used = {name for g in gates for name in (g[2], g[4])}
    ins = [x for x in ins if x in used]
    style = n.choose(
        ("wires", "expression", "primitives", "always")
        if nodes > 1
        else ("expression", "primitives", "always")
    )
    text, reg = _network_text(rng, style, gates, out)
    ports = [PortDecl("input", x, 1, "input") for x in ins]
    ports.append(PortDecl("output", out, 1, "output of the last gate", reg=reg))

    def model(i: Mapping[str, int]) -> Mapping[str, int | None]:
        values = dict(i)
        for wire, op, left, inverted, right in gates:
            values[wire] = _value(op, values[left], values[right] ^ int(inverted))
        return {out: values[out]}

    told, nested = _network_words(gates, out)
    signature = "; ".join(
        f"{op} {'~' if inv else ''}{(ins.index(r) if r in ins else r)}"
        for _, op, _, inv, r in gates
    )
    return combinational(
        rng,
        family="gate_network",
        group="combinational",
        params={"gates": signature, "first": ins.index(gates[0][2]), "inputs": len(ins)},
        module=n.module("gates", "logic_net", "comb", "interlock", "glue_logic", "cond_logic"),
        ports=ports,
        body=text,
        function=model,
        titles=(
            f"a small gate network with {len(ins)} inputs",
            f"a combinational circuit of {len(gates)} gate{'s' if len(gates) > 1 else ''}",
            f"a piece of glue logic over {listing(ins)}",
            f"a Boolean expression of {listing(ins)}",
        ),
        behaviour=(
            (
                f"{out} = {nested}.",
                told,
                f"The circuit computes {out} = {nested}, where ~ is NOT, & AND, | OR and ^ XOR.",
            ),
        ),
        style=style,
    )


def _network_text(
    rng: random.Random, style: str, gates: list[tuple[str, str, str, bool, str]], out: str
) -> tuple[str, bool]:
    """RTL of the network; whether its output is a `reg`."""
    if style == "primitives":
        names = [f"wire {w};" for w, *_ in gates if w != out]
        rows = [
            f"{op} u{k} ({w}, {left}, {'~' if inv else ''}{right});"
            for k, (w, op, left, inv, right) in enumerate(gates)
        ]
        return "\n".join([*names, *rows]), False
    expressions: dict[str, str] = {}
    for w, op, left, inv, right in gates:
        source = expressions.get(left, left) if style == "expression" else left
        expressions[w] = _gate(op, source, f"{'~' if inv else ''}{right}")
    if style == "expression":
        return f"assign {out} = {_strip(expressions[out])};", False
    if style == "wires":
        rows = [f"wire {w} = {_strip(e)};" for w, e in expressions.items() if w != out]
        return "\n".join([*rows, f"assign {out} = {_strip(expressions[out])};"]), False
    names = [f"reg {w};" for w, *_ in gates if w != out]
    body = "\n".join(f"{w} = {_strip(e)};" for w, e in expressions.items())
    return "\n".join([*names, always(rng, body)]), True


def _strip(expression: str) -> str:
    """Drop the outermost parentheses of one gate."""
    return expression[1:-1] if expression.startswith("(") else expression


def _network_words(gates: list[tuple[str, str, str, bool, str]], out: str) -> tuple[str, str]:
    """The network told gate by gate, and as one nested expression."""
    nested: dict[str, str] = {}
    rows = []
    for k, (w, op, left, inv, right) in enumerate(gates):
        second = f"the inverse of {right}" if inv else right
        first = left if k == 0 else f"the output of gate {k}"
        rows.append(f"gate {k + 1} is {an(op.upper())} of {first} and {second}")
        nested[w] = _gate(op, nested.get(left, left), f"{'~' if inv else ''}{right}")
    if len(rows) == 1:
        return f"{out} is driven by one gate: {rows[0][10:]}.", _strip(nested[out])
    return f"{'; '.join(rows)}. {out} is the output of the last gate.", _strip(nested[out])
