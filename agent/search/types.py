"""What the search is given and what it gives back."""

from __future__ import annotations

import time
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from rtl_agent.tools.checks.types import Limits
    from rtl_agent.tools.diagnostic import Diagnostic
    from rtl_agent.tools.edits import Edit
    from rtl_agent.tools.localise import Localisation
    from rtl_agent.tools.trials import Recording, Trials

__all__ = ["Budget", "Fix", "SearchTask", "words"]


@dataclass
class Budget:
    """Bounds of one search: wall-clock seconds from now, and variants tried."""

    seconds: float = 15.0
    variants: int = 20_000
    tried: int = 0
    stop: Callable[[], bool] = lambda: False
    _started: float = field(default_factory=time.monotonic)

    @property
    def spent_s(self) -> float:
        """Seconds since the search began."""
        return time.monotonic() - self._started

    @property
    def left_s(self) -> float:
        """Seconds left."""
        return max(0.0, self.seconds - self.spent_s)

    def within(self, limits: Limits) -> Limits:
        """`limits` under which nothing runs on after the last second of this search."""
        return replace(limits, until=self._started + self.seconds)

    def over(self) -> bool:
        """Whether a bound is reached, or the caller wants no more."""
        return self.tried >= self.variants or self.out_of_time()

    def out_of_time(self) -> bool:
        """Whether nothing at all may be run any more, not even to confirm what was found."""
        return self.spent_s >= self.seconds or self.stop()


@dataclass(frozen=True, slots=True)
class SearchTask:
    """A design that falls short, and what it is judged by.

    `recordings` are those of all checks that can be recorded, at least one; `further` gives one
    more recording, on other stimulus, for whoever passes these (None: there is none).
    `diagnostics` are the findings of compiler and linters.
    """

    source: str
    trials: Trials
    recordings: tuple[Recording, ...]
    diagnostics: Sequence[Diagnostic] = ()
    further: Callable[[], Recording | None] = lambda: None
    language: str = "verilog-2005"


@dataclass(frozen=True, slots=True)
class Fix:
    """The outcome of a search.

    `text` passes every recording when `passed`; otherwise it is the best that was found, or
    empty when nothing bettered the source. `edits` are in words. `rivals` counts other texts
    that passed as well: the more, the less the checks decide. `rows` is the number of compared
    rows behind `passed`.
    """

    text: str
    passed: bool
    edits: tuple[str, ...] = ()
    operators: tuple[str, ...] = ()
    lines: tuple[int, ...] = ()
    rivals: int = 0
    tried: int = 0
    seconds: float = 0.0
    rows: int = 0
    localisation: Localisation | None = None


def words(edits: Sequence[Edit]) -> tuple[str, ...]:
    """Edits as sentences with their place."""
    return tuple(f"line {e.line}: {e.note}" for e in edits)
