"""Checks of one-hot codes."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..build import indent
from ..design import Design, PortDecl
from ..names import Names
from ..registry import family
from ._combinational import always, an, combinational, target

if TYPE_CHECKING:
    import random
    from collections.abc import Mapping

__all__: list[str] = []

_ONEHOT_KINDS = {
    "one": ("exactly one bit", "is one-hot", "one-hot checker"),
    "atmost": ("at most one bit", "is one-hot or zero", "one-hot-or-zero checker"),
    "several": ("more than one bit", "has two or more ones", "multi-hit detector"),
}


@family("onehot_checker")
def onehot_checker(rng: random.Random) -> Design:
    """Whether exactly one, at most one or several bits are set."""
    n = Names(rng)
    count = rng.choice((3, 4, 4, 5, 6, 8, 8, 12, 16))
    kind = rng.choice(tuple(_ONEHOT_KINDS))
    words, state, title = _ONEHOT_KINDS[kind]
    module = n.module(
        title.replace("-", "").replace(" ", "_"), "onehot_check", "hot_check", "sel_checker"
    )
    a = n.pick("in", "sel", "onehot", "d", "x", "grant", "v")
    out = (
        n.pick("ok", "valid", "is_onehot", "y", "flag")
        if kind != "several"
        else n.pick("err", "multi", "multi_hit", "conflict", "y")
    )
    style = n.choose(("trick", "count", "scan"))
    t = target(rng, n, out, "")
    low = f"({a} & ({a} - {count}'d1))"
    trick = {
        "one": f"({a} != {count}'d0) && ({low} == {count}'d0)",
        "atmost": f"{low} == {count}'d0",
        "several": f"{low} != {count}'d0",
    }[kind]
    bits = count.bit_length()
    compare = {"one": f"== {bits}'d1", "atmost": f"<= {bits}'d1", "several": f"> {bits}'d1"}[kind]
    if style == "trick":
        text = f"assign {out} = {trick};"
    elif style == "count":
        c = n.pick("cnt", "ones", "total", "sum")
        loop = f"{c} = {bits}'d0;\nfor (i = 0; i < {count}; i = i + 1)\n    {c} = {c} + {a}[i];"
        text = f"integer i;\nreg [{bits - 1}:0] {c};\n{always(rng, loop)}\nassign {out} = {c} {compare};"
    else:
        seen = n.pick("seen", "any", "first")
        many = n.pick("many", "more", "second")
        result = {"one": f"{seen} & ~{many}", "atmost": f"~{many}", "several": many}[kind]
        inner = f"if ({a}[i]) begin\n    {many} = {many} | {seen};\n    {seen} = 1'b1;\nend"
        loop = (
            f"{seen} = 1'b0;\n{many} = 1'b0;\nfor (i = 0; i < {count}; i = i + 1)\n{indent(inner)}"
            f"\n{t.name} = {result};"
        )
        text = f"integer i;\nreg {seen};\nreg {many};\n{t.wrap(always(rng, loop))}"
    ports = [
        PortDecl("input", a, count, "vector to check"),
        PortDecl("output", out, 1, f"{words} set", reg=style == "scan" and t.reg),
    ]

    def model(i: Mapping[str, int]) -> Mapping[str, int | None]:
        ones = i[a].bit_count()
        return {out: int({"one": ones == 1, "atmost": ones <= 1, "several": ones > 1}[kind])}

    return combinational(
        rng,
        family="onehot_checker",
        group="combinational",
        params={"bits": count, "kind": kind},
        module=module,
        ports=ports,
        body=text,
        function=model,
        titles=(
            f"a {title} for {count} bits",
            an(f"{count}-bit {title}"),
            f"a check whether {words} of {an(f'{count}-bit vector')} is set".replace(
                "one bit of", "one bit of"
            ),
            f"a combinational circuit that tests if a vector of {count} bits {state}",
        ),
        behaviour=(
            (
                f"{out} is 1 if {words} of {a} is 1, otherwise 0.",
                f"`{out}` goes high exactly when `{a}` {state}.",
                f"Set {out} iff {words} of {a} is set.",
            ),
        ),
        style=f"{style}-{kind}",
    )
