"""Byte lanes of a memory bus."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..design import Behaviour, Design, PortDecl
from ..families._combinational import always, an, combinational, target
from ..names import Names
from ..registry import family

if TYPE_CHECKING:
    import random
    from collections.abc import Mapping

__all__: list[str] = []

_UNITS = ("byte", "half-word", "word", "double word")


def _strobe(size: int, offset: int, lanes: int, *, strict: bool) -> tuple[int, bool]:
    """Lanes of an access, and whether it is misaligned or too wide for the bus."""
    unit = 1 << size
    if unit > lanes:
        return 0, True
    bad = offset % unit != 0
    if bad and strict:
        return 0, True
    return ((1 << unit) - 1) << (offset - offset % unit), bad


def _bits(name: str, width: int, high: int, low: int) -> str:
    """Bits `high` to `low` of a signal of `width` bits, as one writes them."""
    if (high, low) == (width - 1, 0):
        return name
    return f"{name}[{high}]" if high == low else f"{name}[{high}:{low}]"


def _by_size(lanes: int, addr: str, size: str, out: str, *, strict: bool) -> str:
    """A `case` over the size, with a shifted mask for each."""
    low, none = lanes.bit_length() - 1, f"{lanes}'d0"
    rows = []
    for s in range(low + 1):
        mask = f"{lanes}'b{(1 << (1 << s)) - 1:0{lanes}b}"
        if s == low:
            value = mask
        elif s and not strict:
            value = f"{mask} << {{{_bits(addr, low, low - 1, s)}, {s}'d0}}"
        else:
            value = f"{mask} << {addr}"
        if s and strict:
            shifted = value if s == low else f"({value})"
            value = f"({_bits(addr, low, s - 1, 0)} == {s}'d0) ? {shifted} : {none}"
        rows.append(f"    2'd{s}: {out} = {value};")
    if low < 3:
        rows.append(f"    default: {out} = {none};")
    return f"case ({size})\n" + "\n".join(rows) + "\nendcase"


def _by_table(lanes: int, addr: str, size: str, out: str, *, strict: bool) -> str:
    """A `case` over size and address with every strobe written out."""
    low = lanes.bit_length() - 1
    rows = []
    for s in range(low + 1):
        for offset in range(lanes):
            value, _ = _strobe(s, offset, lanes, strict=strict)
            if value:
                rows.append(f"    {{2'd{s}, {low}'d{offset}}}: {out} = {lanes}'b{value:0{lanes}b};")
    rows.append(f"    default: {out} = {lanes}'b{'0' * lanes};")
    return f"case ({{{size}, {addr}}})\n" + "\n".join(rows) + "\nendcase"


def _by_lane(lanes: int, addr: str, size: str, out: str, good: str) -> str:
    """An equation a lane; `good` is the condition of an aligned access, if it matters."""
    low = lanes.bit_length() - 1
    rows = []
    for lane in range(lanes):
        terms = []
        for s in range(low):
            part = _bits(addr, low, low - 1, s)
            terms.append(f"({size} == 2'd{s} && {part} == {low - s}'d{lane >> s})")
        terms.append(f"({size} == 2'd{low})")
        joined = " || ".join(terms)
        rows.append(f"assign {out}[{lane}] = {f'{good} && ({joined})' if good else joined};")
    return "\n".join(rows)


def _by_shift(n: Names, lanes: int, addr: str, size: str, out: str, wrong: str) -> str:
    """A mask for the size, shifted to its lane; `wrong` is the flag of misalignment, if it matters."""
    low = lanes.bit_length() - 1
    mask = n.pick("ones", "unit_mask", "sel_mask")
    masks = [f"{lanes}'d{(1 << (1 << s)) - 1}" for s in range(low + 1)]
    masks += [f"{lanes}'d0"] if low < 3 else []  # a size code that is none
    tests = [f"({size} == 2'd{s}) ? {value} :" for s, value in enumerate(masks[:-1])]
    place = f"{mask} << {addr}"
    if not wrong:
        place = f"{mask} << ({addr} & ({low}'b{'1' * low} << {size}))"
    value = f"{wrong} ? {lanes}'d0 : ({place})" if wrong else place
    chain = "\n    ".join([*tests, f"{masks[-1]};"])
    return f"wire [{lanes - 1}:0] {mask} = {chain}\nassign {out} = {value};"


def _facts(lanes: int, names: tuple[str, ...], *, strict: bool) -> tuple[Behaviour, ...]:
    """What a spec says; `names` are address, size, enable, strobes and error, "" where absent."""
    low = lanes.bit_length() - 1
    addr, size, en, out, err = names
    sizes = ", ".join(f"{s} = {_UNITS[s]} ({1 << s} byte{'s' * bool(s)})" for s in range(low + 1))
    facts: list[Behaviour] = [
        (
            f"{size} codes the access size: {sizes}.",
            f"Sizes on `{size}` are {sizes}.",
            f"The width of the access is given by {size} as {sizes}.",
        ),
        (
            f"Bit k of {out} is 1 if the access touches byte k of the bus; {addr} is the number of the first byte.",
            f"`{out}` has ones for the lanes of the bytes accessed, starting with lane `{addr}`, and zeros elsewhere.",
            f"Lanes {addr} and up, as many as the access has bytes, are set in {out}.",
        ),
        (
            f"An access whose {addr} is no multiple of its size gives {out} = 0.",
            f"For a misaligned access no lane is set in `{out}`.",
            f"{out} stays all zeros when {addr} is not aligned to the size.",
        )
        if strict
        else (
            f"The bits of {addr} below the access size are ignored, as if the address were rounded down.",
            f"A misaligned `{addr}` is aligned down to a multiple of the access size.",
            f"For an access wider than a byte, {addr} is rounded down to a multiple of its size.",
        ),
    ]
    if low < 3:
        facts.append(
            (
                f"Values of {size} above {low} are illegal and set no lane.",
                f"With `{size}` greater than {low} the strobes are all 0.",
                f"Any {size} code over {low} is invalid: {out} is 0 then.",
            )
        )
    if err:
        also = f" or {size} is above {low}" if low < 3 else ""
        too = f", and any {size} above {low}" if low < 3 else ""
        facts.append(
            (
                f"{err} is 1 when {addr} is not a multiple of the size in bytes{also}, otherwise 0.",
                f"`{err}` flags a misaligned access{too}.",
                f"A high {err} reports that the access is not aligned{also}.",
            )
        )
    if en:
        all_low = f"{out} and {err} are" if err else f"{out} is"
        facts.append(
            (
                f"While {en} is 0, {all_low} 0.",
                f"`{en}` low means no access: {all_low} zero.",
                f"Without {en} {all_low} held at 0.",
            )
        )
    return tuple(facts)


@family("byte_lanes")
def byte_lanes(rng: random.Random) -> Design:
    """Write strobes of a bus from access size and low address bits."""
    n = Names(rng)
    lanes, strict = rng.choice((2, 4, 4, 4, 8)), rng.random() < 0.5
    low = lanes.bit_length() - 1
    module = n.module("byte_lanes", "strobe_gen", "byte_enable_gen", "wstrb_gen", "store_lanes", "be_decode")  # fmt: skip
    addr = n.pick("addr", "offset", "lo_addr", "addr_lo", "byte_addr")
    size = n.pick("size", "sz", "width_sel", "acc_size", "hsize")
    en = n.pick("en", "we", "valid", "wr", "store") if rng.random() < 0.4 else ""
    out = n.pick("strb", "be", "wstrb", "byte_en", "lanes", "we_o")
    err = n.pick("misaligned", "err", "bad", "unaligned", "fault") if strict or rng.random() < 0.5 else ""  # fmt: skip
    style = n.choose(("size", "table", "lane", "shift") if lanes < 8 else ("size", "shift"))
    local = n.pick("mask", "raw", "hit") if en else out
    span = f"[{lanes - 1}:0] "
    wrong = [f"({size} > 2'd{low})"] if low < 3 else []
    wrong += [
        f"({size} == 2'd{s} && {_bits(addr, low, s - 1, 0)} != {s}'d0)" for s in range(1, low + 1)
    ]
    flag, parts = n.pick("odd", "mis", "not_ok") if not err or en else err, []
    gates = style in ("lane", "shift")
    if err or (strict and gates):
        parts += [f"wire {flag};"] if flag != err else []
        parts.append(f"assign {flag} = {' || '.join(wrong)};")
    t = None if en or gates else target(rng, n, local, span)
    name = t.name if t else local
    if gates:
        reg = False
        parts += [f"wire {span}{local};"] if en else []
        parts.append(
            _by_lane(lanes, addr, size, local, f"!{flag}" if strict else "")
            if style == "lane"
            else _by_shift(n, lanes, addr, size, local, flag if strict else "")
        )
    else:
        make = _by_size if style == "size" else _by_table
        block = always(rng, make(lanes, addr, size, name, strict=strict))
        parts.append(t.wrap(block) if t else f"reg {span}{local};\n{block}")
        reg = bool(t and t.reg)
    if en:
        parts.append(f"assign {out} = {en} ? {local} : {lanes}'b{'0' * lanes};")
        if err:
            parts.append(f"assign {err} = {en} && {flag};")
    ports = [
        PortDecl("input", addr, low, "low bits of the byte address"),
        PortDecl("input", size, 2, "access size"),
        *([PortDecl("input", en, 1, "access is made")] if en else []),
        PortDecl("output", out, lanes, "byte lane strobes", reg=reg),
        *([PortDecl("output", err, 1, "access is not aligned")] if err else []),
    ]

    def model(i: Mapping[str, int]) -> Mapping[str, int | None]:
        value, bad = _strobe(i[size], i[addr], lanes, strict=strict)
        if en and not i[en]:
            value, bad = 0, False
        return {out: value} | ({err: int(bad)} if err else {})

    return combinational(
        rng,
        family="byte_lanes",
        group="combinational",
        params={"lanes": lanes, "strict": strict, "enable": bool(en), "error": bool(err)},
        module=module,
        ports=ports,
        body="\n".join(parts),
        function=model,
        titles=(
            f"a byte strobe generator for {an(f'{8 * lanes}-bit bus')}",
            f"a byte-enable decoder for a memory with {lanes} byte lanes",
            f"a store unit's byte lane decoder, {8 * lanes} bits of data",
            f"a circuit that makes {lanes} write strobes from access size and address",
        ),
        behaviour=_facts(lanes, (addr, size, en, out, err), strict=strict),
        style=style,
    )
