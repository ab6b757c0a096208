"""Orders candidates: compiles, checks passed, share of samples right, fewest diagnostics."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rtl_agent.tools.diagnostic import Diagnostic, Severity

if TYPE_CHECKING:
    from collections.abc import Sequence

    from rtl_agent.agent.verdict import Evidence
    from rtl_agent.tools.checks.types import CheckResult

    from .state import Candidate

__all__ = ["best_of", "score"]


def score(evidence: Evidence) -> list[float]:
    """A list that compares as candidates rank; longer lists of facts come first where they matter.

    In order: has source, passed the screen, compiles, checks passed, share of samples right
    (mean over the checks, 0 for one that compared nothing), minus the number of diagnostics.
    """
    results = (*evidence.user, *evidence.examples, *evidence.own)
    share = sum(_share_right(r) for r in results) / len(results) if results else 0.0
    found = (*(evidence.screen or ()), *(evidence.lint or ()))
    return [
        float(evidence.has_source),
        float(evidence.screen is not None and not _has_error(evidence.screen)),
        float(bool(evidence.compiled)),
        float(sum(r.passed for r in results)),
        round(share, 6),
        -_weight(found),
    ]


def best_of(candidates: Sequence[Candidate]) -> Candidate | None:
    """The best judged candidate that is not a repetition; the earliest among equals."""
    judged = [c for c in candidates if c["verdict"] and not c["same_as"] and c["score"][0]]
    return max(judged, key=lambda c: (c["score"], -c["index"])) if judged else None


def _share_right(result: CheckResult) -> float:
    if result.passed:
        return 1.0
    if result.samples <= 0:
        return 0.0
    return max(0.0, (result.samples - result.mismatches) / result.samples)


def _has_error(found: Sequence[Diagnostic]) -> bool:
    return any(d.severity is Severity.ERROR for d in found)


def _weight(found: Sequence[Diagnostic]) -> float:
    """Errors count ten, warnings one, notes nothing."""
    weights = {Severity.ERROR: 10.0, Severity.WARNING: 1.0, Severity.NOTE: 0.0}
    return sum(weights[d.severity] for d in found)
