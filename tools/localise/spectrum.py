"""Spectrum-based suspicion: statements that run where it fails and not where it passes.

Ochiai's coefficient (Abreu et al., 2007) over cycles; a failure is counted where it begins, and
what ran up to three cycles before counts with it, less the longer ago.
"""

from __future__ import annotations

from math import sqrt
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from .coverage import Coverage
    from .statements import Statement

__all__ = ["spectrum"]

_BACK = 3
_FADE = 0.6


def spectrum(
    statements: Sequence[Statement], coverage: Coverage, *, clocked: bool, compared: int
) -> dict[int, float]:
    """A suspicion from 0 to 1 for each statement; `compared` has a bit for each row compared."""
    failed = coverage.failed
    onset = failed & ~(failed << 1) if clocked else failed
    passing = compared & ~failed
    total = onset.bit_count()
    own = {
        n: _ochiai(ran, onset, passing, total, _BACK if clocked else 0)
        for n, ran in coverage.ran.items()
    }
    always = _ochiai(compared, onset, passing, total, 0)
    return {s.number: _value(s, statements, own, always) for s in statements}


def _ochiai(ran: int, onset: int, passing: int, total: int, back: int) -> float:
    hit, left = 0.0, onset
    for age in range(back + 1):
        at = (ran << age) & left
        hit += at.bit_count() * _FADE**age
        left &= ~at
    good = (ran & passing).bit_count()
    return hit / sqrt(total * (hit + good)) if hit and total else 0.0


def _value(
    statement: Statement,
    statements: Sequence[Statement],
    own: Mapping[int, float],
    always: float,
) -> float:
    """Its own, or that of the first statement inside it; what always runs has that of all rows."""
    if statement.number in own:
        return own[statement.number]
    if statement.kind == "label":
        for other in statements[statement.number + 1 :]:
            if other.start >= statement.end:
                break
            if other.number in own:
                return own[other.number]
    return always
