"""The reader: one pass over a sentence, token by token, with the state of `state.py`."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from rtl_agent.tools.interface import Direction

from ..lexer import Kind
from ..lexicon import ARTICLES, DIRECTIONS, IN_VERBS, NOUNS, OUT_VERBS
from ..widths import NUMBER_WORDS
from .names import is_article_name, is_name
from .sentence import Sentence, role_of
from .state import NounPhrase, ProsePort, State
from .subjects import take_subjects
from .widths import take_parenthesis, take_width
from .words import (
    ADJECTIVES,
    APPEARS,
    BE,
    CALLED,
    COMING_IN,
    COMING_OUT,
    DEFINITE,
    JOINERS,
    PLACES,
    PREPOSITIONS,
    ROLE_NOUNS,
    SUBJECTS,
    TRAILERS,
)

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ..lexer import Token

__all__ = ["Told", "read_sentence"]


@dataclass(frozen=True, slots=True)
class Told:
    """What one sentence told: ports, and widths of signals declared elsewhere."""

    ports: tuple[ProsePort, ...]
    widths: dict[str, int | str]


def read_sentence(
    tokens: Sequence[Token], known: frozenset[str], modules: frozenset[str] = frozenset()
) -> Told:
    """Read one sentence; `known` are names declared so far, `modules` the modules' names."""
    state = State(Sentence(tokens), known, modules)
    i = 0
    while i < len(tokens):
        i = _step(state, i)
    state.end_run()
    told = [p for p in state.ports if p.direction is not None]
    by_verb = {p.direction for p in told if not p.firm and p.introduced}
    if len(by_verb) == 2:  # "takes … and drives …" lists them all
        for port in told:
            port.firm = port.listed = port.firm or port.introduced
    return Told(tuple(told), state.widths)


def _step(state: State, i: int) -> int:
    """Read the token at `i`; the index at which to go on."""
    token = state.sentence.tokens[i]
    match token.kind:
        case Kind.WIDTH | Kind.RANGE:
            take_width(state, i)
        case Kind.OPEN:
            return take_parenthesis(state, i)
        case Kind.TICK:
            _quoted(state, i)
        case Kind.WORD if token.lower not in JOINERS:
            return _word(state, i)
        case Kind.COMMA | Kind.WORD:
            _separate(state, i)
        case Kind.NUMBER | Kind.COLON | Kind.CLOSE | Kind.DASH:
            pass
        case _ if token.text == "&":
            _separate(state, i)
        case _:
            state.end_run()
    return i + 1


def _separate(state: State, i: int) -> None:
    if state.copula:
        state.end_copula()
    elif state.last == i - 1 or state.sentence.lower(i - 1) == ",":
        state.phrase = NounPhrase()


def _quoted(state: State, i: int) -> None:
    name, phrase = state.sentence.tokens[i].text, state.phrase
    if name in state.modules and name not in state.known and not state.mode and not phrase.role:
        state.end_run()  # "a module called `watchdog` with an input …": no port
        state.phrase = NounPhrase()
        return
    if state.copula:
        state.end_copula()
    elif phrase.role and not phrase.role_ok and not role_of(name) and not phrase.called:
        phrase.role = ""
    state.add(name, i)


def _word(state: State, i: int) -> int:
    if state.mode is None and not state.run and (verb := take_subjects(state, i)):
        return verb
    words = " ".join(t.text for t in state.sentence.tokens[i : i + 3])
    for pattern, direction in ((COMING_IN, Direction.INPUT), (COMING_OUT, Direction.OUTPUT)):
        if pattern.match(words):
            return _moves(state, i, direction)
    if is_article_name(state, i):
        state.add(state.sentence.tokens[i].text, i)
    elif not _grammar(state, i):
        _noun_or_name(state, i)
    return i + 1


def _grammar(state: State, i: int) -> bool:
    """Act on a word that is neither noun nor name; False when it is none of these."""
    lower = state.sentence.lower(i)
    if lower in DIRECTIONS and not (lower == "bidirectional" and not _of_a_port(state, i)):
        _direction(state, i)
    elif lower in BE:
        _be(state, i)
    elif (lower in IN_VERBS or lower in OUT_VERBS) and _is_verb(state, i):
        _verb(state, Direction.INPUT if lower in IN_VERBS else Direction.OUTPUT)
    elif lower in APPEARS:
        _verb(state, Direction.OUTPUT)
    elif lower in ARTICLES or lower in NUMBER_WORDS:
        if not state.copula:
            state.phrase = NounPhrase(determined=True, introduced=lower not in DEFINITE)
    else:
        return _particle(state, i)
    return True


def _particle(state: State, i: int) -> bool:
    """Act on a small word that changes what the noun phrase means; False when it is none."""
    sentence, lower = state.sentence, state.sentence.lower(i)
    if lower in CALLED:
        state.phrase.called = True
    elif lower in ("signed", "unsigned"):
        state.phrase.signed = lower == "signed"
    elif lower == "clocked" and sentence.lower(i + 1) in ("by", "from"):
        state.end_run()
        state.phrase = NounPhrase(role="clock", noun="clock")
    elif lower in PLACES and state.mode and not state.firm and state.last != i - 1:
        state.phrase = NounPhrase(width=state.phrase.width, noun="on")  # "puts the sum on s"
    else:
        behind_clocked = bool(state.phrase.role) and sentence.lower(i - 1) == "clocked"
        as_input = lower == "as" and bool(state.run) and _direction_near(state, i)
        return as_input or (behind_clocked and lower in ("by", "from"))
    return True


def _direction_near(state: State, i: int) -> bool:
    """Whether "as" at `i` is that of "as input", "as an output"."""
    return any(state.sentence.lower(j) in DIRECTIONS for j in (i + 1, i + 2))


def _of_a_port(state: State, i: int) -> bool:
    """Whether "bidirectional" is said of a port, not of a shift register."""
    following = state.sentence.at(i + 1)
    nouns = ("port", "bus", "pin", "signal", "line", "ports", "pins", "lines")
    return following is not None and (following.kind is Kind.TICK or following.lower in nouns)


def _moves(state: State, i: int, direction: Direction) -> int:
    """Direction of what stands before "comes in together with", and of what stands after it."""
    for port in state.run:
        port.direction = port.direction or direction
    state.end_run()
    state.mode, state.firm = direction, False
    return i + (2 if state.sentence.lower(i + 1) in ("in", "out") else 1)


def _direction(state: State, i: int) -> None:
    """The word "input" or "output": said of names before it, or of names to come."""
    sentence, phrase = state.sentence, state.phrase
    word = sentence.lower(i)
    direction, following = DIRECTIONS[word], sentence.lower(i + 1)
    if state.copula and state.subject:  # "`q` is an 8-bit output"
        told = state.subject
        state.give(told, direction)
        for port in told:
            port.listed = True
        state.copula = False
        state.end_run()
        state.told = told
        return
    open_ports = [p for p in state.run if p.direction is None]
    behind = phrase.determined or sentence.lower(i - 1) == "as"
    if open_ports and behind and i - state.last <= 4:  # "and q the output", "`en` as input"
        state.give(open_ports, direction)
        state.end_run()
        return
    if following in ("of", "to", "from"):
        state.end_run()
        return
    width = phrase.width
    if width is None and sentence.lower(i - 1) in (*PLACES, "the"):
        width = state.carried  # "the 9-bit sum is put on the output `s`"
    state.carried = None
    state.end_run()
    state.mode, state.firm = direction, following not in ("the", "its")
    state.plural = word.endswith("s")
    state.introduced = phrase.introduced or not phrase.determined
    state.determined = phrase.determined
    state.phrase = NounPhrase(width=width, signed=phrase.signed)
    if direction is Direction.INPUT:
        state.phrase.role = phrase.role
    if state.plural:
        state.shared, state.shared_signed = width, phrase.signed


def _be(state: State, i: int) -> None:
    if state.run and state.last == i - 1:
        state.copula, state.subject = True, list(state.run)
        state.phrase = NounPhrase()
    elif (state.mode and state.firm) or state.phrase.role:
        state.after_copula = True
        state.phrase.called = state.phrase.called or bool(state.phrase.role)
    else:
        width = state.phrase.width
        state.end_run()
        state.carried = width


def _is_verb(state: State, i: int) -> bool:
    """Whether the block does it, not a signal ("`en` drives …"), and it is no noun."""
    previous = state.sentence.at(i - 1)
    if state.sentence.lower(i + 1) in ("by", "place", "care"):
        return False
    return (
        previous is None
        or previous.kind in (Kind.COMMA, Kind.CLOSE)
        or previous.lower in SUBJECTS
        or (previous.text in state.modules and previous.text not in state.known)
    )


def _verb(state: State, direction: Direction) -> None:
    for port in state.run if state.copula else ():
        port.direction = port.direction or direction
    state.end_run()
    state.mode, state.firm = direction, False


def _noun_or_name(state: State, i: int) -> None:
    sentence, phrase = state.sentence, state.phrase
    token, lower = sentence.tokens[i], sentence.lower(i)
    stands_alone = state.mode and state.firm and not phrase.determined and sentence.separates(i + 1)
    is_called = phrase.called and state.last != i - 1
    if lower in ("clock", "reset") and not stands_alone and not is_called:
        phrase.role = phrase.noun = lower
        before = sentence.lower(i - 2 if phrase.determined else i - 1)
        phrase.role_ok = before not in PREPOSITIONS
    elif is_name(state, i):
        if state.copula:
            state.end_copula()
        state.add(token.text, i)
    elif lower in NOUNS:
        phrase.noun = lower
        if phrase.role and lower not in ROLE_NOUNS:
            phrase.role = ""
    elif state.told and lower in TRAILERS:
        return  # "`q` is an output of 8 bits"
    elif phrase.determined and lower.endswith("ed"):
        return  # "a packed input vector"
    elif lower not in ADJECTIVES and "-" not in token.text:
        state.end_run()
