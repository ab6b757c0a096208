"""The ways in: a failing design with a recording, or the errors of a compiler."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

from ..diagnostic import Diagnostic, Severity
from ..edits.source import Source
from .cones import relevance
from .coverage import Coverage, measure
from .rank import Clues, rank
from .spectrum import spectrum
from .statements import Statement, statements_of
from .types import Localisation, Suspect
from .whatif import what_if

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from ..interface import Interface
    from ..trials import Recording, Trials
    from .explore import Outcome

__all__ = ["Failure", "localise", "locate_errors", "rank_statically"]

_HINTS = {Severity.ERROR: 1.0, Severity.WARNING: 0.6, Severity.NOTE: 0.0}


@dataclass(frozen=True)
class Failure:
    """A design that fails a recording, and what its run showed.

    Everything is found out when it is first asked for, and once. One that is known to hang the
    simulation (`hangs`) is not run again to see it hang.
    """

    text: str
    recording: Recording
    trials: Trials
    hangs: bool = False

    @cached_property
    def statements(self) -> tuple[Statement, ...]:
        """The statements of the design."""
        return statements_of(Source(self.text))

    @cached_property
    def coverage(self) -> Coverage | None:
        """Rows that failed and statements that ran; None when it does not run to the end."""
        if self.hangs:
            return None
        return measure(self.text, self.statements, self.trials, self.recording)

    @cached_property
    def compared(self) -> int:
        """A bit for each row in which something is compared."""
        return sum(1 << row for row, want in enumerate(self.recording.expected) if want)

    @property
    def wrong(self) -> tuple[int, ...]:
        """Wrong rows of each output of the interface."""
        names = [p.name for p in self.trials.interface.outputs()]
        seen = self.coverage.by_output if self.coverage else {}
        return tuple(seen.get(name, 0) for name in names)

    @property
    def first(self) -> int | None:
        """The first row with a mismatch."""
        return (self.failed & -self.failed).bit_length() - 1 if self.failed else None

    @property
    def failed(self) -> int:
        """A bit for each row with a mismatch; 0 when it could not be run."""
        return self.coverage.failed if self.coverage else 0


def localise(
    failure: Failure,
    tried: Iterable[Outcome] = (),
    diagnostics: Sequence[Diagnostic] = (),
    likely: Mapping[str, float] | None = None,
) -> Localisation:
    """Rank the lines of a design that compiles and fails.

    `tried` are edits with what came of them on (a beginning of) the recording; `likely` weighs
    their operators.
    """
    coverage = failure.coverage
    interface = failure.trials.interface
    wrong = tuple(coverage.by_output) if coverage else ()
    right = [p.name for p in interface.outputs() if p.name not in wrong]
    outputs = wrong or tuple(p.name for p in interface.outputs())
    ran = (
        spectrum(
            failure.statements,
            coverage,
            clocked=failure.recording.clocking.clock is not None,
            compared=failure.compared,
        )
        if coverage and coverage.failed
        else {}
    )
    effect = what_if(failure.wrong, tried, failure.compared, likely or {})
    return rank(
        Clues(
            failure.statements,
            relevance(failure.text, interface.module, outputs, right if wrong else ()),
            ran,
            effect,
            _hints(diagnostics),
            wrong,
        )
    )


def rank_statically(
    text: str,
    interface: Interface,
    wrong: Sequence[str] = (),
    diagnostics: Sequence[Diagnostic] = (),
) -> Localisation:
    """Rank lines without running anything: by the cones of the wrong outputs and by hints.

    With no output named, all count as wrong.
    """
    outputs = tuple(wrong) or tuple(p.name for p in interface.outputs())
    right = [p.name for p in interface.outputs() if p.name not in outputs]
    near = relevance(text, interface.module, outputs, right)
    statements = statements_of(Source(text))
    return rank(Clues(statements, near, hints=_hints(diagnostics), wrong=tuple(wrong)))


def locate_errors(diagnostics: Sequence[Diagnostic]) -> Localisation:
    """The lines that a compiler's errors name, in its order; then the lines before them.

    A parser notices a missing `;` or `end` only at the next token, so the line before an error
    is the next suspect.
    """
    errors = [d for d in diagnostics if d.severity is Severity.ERROR and d.line]
    lines = list(dict.fromkeys(d.line for d in errors))
    before = [line - 1 for line in lines if line > 1 and line - 1 not in lines]
    count = len(lines) + len(before)
    suspects = [
        Suspect(line, round(1 - i / (count + 1), 4), ("the compiler points here",))
        for i, line in enumerate(lines)
    ] + [
        Suspect(line, round(1 - (len(lines) + i) / (count + 1), 4), ("before an error",))
        for i, line in enumerate(before)
    ]
    return Localisation(tuple(suspects), ("compiler",))


def _hints(diagnostics: Sequence[Diagnostic]) -> dict[int, float]:
    hints: dict[int, float] = {}
    for found in diagnostics:
        if found.line:
            hints[found.line] = max(hints.get(found.line, 0.0), _HINTS[found.severity])
    return hints
