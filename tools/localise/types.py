"""What localisation says: lines in the order in which they deserve to be looked at."""

from __future__ import annotations

from dataclasses import dataclass

__all__ = ["Localisation", "Suspect"]


@dataclass(frozen=True, slots=True)
class Suspect:
    """A line of the source, counted from 1, how suspicious it is (0 to 1) and why, in words."""

    line: int
    score: float
    reasons: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Localisation:
    """Suspect lines, the worst first; `evidence` names what went into the ranking.

    `wrong` are the outputs that were wrong in some row.
    """

    suspects: tuple[Suspect, ...]
    evidence: tuple[str, ...] = ()
    wrong: tuple[str, ...] = ()

    def lines(self, count: int) -> tuple[int, ...]:
        """The first `count` lines."""
        return tuple(s.line for s in self.suspects[:count])

    def rank(self, line: int) -> int | None:
        """The place of `line`, from 1; None when it is no suspect."""
        return next((i for i, s in enumerate(self.suspects, 1) if s.line == line), None)
