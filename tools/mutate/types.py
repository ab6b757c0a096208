"""Mutants and what came of them."""

from __future__ import annotations

import difflib
from dataclasses import dataclass, field
from enum import StrEnum
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from ..checks.types import CheckResult, CheckStatus
    from ..edits import Edit

__all__ = ["Mutant", "MutantOutcome", "MutantStatus", "MutationReport"]


class MutantStatus(StrEnum):
    """What became of a mutant. Only `killed` and `survived` count in the score."""

    KILLED = "killed"  # a check noticed
    SURVIVED = "survived"  # every check passed
    EQUIVALENT = "equivalent"  # every check passed, and it is proved to do what the design does
    INVALID = "invalid"  # does not compile


@dataclass(frozen=True, slots=True)
class Mutant:
    """The design with one fault: `source` takes the place of `file`."""

    file: Path
    edit: Edit
    source: str
    original: str = field(repr=False)

    def diff(self) -> str:
        """Unified diff against the design."""
        return "".join(
            difflib.unified_diff(
                self.original.splitlines(keepends=True),
                self.source.splitlines(keepends=True),
                f"a/{self.file.name}",
                f"b/{self.file.name}",
                n=1,
            )
        )


@dataclass(frozen=True, slots=True)
class MutantOutcome:
    """One mutant after the checks; `check`, `how` and `reason` tell what killed it."""

    mutant: Mutant
    status: MutantStatus
    check: str = ""
    how: CheckStatus | None = None
    reason: str = ""
    seconds: float = 0.0


@dataclass(frozen=True, slots=True)
class MutationReport:
    """The outcome of a measurement.

    `baseline` are the checks on the design itself; unless all of them passed there are no
    mutants. `proof` says how equivalents were told, or why they were not. `seconds` is wall time.
    """

    baseline: tuple[CheckResult, ...]
    outcomes: tuple[MutantOutcome, ...]
    seed: int
    seconds: float
    proof: str = ""

    def count(self, status: MutantStatus) -> int:
        """How many mutants have that status."""
        return sum(o.status is status for o in self.outcomes)

    @property
    def sound(self) -> bool:
        """Whether the design passes its own checks, without which there is no score."""
        return bool(self.baseline) and all(r.passed for r in self.baseline)

    @property
    def score(self) -> float | None:
        """Killed of those that could be; None if there was none."""
        killed, survived = self.count(MutantStatus.KILLED), self.count(MutantStatus.SURVIVED)
        return killed / (killed + survived) if killed + survived else None

    @property
    def survivors(self) -> tuple[MutantOutcome, ...]:
        """The mutants that no check noticed and that are not proved to be the same design."""
        return tuple(o for o in self.outcomes if o.status is MutantStatus.SURVIVED)

    def by_operator(self) -> Mapping[str, Mapping[MutantStatus, int]]:
        """Counts of each status, by operator."""
        table: dict[str, dict[MutantStatus, int]] = {}
        for outcome in self.outcomes:
            row = table.setdefault(outcome.mutant.edit.operator, {})
            row[outcome.status] = row.get(outcome.status, 0) + 1
        return {name: table[name] for name in sorted(table)}
