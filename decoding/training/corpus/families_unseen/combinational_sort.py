"""Sorting networks."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..design import Behaviour, Design, PortDecl
from ..families._combinational import (
    always,
    an,
    combinational,
    draw_width,
    listing,
    numbered,
    signed,
)
from ..names import Names
from ..registry import family

if TYPE_CHECKING:
    import random
    from collections.abc import Mapping

    from ..families._combinational import Width

__all__: list[str] = []

_EXCHANGES = {3: ((0, 1), (1, 2), (0, 1)), 4: ((0, 1), (2, 3), (0, 2), (1, 3), (1, 2))}


def _network(n: Names, w: Width, ins: list[str], outs: list[str], order: tuple[str, str]) -> str:
    """Two multiplexers for every exchange; `order` is the comparison and its type."""
    sign, kind = order
    wires, rows = list(ins), []
    base = n.pick("n", "t", "w", "m")
    for k, (i, j) in enumerate(_EXCHANGES[len(ins)]):
        a, b = wires[i], wires[j]
        wires[i], wires[j] = f"{base}{2 * k}", f"{base}{2 * k + 1}"
        test = f"$signed({a}) {sign} $signed({b})" if kind else f"{a} {sign} {b}"
        rows.append(f"wire {w.span}{wires[i]} = ({test}) ? {b} : {a};")
        rows.append(f"wire {w.span}{wires[j]} = ({test}) ? {a} : {b};")
    rows += [f"assign {out} = {wire};" for out, wire in zip(outs, wires, strict=True)]
    return "\n".join(rows)


def _swaps(
    rng: random.Random, n: Names, w: Width, ins: list[str], outs: list[str], order: tuple[str, str]
) -> str:
    """The same network as a sequence of swaps, of the outputs themselves."""
    sign, kind = order
    tmp = n.pick("tmp", "swap", "held")
    rows = [f"{out} = {a};" for out, a in zip(outs, ins, strict=True)]
    rows.append(f"{tmp} = {ins[0]};")  # assigned on every path: no latch
    for i, j in _EXCHANGES[len(ins)]:
        a, b = outs[i], outs[j]
        test = f"$signed({a}) {sign} $signed({b})" if kind else f"{a} {sign} {b}"
        rows.append(f"if ({test}) begin\n    {tmp} = {a};\n    {a} = {b};\n    {b} = {tmp};\nend")
    return f"reg {w.span}{tmp};\n{always(rng, chr(10).join(rows))}"


def _ranks(n: Names, ins: list[str], outs: list[str], order: tuple[str, str]) -> str:
    """The place of each input is counted, then every output picks the input of its place."""
    sign, kind = order
    base = n.pick("rank", "pos", "place", "r")
    rows = []
    for k, a in enumerate(ins):
        terms = []
        for j, b in enumerate(ins):
            if j == k:
                continue
            # Of equals the earlier one comes first.
            test = sign if j > k else f"{sign}="
            terms.append(
                f"{{1'b0, $signed({a}) {test} $signed({b})}}"
                if kind
                else f"{{1'b0, {a} {test} {b}}}"
            )
        rows.append(f"wire [1:0] {base}{k} = {' + '.join(terms)};")
    gap = n.choose((" ", "\n    "))
    for place, out in enumerate(outs):
        picks = [f"({base}{k} == 2'd{place}) ? {a} :" for k, a in enumerate(ins[:-1])]
        rows.append(f"assign {out} = {gap.join([*picks, f'{ins[-1]};'])}")
    return "\n".join(rows)


@family("sort_network")
def sort_network(rng: random.Random) -> Design:
    """Three or four numbers put in order of size."""
    n = Names(rng)
    count, down, is_signed = rng.choice((3, 3, 4)), rng.random() < 0.4, rng.random() < 0.3
    w = draw_width(rng, n, (2, 3, 4, 4, 6, 8, 8, 8, 10, 12, 16))
    module = n.module(f"sort{count}", "sorter", "sort_net", "sort_network", "order_unit")
    ins = numbered(rng, n, count, "in", "d", "x", "a_in")
    if count == 3 and rng.random() < 0.5:
        words = ("max", "med", "min") if down else ("min", "med", "max")
        outs = [n.pick(f"{x}_o", f"{x}_val", f"{x}_out") for x in words]
    else:
        outs = numbered(rng, n, count, "s", "out", "q", "sorted")
    style = n.choose(("network", "swaps", "ranks"))
    order = ("<" if down else ">", "signed" if is_signed else "")
    if style == "network":
        text = _network(n, w, ins, outs, order)
    elif style == "swaps":
        text = _swaps(rng, n, w, ins, outs, order)
    else:
        text = _ranks(n, ins, outs, order)
    ports = [PortDecl("input", x, w.value, "number to sort", range=w.range) for x in ins]
    ports += [
        PortDecl("output", y, w.value, "number in order", reg=style == "swaps", range=w.range)
        for y in outs
    ]

    def model(i: Mapping[str, int]) -> Mapping[str, int | None]:
        values = [i[x] for x in ins]
        values.sort(key=lambda v: signed(v, w.value) if is_signed else v, reverse=down)
        return dict(zip(outs, values, strict=True))

    kind = "signed" if is_signed else "unsigned"
    two = " (two's complement)" if is_signed else ""
    how = "descending" if down else "ascending"
    first, last = ("largest", "smallest") if down else ("smallest", "largest")
    relation = " >= " if down else " <= "
    facts: list[Behaviour] = [
        (
            f"{listing(outs)} are the values of {listing(ins)} in {how} order, so {relation.join(outs)}.",
            f"The inputs {listing(ins)} are sorted: `{outs[0]}` is the {first}, `{outs[-1]}` the {last}, with {', '.join(outs[1:-1])} in between in order.",
            f"Sort {listing(ins)} so that {relation.join(outs)}, {outs[0]} being the {first}.",
        ),
        (
            f"The numbers are {kind}{two}.",
            f"Comparison is {kind}.",
            f"All values are read as {kind} numbers.",
        ),
        (
            "Equal values appear as often as they come in.",
            "A value that occurs more than once keeps all its copies.",
            "Duplicates are kept.",
        ),
    ]
    return combinational(
        rng,
        family="sort_network",
        group="combinational",
        params={"count": count, "width": w.value, "descending": down, "signed": is_signed},
        module=module,
        ports=ports,
        body=text,
        function=model,
        width=w,
        titles=(
            f"a sorter for {count} {kind} {w.value}-bit numbers",
            f"a combinational sorting network, {count} {kind} values of {w.value} bits, {how}",
            f"a circuit that puts {count} {kind} numbers of {w.value} bits into {how} order",
            an(f"{how} {count}-input sort unit for {w.value}-bit {kind} values"),
        ),
        behaviour=tuple(facts),
        style=style,
    )
