"""Search for the edits that make a design pass: single ones first, then several together.

All template edits are tried, then richer ones on the most suspect lines; where none passes, the
edits that helped most are kept and further ones are sought on top of them.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from rtl_agent.tools.edits import find_edits
from rtl_agent.tools.localise import Failure, Localisation, Outcome, explore, localise
from rtl_agent.tools.localise.whatif import gain

from .likelihood import LIKELY, plausibility
from .richer import richer_edits
from .types import Fix, words

if TYPE_CHECKING:
    from collections.abc import Sequence

    from rtl_agent.tools.edits import Edit
    from rtl_agent.tools.trials import Recording

    from .types import Budget, SearchTask

__all__ = ["search_function"]

_WAVE = 384  # variants between two looks at what passed
_FIRST_RICH = 960  # richer edits tried before pairs of template edits
_RICH_ON_TOP = 384  # richer edits tried on top of a partial repair
_RICH = 3000  # richer edits of one design, at most
_BEAM = 4  # partial repairs on which further edits are tried
_DEPTH = 3  # edits of one repair, at most
_LEAST_GAIN = 0.06  # of a partial repair
_WHOLE = 0.3  # what a partial repair is worth that makes all of an output right
_KEPT = 12  # passing texts that are checked further


@dataclass
class _Found:
    """What the search has come to."""

    passing: list[Outcome] = field(default_factory=list)
    partial: list[tuple[float, Outcome]] = field(default_factory=list)
    refuted: int = 0


def search_function(task: SearchTask, budget: Budget, *, hangs: bool = False) -> Fix:
    """Look for a repair of a design that compiles and fails a recording of `task`.

    `hangs` says that it is known to hang the simulation under the first one.
    """
    return _Search(task, budget, hangs=hangs).run()


class _Search:
    def __init__(self, task: SearchTask, budget: Budget, *, hangs: bool) -> None:
        self._hangs = hangs
        self._task = task
        self._budget = budget
        self._found = _Found()
        self._further: list[Recording] | None = None
        self._seen: set[str] = {task.source}
        self.localisation: Localisation | None = None

    def run(self) -> Fix:
        base = self._failing()
        if base is None or self._budget.over():
            return self._fix(None)
        first = localise(base, (), self._task.diagnostics)
        outcomes = self._singles(base, first, ())
        self.localisation = localise(base, outcomes, self._task.diagnostics, LIKELY)
        best = self._best(self.localisation)
        if self._budget.over():
            return self._fix(best)
        richer = _by_suspicion(
            richer_edits(base.text, language=self._task.language), self.localisation
        )
        if best is None:
            outcomes += self._waves(base, richer[:_FIRST_RICH], ())
            self.localisation = localise(base, outcomes, self._task.diagnostics, LIKELY)
            best = self._best(self.localisation)
        depth = 2
        level = self._partial(base, outcomes)
        while best is None and level and depth <= _DEPTH and not self._budget.over():
            level = self._deeper(level)
            best = self._best(self.localisation)
            depth += 1
        if best is None:
            self._waves(base, richer[_FIRST_RICH:_RICH], ())
            best = self._best(self.localisation)
        return self._fix(best)

    def _failing(self) -> Failure | None:
        """The design under the first recording that it fails, which becomes the first of all."""
        recordings = self._task.recordings
        for number, recording in enumerate(recordings):
            hangs = self._hangs and not number
            base = Failure(self._task.source, recording, self._task.trials, hangs)
            if base.failed or base.coverage is None:  # it fails, or does not come to its end
                others = recordings[:number] + recordings[number + 1 :]
                self._task = replace(self._task, recordings=(recording, *others))
                return base
        return None

    def _singles(
        self, base: Failure, order: Localisation, before: tuple[Edit, ...]
    ) -> list[Outcome]:
        edits = find_edits(base.text, language=self._task.language)
        return self._waves(base, _by_suspicion(edits, order), before)

    def _waves(
        self, base: Failure, edits: Sequence[Edit], before: tuple[Edit, ...]
    ) -> list[Outcome]:
        """Try `edits` of the text of `base`, which `before` led to, until some pass for good."""
        tried: list[Outcome] = []
        for start in range(0, len(edits), _WAVE):
            if self._budget.over():
                break
            wave = [(e,) for e in edits[start : start + _WAVE]]
            outcomes = explore(base, wave, self._budget.over)
            self._budget.tried += len(outcomes)
            tried += outcomes
            passing = [o for o in outcomes if o.passed and o.text not in self._seen]
            self._seen |= {o.text for o in passing}
            whole = [Outcome((*before, *o.edits), o.text, o.trial) for o in passing]
            self._found.passing += self._hold(whole)
            if self._found.passing:
                break
        return tried

    def _hold(self, passing: Sequence[Outcome]) -> list[Outcome]:
        """Those that pass all other recordings too, and one on other stimulus."""
        held = sorted(passing, key=lambda o: -plausibility(o, {}))[:_KEPT]
        for recording in (*self._task.recordings[1:], *self._other_stimulus(bool(held))):
            if not held:
                break
            trials = self._task.trials.run(recording, [o.text for o in held])
            held = [o for o, trial in zip(held, trials, strict=True) if trial.passed]
        self._found.refuted += len(passing) - len(held)
        return held

    def _other_stimulus(self, wanted: bool) -> list[Recording]:
        if not wanted:
            return []
        if self._further is None:
            more = self._task.further()
            self._further = [more] if more is not None else []
        return self._further

    def _partial(self, base: Failure, outcomes: Sequence[Outcome]) -> list[Outcome]:
        """The outcomes that helped most, of different lines."""
        ranked = sorted(
            ((_worth(base, o), o) for o in outcomes if o.trial.failed),
            key=lambda pair: -pair[0],
        )
        chosen: list[Outcome] = []
        lines: set[int] = set()
        for value, outcome in ranked:
            if value < _LEAST_GAIN or len(chosen) == _BEAM:
                break
            if outcome.edits[-1].line not in lines:
                lines.add(outcome.edits[-1].line)
                chosen.append(outcome)
        return chosen

    def _deeper(self, level: Sequence[Outcome]) -> list[Outcome]:
        """Try one more edit on top of each outcome of `level`."""
        following: list[tuple[float, Outcome]] = []
        for outcome in level:
            if self._budget.over():
                break
            failure = Failure(outcome.text, self._task.recordings[0], self._task.trials)
            if failure.coverage is None or not failure.failed:
                continue
            order = localise(failure, (), self._task.diagnostics)
            outcomes = self._singles(failure, order, outcome.edits)
            if not self._found.passing:
                richer = _by_suspicion(
                    richer_edits(failure.text, language=self._task.language), order
                )
                outcomes += self._waves(failure, richer[:_RICH_ON_TOP], outcome.edits)
            if self._found.passing:
                return []
            for better in self._partial(failure, outcomes):
                value = _worth(failure, better)
                whole = Outcome((*outcome.edits, *better.edits), better.text, better.trial)
                following.append((value, whole))
        following.sort(key=lambda pair: -pair[0])
        return [outcome for _, outcome in following[:_BEAM]]

    def _best(self, order: Localisation | None) -> Outcome | None:
        suspicion = {s.line: s.score for s in order.suspects} if order else {}
        ranked = sorted(self._found.passing, key=lambda o: -plausibility(o, suspicion))
        return ranked[0] if ranked else None

    def _fix(self, best: Outcome | None) -> Fix:
        rows = sum(sum(map(bool, r.expected)) for r in self._task.recordings)
        rows += sum(sum(map(bool, r.expected)) for r in self._further or ())
        common = {
            "tried": self._budget.tried,
            "seconds": round(self._budget.spent_s, 3),
            "localisation": self.localisation,
        }
        if best is None:
            return Fix("", passed=False, **common)  # type: ignore[arg-type]
        return Fix(
            best.text,
            passed=True,
            edits=words(best.edits),
            operators=tuple(e.operator for e in best.edits),
            lines=tuple(e.line for e in best.edits),
            rivals=len({o.text for o in self._found.passing}) - 1,
            rows=rows,
            **common,  # type: ignore[arg-type]
        )


def _worth(base: Failure, outcome: Outcome) -> float:
    """How much an edit helped.

    One that makes all of an output right did, though another output, whose fault the first one's
    hid, may now be wrong more often.
    """
    window = (1 << outcome.trial.rows) - 1
    mended = any(
        before & window and not after
        for before, after in zip(base.wrong, outcome.trial.wrong, strict=False)
    )
    value = gain(base.wrong, outcome.trial, base.compared)
    return max(value, _WHOLE) if mended else value


def _by_suspicion(edits: Sequence[Edit], order: Localisation) -> list[Edit]:
    score = {s.line: s.score for s in order.suspects}
    return sorted(
        edits, key=lambda e: -(score.get(e.line, 0.0) + 0.02) * LIKELY.get(e.operator, 1.0)
    )
