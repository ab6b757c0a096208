"""Ones' complement sums."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..design import Design, PortDecl
from ..families._combinational import always, an, combinational, listing, numbered, pair
from ..names import Names
from ..registry import family

if TYPE_CHECKING:
    import random
    from collections.abc import Mapping

__all__: list[str] = []


def _fold(total: int, width: int) -> int:
    """Add what is above `width` bits to the rest until nothing is."""
    while total >> width:
        total = (total & ((1 << width) - 1)) + (total >> width)
    return total


def _body(rng: random.Random, n: Names, style: str, ins: list[str], width: int, y: str) -> str:
    """RTL that leaves the folded sum in `y`, a wire or (style `always`) a reg."""
    extra = (len(ins) - 1).bit_length()
    total, top = n.pick("total", "acc", "wide", "t"), width + extra - 1
    wide = [f"{{{extra}'d0, {x}}}" for x in ins]
    if style == "chain":
        rows, last = [], ins[0]
        for k, x in enumerate(ins[1:]):
            name = f"{total}{k}"
            rows.append(f"wire [{width}:0] {name} = {{1'b0, {last}}} + {{1'b0, {x}}};")
            folded = f"{name}[{width - 1}:0] + {name}[{width}]"
            if k == len(ins) - 2:
                rows.append(f"assign {y} = {folded};")
            else:
                last = f"{total}{k}_f"
                rows.append(f"wire [{width - 1}:0] {last} = {folded};")
        return "\n".join(rows)
    if style == "always":
        rows = [f"{total} = {' + '.join(wide)};"]
        fold = f"{total} = {{{extra}'d0, {total}[{width - 1}:0]}} + {{{width}'d0, {total}[{top}:{width}]}};"
        if extra == 1:
            fold = fold.replace(f"[{top}:{width}]", f"[{width}]")
        rows += [fold] * (1 if extra == 1 else 2)
        rows.append(f"{y} = {total}[{width - 1}:0];")
        return f"reg [{top}:0] {total};\n" + always(rng, "\n".join(rows))
    rows = [f"wire [{top}:0] {total} = {' + '.join(wide)};"]
    if extra == 1:
        rows.append(f"assign {y} = {total}[{width - 1}:0] + {total}[{width}];")
        return "\n".join(rows)
    once = n.pick("once", "fold1", "part")
    rows.append(
        f"wire [{width}:0] {once} = {{1'b0, {total}[{width - 1}:0]}} + {total}[{top}:{width}];"
    )
    rows.append(f"assign {y} = {once}[{width - 1}:0] + {once}[{width}];")
    return "\n".join(rows)


@family("end_around_add")
def end_around_add(rng: random.Random) -> Design:
    """Ones' complement sum of two to four words, inverted on demand as a checksum."""
    n = Names(rng)
    count, width = rng.choice((2, 2, 2, 3, 4)), rng.choice((4, 5, 8, 8, 8, 12, 16, 16, 16, 32))
    invert = rng.random() < 0.4
    module = n.module("ones_comp_add", "end_around_add", "csum_add", "checksum_fold", "oc_adder", "inet_sum")  # fmt: skip
    ins = list(pair(rng, n)) if count == 2 else numbered(rng, n, count, "w", "d", "in", "word")
    y = n.pick("checksum", "csum", "y", "out") if invert else n.pick("sum", "y", "s", "out", "csum")
    style = n.choose(("fold", "chain", "always"))
    reg = style == "always"
    name = n.pick("folded", "plain", "f_sum") if invert else y
    text = _body(rng, n, style, ins, width, name)
    if invert:
        text = f"{'reg' if reg else 'wire'} [{width - 1}:0] {name};\n{text}\nassign {y} = ~{name};"
    ports = [PortDecl("input", x, width, "word to add") for x in ins]
    ports.append(
        PortDecl("output", y, width, "checksum" if invert else "sum", reg=reg and not invert)
    )
    top = (1 << width) - 1

    def model(i: Mapping[str, int]) -> Mapping[str, int | None]:
        total = _fold(sum(i[x] for x in ins), width)
        return {y: total ^ top if invert else total}

    plus, both = " + ".join(ins), listing(ins)
    what = "checksum" if invert else "sum"
    carry = "the carry out" if count == 2 else "all carries out"
    facts = [
        (
            f"{'The sum' if invert else y} is formed as {plus} with {carry} of bit {width - 1} added back in at bit 0.",
            f"The words {both} are added in ones' complement arithmetic: {carry} of the top bit {'is' if count == 2 else 'are'} added to the {width}-bit result (end-around carry){'' if invert else f', which is `{y}`'}.",
            f"Add {both}; whatever overflows {width} bits is added to the low {width} bits again{', until nothing overflows' if count > 2 else ''}{'' if invert else f', giving {y}'}.",
        )
    ]
    if invert:
        facts.append(
            (
                f"{y} is the bitwise complement of that sum.",
                f"`{y}` has every bit of the sum inverted.",
                f"All bits of the sum are inverted to give {y}.",
            )
        )
    return combinational(
        rng,
        family="end_around_add",
        group="arithmetic",
        params={"count": count, "width": width, "invert": invert},
        module=module,
        ports=ports,
        body=text,
        function=model,
        titles=(
            an(
                f"{width}-bit ones' complement {'checksum unit' if invert else 'adder'} for {count} words"
            ),
            an(
                f"{'inverted ' if invert else ''}end-around-carry {what} of {count} {width}-bit words"
            ),
            f"an Internet-checksum style {'checksum generator' if invert else 'adder'} over {count} words of {width} bits",
            f"a circuit for the {'complemented ' if invert else ''}ones' complement sum of {count} {width}-bit numbers",
        ),
        behaviour=tuple(facts),
        style=style,
    )
