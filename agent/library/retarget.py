"""Variants of a known-good design for the numbers of the task.

A FIFO of 4 words where 8 are wanted, a divider by 5 for one by 16: designs of one kind differ in
a number more often than in anything else. Where the design's own description names a number N and
the task names M, the comparisons with N and N-1 (and N/2, for a middle), the memories of N words
and the widths of the counters and pointers that go with them are rewritten. Which number stands for
which is not known: `likeliest` pairs them by the words around them, then by order; every other
pairing is a variant, and the checks choose.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, TypeVar

from .context import likeness, mentions

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

__all__ = ["likeliest", "numbers_in", "repattern", "retarget", "variants"]

_T = TypeVar("_T")
_ALIKE = 0.35  # of the words around two numbers
_WORDS = (
    "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen "
    "sixteen"
).split()
# Not the year of the language: "Verilog-2005" asks for no count.
_NUMBER = re.compile(
    rf"\b(?<!verilog-)(?<!verilog )(?:(?P<digits>\d{{1,6}})|(?P<word>{'|'.join(_WORDS)}))\b",
    re.IGNORECASE,
)
_PATTERN = re.compile(r"\b[01]{2,16}\b")
_BITS = re.compile(r"^[- ]?bits?\b", re.IGNORECASE)
_LEAST, _MOST = 2, 1 << 16
_COMPARED = re.compile(
    r"\b(?P<name>[A-Za-z_]\w*)(?P<op>\s*(?:==|!=|>=|<=|>|<)\s*)"
    r"(?P<width>\d+)'(?P<base>[dh])(?P<digits>[0-9a-fA-F]+)\b"
)
_WORDS_OF_MEMORY = re.compile(
    r"(?P<lead>\b(?:reg|logic)\b[^;\n]*?\b(?P<name>[A-Za-z_]\w*)\s*\[)0\s*:\s*(?P<last>\d+)(?P<end>\])"
)
_INDEX = r"\b{memory}\s*\[\s*(?P<name>[A-Za-z_]\w*)\s*(?:\[[^\]]*\]\s*)?\]"
_DECLARED = re.compile(
    r"(?P<lead>\b(?:reg|wire|logic)\s*(?:signed\s*)?\[\s*)(?P<msb>\d+)(?P<rest>\s*:\s*0\s*\]\s*"
    r"(?P<names>[A-Za-z_]\w*(?:\s*,\s*[A-Za-z_]\w*)*)\s*[;=])"
)
_SELECT = re.compile(r"\b(?P<name>[A-Za-z_]\w*)\[\s*(?P<high>\d+)(?P<low>\s*:\s*0)?\s*\]")


def numbers_in(text: str, *, widths: bool = True) -> tuple[int, ...]:
    """The counts that `text` names, as digits or words up to sixteen, in order, each once.

    With `widths` off, those that are followed by "bit" or "bits" are left out.
    """
    found: list[int] = []
    for match in _NUMBER.finditer(text):
        if not widths and _BITS.match(text[match.end() :]):
            continue
        value = int(match["digits"]) if match["digits"] else _WORDS.index(match["word"].lower())
        if _LEAST <= value <= _MOST and value not in found:
            found.append(value)
    return tuple(found)


def likeliest(rtl: str, described: str, wanted: str) -> tuple[str, str]:
    """`rtl` and its spec `described` with the numbers and patterns that `wanted` most likely means.

    Numbers are paired by the words around them; patterns, and what is left, in order where as much
    is left in either text, else the first. What the RTL does not count to stays in the text.
    """
    old, new = _only_in(_PATTERN.findall(described), _PATTERN.findall(wanted))
    for a, b in zip(old, new, strict=False) if len(old) == len(new) else ():
        rtl, described = _both(repattern(rtl, a, b), rtl, described, a, b)
    for n, m in _in_turn(_paired_numbers(described, wanted)):
        rtl, described = _both(retarget(rtl, n, m), rtl, described, str(n), str(m))
    return rtl, described


def _paired_numbers(described: str, wanted: str) -> dict[int, int]:
    """Which number of `wanted` each of `described` is, by the words around, then by order."""
    mine, theirs = numbers_in(described, widths=False), numbers_in(wanted, widths=False)
    here = mentions(_in_digits(described), {str(n) for n in mine})
    there = mentions(_in_digits(wanted), {str(m) for m in theirs})
    scored = sorted(
        (
            (likeness(here.get(str(n), ()), there.get(str(m), ())), -i, -j, n, m)
            for i, n in enumerate(mine)
            for j, m in enumerate(theirs)
        ),
        reverse=True,
    )
    pairs: dict[int, int] = {}
    for alike, _, _, n, m in scored:
        if alike >= _ALIKE and n not in pairs and m not in pairs.values():
            pairs[n] = m
    # Numbers in both texts that nothing pairs stay as they are.
    rest = _only_in(
        [n for n in mine if n not in pairs and n not in pairs.values()],
        [m for m in theirs if m not in pairs.values() and m not in pairs],
    )
    others = list(zip(*rest, strict=False))
    pairs.update(others if len(rest[0]) == len(rest[1]) else others[:1])
    return {n: m for n, m in pairs.items() if n != m}


def _in_digits(text: str) -> str:
    return _NUMBER.sub(lambda m: m[0] if m["digits"] else str(_WORDS.index(m[0].lower())), text)


def _in_turn(pairs: dict[int, int]) -> list[tuple[int, int]]:
    """`pairs` so ordered that no number is changed twice; a circle is left out."""
    left, order = dict(pairs), []
    while left:
        free = [n for n, m in left.items() if m not in left]
        if not free:
            break
        order += [(n, left.pop(n)) for n in free]
    return order


def _only_in(mine: Sequence[_T], theirs: Sequence[_T]) -> tuple[list[_T], list[_T]]:
    """What stands in one of the two alone, in order, each once."""
    one = [x for x in dict.fromkeys(mine) if x not in theirs]
    return one, [x for x in dict.fromkeys(theirs) if x not in mine]


def _both(made: str, rtl: str, described: str, old: str, new: str) -> tuple[str, str]:
    """`made` and its text, in which `old` is `new` when the RTL changed."""
    if made == rtl:
        return rtl, described
    spoken = [old]
    if old.isdigit() and int(old) < len(_WORDS):
        spoken.append(_WORDS[int(old)])
    pattern = re.compile(rf"\b(?:{'|'.join(spoken)})\b", re.IGNORECASE)
    return made, pattern.sub(new, described)


def variants(rtl: str, described: str, wanted: str, most: int) -> Iterator[str]:
    """Up to `most` variants of `rtl`, whose spec is `described`, for the task text `wanted`.

    Bit patterns come first (`0110` there, `1011` here), then numbers; of these first those that
    only one of the two texts names.
    """
    seen = {rtl}
    for made in _all_variants(rtl, described, wanted):
        if len(seen) > most:
            return
        if made not in seen:
            seen.add(made)
            yield made


def _all_variants(rtl: str, described: str, wanted: str) -> Iterator[str]:
    for old in dict.fromkeys(_PATTERN.findall(described)):
        for new in dict.fromkeys(_PATTERN.findall(wanted)):
            yield repattern(rtl, old, new)
    mine, theirs = numbers_in(described, widths=False), numbers_in(wanted)
    pairs = sorted(
        ((n, m) for n in mine for m in theirs if n != m),
        key=lambda pair: (pair[0] in theirs) + (pair[1] in mine),
    )
    for n, m in pairs:
        yield retarget(rtl, n, m)


def repattern(rtl: str, old: str, new: str) -> str:
    """`rtl` with what is compared with the bits `old` compared with `new`, whatever its length."""
    literal = re.compile(rf"\b(?P<name>[A-Za-z_]\w*)(?P<op>\s*==\s*){len(old)}'b{old}\b")
    names = {m["name"] for m in literal.finditer(rtl)}
    rtl = literal.sub(lambda m: f"{m['name']}{m['op']}{len(new)}'b{new}", rtl)
    if len(old) == len(new):
        return rtl
    return _widened(rtl, {name: (len(old), len(new)) for name in names})


def _widened(rtl: str, widths: dict[str, tuple[int, int]]) -> str:
    """`rtl` with the declarations and selects of signals that change their width."""

    def declared(match: re.Match[str]) -> str:
        names = re.findall(r"[A-Za-z_]\w*", match["names"])
        new = max((widths[x][1] for x in names if x in widths), default=0)
        return f"{match['lead']}{new - 1}{match['rest']}" if new else match[0]

    def select(match: re.Match[str]) -> str:
        if match["name"] not in widths:
            return match[0]
        old, new = widths[match["name"]]
        moved = int(match["high"]) - old + new
        return f"{match['name']}[{moved}{match['low'] or ''}]" if moved >= 0 else match[0]

    return _DECLARED.sub(declared, _SELECT.sub(select, rtl))


def _bits(value: int) -> int:
    return max(1, value.bit_length())


def retarget(rtl: str, n: int, m: int) -> str:
    """`rtl` with what counts to `n` counting to `m`; unchanged where nothing does."""
    values = {n: m, n - 1: m - 1}
    if n % 2 == 0 and n > _LEAST + 1:
        values |= {n // 2: m // 2, n // 2 - 1: m // 2 - 1} | values
    deep = {x["name"] for x in _WORDS_OF_MEMORY.finditer(rtl) if int(x["last"]) == n - 1}
    widths = _new_widths(rtl, n, m, values, deep)
    if not widths and not deep:
        return rtl

    def compared(match: re.Match[str]) -> str:
        value = int(match["digits"], 10 if match["base"] == "d" else 16)
        if match["name"] not in widths:
            return match[0]
        new = values.get(value, value)
        width = max(widths[match["name"]][1], _bits(new))
        return f"{match['name']}{match['op']}{width}'d{new}"

    def memory(match: re.Match[str]) -> str:
        return f"{match['lead']}0:{m - 1}]" if match["name"] in deep else match[0]

    rtl = _COMPARED.sub(compared, _widened(rtl, widths))
    return _WORDS_OF_MEMORY.sub(memory, rtl)


def _new_widths(
    rtl: str, n: int, m: int, values: dict[int, int], deep: set[str]
) -> dict[str, tuple[int, int]]:
    """Signals that count to `n` or point into a memory of `n` words: old and new width."""
    compared: dict[str, int] = {}
    for match in _COMPARED.finditer(rtl):
        value = int(match["digits"], 10 if match["base"] == "d" else 16)
        if value in values:
            compared[match["name"]] = max(compared.get(match["name"], 0), value)
    pointers = {
        match["name"] for memory in deep for match in re.finditer(_INDEX.format(memory=memory), rtl)
    }
    widths: dict[str, tuple[int, int]] = {}
    for match in _DECLARED.finditer(rtl):
        old = int(match["msb"]) + 1
        for name in re.findall(r"[A-Za-z_]\w*", match["names"]):
            if name in pointers:
                widths[name] = (old, _bits(m - 1) + old - _bits(n - 1))
            elif name in compared:
                top = compared[name]
                # A register wider than it needs to be stays so.
                new = _bits(values[top]) if old == _bits(top) else max(old, _bits(values[top]))
                widths[name] = (old, new)
    return widths
