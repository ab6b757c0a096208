"""Random logic: truth tables, gate expressions, reductions, voters."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..design import Behaviour, Design, PortDecl
from ..names import Names
from ..registry import family
from ._combinational import always, an, combinational, draw_width, listing, numbered

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
    ("start", "stop", "fault", "enable", "override"),
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


@family("majority")
def majority(rng: random.Random) -> Design:
    """Majority of single bits, or a bitwise vote of three words with a mismatch flag."""
    n = Names(rng)
    return _vote_words(rng, n) if rng.random() < 0.5 else _vote_bits(rng, n)


def _vote_bits(rng: random.Random, n: Names) -> Design:
    count = rng.choice((3, 3, 5, 7, 4, 6))
    need = count // 2 + 1
    module = n.module("majority", f"maj{count}", "voter", "vote_logic", "quorum")
    a, out = (
        n.pick("in", "votes", "x", "v", "d", "ballots"),
        n.pick("y", "maj", "out", "pass", "majority_o"),
    )
    style = n.choose(("sum", "loop") + (("gates",) * 2 if count == 3 else ()))
    bits = count.bit_length()
    if style == "gates":
        text = f"assign {out} = ({a}[0] & {a}[1]) | ({a}[0] & {a}[2]) | ({a}[1] & {a}[2]);"
    elif style == "sum":
        c = n.pick("ones", "total", "yes", "tally")
        terms = " + ".join(f"{{{bits - 1}'d0, {a}[{k}]}}" for k in range(count))
        text = f"wire [{bits - 1}:0] {c} = {terms};\nassign {out} = ({c} >= {bits}'d{need});"
    else:
        c = n.pick("cnt", "ones", "tally")
        body = f"{c} = {bits}'d0;\nfor (i = 0; i < {count}; i = i + 1)\n    {c} = {c} + {a}[i];"
        text = f"integer i;\nreg [{bits - 1}:0] {c};\n{always(rng, body)}\nassign {out} = ({c} >= {bits}'d{need});"
    ports = [PortDecl("input", a, count, "votes"), PortDecl("output", out, 1, "majority")]

    def model(i: Mapping[str, int]) -> Mapping[str, int | None]:
        return {out: int(i[a].bit_count() >= need)}

    return combinational(
        rng,
        family="majority",
        group="combinational",
        params={"kind": "bits", "inputs": count},
        module=module,
        ports=ports,
        body=text,
        function=model,
        titles=(
            f"a {count}-input majority gate",
            f"a majority voter over {count} bits",
            f"a circuit that tells whether most of {count} inputs are high",
            f"a vote counter for {count} votes with a pass output",
        ),
        behaviour=(
            (
                f"{out} is 1 when at least {need} of the {count} bits of {a} are 1.",
                f"`{out}` is high if more than half of the {count} bits in `{a}` are set, else "
                "low.",
                f"Output one iff {need} or more votes on {a} are ones.",
            ),
        ),
        style=style,
    )


def _vote_words(rng: random.Random, n: Names) -> Design:
    w = draw_width(rng, n, (1, 4, 8, 8, 16, 32))
    module = n.module("tmr_voter", "voter", "tmr", "majority3", "triple_vote")
    ins = numbered(rng, n, 3, "d", "copy", "in", "ch", "r")
    out = n.pick("y", "voted", "q", "out", "maj")
    flag = n.pick("mismatch", "err", "disagree", "fault") if rng.random() < 0.6 else ""
    a, b, c = ins
    style = n.choose(("sop", "mux"))
    vote = (
        f"({a} & {b}) | ({a} & {c}) | ({b} & {c})"
        if style == "sop"
        else f"(({a} ^ {b}) & {c}) | ({a} & {b})"
    )
    text = f"assign {out} = {vote};"
    if flag:
        text += f"\nassign {flag} = ({a} != {b}) || ({a} != {c});"
    ports = [PortDecl("input", x, w.value, "replica", range=w.range) for x in ins]
    ports.append(PortDecl("output", out, w.value, "voted word", range=w.range))
    if flag:
        ports.append(PortDecl("output", flag, 1, "the replicas differ"))

    def model(i: Mapping[str, int]) -> Mapping[str, int | None]:
        x, y, z = i[a], i[b], i[c]
        result: dict[str, int | None] = {out: x & y | x & z | y & z}
        return result | ({flag: int(not x == y == z)} if flag else {})

    facts: list[Behaviour] = [
        (
            f"Every bit of {out} is the majority of the same bits of {listing(ins)}.",
            f"`{out}` is the bitwise two-out-of-three vote of `{a}`, `{b}` and `{c}`.",
            f"A bit of {out} is 1 iff at least two of {listing(ins)} have it set.",
        )
    ]
    if flag:
        facts.append(
            (
                f"{flag} is high whenever the three words are not all equal.",
                f"`{flag}` reports any disagreement among the inputs.",
                f"{flag} = 0 only if all three inputs agree in every bit.",
            )
        )
    return combinational(
        rng,
        family="majority",
        group="combinational",
        params={"kind": "words", "width": w.value, "flag": bool(flag)},
        module=module,
        ports=ports,
        body=text,
        function=model,
        width=w,
        titles=(
            an(f"{w.value}-bit triple-redundancy voter"),
            f"a TMR voter for {w.value}-bit words",
            f"a bitwise majority of three {w.value}-bit inputs",
            f"a two-out-of-three voter, {w.value} bit{'s' if w.value > 1 else ''} wide",
        ),
        behaviour=tuple(facts),
        style=style,
    )


_REDUCTIONS = {"and": "&", "or": "|", "xor": "^", "nand": "~&", "nor": "~|", "xnor": "~^"}


@family("reduction")
def reduction(rng: random.Random) -> Design:
    """One to three reductions of a vector."""
    n = Names(rng)
    width = rng.choice((2, 3, 4, 5, 6, 8, 12, 16, 32, 100))
    a = n.pick("in", "a", "x", "d", "v", "data")
    kinds = rng.sample(tuple(_REDUCTIONS), rng.choice((1, 2, 3)))
    outs = {k: n.pick(f"out_{k}", f"{k}_o", f"y_{k}", f"all_{k}") for k in kinds}
    if len(kinds) == 1:
        outs = {kinds[0]: n.pick(*_ONE)}
    style = n.choose(("operator", "operator", "loop"))
    if style == "operator":
        text = "\n".join(f"assign {y} = {_REDUCTIONS[k]}{a};" for k, y in outs.items())
    else:
        first = "\n".join(f"{y} = {a}[0];" for y in outs.values())
        core = {k: _REDUCTIONS[k][-1] for k in outs}
        each = "\n".join(f"    {y} = {y} {core[k]} {a}[i];" for k, y in outs.items())
        last = "".join(f"\n{y} = ~{y};" for k, y in outs.items() if len(_REDUCTIONS[k]) == 2)
        body = f"{first}\nfor (i = 1; i < {width}; i = i + 1) begin\n{each}\nend{last}"
        text = f"integer i;\n{always(rng, body)}"
    ports = [PortDecl("input", a, width, "vector")]
    ports += [
        PortDecl("output", y, 1, f"{k.upper()} of all bits", reg=style == "loop")
        for k, y in outs.items()
    ]

    def model(i: Mapping[str, int]) -> Mapping[str, int | None]:
        v = i[a]
        base = {"&": v == (1 << width) - 1, "|": v != 0, "^": v.bit_count() % 2 == 1}
        return {
            y: int(base[_REDUCTIONS[k][-1]] != (len(_REDUCTIONS[k]) == 2)) for k, y in outs.items()
        }

    words = listing([f"{y} is the {k.upper()} of all bits" for k, y in outs.items()])
    return combinational(
        rng,
        family="reduction",
        group="combinational",
        params={"width": width, "kinds": " ".join(sorted(kinds))},
        module=n.module("reduce", "reduction", f"gate{width}", "vector_gates", "wide_gate"),
        ports=ports,
        body=text,
        function=model,
        titles=(
            an(f"{width}-input {listing([k.upper() for k in kinds])} gate"),
            f"a reduction of {an(f'{width}-bit vector')} to single bits",
            f"a circuit that combines all {width} bits of a vector with "
            f"{listing([k.upper() for k in kinds])}",
            f"a wide gate over {width} inputs",
        ),
        behaviour=(
            (
                f"{words} of {a}.",
                "Outputs: "
                f"{', '.join(f'{y} = {k.upper()} of {a}[{width - 1}:0]' for k, y in outs.items())}.",
                f"{listing([f'`{y}` reduces `{a}` with {k.upper()}' for k, y in outs.items()])}.",
            ),
        ),
        style=style,
    )
