"""Votes and reductions."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..design import Behaviour, Design, PortDecl
from ..names import Names
from ..registry import family
from ._combinational import always, an, combinational, draw_width, listing, numbered

if TYPE_CHECKING:
    import random
    from collections.abc import Mapping

__all__: list[str] = []

_ONE = ("y", "f", "out", "z", "q", "o", "result")


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
