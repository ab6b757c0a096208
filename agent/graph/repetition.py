"""Notices an answer that has begun to go round in circles, so that it need not be waited for."""

from __future__ import annotations

import re

__all__ = ["RepetitionWatch"]

_LINES = 14  # lines in a row of one shape
_NEW = 10  # at least so many different ones among them, or it is a loop
_TABLE = 72  # lines in a row of one shape that are a loop though they differ: no table is that long
_WORD = re.compile(r"\w+")
_PERIOD = 150  # characters of the longest text whose repetition is noticed
_TURNS = 4  # times it comes in a row
_LEAST = 96  # characters of repetition at least
_STRIDE = 24  # characters between two looks


class RepetitionWatch:
    """Follows the text of one answer as it streams.

    Small models loop: the same few declarations again and again, arms of a table without end, one
    condition joined to itself. The answer loops when its end is one piece of text several times in
    a row; when its last fourteen full lines are all of one shape and fewer than ten of them
    differ; or when so many lines are of one shape that it can be no table.
    """

    def __init__(self) -> None:
        self._tail = ""
        self._unseen = 0  # characters since the last look for a period
        self._shape = ""
        self._alike = 0  # full lines in a row of one shape
        self.looping = False

    def add(self, piece: str) -> None:
        """Take the next piece of the answer."""
        if self.looping:
            return
        before = self._tail.rpartition("\n")[2]
        self._tail = (self._tail + piece)[-2000:]
        self._unseen += len(piece)
        if "\n" in piece:
            *full, _ = (before + piece).split("\n")
            self._count(full)
            self.looping = self._alike >= _TABLE or self._same_lines()
        if self._unseen >= _STRIDE:
            self._unseen = 0
            self.looping = self.looping or self._periodic()

    def _count(self, lines: list[str]) -> None:
        for line in lines:
            shape = _WORD.sub("w", line.strip())
            if not shape:
                continue
            self._alike = self._alike + 1 if shape == self._shape else 1
            self._shape = shape

    def _same_lines(self) -> bool:
        lines = [line.strip() for line in self._tail.split("\n")[:-1] if line.strip()][-_LINES:]
        if len(lines) < _LINES:
            return False
        shapes = {_WORD.sub("w", line) for line in lines}
        return len(shapes) == 1 and len(set(lines)) < _NEW

    def _periodic(self) -> bool:
        tail = self._tail
        for period in range(1, _PERIOD + 1):
            long = max((_TURNS - 1) * period, _LEAST)
            if long + period > len(tail):
                return False
            if tail[-long:] == tail[-long - period : -period]:
                return True
        return False
