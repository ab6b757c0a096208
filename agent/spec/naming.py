"""Which module a spec asks for: labels, headings, "a block called …", backticks."""

from __future__ import annotations

import re
from dataclasses import dataclass

from .blocks import Block, Heading, Line, Lines
from .keywords import LANGUAGES, is_reserved
from .lexicon import DEVICES, NOUNS, name_grade
from typing import TYPE_CHECKING

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


_ID = r"`?(?P<name>\\[^\s`]+|[A-Za-z_][\w$]*)`?(?![\w$-])"
_MODULE_NOUN = r"(?:top[- ]?level\s+)?(?:verilog\s+|rtl\s+)?(?:module|entity|component|block|design|unit|core|circuit)"
_MAKE = (
    r"(?:design|implement|write|create|build|make|develop|code|complete|describe|provide|produce|"
    r"generate|model|need|want|give me)"
)
_NOT_NOUN = NOUNS - {"counter", "register", "multiplier", "factor", "interface", "channel"}

# rank, pattern, flags; the patterns see one sentence or line at a time.
_PATTERNS: tuple[tuple[int, re.Pattern[str]], ...] = (
    (1, re.compile(rf"^\s*(?:top[- ]?level\s+|top\s+)?(?:module|entity|component|design|block)(?:'s)?(?:\s+name)?\s*[:=]\s*{_ID}\s*(?:[.;,(—–-].*)?$", re.I)),
    (1, re.compile(rf"^\s*(?:name|top|dut)\s*[:=]\s*{_ID}\s*[.;,]?\s*(?:\(.*\))?$", re.I)),
    (1, re.compile(rf"\b(?:module|entity|top|design|block)(?:'s)?\s+name\b\s*(?:is\s|should be\s|must be\s|shall be\s|:|=|to be\s)?\s*{_ID}", re.I)),
    (1, re.compile(rf"\bname\s+of\s+the\s+(?:top\s+)?(?:module|entity|block|design)\s+(?:is\s|should be\s|must be\s|shall be\s|:)\s*{_ID}", re.I)),
    (1, re.compile(rf"\b(?:call|name)\s+(?:it|the\s+{_MODULE_NOUN}|this\s+{_MODULE_NOUN}|your\s+{_MODULE_NOUN}|{_MODULE_NOUN})\s+{_ID}", re.I)),
    (1, re.compile(rf"\b{_MODULE_NOUN}(?:\s+(?:is|should be|must be|shall be|to be|will be))?(?:\s+(?:just|simply))?,?\s+(?:called|named)\s*:?\s+{_ID}", re.I)),
    (2, re.compile(r"\bmodule\s+`(?P<name>[A-Za-z_][\w$]*)`", re.I)),
    (2, re.compile(r"`(?P<name>[A-Za-z_][\w$]*)`\s+(?:module|entity|component)\b", re.I)),
    (2, re.compile(rf"\btop(?:[- ]level)?(?:\s+module)?\s+(?:is|called|named|module)\s+{_ID}", re.I)),
    (2, re.compile(r"`(?P<name>[A-Za-z_][\w$]*)`\s*\((?:the\s+|this is the\s+)?top[^)]*\)", re.I)),
    (2, re.compile(rf"^\s*(?:the\s+)?(?:top\s+)?module\s+{_ID}(?=\s*(?:[;,.:(]|—|–|\bhas\b|\bis\b|\btakes\b|\bwith\b|\bshould\b|\bmust\b|\bshall\b|\bimplements\b|$))", re.I)),
    (2, re.compile(rf"(?:\bas|[;,(—–])\s*(?:the\s+)?module\s+{_ID}\s*(?=[.;,)]|$)", re.I)),
    (3, re.compile(rf"^.{{0,40}}\b{_MAKE}\s+(?:me\s+)?(?:an?\s|the\s)(?:(?!\b(?:with|inputs?|outputs?|ports?|signals?|bus|clock|reset|whose|that|which)\b).)*?\s(?:called|named)\s+{_ID}", re.I)),
    (5, re.compile(rf"^.{{0,40}}\b{_MAKE}\s+(?:me\s+)?(?:an?\s|the\s)(?:(?!\b(?:an?|the|one)\s+(?:[\w-]+\s+){{0,2}}(?:input|output|port|signal|bus|clock|reset|enable|strobe|flag|pin)\s+(?:called|named)).)*?\s(?:called|named)\s+{_ID}[.;]?\s*$", re.I)),
    (3, re.compile(rf"\b{_MAKE}\s+(?:me\s+)?(?:a\s+|an\s+|the\s+)?(?:(?:synthesi[sz]able|verilog|simple|small)\s+)*`(?P<name>[A-Za-z_][\w$]*)`", re.I)),
    (3, re.compile(r"`(?P<name>[A-Za-z_][\w$]*)`\s*(?:\([^)]*\)\s*)?(?:has|with)\s+(?:the\s+|an?\s+|one\s+|two\s+|\w+\s+)?(?:following\s+)?(?:inputs?|outputs?|ports?|clock)\b", re.I)),
    (4, re.compile(rf"\b{_MAKE}\s+(?:me\s+)?(?:an?\s+|the\s+)(?:(?!\b(?:with|that|which|whose|where|having|has|using|on|of|for|from)\b)[^.`,:;])+?,?\s*\(?`(?P<name>[A-Za-z_][\w$]*)`", re.I)),
)  # fmt: skip
_CALLED = re.compile(rf"\b(?P<noun>[A-Za-z-]+)\)?,?\s+(?:\([^)]*\)\s*)?(?:that\s+is\s+|to\s+be\s+)?(?:called|named)\s*:?\s+{_ID}", re.I)  # fmt: skip
_MODULE_BARE = re.compile(r"\bmodule\s+(?P<name>[A-Za-z_][\w$]*)")
_MAKE_BARE = re.compile(rf"\b{_MAKE}\s+(?:me\s+)?(?P<name>[A-Za-z_][\w$]*)\b(?!-)", re.I)
_SUBJECT = re.compile(r"^\s*`(?P<name>[A-Za-z_][\w$]*)`(?:\s|,|:)")
_GENERIC = frozenset(
    "specification spec overview description interface introduction requirements module design "
    "ports behaviour behavior inputs outputs task problem exercise name parameters verilog it as "
    "below above here with which that instance instances summary goal".split()
)


def _sentences(line: Line) -> list[str]:
    return [s for s in re.split(r"(?<=[.;!?])\s+", line.text) if s.strip()]


def _usable(name: str, *, ticked: bool) -> bool:
    if name.lower() in _GENERIC:
        return False
    return ticked or name_grade(name) > 0 or name.lower() in DEVICES or _reserved(name)


def _reserved(name: str) -> bool:
    return is_reserved(name, LANGUAGES[0])


def _in_sentence(sentence: str, line: int) -> Iterable[Named]:
    top = bool(re.search(r"\btop\b", sentence, re.I))
    for rank, pattern in _PATTERNS:
        for match in pattern.finditer(sentence):
            ticked = f"`{match['name']}`" in match[0]
            if _usable(match["name"], ticked=ticked):
                yield Named(match["name"], line, rank, top and rank <= 3)
    for match in _CALLED.finditer(sentence):
        ticked = f"`{match['name']}`" in match[0]
        if match["noun"].lower() not in _NOT_NOUN and _usable(match["name"], ticked=ticked):
            yield Named(match["name"], line, 3)
    for pattern in (_MODULE_BARE, _MAKE_BARE):
        for match in pattern.finditer(sentence):
            if name_grade(match["name"]) == 3 and match["name"].lower() not in _GENERIC:
                yield Named(match["name"], line, 4)


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
    good = re.fullmatch(r"[a-z][a-z0-9]*", word) and word not in _GENERIC and name_grade(word)
    return word if good else None


def _in_lines(block: Lines, first: bool) -> Iterable[Named]:
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
    if first and (match := _SUBJECT.match(block.text)):
        yield Named(match["name"], block.lines[0].number, 5)


def find_modules(blocks: Sequence[Block]) -> list[Named]:
    """Every module name the text gives, each once, in order of its first mention."""
    found: dict[str, Named] = {}
    first = True
    label = False
    for block in blocks:
        names: list[Named] = []
        if isinstance(block, Heading):
            name = named_in_heading(block.line.text)
            label = bool(
                re.fullmatch(r"(top )?module( name)?|name|top", block.line.text.strip(" :"), re.I)
            )
            if name:
                names.append(Named(name, block.line.number, 2 if block.level == 1 else 3))
            elif block.level == 1 and (word := _single_word(block.line.text)):
                names.append(Named(word, block.line.number, 5))
        elif isinstance(block, Lines):
            if label and re.fullmatch(r"`?[A-Za-z_][\w$]*`?\.?", block.text.strip()):
                names.append(Named(block.text.strip(" `."), block.lines[0].number, 1))
            names.extend(_in_lines(block, first))
            first = label = False
        for named in names:
            old = found.get(named.name)
            if old is None:
                found[named.name] = named
            elif (named.rank, not named.top) < (old.rank, not old.top):
                found[named.name] = Named(old.name, old.line, named.rank, named.top or old.top)
            elif named.top and not old.top:
                found[named.name] = Named(old.name, old.line, old.rank, True)
    return list(found.values())
