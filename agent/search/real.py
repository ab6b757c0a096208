"""The search repairer as the loop uses it, with the real tools."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from rtl_agent.agent.graph.searching import Found, Strength, SuspectLine
from rtl_agent.tools.errors import ToolError
from rtl_agent.tools.interface import Interface
from rtl_agent.tools.parse import parse_text
from rtl_agent.tools.trials import Trials

from .direct import search_directly
from .recordings import Recorder
from .repairer import search
from .safe import may_run
from .strength import measure_directly, measure_recorded, mutants_of
from .syntax import search_syntax
from .types import Budget, Fix, SearchTask

if TYPE_CHECKING:
    from rtl_agent.agent.graph.searching import SearchJob
    from rtl_agent.tools.trials import Recording

__all__ = ["RealSearcher"]

_SUSPECTS = 8
_NO_TIME = "its time was used up before the checks had been recorded"
_DIRECT_MIB = 200_000  # characters of a source above which edits are not sought


class RealSearcher:
    """Implements `Searcher` on Icarus: recordings where checks allow it, the checks else."""

    def __init__(self, jobs: int = 2) -> None:
        self._jobs = jobs
        self._recorder = Recorder()

    def search(self, of: str, job: SearchJob) -> Found:
        """Look for a repair of the design in `job`."""
        text = job.source.read_text(encoding="utf-8", errors="replace")
        if len(text) > _DIRECT_MIB:
            return Found(of, note="the source is too long to be searched")
        budget = Budget(seconds=job.seconds, stop=job.over)
        job = replace(job, limits=budget.within(job.limits))
        interface = _resolved(text, job.spec.interface)
        try:
            recordings = self._recorder.all(job, interface)
            if budget.over():
                return Found(of, note=_NO_TIME, seconds=round(budget.spent_s, 3))
        except ToolError as error:
            return Found(of, note=error.message, seconds=round(budget.spent_s, 3))
        if recordings and all(r is not None for r in recordings):
            fix = self._recorded(text, job, interface, [r for r in recordings if r], budget)
        else:
            fix = self._unrecorded(text, job, interface, budget)
        return _found(of, fix, budget)

    def _recorded(
        self,
        text: str,
        job: SearchJob,
        interface: Interface,
        recordings: list[Recording],
        budget: Budget,
    ) -> Fix:
        task = SearchTask(
            source=text,
            trials=self._trials(job, interface),
            recordings=tuple(recordings),
            diagnostics=job.diagnostics,
            further=lambda: self._recorder.further(job, interface),
            language=job.spec.language,
        )
        return search(task, budget)

    def _trials(self, job: SearchJob, interface: Interface) -> Trials:
        return Trials(
            interface,
            job.workdir / "trials",
            job.limits,
            job.spec.language,
            job.spec.context,
            self._jobs,
        )

    def strength(self, job: SearchJob) -> Strength:
        """Measure what the checks of `job` notice, on a design that passes them."""
        text = job.source.read_text(encoding="utf-8", errors="replace")
        if len(text) > _DIRECT_MIB:
            return Strength(note="the source is too long")
        budget = Budget(seconds=job.seconds, stop=job.over)
        job = replace(job, limits=budget.within(job.limits))
        interface = _resolved(text, job.spec.interface)
        try:
            mutants = mutants_of(job)
            recordings = self._recorder.all(job, interface)
            kept = [r for r in recordings if r is not None]
            if kept and len(kept) == len(recordings):
                return measure_recorded(mutants, self._trials(job, interface), kept, budget)
            return measure_directly(mutants, job, interface, budget, self._jobs)
        except ToolError as error:
            return Strength(seconds=round(budget.spent_s, 3), note=error.message)

    def _unrecorded(self, text: str, job: SearchJob, interface: Interface, budget: Budget) -> Fix:
        versions = search_syntax(text, interface, job.spec.language, budget)
        versions = [v for v in versions if may_run(v.text, job.spec.language)]
        if not versions:
            return Fix("", passed=False, tried=budget.tried)
        version = versions[0]
        fix = search_directly(version.text, job, interface, (), budget)
        if version.edits and not fix.passed:
            return replace(fix, text=version.text, edits=tuple(e.note for e in version.edits))
        return fix


def _resolved(text: str, wanted: Interface) -> Interface:
    """The interface asked for, with the widths it leaves to parameters as `text` has them."""
    own = parse_text(text).module(wanted.module)
    if own is None:
        return wanted
    if not wanted.ports:
        return Interface(wanted.module, own.interface.ports)
    widths = {p.name: p.width for p in own.interface.ports}
    ports = tuple(
        p if isinstance(p.width, int) else replace(p, width=widths.get(p.name, 1))
        for p in wanted.ports
    )
    return Interface(wanted.module, ports)


def _found(of: str, fix: Fix, budget: Budget) -> Found:
    suspects = fix.localisation.suspects[:_SUSPECTS] if fix.localisation else ()
    return Found(
        of=of,
        text=fix.text,
        passed=fix.passed,
        edits=fix.edits,
        rivals=fix.rivals,
        tried=budget.tried,
        seconds=round(budget.spent_s, 3),
        rows=fix.rows,
        suspects=tuple(SuspectLine(s.line, s.score, "; ".join(s.reasons)) for s in suspects),
    )
