"""Follows a text that is being rewritten, through substitutions, insertions and deletions."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

__all__ = ["BREAK", "Change", "Cursor"]

BREAK = -1  # stands between two documents
_AHEAD = 24  # tokens a deletion may span
_RETURN = 4  # most credit for what was followed before
_GIVE_UP = 24  # tokens out of step after which the place is forgotten
_LONGEST = 4  # tokens of a change that is remembered, on both sides

# What to write, tokens of the text it stands for, times seen, whether in the same context.
Change = tuple[tuple[int, ...], int, int, bool]


class Cursor:
    """Where in `text` a row is, when its output repeats the text with small changes.

    A change that was made once, another width or another name, is likely made again: the cursor
    remembers what was written for what, with the token behind it (`3` before `'d` may become `8`
    while `3` before `:` stays) and, as weaker evidence, without.

    Args:
        text: documents, separated by `BREAK`.
    """

    def __init__(self, text: Sequence[int]) -> None:
        self._text = text
        self._next = -1  # index of the token expected next
        self.run = 0  # tokens followed in step
        self._before = 0  # the same, before it strayed
        self._written: list[int] = []  # tokens since it was last in step
        # Old tokens and the one behind them, or None, to the new tokens and how often.
        self._changes: dict[tuple[tuple[int, ...], int | None], tuple[tuple[int, ...], int]] = {}
        self._first: dict[int, set[int]] = {}  # first token of a change: lengths of the old part

    @property
    def in_step(self) -> bool:
        """Whether the last token was the expected one."""
        return self._next >= 0 and not self._written

    def place(self, index: int, matched: int) -> None:
        """Continue at `index`, behind `matched` tokens that agree."""
        self._next = index
        self._written = []
        self.run = matched

    def feed(self, token: int) -> None:
        """The row gained `token`."""
        if self._next < 0:
            return
        text = self._text
        strayed = len(self._written)
        expected = self._next + strayed
        for index in (self._next, expected):
            if index < len(text) and text[index] == token:
                self._in_step_at(index)
                return
        for index in range(self._next, min(self._next + _AHEAD, len(text))):
            if text[index] == BREAK:
                break
            if text[index] == token and strayed:
                self._in_step_at(index)
                return
        if not strayed:
            self._before = self.run
        self._written.append(token)
        self.run = 0
        if strayed + 1 > _GIVE_UP:
            self._next = -1

    def continuations(self) -> Iterator[tuple[int, int]]:
        """Likely places to go on, as `(kind, index)`; kind 0 is in step, others are guesses."""
        if self._next < 0:
            return
        if not self._written:
            yield 0, self._next
            return
        yield 1, self._next + len(self._written)  # tokens were replaced one for one
        yield 2, self._next  # tokens were inserted

    def change_at(self, index: int) -> Change | None:
        """What was written before for the text that begins at `index`, the longest such text."""
        for old, behind in self._changed_before(index):
            for key, exact in ((old, behind), True), ((old, None), False):
                found = self._changes.get(key)
                if found is not None:
                    return found[0], len(old), found[1], exact
        return None

    def _changed_before(self, index: int) -> Iterator[tuple[tuple[int, ...], int]]:
        """Parts of the text from `index` on that may have been changed, and the token behind."""
        text = self._text
        for length in sorted(self._first.get(text[index], ()), reverse=True):
            if index + length < len(text):
                yield tuple(text[index : index + length]), text[index + length]

    def _in_step_at(self, index: int) -> None:
        if index == self._next and not self._written:
            self._unchanged(index)
            self.run += 1
        else:
            self._remember(index)
            # A text that was followed for long is likely followed again.
            self.run = 1 + min(self._before // 8, _RETURN)
        self._next = index + 1
        self._written = []

    def _remember(self, index: int) -> None:
        """The text from where the row strayed to `index` was replaced by what it wrote."""
        old, new = self._text[self._next : index], tuple(self._written)
        if not 0 < len(old) <= _LONGEST or not 0 < len(new) <= _LONGEST:
            return
        self._first.setdefault(old[0], set()).add(len(old))
        for key in ((tuple(old), self._text[index]), (tuple(old), None)):
            known, times = self._changes.get(key, ((), 0))
            self._changes[key] = (new, times + 1 if known == new else 1)

    def _unchanged(self, index: int) -> None:
        """A text that was changed before was kept this time: the change counts for less."""
        for old, behind in self._changed_before(index):
            for key in ((old, behind), (old, None)):
                if key in self._changes:
                    new, times = self._changes[key]
                    if times > 1:
                        self._changes[key] = (new, times // 2)
                    else:
                        del self._changes[key]
