"""Whose width a width in a sentence is: that of the names before it, or of the noun after it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..lexer import Kind
from ..lexicon import DIRECTIONS, NAME, NOUNS, SHORT_DIRECTIONS, TYPE_WORDS, name_grade
from ..tail import read_attributes
from .words import TRAILERS

if TYPE_CHECKING:
    from .sentence import Sentence
    from .state import ProsePort, State

__all__ = ["take_parenthesis", "take_width"]


def take_width(state: State, i: int) -> None:
    """Give the width at `i` to whom it belongs."""
    token = state.sentence.tokens[i]
    if state.told and state.sentence.lower(i - 1) in ("of", "with", ","):
        _set(state.told, token.width)  # "`q` is an output of 8 bits"
        return
    between = [state.sentence.tokens[j] for j in range(state.last + 1, i)] if state.run else []
    if not state.run or state.copula or not _behind_names(state, i, len(between)):
        state.phrase.width = token.width
        return
    around = {t.lower for t in between} | {state.sentence.lower(i + 1)}
    if "both" in around or "each" in around:
        open_ports = [p for p in state.ports if p.width is None]
        _set(state.run if state.run[-1].width is not None else open_ports, token.width)
    else:
        of_all = "are" in around or ":" in around
        _set(state.run if of_all else state.run[-1:], token.width)


def _set(ports: list[ProsePort], width: int | str | None) -> None:
    for port in ports:
        port.width = width


def _behind_names(state: State, i: int, distance: int) -> bool:
    """Whether the width at `i` is said of the names before it."""
    sentence = state.sentence
    between = sentence.tokens[i - distance : i]
    if any(t.kind is Kind.COLON for t in between):  # "`a`, `b`: 8-bit operands"
        return all(t.kind is Kind.COLON for t in between)
    if not all(t.kind is Kind.COMMA or t.lower in TRAILERS for t in between):
        return False
    if sentence.tokens[i].kind is Kind.RANGE and not between:
        return True
    return not _noun_begins(state, i + 1)


def _noun_begins(state: State, i: int) -> bool:
    token = state.sentence.at(i)
    if token is None or state.sentence.lower(i) in ("each", "both", "wide", "and", "or", "in"):
        return False
    return token.kind is Kind.TICK or (
        token.kind is Kind.WORD
        and (token.lower in DIRECTIONS or token.lower in NOUNS or name_grade(token.text) > 0)
    )


_SAID = frozenset(DIRECTIONS) | frozenset(SHORT_DIRECTIONS) | TYPE_WORDS | {"each", "bits", "bit"}


def _pure(sentence: Sentence, i: int) -> bool:
    """Whether the parenthesis at `i` follows a word and says a port's attributes, nothing else."""
    before = sentence.at(i - 1)
    if before is None or before.kind is not Kind.WORD or not NAME.fullmatch(before.text):
        return False
    inside = sentence.tokens[i + 1 : sentence.closing(i)]
    told = any(t.lower in DIRECTIONS or t.lower in SHORT_DIRECTIONS for t in inside)
    return told and all(t.kind is not Kind.WORD or t.lower in _SAID for t in inside)


def _declares(state: State, i: int) -> bool:
    """Whether the word before the parenthesis at `i` is a port: "d (in, 8 bits)"."""
    sentence = state.sentence
    if not _pure(sentence, i) or state.phrase.determined:
        return False
    word = sentence.tokens[i - 1]
    opened = [j for j, t in enumerate(sentence.tokens) if t.kind is Kind.OPEN]
    alone = name_grade(word.text) == 3 and word.lower not in NOUNS
    return alone or sum(_pure(sentence, j) for j in opened) > 1


def take_parenthesis(state: State, i: int) -> int:
    """Read the parenthesis that opens at `i`; the index at which to go on."""
    sentence = state.sentence
    end = sentence.closing(i)
    inside = list(sentence.tokens[i + 1 : end])
    behind_name = state.last == i - 1 and bool(state.run)
    names = any(t.kind is Kind.TICK or name_grade(t.text) == 3 for t in inside)
    plain = not any(t.lower in DIRECTIONS for t in inside)
    if not behind_name and names and plain and (state.mode or state.phrase.noun):
        return i + 1  # "two inputs (`a` and `b`)": read on inside
    said = read_attributes(inside, inside_parentheses=True)
    if not behind_name and said.direction and _declares(state, i):
        state.add(sentence.tokens[i - 1].text, i - 1)  # "clk (in), d (in, 8 bits)"
        state.run[-1].direction, state.run[-1].listed = None, True
        behind_name = True
    if behind_name:
        for port in state.run if said.each else state.run[-1:]:
            port.width = said.width if said.width is not None else port.width
            port.signed = port.signed or said.signed
            if said.direction and not port.direction:
                port.direction, port.firm, port.introduced = said.direction, True, True
        state.last = end
    elif said.width is not None and state.phrase.width is None:
        state.phrase.width = said.width
    return end + 1
