"""What-if evidence: a line where some edit makes failing cycles pass is suspect.

Mutation-based localisation (Moon et al., MUSE, 2014; Papadakis and Le Traon, Metallaxis, 2015),
on cycles and outputs instead of test cases.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..trials import TrialStatus

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from ..trials import Trial
    from .explore import Outcome

__all__ = ["gain", "what_if"]

_PARTIAL = 0.6  # the most that an edit can count which does not make everything pass


def gain(base: Sequence[int], trial: Trial, compared: int) -> float:
    """How far a trial is nearer to passing than `base` (wrong rows by output), 0 to 1."""
    if trial.status is not TrialStatus.RAN:
        return 0.0
    if not trial.failed:
        return 1.0
    window = (1 << trial.rows) - 1
    before = [mask & window for mask in base]
    wrong = sum(mask.bit_count() for mask in before)
    right = sum((compared & window & ~mask).bit_count() for mask in before)
    if not wrong:
        return 0.0
    fixed = sum((b & ~t).bit_count() for b, t in zip(before, trial.wrong, strict=True)) / wrong
    spoilt = sum((t & ~b).bit_count() for b, t in zip(before, trial.wrong, strict=True))
    broken = spoilt / max(1, right)
    every = 0
    for mask in before:
        every |= mask
    first = (every & -every).bit_length() - 1
    later = max(0.0, ((trial.first or 0) - first) / max(1, trial.rows - first))
    return _PARTIAL * max(0.0, 0.75 * (fixed - broken), 0.9 * later * (1 - broken))


def what_if(
    base: Sequence[int],
    tried: Iterable[Outcome],
    compared: int,
    likely: Mapping[str, float],
) -> dict[int, float]:
    """The best gain of the edits of each line; `likely` weighs operators (1 unless named)."""
    best: dict[int, float] = {}
    for outcome in tried:
        value = gain(base, outcome.trial, compared)
        for edit in outcome.edits:
            here = value * likely.get(edit.operator, 1.0)
            if here > best.get(edit.line, 0.0):
                best[edit.line] = here
    return best
