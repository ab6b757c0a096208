"""Join all evidence into one ranking of lines."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from .types import Localisation, Suspect

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from .cones import Relevance
    from .statements import Statement

__all__ = ["Clues", "rank"]

# Weights of the parts of a line's suspicion; chosen on the development half of the repair suite.
_WHAT_IF = 0.62
_SPECTRUM = 0.30
_HINT = 0.08
_KINDS = {
    "assign": 1.0,
    "continuous": 1.0,
    "branch": 0.9,
    "case": 0.5,
    "label": 0.55,
    "process": 0.35,
    "declaration": 0.3,
    "instance": 0.6,
}
_FURTHER_LINE = 0.97  # of a statement that goes over several lines


@dataclass(frozen=True, slots=True)
class Clues:
    """What is known of a failure; every part may be missing.

    `spectrum` is by statement, `what_if` and `hints` (0 to 1, of linters) by line.
    """

    statements: Sequence[Statement]
    relevance: Relevance
    spectrum: Mapping[int, float] = field(default_factory=dict)
    what_if: Mapping[int, float] = field(default_factory=dict)
    hints: Mapping[int, float] = field(default_factory=dict)
    wrong: tuple[str, ...] = ()


def rank(clues: Clues) -> Localisation:
    """Lines by suspicion; of equals the earlier first."""
    top = max(clues.spectrum.values(), default=0.0)
    ran: dict[int, float] = {}
    for statement in clues.statements:
        share = clues.spectrum.get(statement.number, 0.0) / top if top else 1.0
        value = clues.relevance.of(statement) * (0.35 + 0.65 * share)
        value *= _KINDS[statement.kind]
        for line in range(statement.line, statement.last + 1):
            here = value if line == statement.line else value * _FURTHER_LINE
            ran[line] = max(ran.get(line, 0.0), here)
    suspects = []
    for line in sorted({*ran, *clues.what_if, *clues.hints}):
        parts = (
            ("an edit here changes the failure", _WHAT_IF * clues.what_if.get(line, 0.0)),
            ("runs where it fails", _SPECTRUM * ran.get(line, 0.0)),
            ("a linter points here", _HINT * clues.hints.get(line, 0.0)),
        )
        reasons = tuple(text for text, value in parts if value > 0.05)
        suspects.append(Suspect(line, round(sum(v for _, v in parts), 4), reasons))
    suspects.sort(key=lambda s: (-s.score, s.line))
    evidence = tuple(
        name
        for name, there in (
            ("cone", bool(clues.relevance.by_signal)),
            ("spectrum", bool(clues.spectrum)),
            ("what-if", bool(clues.what_if)),
            ("lint", bool(clues.hints)),
        )
        if there
    )
    return Localisation(tuple(suspects), evidence, clues.wrong)
