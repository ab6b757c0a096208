"""Follows a text that is being rewritten, through substitutions, insertions and deletions."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

__all__ = ["BREAK", "Cursor"]

BREAK = -1  # stands between two documents
_AHEAD = 24  # tokens a deletion may span
_RETURN = 4  # most credit for what was followed before
_GIVE_UP = 24  # tokens out of step after which the place is forgotten


class Cursor:
    """Where in `text` a row is, when its output repeats the text with small changes.

    Args:
        text: documents, separated by `BREAK`.
    """

    def __init__(self, text: Sequence[int]) -> None:
        self._text = text
        self._next = -1  # index of the token expected next
        self.run = 0  # tokens followed in step
        self._before = 0  # the same, before it strayed
        self._strayed = 0  # tokens since it was last in step

    @property
    def in_step(self) -> bool:
        """Whether the last token was the expected one."""
        return self._next >= 0 and self._strayed == 0

    def place(self, index: int, matched: int) -> None:
        """Continue at `index`, behind `matched` tokens that agree."""
        self._next = index
        self._strayed = 0
        self.run = matched

    def feed(self, token: int) -> None:
        """The row gained `token`."""
        if self._next < 0:
            return
        text = self._text
        expected = self._next + self._strayed
        for index in (self._next, expected):
            if index < len(text) and text[index] == token:
                self._in_step_at(index)
                return
        for index in range(self._next, min(self._next + _AHEAD, len(text))):
            if text[index] == BREAK:
                break
            if text[index] == token and self._strayed:
                self._in_step_at(index)
                return
        if not self._strayed:
            self._before = self.run
        self._strayed += 1
        self.run = 0
        if self._strayed > _GIVE_UP:
            self._next = -1

    def continuations(self) -> Iterator[tuple[int, int]]:
        """Likely places to go on, as `(kind, index)`; kind 0 is in step, others are guesses."""
        if self._next < 0:
            return
        if not self._strayed:
            yield 0, self._next
            return
        yield 1, self._next + self._strayed  # tokens were replaced one for one
        yield 2, self._next  # tokens were inserted

    def _in_step_at(self, index: int) -> None:
        if index == self._next and not self._strayed:
            self.run += 1
        else:
            # A text that was followed for long is likely followed again.
            self.run = 1 + min(self._before // 8, _RETURN)
        self._next = index + 1
        self._strayed = 0
