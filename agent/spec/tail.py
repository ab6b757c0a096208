"""What a description says of its port: `input, 8 bits`, `in std_logic`, `8-bit operand`."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from .lexer import Kind, Token
from .lexicon import ARTICLES, DIRECTIONS, NOUNS, SHORT_DIRECTIONS, TYPE_WORDS

if TYPE_CHECKING:
    from collections.abc import Sequence

    from rtl_agent.tools.interface import Direction

__all__ = ["Attributes", "read_attributes"]


@dataclass(slots=True)
class Attributes:
    """What was said; None where nothing was. `sure` is false where the width is a reading."""

    direction: Direction | None = None
    width: int | str | None = None
    signed: bool = False
    each: bool = False
    sure: bool = True


# Adjectives that may stand between the start of a description and its width.
_ADJECTIVES = ARTICLES | frozenset(
    """
    registered signed unsigned current resulting latched parallel serial main external internal
    incoming outgoing new delayed encoded decoded filtered full final input output first second
    active-high active-low synchronous asynchronous this
    """.split()
)
_VHDL = frozenset(
    "std_logic std_ulogic std_logic_vector std_ulogic_vector unsigned signed wire reg logic".split()
)


_BREAKS = frozenset(
    {
        Kind.COMMA,
        Kind.SEMICOLON,
        Kind.COLON,
        Kind.OPEN,
        Kind.CLOSE,
        Kind.STOP,
        Kind.DASH,
    }
)


def _segments(tokens: Sequence[Token]) -> list[list[Token]]:
    """Split at commas and semicolons; a parenthesis is a segment of its own."""
    parts: list[list[Token]] = [[]]
    for token in tokens:
        if token.kind in _BREAKS:
            parts.append([])
        else:
            parts[-1].append(token)
    return parts


def _pure_width(segment: Sequence[Token]) -> Token | None:
    """The width of a segment that says a width and nothing else ("8 bits wide", "packed as …")."""
    widths = [t for t in segment if t.kind in (Kind.WIDTH, Kind.RANGE)]
    rest = [t for t in segment if t.kind not in (Kind.WIDTH, Kind.RANGE)]
    allowed = {
        "wide",
        "each",
        "both",
        "packed",
        "as",
        "range",
        "of",
        "bus",
        "vector",
        "is",
        "total",
    }
    if len(widths) == 1 and all(t.lower in allowed | TYPE_WORDS | set(DIRECTIONS) for t in rest):
        return widths[0]
    return None


def _leading(segment: Sequence[Token], found: Attributes) -> None:
    """Read the attributes with which a description begins."""
    for i, token in enumerate(segment):
        following = segment[i + 1] if i + 1 < len(segment) else None
        if token.kind in (Kind.WIDTH, Kind.RANGE):
            found.width = token.width if found.width is None else found.width
        elif token.kind is Kind.OPEN or token.kind is Kind.COMMA:
            continue
        elif token.lower in DIRECTIONS:
            found.direction = found.direction or DIRECTIONS[token.lower]
        elif token.lower in SHORT_DIRECTIONS and (
            following is None
            or following.lower in _VHDL
            or following.kind in (Kind.WIDTH, Kind.RANGE, Kind.COMMA)
        ):
            found.direction = found.direction or SHORT_DIRECTIONS[token.lower]
        elif token.lower in ("signed", "unsigned"):
            found.signed = token.lower == "signed"
        elif token.lower not in _ADJECTIVES and token.lower not in TYPE_WORDS:
            if following is None or token.lower not in NOUNS:
                return
            ahead = segment[i + 1]
            if ahead.lower not in DIRECTIONS:  # "clock input", "data output"
                return


def read_attributes(tokens: Sequence[Token], *, inside_parentheses: bool = False) -> Attributes:
    """Read direction, width and sign where `tokens` say them, and only there.

    A width in the middle of a sentence ("high while the 8-bit frame is sent") is not the
    port's own; when it is the only one, `sure` is false.
    """
    found = Attributes()
    for i, segment in enumerate(_segments(tokens)):
        if not segment:
            continue
        if inside_parentheses and len(segment) == 1 and segment[0].text.isdigit():
            found.width = int(segment[0].text)  # "(in, 8)", "(8)"
            continue
        pure = _pure_width(segment)
        if pure is not None:
            # "packed as [31:0]" is more exact than "4 x 8-bit".
            if found.width is None or pure.kind is Kind.RANGE:
                found.width = pure.width
            found.direction = found.direction or next(
                (DIRECTIONS[t.lower] for t in segment if t.lower in DIRECTIONS), None
            )
        elif i == 0 or inside_parentheses or segment[0].lower in DIRECTIONS:
            _leading(segment, found)
        if any(t.lower in ("each", "both") for t in segment):
            found.each = True
        if any(t.lower == "signed" for t in segment[:2]):
            found.signed = True
    if found.width is None and any(t.kind is Kind.WIDTH and t.width != 1 for t in tokens):
        found.sure = False
    return found
