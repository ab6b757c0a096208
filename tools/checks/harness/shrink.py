"""Make a failing stimulus short: cut from the front, delete rows, quieten inputs."""

from __future__ import annotations

import time
from collections.abc import Awaitable, Callable

from .job import Row

__all__ = ["shrink"]

_LONGEST_S = 10.0  # a safeguard; the budget ends a search long before
_RESTART_ROWS = 3  # what a reset costs, in rows
_Runs = Callable[[list[Row]], Awaitable[int | None]]


async def shrink(rows: list[Row], run: _Runs, budget: int, reset: str | None) -> list[Row] | None:
    """Find a short version of `rows` that still fails when run from reset.

    Args:
        rows: Stimulus whose last row fails.
        run: Runs a stimulus from reset; index of the first failing row, or None.
        budget: Bound on the search, in rows run, so that equal failures shrink to equal stimuli
            whatever else the machine does; the best found so far is returned.
        reset: Name of the reset input, which is left as it is in every row.

    Returns:
        The short stimulus (its last row fails), or None when not even `rows` fails from reset.
    """
    search = _Search(run, len(rows) + budget)
    if not await search.accepts(rows):
        return None
    await search.cut_front()
    await search.delete_rows()
    await search.quieten(reset)
    return search.best


class _Search:
    """The best stimulus so far, and what is left of the budget to improve it."""

    def __init__(self, run: _Runs, budget: int) -> None:
        self._run = run
        self._budget = budget
        self._deadline = time.monotonic() + _LONGEST_S
        self.best: list[Row] = []

    def _late(self) -> bool:
        return self._budget <= 0 or time.monotonic() >= self._deadline

    async def accepts(self, rows: list[Row]) -> bool:
        """Run `rows`; if they fail, their failing prefix is the new best."""
        failed = await self._run(rows)
        self._budget -= (len(rows) if failed is None else failed + 1) + _RESTART_ROWS
        if failed is None:
            return False
        self.best = rows[: failed + 1]
        return True

    async def cut_front(self) -> None:
        """Keep only the last 1, 2, 4, … rows, if those alone fail."""
        length = 1
        while length < len(self.best) and not self._late():
            if await self.accepts(self.best[-length:]):
                return
            length *= 2

    async def delete_rows(self) -> None:
        """Delta debugging: delete blocks of rows, the large ones first."""
        block = max(len(self.best) // 2, 1)
        while block >= 1:
            start = 0
            while start < len(self.best) - 1:
                if self._late():
                    return
                rest = self.best[:start] + self.best[start + block :]
                if not (rest and await self.accepts(rest)):
                    start += block
            block //= 2

    async def quieten(self, reset: str | None) -> None:
        """Set inputs to zero, row by row, where that does not make the failure go away."""
        for index in range(len(self.best) - 1, -1, -1):
            if index >= len(self.best):
                continue
            for name, value in list(self.best[index].values.items()):
                if self._late():
                    return
                if value == 0 or name == reset or index >= len(self.best):
                    continue
                row = self.best[index]
                calm = Row(row.values | {name: 0}, row.in_reset)
                await self.accepts([*self.best[:index], calm, *self.best[index + 1 :]])
