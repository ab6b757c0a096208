"""Words, widths and punctuation of a line or sentence, as tokens."""

from __future__ import annotations

import re
from dataclasses import dataclass
from enum import Enum

from .widths import NUMBER_WORDS, from_count, from_range, parse_width

__all__ = ["Kind", "Token", "tokenize"]


class Kind(Enum):
    """What a token is."""

    TICK = "tick"  # an identifier in backticks
    CODE = "code"  # anything else in backticks
    WORD = "word"
    WIDTH = "width"  # "8-bit": value is the width
    RANGE = "range"  # "[7:0]", "7 downto 0"
    NUMBER = "number"
    LITERAL = "literal"  # 8'hFF
    OPEN = "("
    CLOSE = ")"
    COMMA = ","
    COLON = ":"
    SEMICOLON = ";"
    DASH = "-"
    EQUALS = "="
    STOP = "."
    OTHER = "other"


@dataclass(frozen=True, slots=True)
class Token:
    """One token; `start` is its offset in the text."""

    kind: Kind
    text: str
    start: int
    end: int
    width: int | str | None = None

    @property
    def lower(self) -> str:
        """The text in lower case."""
        return self.text.lower()


_EXPR = r"(?:\d+|`?[A-Za-z_]\w*`?)(?:\s?[-+*/]\s?(?:\d+|[A-Za-z_]\w*))*"
_COUNT_WORDS = "|".join(sorted(NUMBER_WORDS, key=len, reverse=True))
_SYMBOLS = {
    "(": Kind.OPEN,
    ")": Kind.CLOSE,
    ",": Kind.COMMA,
    ":": Kind.COLON,
    ";": Kind.SEMICOLON,
    "=": Kind.EQUALS,
    ".": Kind.STOP,
    "?": Kind.STOP,
    "!": Kind.STOP,
}
_BITS = r"bits?\b(?:[\s-]wide\b)?(?:[\s-]in width\b)?"
_PATTERN = re.compile(
    rf"""
    (?P<literal>\d*'[sS]?[bdhoBDHO][0-9a-fA-FxXzZ_?]+)
  | (?P<range>\[\s*[^\[\]]+?\s*(?::|\.\.|\bdownto\b|\bto\b)\s*[^\[\]]+\]|<\d+:\d+>)
  | (?P<downto>{_EXPR}\s+downto\s+{_EXPR})
  | (?P<bare>\b(?:\d+|[A-Z]\w*-1|[A-Z]\w*\s-\s1):0\b|\b\d+\.\.\d+\b
        |\bbits\s+\d+\s+(?:to|through)\s+0\b)
  | (?P<times>\b(?:\d+|{_COUNT_WORDS})\s*[x×*]\s*(?:\d+)[\s-]*{_BITS})
  | (?P<bits>(?:\([\w\s+*/-]+\)|`[^`\s]+`|\b(?:\d+\s?\*\s?)?[A-Z]\w*(?:\s?[-+*]\s?\d+)?|\b\d+[A-Z]?
        |\b(?:{_COUNT_WORDS})|\b[a-z](?=-bit))[\s-]*{_BITS})
  | (?P<ofwidth>\bwidth\s*(?:of\s+|is\s+|[=:]\s*)?(?:\d+|[A-Z]\w*)\b(?:\s+bits?\b)?)
  | (?P<wide>\b\d+\s+wide\b)
  | (?P<tick>`[^`]+`)
  | (?P<other_bracket>\[[^\]]*\])
  | (?P<word>\\\S+|[A-Za-z_][\w$]*(?:['-][A-Za-z]+)*)
  | (?P<number>\d[\w.]*(?:-[A-Za-z]+)*)
  | (?P<dash>\s-{{1,2}}\s|\s?[–—]\s?|->|=>|→)
  | (?P<symbol>[(),:;=.?!])
  | (?P<other>\S)
    """,
    re.VERBOSE | re.IGNORECASE,
)
_NOT_COUNTS = frozenset("MSB LSB MSBS LSBS I A LED IO PARITY STOP START SIGN CARRY".split())
_TICK_DECL = re.compile(
    r"(?P<before>(?:(?:input|output|inout|wire|reg|logic|signed)\s+)*)"
    r"(?P<lead>\[[^\]]+\]\s*)?(?P<name>\\\S+|[A-Za-z_][\w$]*)\s*(?P<trail>\[[^\]]+\])?"
)


def _ticked(text: str, start: int, end: int) -> list[Token]:
    """Tokens of a code span: a name, `name[7:0]`, `input [7:0] name`, a range, or mere code."""
    inner = text.strip("`").strip()
    match = _TICK_DECL.fullmatch(inner)
    if match is None:
        width = parse_width(inner)
        if width is not None and re.search(r"[:\[]|downto|\.\.|bit", inner):
            return [Token(Kind.RANGE, inner, start, end, width)]
        return [Token(Kind.CODE, inner, start, end)]
    tokens = [Token(Kind.WORD, word, start, start) for word in match["before"].split()]
    if match["lead"]:
        lead = match["lead"].strip()
        tokens.append(Token(Kind.RANGE, lead, start, start, parse_width(lead)))
    tokens.append(Token(Kind.TICK, match["name"], start, end))
    if match["trail"]:
        width = parse_width(match["trail"])
        if width is None or not re.search(r"[:.]|\bto\b", match["trail"]):
            return [Token(Kind.CODE, inner, start, end)]  # one bit or word of a signal
        tokens.append(Token(Kind.RANGE, match["trail"], end, end, width))
    return tokens


def _bits(text: str) -> int | str | None:
    count = re.sub(rf"[\s-]*{_BITS}$", "", text, flags=re.IGNORECASE)
    if count.lower() in NUMBER_WORDS or re.match(r"[\d(]", count):
        return from_count(count)
    bare = count.strip("`")
    if re.fullmatch(r"[A-Z][A-Z0-9_]*(\s?[-+*]\s?\w+)?", bare) and bare not in _NOT_COUNTS:
        return from_count(bare)
    if re.fullmatch(r"`?[a-z]`?-", text[: len(count) + 1]) or bare.startswith("$clog2"):
        return from_count(bare)
    return None  # "that bit", "carry bit"


def _width(group: str, text: str) -> int | str | None:
    if group == "bits":
        return _bits(text)
    if group == "bare" and text.startswith("bits"):
        numbers = re.findall(r"\d+", text)
        return from_range(numbers[0], numbers[1])
    if group == "ofwidth":
        return from_count(
            re.sub(r"^width\W*(?:of|is)?\W*|\s+bits?$", "", text, flags=re.IGNORECASE)
        )
    if group == "wide":
        return from_count(text.split(maxsplit=1)[0])
    return parse_width(text)


def tokenize(text: str) -> list[Token]:
    """Split `text` into tokens; blanks are dropped."""
    tokens: list[Token] = []
    position = 0
    while position < len(text):
        match = _PATTERN.match(text, position)
        if match is None:
            position += 1
            continue
        group, word = match.lastgroup or "", match[0]
        start, end = match.span()
        width = None
        if group in ("range", "downto", "bare", "times", "bits", "ofwidth", "wide"):
            width = _width(group, word)
        if width is not None:
            kind = Kind.RANGE if group in ("range", "downto", "bare") else Kind.WIDTH
            tokens.append(Token(kind, word, start, end, width))
        elif group in ("bits", "downto", "ofwidth", "times"):  # no width after all: its first word
            first = re.match(r"`[^`]+`|\W|\w+", word)
            end = start + (first.end() if first else 1)
            word = text[start:end]
            tokens.extend(_plain(word, start, end))
        elif group == "tick":
            tokens.extend(_ticked(word, start, end))
        elif group == "dash":
            tokens.append(Token(Kind.DASH, word.strip(), start, end))
        else:
            tokens.extend(_plain(word, start, end))
        position = end
    return tokens


def _plain(word: str, start: int, end: int) -> list[Token]:
    if word.startswith("`"):
        return _ticked(word, start, end)
    if "'" in word and word[:1].isdigit():
        kind = Kind.LITERAL
    elif word[:1].isdigit():
        kind = Kind.NUMBER
    elif word[:1].isalpha() or word[:1] in "_\\":
        kind = Kind.WORD
    else:
        kind = _SYMBOLS.get(word, Kind.OTHER)
    return [Token(kind, word, start, end)]
