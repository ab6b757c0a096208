"""Which module a spec asks for: labels, headings, "a block called …", backticks."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from .blocks import Block, Heading, Line, Lines
from .keywords import LANGUAGES, is_reserved
from .lexicon import DEVICES, NOUNS, name_grade
from .name_patterns import (
    CALLED,
    MAKE_A_BARE,
    MAKE_BARE,
    MODULE_BARE,
    NAMED,
    SUBJECT,
    SUBJECT_BARE,
)

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

__all__ = ["Named", "find_modules", "named_in_heading"]


@dataclass(frozen=True, slots=True)
class Named:
    """A module name with its place; the smaller `rank`, the surer."""

    name: str
    line: int
    rank: int
    top: bool = False


_NOT_NOUN = NOUNS - {"counter", "register", "multiplier", "factor", "interface", "channel"}
_GENERIC = frozenset(
    "specification spec overview description interface introduction requirements module design "
    "ports behaviour behavior inputs outputs task problem exercise name parameters verilog it as "
    "below above here with which that instance instances summary goal".split()
)


def _sentences(line: Line) -> list[str]:
    return [s for s in re.split(r"(?<=[.;!?])\s+", line.text) if s.strip()]


def _usable(name: str, *, ticked: bool, labelled: bool = False) -> bool:
    if name.lower() in _GENERIC and not (ticked and _reserved(name)):
        return False
    return ticked or labelled or name_grade(name) > 0 or name.lower() in DEVICES or _reserved(name)


def _reserved(name: str) -> bool:
    return is_reserved(name, LANGUAGES[0])


_LONGEST = 2000  # characters of a sentence that may still name a module


def _in_sentence(sentence: str, line: int) -> Iterable[Named]:
    if len(sentence) > _LONGEST:
        return
    top = bool(re.search(r"\btop\b", sentence, re.I))
    for rank, pattern in NAMED:
        for match in pattern.finditer(sentence):
            ticked = f"`{match['name']}`" in match[0]
            labelled = rank == 1 and re.search(r"[:=]", match[0][: match.start("name")])
            if _usable(match["name"], ticked=ticked, labelled=bool(labelled)):
                yield Named(match["name"], line, rank, top and rank <= 3)
    for match in CALLED.finditer(sentence):
        ticked = f"`{match['name']}`" in match[0]
        if match["noun"].lower() not in _NOT_NOUN and _usable(match["name"], ticked=ticked):
            yield Named(match["name"], line, 3)
    for pattern, rank in ((MODULE_BARE, 4), (MAKE_BARE, 4), (MAKE_A_BARE, 5)):
        for match in pattern.finditer(sentence):
            if name_grade(match["name"]) == 3 and match["name"].lower() not in _GENERIC:
                yield Named(match["name"], line, rank)


def named_in_heading(text: str) -> str | None:
    """The module a heading names: `` `acc` ``, `Module acc`, `acc: an accumulator`."""
    ticks = re.findall(r"`([A-Za-z_][\w$]*)`", text)
    if len(ticks) == 1:
        return str(ticks[0])
    if ticks:
        return None
    match = re.fullmatch(
        r"(?:(?:top\s+)?module|entity|block|design):?\s+([A-Za-z_][\w$]*)\b.*", text, re.I
    )
    if match and _usable(match[1], ticked=False):
        return match[1]
    match = re.match(r"([A-Za-z_][\w$]*)\s*(?:[:(]|\s[-–—]|—|–|$)", text)
    if match and name_grade(match[1]) == 3 and match[1].lower() not in _GENERIC:
        return match[1]
    match = re.search(r"\(([a-z][\w$]*)\)\s*$", text)
    return match[1] if match and name_grade(match[1]) == 3 else None


def _single_word(text: str) -> str | None:
    word = text.strip()
    plain = re.fullmatch(r"[A-Za-z][A-Za-z0-9]*", word) and word.lower() not in _GENERIC
    return word if plain and (name_grade(word) or word.lower() in DEVICES) else None


def _in_lines(block: Lines, *, first: bool) -> Iterable[Named]:
    for i, line in enumerate(block.lines):
        for sentence in _sentences(line):
            yield from _in_sentence(sentence, line.number)
        if re.fullmatch(
            r"\W*(?:(?:top[- ]level )?module|entity|design)(?:'s)?\s+name\W*", line.text, re.I
        ):
            following = block.lines[i + 1].text.strip("` .;") if i + 1 < len(block.lines) else ""
            if re.fullmatch(r"[A-Za-z_][\w$]*", following):
                yield Named(following, line.number + 1, 1)
    for sentence in re.split(r"(?<=[.;!?])\s+", block.text):
        yield from (
            Named(n.name, block.lines[0].number, n.rank, n.top)
            for n in _in_sentence(sentence, block.lines[0].number)
        )
    if first and (match := SUBJECT.match(block.text) or SUBJECT_BARE.match(block.text)):
        yield Named(match["name"], block.lines[0].number, 5)


def _in_heading(block: Heading) -> Iterable[Named]:
    text, line = block.line.text, block.line.number
    name = named_in_heading(text)
    if name:
        yield Named(name, line, 2 if block.level == 1 else 3)
    elif block.level == 1 and (word := _single_word(text)):
        yield Named(word, line, 5)


_LABEL = re.compile(r"(top )?module( name)?|name|top", re.IGNORECASE)


def _all_names(blocks: Sequence[Block]) -> Iterable[Named]:
    """Every mention of a module's name, in order."""
    first = True
    labelled = False  # the heading above says "Module name"
    for block in blocks:
        if isinstance(block, Heading):
            labelled = bool(_LABEL.fullmatch(block.line.text.strip(" :")))
            yield from _in_heading(block)
        elif isinstance(block, Lines):
            if labelled and re.fullmatch(r"`?[A-Za-z_][\w$]*`?\.?", block.text.strip()):
                yield Named(block.text.strip(" `."), block.lines[0].number, 1)
            yield from _in_lines(block, first=first)
            first = labelled = False


def find_modules(blocks: Sequence[Block]) -> list[Named]:
    """Every module name the text gives, each once with its surest rank, in order of mention."""
    found: dict[str, Named] = {}
    for named in _all_names(blocks):
        old = found.get(named.name, named)
        rank, top = min(old.rank, named.rank), old.top or named.top
        found[named.name] = Named(old.name, old.line, rank, top)
    return list(found.values())
