"""A sentence as tokens, with the look-ups that its reader needs."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from rtl_agent.tools.clocking import infer_clocking
from rtl_agent.tools.interface import Direction, Interface, Port

from ..lexer import Kind, Token, tokenize
from ..lexicon import name_grade
from .words import CALLED, JOINERS

if TYPE_CHECKING:
    from collections.abc import Sequence

__all__ = ["Sentence", "may_name", "role_of", "split_sentences"]


def split_sentences(text: str) -> list[list[Token]]:
    """Split `text` at full stops and semicolons; tokens keep their offsets into `text`."""
    sentences: list[list[Token]] = [[]]
    for token in tokenize(text):
        if token.kind in (Kind.STOP, Kind.SEMICOLON):
            sentences.append([])
        else:
            sentences[-1].append(token)
    return [sentence for sentence in sentences if sentence]


def role_of(name: str) -> str:
    """`clock` or `reset` where the name says so, else empty."""
    found = infer_clocking(Interface("", (Port(Direction.INPUT, name),)))
    return "clock" if found.clock else "reset" if found.reset else ""


def may_name(token: Token) -> bool:
    """Whether an unquoted word could be a name at all."""
    return "-" not in token.text and "'" not in token.text and name_grade(token.text) > 0


@dataclass(frozen=True, slots=True)
class Sentence:
    """The tokens of one sentence; indices outside it are answered, not refused."""

    tokens: Sequence[Token]

    def at(self, i: int) -> Token | None:
        """The token at `i`, None outside the sentence."""
        return self.tokens[i] if 0 <= i < len(self.tokens) else None

    def lower(self, i: int) -> str:
        """The word at `i` in lower case; empty for a quoted name and outside the sentence."""
        token = self.at(i)
        return token.lower if token and token.kind is not Kind.TICK else ""

    def separates(self, i: int) -> bool:
        """Whether `i` ends an element of a list."""
        token = self.at(i)
        return (
            token is None
            or token.kind in (Kind.COMMA, Kind.CLOSE, Kind.OPEN)
            or self.lower(i) in ("and", "or", "&")
        )

    def list_goes_on(self, i: int) -> bool:
        """Whether what stands at `i` may follow the first name of a list."""
        token = self.at(i)
        follows = ("of", "with", "plus", "each", "both", "are", "is", "for", "from", "as")
        return (
            token is None
            or self.separates(i)
            or token.kind not in (Kind.WORD, Kind.NUMBER)
            or token.lower in follows
        )

    def name_follows(self, i: int) -> bool:
        """Whether a name begins at `i`, so that the noun before it is none."""
        token = self.at(i)
        if token is None:
            return False
        if token.kind in (Kind.TICK, Kind.WIDTH) or token.lower in CALLED:
            return True
        if token.lower == "a":
            return self.separates(i + 1)
        is_word = token.kind is Kind.WORD and token.lower not in JOINERS
        return is_word and name_grade(token.text) > 0

    @property
    def quotes(self) -> bool:
        """Whether any name in the sentence stands in backticks."""
        return any(t.kind is Kind.TICK for t in self.tokens)

    def closing(self, i: int) -> int:
        """The index of the parenthesis that closes the one at `i`."""
        depth = 0
        for j in range(i, len(self.tokens)):
            depth += (self.tokens[j].kind is Kind.OPEN) - (self.tokens[j].kind is Kind.CLOSE)
            if depth == 0:
                return j
        return len(self.tokens)
