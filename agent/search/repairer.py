"""The search repairer: makes a failing design compile, then pass, by edits alone."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from rtl_agent.tools.localise import Localisation, Suspect
from rtl_agent.tools.trials import TrialStatus

from .functional import search_function
from .safe import may_run
from .syntax import search_syntax
from .types import Budget, Fix, words

if TYPE_CHECKING:
    from collections.abc import Sequence

    from rtl_agent.tools.trials import Trial

    from .syntax import Compiled
    from .types import SearchTask

__all__ = ["search"]

_BASES = 3  # compiling versions from which edits of function are sought


def search(task: SearchTask, budget: Budget) -> Fix:
    """Look for a repair of `task.source` within `budget`.

    First until it compiles, then until it passes. The smallest edit that passes is chosen. When
    none passes, the fix has the text that compiles, if the source did not.
    """
    versions = search_syntax(task.source, task.trials.interface, task.language, budget)
    versions = [v for v in versions if may_run(v.text, task.language)]
    if not versions:
        return Fix("", passed=False, tried=budget.tried, seconds=round(budget.spent_s, 3))
    compiling = _compiling(task, versions, budget)
    if not compiling:
        return Fix("", passed=False, tried=budget.tried, seconds=round(budget.spent_s, 3))
    passing = _passing(task, [version for version, first in compiling if first.passed])
    if passing:
        return _syntax_fix(task, passing, budget, passed=True)
    fixes = []
    for version, first in compiling[:_BASES]:
        hangs = first.status is TrialStatus.HANGS
        fix = search_function(replace(task, source=version.text), budget, hangs=hangs)
        if fix.passed:
            return _joined(version, fix)
        fixes.append(fix)
        if budget.over():
            break
    best = compiling[0][0]
    if best.edits:
        return _syntax_fix(task, [best], budget, passed=False)
    return replace(fixes[0], tried=budget.tried, seconds=round(budget.spent_s, 3))


def _compiling(
    task: SearchTask, versions: Sequence[Compiled], budget: Budget
) -> list[tuple[Compiled, Trial]]:
    """The versions that the simulator takes, those with the fewest wrong rows first.

    With each goes what came of it under the first recording.
    One that hangs the simulator, or ends it, comes last: an edit may help it as well.
    """
    if budget.out_of_time():
        return []
    trials = task.trials.run(task.recordings[0], [v.text for v in versions])
    ran = [
        (trial.status is TrialStatus.HANGS, trial.bad, i, version, trial)
        for i, (version, trial) in enumerate(zip(versions, trials, strict=True))
        if trial.status in {TrialStatus.RAN, TrialStatus.HANGS}
    ]
    return [(item[3], item[4]) for item in sorted(ran, key=lambda item: item[:3])]


def _passing(task: SearchTask, versions: Sequence[Compiled]) -> list[Compiled]:
    """Of versions that pass the first recording, those that pass all, and one on other stimulus."""
    left = list(versions)
    for recording in task.recordings[1:]:
        trials = task.trials.run(recording, [v.text for v in left]) if left else []
        left = [v for v, trial in zip(left, trials, strict=True) if trial.passed]
    if not left or not any(v.edits for v in left):
        return left
    further = task.further()
    if further is None:
        return left
    trials = task.trials.run(further, [v.text for v in left])
    return [v for v, trial in zip(left, trials, strict=True) if trial.passed]


def _syntax_fix(
    task: SearchTask, versions: Sequence[Compiled], budget: Budget, *, passed: bool
) -> Fix:
    version, rivals = versions[0], len(versions) - 1
    lines = tuple(e.line for e in version.edits)
    places = dict.fromkeys(line for v in versions for line in _places(v))
    suspects = tuple(Suspect(line, 1.0, ("an edit here makes it compile",)) for line in places)
    return Fix(
        version.text,
        passed=passed,
        edits=words(version.edits),
        operators=tuple(e.operator for e in version.edits),
        lines=lines,
        rivals=rivals,
        tried=budget.tried,
        seconds=round(budget.spent_s, 3),
        rows=sum(sum(map(bool, r.expected)) for r in task.recordings) if passed else 0,
        localisation=Localisation(suspects, ("compiler", "what-if")) if suspects else None,
    )


def _places(version: Compiled) -> list[int]:
    """Lines of the edits; what is put before a line may also be missing after the one above."""
    lines = [e.line for e in version.edits]
    return lines + [e.line - 1 for e in version.edits if e.start == e.end and e.column == 1]


def _joined(version: Compiled, fix: Fix) -> Fix:
    if not version.edits:
        return fix
    return replace(
        fix,
        edits=(*words(version.edits), *fix.edits),
        operators=(*(e.operator for e in version.edits), *fix.operators),
        lines=(*(e.line for e in version.edits), *fix.lines),
    )
