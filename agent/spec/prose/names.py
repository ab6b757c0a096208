"""Whether an unquoted word in a sentence is a name that the sentence declares."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..lexer import Kind
from ..lexicon import NAME, NOUNS, name_grade
from .sentence import may_name, role_of

if TYPE_CHECKING:
    from .state import State

__all__ = ["is_article_name", "is_name"]

_AFTER_A = frozenset("and is of are or plus & to by with from".split())


def is_article_name(state: State, i: int) -> bool:
    """Whether the word `a` at `i` is a name here, not the article."""
    sentence = state.sentence
    if sentence.lower(i) != "a" or not (state.mode or state.phrase.role):
        return False
    following = sentence.at(i + 1)
    return (
        following is None
        or following.kind in (Kind.COMMA, Kind.RANGE, Kind.OPEN, Kind.CLOSE, Kind.EQUALS)
        or sentence.lower(i + 1) in _AFTER_A
    )


def is_name(state: State, i: int) -> bool:
    """Whether the word at `i` is a name.

    The looser the way in which the direction was told, the more the word itself has to look
    like a name (see `name_grade`).
    """
    token = state.sentence.tokens[i]
    following = state.sentence.at(i + 1)
    if following is not None and following.kind is Kind.RANGE and state.mode and state.firm:
        return NAME.fullmatch(token.text) is not None  # "LED 15:0"
    if not may_name(token) or state.last == i - 1 or state.copula:
        return False
    phrase, grade = state.phrase, name_grade(token.text)
    if phrase.called and (state.mode or phrase.role or phrase.noun):
        return True
    if phrase.role and token.lower not in NOUNS:
        return _by_role(state, i, grade)
    if state.mode is None:
        return False
    told = _by_verb if not state.firm else _after_copula if state.after_copula else _by_noun
    return told(state, i, grade)


def _after_copula(state: State, i: int, grade: int) -> bool:
    """Whether the word at `i` is a name in "the outputs are sum and carry"."""
    more = state.sentence.at(i + 1) is not None or state.last == i - 2
    ends = state.sentence.separates(i + 1) and more
    return grade >= 2 or (ends and not state.sentence.quotes)


def _by_role(state: State, i: int, grade: int) -> bool:
    if grade == 3:
        return True
    fits = grade == 2 or bool(role_of(state.sentence.tokens[i].text))
    return state.phrase.role_ok and (fits or state.sentence.separates(i + 1))


def _by_noun(state: State, i: int, grade: int) -> bool:
    sentence, phrase = state.sentence, state.phrase
    noun = sentence.lower(i) in NOUNS
    determined = phrase.determined or state.determined
    if noun and (sentence.name_follows(i + 1) or (determined and phrase.width is None)):
        return False
    if not state.plural and grade == 1:  # "the output sticks", "input transfer: …"
        listed = bool(state.ports) or sentence.lower(i + 1) in (",", "and")
        ends = sentence.separates(i + 1) and not sentence.quotes
        return ends and (listed or not (noun or determined)) and not phrase.determined
    if state.plural and not state.chained(i) and not sentence.list_goes_on(i + 1):
        return False  # "Moore outputs: P gives …"
    return grade >= 2 or not sentence.quotes


def _by_verb(state: State, i: int, grade: int) -> bool:
    sentence, phrase = state.sentence, state.phrase
    if sentence.lower(i) in NOUNS or sentence.lower(i + 1) in NOUNS:
        return False
    if grade == 3:
        return True
    told = phrase.noun or phrase.width is not None or state.shared is not None
    if grade == 2:
        return bool(told) or state.chained(i)
    return bool(phrase.noun) and not sentence.quotes and sentence.separates(i + 1)
