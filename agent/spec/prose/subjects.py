"""The names before "are inputs": "d and en are inputs", "`q` is an 8-bit output"."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..lexer import Kind
from ..lexicon import ARTICLES, DIRECTIONS, NOUNS, name_grade
from .sentence import Sentence, may_name
from .words import ADJECTIVES, BE

if TYPE_CHECKING:
    from .state import State

__all__ = ["take_subjects"]

_BETWEEN = ARTICLES | ADJECTIVES | frozenset("both single-bit clock reset enable select".split())


def _can_be_subject(sentence: Sentence, i: int) -> bool:
    token = sentence.tokens[i]
    if token.kind is Kind.TICK:
        return True
    if token.kind is Kind.WORD and token.lower == "a":
        return sentence.lower(i + 1) in (",", "and", *BE)
    if token.kind is not Kind.WORD or not may_name(token):
        return False
    # "the result is an output called f": a noun with its article is no name.
    described = sentence.lower(i - 1) in ARTICLES
    return not (described and (token.lower in NOUNS or name_grade(token.text) == 1))


def _names(sentence: Sentence, i: int) -> tuple[list[int], int]:
    """The indices of a list of names at `i`, and that of the "is" or "are" behind it (or 0)."""
    names: list[int] = []
    while sentence.at(i) is not None and _can_be_subject(sentence, i):
        names.append(i)
        i += 1
        following = sentence.at(i)
        if following is not None and following.kind is Kind.RANGE:
            i += 1
        if sentence.lower(i) in BE:
            return names, i
        if sentence.lower(i) not in (",", "and"):
            break
        i += 1 + (sentence.lower(i) == "," and sentence.lower(i + 1) == "and")
    return [], 0


def take_subjects(state: State, i: int) -> int:
    """Take the names at `i` when they are said to be ports; the index of the verb, or 0."""
    sentence = state.sentence
    names, verb = _names(sentence, i)
    if not names:
        return 0
    k = verb + 1
    while (token := sentence.at(k)) is not None and (
        token.kind in (Kind.WIDTH, Kind.RANGE) or token.lower in _BETWEEN
    ):
        k += 1
    told = sentence.lower(k) in DIRECTIONS
    if not told or (
        sentence.lower(k + 1) in ("of", "to", "from") and not _width_at(sentence, k + 2)
    ):
        return 0
    for at in names:
        state.add(sentence.tokens[at].text, at)
        following = sentence.at(at + 1)
        if following is not None and following.kind is Kind.RANGE:
            state.run[-1].width = following.width
    state.last = verb - 1
    return verb


def _width_at(sentence: Sentence, i: int) -> bool:
    token = sentence.at(i)
    return token is not None and token.kind is Kind.WIDTH
