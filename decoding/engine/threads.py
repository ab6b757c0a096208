"""Fewer threads while they only wait for each other.

On a CPU that others use, too, the threads of one matrix product wait at its end for the one that
is not running: a forward that takes 50 ms on an idle machine was seen to take 1.7 s, and 0.15 s
with one thread. The guard tries one thread when steps become slow, and all of them again later.
"""

from __future__ import annotations

from statistics import median
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable

__all__ = ["ThreadGuard"]

_SLOW = 2.0  # times the expected time of a step
_TRIAL = 3  # steps
_BETTER = 0.8  # share of the usual time below which a trial is kept
_FIRST_WAIT, _LONGEST_WAIT = 48, 768  # steps between trials
_FADE = 0.3


class ThreadGuard:
    """Chooses between one thread and all, by the steps' own times.

    Args:
        most: threads to use on an idle machine.
        apply: sets the number of threads.
    """

    def __init__(self, most: int, apply: Callable[[int], None]) -> None:
        self.most = self.now = most
        self._apply = apply
        self._usual = 1.0
        self._trial: list[float] = []
        self._trying = False
        self._wait = _FIRST_WAIT
        # The first trial comes at once: the machine may be busy from the beginning.
        self._since = _FIRST_WAIT
        self._first = True

    def watch(self, ratio: float) -> None:
        """A step took `ratio` times what was expected of it."""
        if self.most == 1:
            return
        if self._trying:
            self._trial.append(ratio)
            if len(self._trial) == _TRIAL:
                self._judge()
            return
        self._usual += _FADE * (ratio - self._usual)
        self._since += 1
        wanted = self.now == 1 or self._usual > _SLOW or self._first
        if wanted and self._since > self._wait:
            self._first = False
            self._trying, self._trial = True, []
            self._switch()

    def _judge(self) -> None:
        taken = median(self._trial)
        if taken < _BETTER * self._usual:
            self._usual, self._wait = taken, _FIRST_WAIT
        else:
            self._switch()
            self._wait = min(2 * self._wait, _LONGEST_WAIT)
        self._trying, self._since = False, 0

    def _switch(self) -> None:
        self.now = 1 if self.now == self.most else self.most
        self._apply(self.now)
