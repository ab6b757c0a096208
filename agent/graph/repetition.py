"""Notices an answer that has begun to go round in circles, so that it need not be waited for."""

from __future__ import annotations

import re

__all__ = ["RepetitionWatch"]

_LINES = 14  # lines in a row of one shape
_NEW = 10  # at least so many different ones among them, or it is a loop
_WORD = re.compile(r"\w+")


class RepetitionWatch:
    """Follows the text of one answer as it streams.

    Small models loop: the same few declarations again and again. The answer loops when its last
    fourteen full lines are all of one shape and fewer than ten of them differ; the arms of a table
    are of one shape too, but they all differ.
    """

    def __init__(self) -> None:
        self._tail = ""
        self.looping = False

    def add(self, piece: str) -> None:
        """Take the next piece of the answer."""
        self._tail = (self._tail + piece)[-2000:]
        if "\n" in piece and not self.looping:
            self.looping = self._loops()

    def _loops(self) -> bool:
        lines = [line.strip() for line in self._tail.split("\n")[:-1] if line.strip()][-_LINES:]
        if len(lines) < _LINES:
            return False
        shapes = {_WORD.sub("w", line) for line in lines}
        return len(shapes) == 1 and len(set(lines)) < _NEW
