"""The seam between the loop and the repairer that works without a model."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from pathlib import Path

    from rtl_agent.agent.spec.model import Spec
    from rtl_agent.tools.checks.types import Check, Limits
    from rtl_agent.tools.diagnostic import Diagnostic

__all__ = ["Found", "SearchJob", "Searcher", "Strength", "SuspectLine"]


@dataclass(frozen=True, slots=True)
class SuspectLine:
    """A line that may be at fault, from 0 to 1 how surely, and why."""

    line: int
    score: float
    reason: str = ""


@dataclass(frozen=True, slots=True)
class Found:
    """What a search came to, as it is kept beside the candidate it began from (`of`).

    `text` passes what the checks compared when `passed`; otherwise it is a version that compiles
    where the candidate did not, or empty. `rows` is the number of compared rows behind `passed`,
    `rivals` that of other texts that passed as well.
    """

    of: str
    text: str = ""
    passed: bool = False
    edits: tuple[str, ...] = ()
    rivals: int = 0
    tried: int = 0
    seconds: float = 0.0
    rows: int = 0
    suspects: tuple[SuspectLine, ...] = ()
    note: str = ""


@dataclass(frozen=True, slots=True)
class Strength:
    """How many small faults, put into a design that passes, its checks notice.

    `faults` counts those that compiled and were judged in time; one that changes nothing counts
    as unnoticed. With none, `note` says why.
    """

    noticed: int = 0
    faults: int = 0
    seconds: float = 0.0
    note: str = ""

    @property
    def score(self) -> float | None:
        """The mutation score, 0 to 1."""
        return self.noticed / self.faults if self.faults else None


@dataclass(frozen=True, slots=True)
class SearchJob:
    """One search: the design in `source`, what compiler and linters found, and its bounds.

    `workdir` is an empty folder of the search's own; `over` tells that the run has no time left.
    """

    source: Path
    spec: Spec
    checks: tuple[Check, ...]
    diagnostics: Sequence[Diagnostic]
    workdir: Path
    seconds: float
    seed: int
    limits: Limits
    over: Callable[[], bool]


class Searcher(Protocol):
    """Repairs by small edits that it judges by the checks; it never changes a check."""

    def search(self, of: str, job: SearchJob) -> Found:
        """Look for a repair; never raises for a design or a check that cannot be judged."""
        ...

    def strength(self, job: SearchJob) -> Strength:
        """Measure what the checks of `job` notice, on a design that passes them."""
        ...
