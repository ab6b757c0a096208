"""An incremental Verilog lexer whose whole memory is one small immutable state.

Rolling back is keeping an old state. The lexer never rejects text: what no Verilog token can be
is `broken` until the next white space, because a model's text need not be Verilog.
"""

from __future__ import annotations

from enum import IntEnum
from typing import NamedTuple

__all__ = ["START", "Mode", "State", "advance", "ends_between", "step"]


class Mode(IntEnum):
    """What the lexer is inside of."""

    GAP = 0  # white space, or nothing yet
    WORD = 1  # identifier, keyword, system name
    NUMBER = 2  # decimal digits, real numbers, time units
    BASE = 3  # after the apostrophe of a sized literal
    DIGITS = 4  # digits of a sized literal
    STRING = 5
    STRING_ESCAPE = 6
    LINE_COMMENT = 7
    BLOCK_COMMENT = 8
    BLOCK_COMMENT_STAR = 9
    ESCAPED = 10  # \identifier, ends at white space
    DIRECTIVE = 11  # `name
    DIRECTIVE_LINE = 12  # rest of a directive that owns its line
    DIRECTIVE_ESCAPE = 13  # backslash in it: the next line belongs to it
    OPERATOR = 14
    CLOSED = 15  # just after a token that cannot grow
    BROKEN = 16


class State(NamedTuple):
    """The lexer after some text.

    Attributes:
        mode: what it is inside of.
        seen: the token so far, where that matters.
        fresh: whether the last character did not belong to the token before it.
    """

    mode: Mode
    seen: str = ""
    fresh: bool = False

    @property
    def comment(self) -> bool:
        """Whether the text ends inside a comment."""
        return Mode.LINE_COMMENT <= self.mode <= Mode.BLOCK_COMMENT_STAR

    @property
    def closed(self) -> bool:
        """Whether the last token is complete, whatever follows."""
        return self.mode in (Mode.GAP, Mode.CLOSED)


START = State(Mode.GAP, "", True)
_GAP = START
_CLOSED = State(Mode.CLOSED)
_BROKEN = State(Mode.BROKEN)

_SPACE = frozenset(" \t\r\n\f\v")
_WORD_START = frozenset("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_$")
_DIGIT = frozenset("0123456789")
_WORD = _WORD_START | _DIGIT
_BASED = frozenset("0123456789abcdefABCDEFxXzZ?_")
_BASES = frozenset("bodhBODH")
_SINGLE = frozenset(";,()[]{}@#?")
# The last two begin a comment.
_OPERATORS = frozenset(
    "+ - * / % ! ~ & | ^ < > = : . ' "
    "** ++ -- += -= *= /= %= &= |= ^= << >> <<< >>> <= >= <<= >>= <<<= >>>= == != === !== "
    "==? !=? && || ~& ~| ~^ ^~ -> <-> ->> +: -: :: := :/ .* '{ // /*".split()
)
_FIRST = {
    **dict.fromkeys(_WORD_START, Mode.WORD),
    **dict.fromkeys(_DIGIT, Mode.NUMBER),
    '"': Mode.STRING,
    "\\": Mode.ESCAPED,
    "`": Mode.DIRECTIVE,
}
_BEGINNINGS = frozenset(op[:size] for op in _OPERATORS for size in range(1, len(op) + 1))
_LINE_DIRECTIVES = frozenset(
    "define include timescale default_nettype line pragma undef ifdef ifndef elsif "
    "begin_keywords".split()
)


def advance(state: State, text: str) -> State:
    """The state after `text`."""
    for char in text:
        state = step(state, char)
    return state


def ends_between(state: State, following: str) -> bool:
    """Whether nothing is open where `following` begins: every token before it is complete.

    Args:
        state: after the text so far.
        following: the text that comes next, "" when it ends here.
    """
    if state.comment or state.mode in (Mode.STRING, Mode.STRING_ESCAPE, Mode.BROKEN):
        return False
    if state.mode in (Mode.DIRECTIVE_LINE, Mode.DIRECTIVE_ESCAPE):
        return False
    if state.closed:
        return True
    if state.mode is Mode.BASE or (state.mode is Mode.DIGITS and not state.seen):
        return False
    if not following:
        return False  # it may go on
    return step(state, following[0]).fresh


def step(state: State, char: str) -> State:  # noqa: C901, PLR0911, PLR0912 (a state machine)
    """The state after one more character."""
    mode = state.mode
    same = State(mode, state.seen) if state.fresh else state
    if mode in (Mode.GAP, Mode.CLOSED):
        return _begin(char)
    if mode is Mode.WORD:
        return State(Mode.WORD) if char in _WORD else _begin(char)
    if mode is Mode.LINE_COMMENT:
        return _GAP if char == "\n" else same
    if mode is Mode.BLOCK_COMMENT:
        return State(Mode.BLOCK_COMMENT_STAR) if char == "*" else same
    if mode is Mode.BLOCK_COMMENT_STAR:
        if char == "/":
            return _GAP
        return same if char == "*" else State(Mode.BLOCK_COMMENT)
    if mode is Mode.OPERATOR:
        return _operator(state.seen, char)
    if mode is Mode.NUMBER:
        return _number(state, char)
    if mode is Mode.BASE:
        if char in "sS" and not state.seen:
            return State(Mode.BASE, "s")
        if char in _BASES:
            return State(Mode.DIGITS)
        return _BROKEN if char not in "01xXzZ" or state.seen else _CLOSED
    if mode is Mode.DIGITS:
        if char in _BASED:
            return State(Mode.DIGITS, "0")
        return same if not state.seen and char in " \t" else _begin(char)
    if mode is Mode.STRING:
        if char == "\\":
            return State(Mode.STRING_ESCAPE)
        if char == "\n":
            return _BROKEN
        return _CLOSED if char == '"' else same
    if mode is Mode.STRING_ESCAPE:
        return State(Mode.STRING)
    if mode is Mode.ESCAPED:
        return _GAP if char in _SPACE else same
    if mode in (Mode.DIRECTIVE, Mode.DIRECTIVE_LINE, Mode.DIRECTIVE_ESCAPE):
        return _directive(state, char)
    return _GAP if char in _SPACE else state  # broken


def _begin(char: str) -> State:
    """The state after a character that belongs to no token before it."""
    if char in _SPACE:
        return _GAP
    if char in _SINGLE:
        return State(Mode.CLOSED, "", True)
    mode = _FIRST.get(char)
    if mode is not None:
        return State(mode, "", True)
    if char in _BEGINNINGS:
        return State(Mode.OPERATOR, char, True)
    return State(Mode.BROKEN, "", True)


def _operator(seen: str, char: str) -> State:
    if seen == "'" and char in "sSbodhBODH01xXzZ":
        return step(State(Mode.BASE), char)
    longer = seen + char
    if longer == "//":
        return State(Mode.LINE_COMMENT)
    if longer == "/*":
        return State(Mode.BLOCK_COMMENT)
    if longer == "'{":
        return _CLOSED
    if longer in _BEGINNINGS:
        return State(Mode.OPERATOR, longer)
    return _begin(char)


def _number(state: State, char: str) -> State:
    if char == "'":
        return State(Mode.BASE)
    if char in _WORD or char == ".":
        exponent = "e" if char in "eE" else ""
        return State(Mode.NUMBER, exponent)
    if char in "+-" and state.seen == "e":
        return State(Mode.NUMBER)
    return _begin(char)


def _directive(state: State, char: str) -> State:
    if state.mode is Mode.DIRECTIVE:
        if char in _WORD:
            return State(Mode.DIRECTIVE, state.seen + char)
        if state.seen in _LINE_DIRECTIVES:
            return _GAP if char == "\n" else State(Mode.DIRECTIVE_LINE)
        return _begin(char)
    if state.mode is Mode.DIRECTIVE_ESCAPE:
        return State(Mode.DIRECTIVE_LINE)
    if char == "\\":
        return State(Mode.DIRECTIVE_ESCAPE)
    return _GAP if char == "\n" else State(state.mode)
