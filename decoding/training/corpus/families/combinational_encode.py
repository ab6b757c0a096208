"""Encoders: one-hot, priority."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..design import Behaviour, Design, PortDecl
from ..names import Names
from ..registry import family
from ._combinational import always, an, combinational, target

if TYPE_CHECKING:
    import random
    from collections.abc import Mapping

__all__: list[str] = []

_REQUESTS = ("req", "in", "x", "irq", "d", "data", "lines", "r", "request")


_CODES = ("code", "idx", "pos", "bin", "y", "out", "enc", "index")


def _or_terms(source: str, count: int, bits: int) -> list[str]:
    """For every bit of the code the OR of the lines whose index has that bit set."""
    return [" | ".join(f"{source}[{i}]" for i in range(count) if i >> b & 1) for b in range(bits)]


def _onehot_text(
    rng: random.Random, style: str, names: dict[str, str], count: int
) -> tuple[str, bool]:
    """RTL of the one-hot encoder; whether the output is a `reg` is the second part."""
    a, out = names["in"], names["out"]
    bits = (count - 1).bit_length()
    if style == "or":
        terms = _or_terms(a, count, bits)
        if bits == 1:
            return f"assign {out} = {terms[0]};", False
        return "\n".join(f"assign {out}[{b}] = {t};" for b, t in enumerate(terms)), False
    if style == "loop":
        body = (
            f"{out} = {bits}'d0;\nfor (k = 0; k < {count}; k = k + 1)\n"
            f"    if ({a}[k])\n        {out} = {out} | k[{bits - 1}:0];"
        )
        return f"integer k;\n{always(rng, body)}", True
    arms = [f"    {count}'b{1 << i:0{count}b}: {out} = {bits}'d{i};" for i in range(count)]
    arms.append(f"    default: {out} = {bits}'d0;")
    return always(rng, "\n".join([f"case ({a})", *arms, "endcase"])), True


@family("onehot_encoder")
def onehot_encoder(rng: random.Random) -> Design:
    """One-hot to binary; what other codes give depends on the way it is built."""
    n = Names(rng)
    count = rng.choice((4, 4, 5, 6, 8, 8, 10, 16))
    bits = (count - 1).bit_length()
    module = n.module(
        "onehot_encoder", "onehot_to_bin", "onehot2bin", "encoder", f"enc{count}to{bits}"
    )
    a = n.pick("onehot", "in", "d", "sel", "lines", "x", "oh_i")
    out = n.pick(*_CODES)
    valid = n.pick("valid", "ok", "hit", "v", "any") if rng.random() < 0.4 else ""
    style = n.choose(("or", "loop") + (("case",) if count <= 8 else ()))
    strict = style == "case"
    text, reg = _onehot_text(rng, style, {"in": a, "out": out}, count)
    if valid:
        text += f"\nassign {valid} = |{a};"
    ports = [
        PortDecl("input", a, count, "one-hot code"),
        PortDecl("output", out, bits, "index of the set bit", reg=reg),
    ]
    if valid:
        ports.append(PortDecl("output", valid, 1, "some bit is set"))

    def model(i: Mapping[str, int]) -> Mapping[str, int | None]:
        value, result = i[a], 0
        if not strict or value & (value - 1) == 0:
            for k in range(count):
                result |= k if value >> k & 1 else 0
        return {out: result, valid: int(value != 0)} if valid else {out: result}

    other: Behaviour = (
        f"If {a} is not one-hot (none or several bits set) {out} is 0.",
        f"Anything that is not a one-hot code gives {out} = 0.",
        "All other input patterns encode to zero.",
    )
    if not strict:
        other = (
            f"{out} is the bitwise OR of the indices of all set bits, so 0 when nothing is set.",
            f"With several bits set the indices are ORed together; with none {out} is 0.",
            f"Build it from OR gates: bit b of {out} is the OR of all lines of {a} whose index "
            f"has bit b set.",
        )
    facts: list[Behaviour] = [
        (
            f"{a} is one-hot; {out} is the index of the bit that is set.",
            f"`{out}` gives the position of the single 1 in `{a}`.",
            f"When only {a}[k] is high, {out} = k.",
        ),
        other,
    ]
    if valid:
        facts.append(
            (
                f"{valid} is high when at least one bit of {a} is set.",
                f"`{valid}` is the OR of all bits of `{a}`.",
                f"{valid} = |{a}.",
            )
        )
    return combinational(
        rng,
        family="onehot_encoder",
        group="combinational",
        params={"lines": count, "valid": bool(valid), "strict": strict},
        module=module,
        ports=ports,
        body=text,
        function=model,
        titles=(
            f"a one-hot to binary encoder with {count} inputs",
            an(f"{count}-to-{bits} encoder for one-hot codes"),
            f"a converter from a {count}-bit one-hot code to {bits}-bit binary",
            f"a binary encoder of {count} mutually exclusive lines",
        ),
        behaviour=tuple(facts),
        style=style,
    )


def _priority_text(style: str, names: dict[str, str], count: int, msb: bool) -> str:
    """Statements of the priority encoder; valid is assigned elsewhere."""
    a, out = names["in"], names["out"]
    bits = (count - 1).bit_length()
    order = range(count - 1, -1, -1) if msb else range(count)
    if style == "casez":
        arms = []
        for i in order:
            pattern = "".join(
                "1" if k == i else ("?" if (k < i) == msb else "0")
                for k in range(count - 1, -1, -1)
            )
            arms.append(f"    {count}'b{pattern}: {out} = {bits}'d{i};")
        return "\n".join([f"casez ({a})", *arms, f"    default: {out} = {bits}'d0;", "endcase"])
    if style == "if":
        arms = [f"if ({a}[{i}])\n    {out} = {bits}'d{i};" for i in order]
        return "\nelse ".join(arms) + f"\nelse\n    {out} = {bits}'d0;"
    if style == "ternary":
        arms = [f"{a}[{i}] ? {bits}'d{i} :" for i in order]
        return "\n    ".join([*arms, f"{bits}'d0"])
    run = f"k = 0; k < {count}; k = k + 1" if msb else f"k = {count - 1}; k >= 0; k = k - 1"
    return f"{out} = {bits}'d0;\nfor ({run})\n    if ({a}[k])\n        {out} = k[{bits - 1}:0];"


@family("priority_encoder")
def priority_encoder(rng: random.Random) -> Design:
    """Index of the first set bit, from either end, with or without valid."""
    n = Names(rng)
    count = rng.choice((3, 4, 4, 4, 5, 6, 8, 8, 8, 12, 16))
    bits = (count - 1).bit_length()
    msb = rng.random() < 0.5
    module = n.module(
        "priority_encoder", "prio_enc", f"pri_enc{count}", "first_one", "prienc", "irq_encoder"
    )
    a = n.pick(*_REQUESTS)
    out = n.pick(*_CODES)
    valid = n.pick("valid", "vld", "any", "v", "gs", "found") if rng.random() < 0.6 else ""
    options = ["loop", "loop"] + (["casez", "if", "ternary"] if count <= 8 else [])
    style = n.choose(options)
    t = target(rng, n, out, f"[{bits - 1}:0] ")
    text = _priority_text(
        style, {"in": a, "out": t.name if style != "ternary" else out}, count, msb
    )
    if style == "ternary":
        text = f"assign {out} = {text};"
    else:
        text = t.wrap(("integer k;\n" if style == "loop" else "") + always(rng, text))
    if valid:
        test = rng.choice((f"|{a}", f"{a} != {count}'d0"))
        text += f"\nassign {valid} = {test};"
    ports = [
        PortDecl("input", a, count, "request lines"),
        PortDecl("output", out, bits, "index of the winner", reg=style != "ternary" and t.reg),
    ]
    if valid:
        ports.append(PortDecl("output", valid, 1, "some request is active"))

    def model(i: Mapping[str, int]) -> Mapping[str, int | None]:
        value = i[a]
        index = (
            (value.bit_length() - 1 if msb else (value & -value).bit_length() - 1) if value else 0
        )
        return {out: index, valid: int(value != 0)} if valid else {out: index}

    high, end = ("highest", "most significant") if msb else ("lowest", "least significant")
    top = count - 1 if msb else 0
    idle = f" and {valid} is low" if valid else ""
    flag = f", and {valid} is high" if valid else ""
    return combinational(
        rng,
        family="priority_encoder",
        group="combinational",
        params={"lines": count, "msb_first": msb, "valid": bool(valid)},
        module=module,
        ports=ports,
        body=text,
        function=model,
        titles=(
            an(f"{count}-bit priority encoder"),
            f"a {count}-to-{bits} priority encoder" + (" with valid flag" if valid else ""),
            f"a circuit that finds the {end} set bit of {an(f'{count}-bit vector')}",
            f"a priority encoder for {count} request lines",
            f"a find-first-one block over {count} bits, starting from the {end} bit",
        ),
        behaviour=(
            (
                f"{out} is the index of the {high} set bit of {a}{flag}.",
                f"Among the bits of `{a}` that are 1, the one with the {high} index wins and its "
                f"index is output on `{out}`{flag}.",
                f"The {end} 1 in {a} has priority; {out} is its bit position{flag}.",
                f"Bit {top} has the top priority; {out} reports the position of the winning "
                f"bit{flag}.",
            ),
            (
                f"If no bit is set {out} is 0{idle}.",
                f"With {a} all zero, {out} = 0{idle}.",
                f"When nothing is requested {out} reads zero{idle}.",
            ),
        ),
        style=style,
    )
