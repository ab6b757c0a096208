"""Hamming codes: encoder, decoder with correction."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..design import Behaviour, Design, PortDecl
from ..names import Names
from ..registry import family
from ._combinational import always, an, combinational, listing

if TYPE_CHECKING:
    import random
    from collections.abc import Mapping

__all__: list[str] = []


def _places(data: int) -> tuple[list[int], list[int], int]:
    """Positions (from 1) of the data and the parity bits, and the length of the code word."""
    checks = 2
    while (1 << checks) < data + checks + 1:
        checks += 1
    length = data + checks
    parities = [1 << k for k in range(checks)]
    return [p for p in range(1, length + 1) if p not in parities], parities, length


def _encode(value: int, data: int) -> int:
    """The code word; position 1 is bit 0."""
    places, parities, _ = _places(data)
    word = 0
    for k, p in enumerate(places):
        word |= (value >> k & 1) << (p - 1)
    for p in parities:
        parity = sum(word >> (q - 1) & 1 for q in places if q & p) & 1
        word |= parity << (p - 1)
    return word


@family("hamming_encode")
def hamming_encode(rng: random.Random) -> Design:
    """Hamming encoder with parity bits at the powers of two."""
    n = Names(rng)
    data = rng.choice((4, 4, 4, 8, 8, 11))
    places, parities, length = _places(data)
    extended = rng.random() < 0.25
    a, out = (
        n.pick("d", "data", "in", "data_in", "msg"),
        n.pick("code", "c", "out", "codeword", "enc"),
    )
    style = n.choose(("bits", "named"))
    bit = {p: f"{a}[{k}]" for k, p in enumerate(places)}
    sums = {p: " ^ ".join(bit[q] for q in places if q & p) for p in parities}
    lines, sources = [], dict(bit)
    if style == "named":
        names = {p: n.pick(f"p{p}", f"chk{p}", f"par{p}") for p in parities}
        lines += [f"wire {names[p]} = {sums[p]};" for p in parities]
        sources |= names
        word = ", ".join(sources[p] for p in range(length, 0, -1))
        inner = f"{{{word}}}"
        if extended:
            w = n.pick("base", "word", "core")
            lines += [f"wire [{length - 1}:0] {w} = {inner};", f"assign {out} = {{^{w}, {w}}};"]
        else:
            lines.append(f"assign {out} = {inner};")
    else:
        lines += [
            f"assign {out}[{p - 1}] = {sums.get(p, bit.get(p, ''))};" for p in range(1, length + 1)
        ]
        if extended:
            lines.append(f"assign {out}[{length}] = ^{out}[{length - 1}:0];")
    total = length + int(extended)
    ports = [PortDecl("input", a, data, "data"), PortDecl("output", out, total, "code word")]

    def model(i: Mapping[str, int]) -> Mapping[str, int | None]:
        word = _encode(i[a], data)
        return {out: word | (word.bit_count() & 1) << length if extended else word}

    where = listing([f"{out}[{p - 1}]" for p in parities])
    cover = "; ".join(
        f"{out}[{p - 1}] = XOR of {a} bits "
        f"{listing([str(k) for k, q in enumerate(places) if q & p])}"
        for p in parities
    )
    data_at = listing([str(p - 1) for p in places])
    facts: list[Behaviour] = [
        (
            f"Code position p (counted from 1) is bit p-1 of {out}. Positions that are powers of "
            "two "
            f"({where}) hold even parity over all positions whose number has that bit set; the "
            "others "
            f"hold {a}, bit 0 first.",
            f"`{a}` bits 0 to {data - 1} go to `{out}` bits {data_at}; the check bits are {cover}.",
            f"Standard Hamming layout with even parity: parity bits at {where}, data bits in "
            "ascending "
            f"order at {out} bits {data_at}; {cover}.",
        )
    ]
    if extended:
        facts.append(
            (
                f"The top bit {out}[{length}] is even parity over all the other bits.",
                f"An overall parity bit (XOR of bits {length - 1}:0) is placed in {out}[{length}].",
                f"{out}[{length}] makes the whole word even (SECDED).",
            )
        )
    name = f"({total},{data})"
    return combinational(
        rng,
        family="hamming_encode",
        group="codes",
        params={"data": data, "extended": extended},
        module=n.module(
            "hamming_enc",
            f"hamming{total}_{data}",
            "ecc_encoder",
            "ham_encode",
            "secded_enc" if extended else "hamming",
        ),
        ports=ports,
        body="\n".join(lines),
        function=model,
        titles=(
            f"a Hamming {name} encoder",
            f"{an('extended' if extended else 'single-error-correcting')} Hamming encoder for "
            f"{data} data bits",
            f"an ECC encoder that makes {an(f'{total}-bit')} Hamming word from {data} bits",
            f"a Hamming code generator, {data} bits in and {total} bits out",
        ),
        behaviour=tuple(facts),
        style=style,
    )


@family("hamming_decode")
def hamming_decode(rng: random.Random) -> Design:
    """Hamming decoder that corrects one wrong bit."""
    n = Names(rng)
    data = rng.choice((4, 4, 8))
    places, parities, length = _places(data)
    a, out = n.pick("code", "c", "in", "rx", "codeword"), n.pick("data", "d", "out", "q", "msg")
    flag = n.pick("error", "err", "corrected", "fixed")
    syn, fixed = n.pick("syn", "s", "syndrome"), n.pick("fix", "w", "repaired")
    sums = [" ^ ".join(f"{a}[{q - 1}]" for q in range(1, length + 1) if q & p) for p in parities]
    bits = len(parities)
    style = n.choose(("mask", "always"))
    lines = [f"wire [{bits - 1}:0] {syn};"] + [
        f"assign {syn}[{k}] = {x};" for k, x in enumerate(sums)
    ]
    picks = ", ".join(f"{fixed}[{p - 1}]" for p in reversed(places))
    if style == "mask":
        m = n.pick("flip", "m", "hit")
        # One-hot over positions 0..length; position 0 means that nothing is wrong.
        lines += [
            f"wire [{length}:0] {m} = {{{length}'d0, 1'b1}} << {syn};",
            f"wire [{length - 1}:0] {fixed} = {a} ^ {m}[{length}:1];",
        ]
    else:
        limit = f" && {syn} <= {bits}'d{length}" if (1 << bits) - 1 > length else ""
        body = (
            f"{fixed} = {a};\nif ({syn} != {bits}'d0{limit})\n"
            f"    {fixed}[{syn} - {bits}'d1] = ~{a}[{syn} - {bits}'d1];"
        )
        lines += [f"reg [{length - 1}:0] {fixed};", always(rng, body)]
    lines += [f"assign {out} = {{{picks}}};", f"assign {flag} = ({syn} != {bits}'d0);"]
    ports = [
        PortDecl("input", a, length, "received word"),
        PortDecl("output", out, data, "corrected data"),
        PortDecl("output", flag, 1, "an error was found"),
    ]

    def model(i: Mapping[str, int]) -> Mapping[str, int | None]:
        word, syndrome = i[a], 0
        for p in range(1, length + 1):
            syndrome ^= p if word >> (p - 1) & 1 else 0
        if 0 < syndrome <= length:
            word ^= 1 << (syndrome - 1)
        value = sum((word >> (p - 1) & 1) << k for k, p in enumerate(places))
        return {out: value, flag: int(syndrome != 0)}

    where = listing([f"{a}[{p - 1}]" for p in parities])
    data_at = listing([str(p - 1) for p in places])
    facts: list[Behaviour] = [
        (
            f"{a}[p-1] is code position p; even parity bits are at the powers of two ({where}), "
            "the "
            f"data bits in ascending order at bits {data_at}.",
            f"Standard Hamming layout, even parity: check bits {where}, data bits {data_at} "
            "(lowest first).",
            f"The word on `{a}` has its parity bits in {where} and its data in bits {data_at}; "
            "position "
            f"numbers start at 1 for bit 0 and every check bit covers the positions whose number "
            f"contains it.",
        ),
        (
            "The syndrome is the position of the wrong bit, which is inverted before the data "
            "goes to "
            f"{out}; {flag} is 1 whenever the syndrome is not zero.",
            f"A single wrong bit is corrected; `{flag}` is high for any nonzero syndrome, `{out}` "
            "is the "
            f"repaired data.",
            f"Compute the syndrome, flip the bit it names, output the data bits on {out} and set "
            f"{flag} "
            f"if the syndrome is nonzero.",
        ),
    ]
    if (1 << bits) - 1 > length:
        facts.append(
            (
                f"A syndrome above {length} names no bit: nothing is flipped.",
                f"If the syndrome exceeds {length} the data passes unchanged.",
                f"Syndromes larger than {length} leave the word as it is (with {flag} set).",
            )
        )
    return combinational(
        rng,
        family="hamming_decode",
        group="codes",
        params={"data": data},
        module=n.module(
            "hamming_dec",
            f"hamming{length}_{data}_dec",
            "ecc_decoder",
            "ham_correct",
            "sec_decoder",
        ),
        ports=ports,
        body="\n".join(lines),
        function=model,
        titles=(
            f"a Hamming ({length},{data}) decoder with error correction",
            f"a single-error-correcting decoder for {length}-bit Hamming words",
            f"an ECC decoder that recovers {data} data bits from {length} code bits",
            f"a Hamming corrector, {length} bits in and {data} bits out",
        ),
        behaviour=tuple(facts),
        style=style,
    )
