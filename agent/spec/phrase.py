"""One line that declares ports: `input clk: clock`, `` `d` [7:0] in ``, `a, b (8 bits each)`."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from .lexer import Kind, Token, tokenize
from .lexicon import ARTICLES, DIRECTIONS, NOUNS, SHORT_DIRECTIONS, TYPE_WORDS, name_grade
from .tail import Attributes, read_attributes
from .widths import NUMBER_WORDS

if TYPE_CHECKING:
    from collections.abc import Sequence

    from rtl_agent.tools.interface import Direction

__all__ = ["Declared", "read_phrase"]


@dataclass(frozen=True, slots=True)
class Declared:
    """A port as one line declares it; what the line does not say is None."""

    name: str
    direction: Direction | None = None
    width: int | str | None = None
    signed: bool = False
    sure: bool = True
    description: str = ""


@dataclass(slots=True)
class _Item:
    """One element of a list: candidate names with what stands around them."""

    words: list[Token] = field(default_factory=list)
    ticks: list[Token] = field(default_factory=list)
    after_direction: int = 0  # how many words stood before the direction word
    direction: Direction | None = None
    lead: int | str | None = None
    trail: int | str | None = None
    signed: bool = False
    typed: bool = False
    each: bool = False
    counted: bool = False  # "two 8-bit …": the width is said of all
    bracketed: bool = False
    spare: Token | None = None  # a number word, which may be the name after all

    @property
    def empty(self) -> bool:
        return not self.words and not self.ticks


_FILLERS = ARTICLES | frozenset(
    "port ports signal signals pin pins of is are named called both wide with as line lines "
    "type width bus buses vector vectors plus".split()
)
_EACH = frozenset("each both respectively".split())


def _split_head(tokens: Sequence[Token]) -> tuple[list[Token], list[Token]]:
    """Cut a line at its first colon, dash, equals sign, "is" or full stop outside parentheses."""
    depth = 0
    for i, token in enumerate(tokens):
        if token.kind is Kind.OPEN:
            depth += 1
        elif token.kind is Kind.CLOSE:
            depth -= 1
        elif depth == 0 and i > 0:
            if token.kind in (Kind.COLON, Kind.DASH, Kind.EQUALS, Kind.SEMICOLON):
                return list(tokens[:i]), list(tokens[i + 1 :])
            if token.kind is Kind.STOP or (
                token.kind is Kind.WORD and token.lower in ("is", "are")
            ):
                return list(tokens[:i]), list(tokens[i + 1 :])
    return list(tokens), []


def _group(tokens: Sequence[Token], start: int) -> tuple[list[Token], int]:
    """The tokens inside the parentheses that open at `start`, and the index after them."""
    depth = 0
    for i in range(start, len(tokens)):
        depth += (tokens[i].kind is Kind.OPEN) - (tokens[i].kind is Kind.CLOSE)
        if depth == 0:
            return list(tokens[start + 1 : i]), i + 1
    return list(tokens[start + 1 :]), len(tokens)


def _apply(item: _Item, found: Attributes) -> None:
    item.direction = item.direction or found.direction
    item.trail = found.width if found.width is not None else item.trail
    item.signed = item.signed or found.signed
    item.each = item.each or found.each


def _is_direction(tokens: Sequence[Token], i: int, item: _Item, fixed: bool) -> Direction | None:
    """Whether the word at `i` gives a direction; `in` and `out` may as well be names."""
    lower = tokens[i].lower
    if lower in DIRECTIONS:
        return DIRECTIONS[lower]
    if lower not in SHORT_DIRECTIONS or item.direction or fixed:
        return None
    following = tokens[i + 1] if i + 1 < len(tokens) else None
    if not item.empty:  # "`d` [7:0] in"
        return (
            SHORT_DIRECTIONS[lower] if following is None or following.kind is Kind.COMMA else None
        )
    if following is not None and following.kind in (Kind.WORD, Kind.TICK, Kind.RANGE, Kind.WIDTH):
        return SHORT_DIRECTIONS[lower]  # "in [7:0] d"
    return None


def _word(item: _Item, token: Token, direction: Direction | None) -> None:
    if direction is not None:
        item.direction = direction
        item.after_direction = len(item.words)
    elif token.lower in ("signed", "unsigned"):
        item.signed = token.lower == "signed"
    elif token.lower in TYPE_WORDS and token.text.islower():
        item.typed = True
    elif token.lower in _EACH:
        item.each = True
    elif token.lower in NUMBER_WORDS and item.empty and token.lower != "one":
        item.counted = True
        item.spare = token
    else:
        item.words.append(token)


def _items(tokens: Sequence[Token], *, fixed: bool) -> list[_Item]:
    items = [_Item()]
    i = 0
    while i < len(tokens):
        token, item = tokens[i], items[-1]
        if token.kind is Kind.OPEN:
            inside, i = _group(tokens, i)
            _apply(item, read_attributes(inside, inside_parentheses=True))
            continue
        joins = token.kind is not Kind.TICK and token.lower in ("and", "&", "/", "plus")
        if joins or token.kind in (Kind.COMMA, Kind.SEMICOLON):
            items.append(_Item())
        elif token.kind in (Kind.WIDTH, Kind.RANGE):
            if item.empty:
                item.lead = token.width
                item.bracketed = token.text.startswith("[")
            else:
                item.trail = token.width
        elif token.kind is Kind.TICK:
            item.ticks.append(token)
        elif token.kind is Kind.WORD:
            _word(item, token, _is_direction(tokens, i, item, fixed))
        elif token.kind is Kind.NUMBER and token.text.isdigit() and _is_width(tokens, i, item):
            item.trail = int(token.text)
        elif token.text not in ("*", "-", "+", "•"):
            item.words.append(token)
        i += 1
    return items


def _is_width(tokens: Sequence[Token], i: int, item: _Item) -> bool:
    """Whether a bare number is a width: behind a name, or alone in "clk, input, 1, clock"."""
    last = i + 1 == len(tokens) or tokens[i + 1].kind is Kind.COMMA
    return not item.empty or (last and i > 0)


def _names(item: _Item, *, quoted: bool) -> tuple[list[str], bool] | None:
    """The names in an item and whether that is certain; None when it cannot be told."""
    if item.ticks or quoted:
        return [t.text for t in item.ticks], len(item.ticks) == 1
    if any(t.kind is not Kind.WORD for t in item.words):
        return None
    words = item.words
    if len(words) > 1:  # "data input d", "the clock"
        words = [t for t in words if t.lower not in _FILLERS] or words
    if len(words) > 1:
        return _among(item, words)
    good = all(_nameable(t.text) for t in words)
    return ([t.text for t in words], True) if good else None


def _among(item: _Item, words: list[Token]) -> tuple[list[str], bool] | None:
    """Which of several words is the name."""
    behind = item.words[item.after_direction :] if item.direction else []
    behind = [t for t in behind if t.lower not in _FILLERS]
    if item.after_direction and len(behind) == 1 and _nameable(behind[0].text):
        return [behind[0].text], True
    strong = [t for t in words if name_grade(t.text) >= 2 and t.lower not in NOUNS]
    if len(strong) == 1 and strong[0] in (words[0], words[-1]):
        return [strong[0].text], False
    described = all(t.lower in NOUNS for t in words[:-1]) and len(words) <= 3
    return ([words[-1].text], False) if described and name_grade(words[-1].text) else None


# Words that make a line a sentence about a signal, not its declaration.
_VERBS = frozenset(
    """
    must shall should may can will would has have does do holds hold changes goes stays keeps
    falls rises increments decrements counts loads clears sets selects shifts if when while then
    because so that which until unless enables disables wraps toggles follows equals becomes reads
    writes drives puts takes shows gets adds not only never always otherwise else
    """.split()
)


def _is_sentence(head: Sequence[Token]) -> bool:
    words = [t for t in head if t.kind is Kind.WORD]
    if len([t for t in words if t.lower not in DIRECTIONS and t.lower not in TYPE_WORDS]) <= 1:
        return False  # "output so", whatever the word
    return any(t.lower in _VERBS for t in words[1:]) or len(words) > 12


def _nameable(word: str) -> bool:
    """Whether a word can be a name; `Moore` or `Combinational` at the start of a line is none."""
    english = name_grade(word) == 0 and word[:1].isupper() and not word.isupper()
    return "-" not in word and "'" not in word and not english


def _distribute(items: list[_Item]) -> list[_Item]:
    """Hand attributes that stand alone, or are said of each, to the items they belong to."""
    out: list[_Item] = []
    lead: int | str | None = None
    direction: Direction | None = None
    told = False
    for item in items:
        if item.empty and out:
            _hand_back(item, out)
            told = told or item.direction is not None
            continue
        if told and item.direction is None:  # the description: "clk, input, 1, clock"
            break
        if item.direction or item.lead is not None:
            # "8-bit `a` and `b`" leaves it open whose the width is; "[7:0] a, b" does not.
            shared = item.direction or item.counted or item.bracketed
            lead = item.lead if shared else None
        elif item.lead is None:
            item.lead = lead
        direction = item.direction = item.direction or direction
        if item.each and item.trail is not None:
            for earlier in out:
                earlier.trail = earlier.trail if earlier.trail is not None else item.trail
        out.append(item)
    return out


def _hand_back(item: _Item, names: list[_Item]) -> None:
    """Give an item without a name to those before it: ", 8 bits each", ", input, 1 bit"."""
    width = item.trail if item.trail is not None else item.lead
    of_all = item.each or item.direction is not None or len(names) == 1
    for earlier in names if of_all else names[-1:]:
        earlier.direction = earlier.direction or item.direction
        earlier.trail = width if width is not None else earlier.trail
        earlier.signed = earlier.signed or item.signed


def _last_direction_backwards(items: list[_Item]) -> None:
    """`a, b: …` handled elsewhere; here `x, y input` gives `x` the direction that ends the list."""
    given = [item.direction for item in items if item.direction]
    if given and items[0].direction is None and len(set(given)) == 1:
        for item in items:
            item.direction = given[0]


def read_phrase(text: str, direction: Direction | None = None) -> list[Declared] | None:
    """Read `text` as a declaration of one or more ports.

    `direction` is what the section says, None where each line must say it itself. Returns None
    where the line cannot be read as a declaration with confidence.
    """
    parts = [part for part in text.split(";") if part.strip()]
    if len(parts) > 1:  # "`valid` input; `ready` output"
        each = [read_phrase(part, direction) for part in parts]
        if all(ports and all(p.direction for p in ports) for ports in each):
            return [port for ports in each for port in ports or ()]
    tokens = tokenize(text)
    while tokens and (tokens[0].kind is Kind.DASH or tokens[0].text in ("-", "*", "•", "+")):
        tokens = tokens[1:]
    head, tail = _split_head(tokens)
    if not head:
        return None
    quoted = any(t.kind is Kind.TICK for t in head)
    if _is_sentence(head):
        return None
    items = _distribute(_items(head, fixed=direction is not None))
    _last_direction_backwards(items)
    said = read_attributes(tail)
    start = tail[0].start if tail else len(text)
    description = text[start:].strip()
    found: list[Declared] = []
    for item in items:
        if item.empty and item.spare is not None:
            item.words.append(item.spare)
        names = _names(item, quoted=quoted)
        if names is None and found and found[0].direction:  # "clk, input, 1 bit, system clock"
            break
        if names is None:
            return None
        width = item.trail if item.trail is not None else item.lead
        port = Declared(
            "",
            item.direction or direction or said.direction,
            said.width if width is None else width,
            item.signed or said.signed,
            names[1] and (width is not None or said.sure),
            description,
        )
        found.extend(replace(port, name=name.removeprefix("\\")) for name in names[0])
    return found or None
