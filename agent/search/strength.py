"""How much the checks behind a repair notice: small faults put into the repaired design.

The same as `rtl-agent mutate`, made to fit into seconds: recorded checks judge all faults at once,
and nothing is proved equivalent.
"""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING

from rtl_agent.agent.graph.searching import Strength
from rtl_agent.tools.checks.types import Dut
from rtl_agent.tools.diagnostic import Severity
from rtl_agent.tools.mutate.choose import choose_mutants
from rtl_agent.tools.trials import TrialStatus

if TYPE_CHECKING:
    from collections.abc import Sequence

    from rtl_agent.agent.graph.searching import SearchJob
    from rtl_agent.tools.checks.types import CheckResult
    from rtl_agent.tools.interface import Interface
    from rtl_agent.tools.trials import Recording, Trials

    from .types import Budget

__all__ = ["measure_directly", "measure_recorded", "mutants_of"]

_FAULTS = 60


def mutants_of(job: SearchJob) -> list[str]:
    """Sources with one fault each, evenly over the kinds of faults."""
    chosen = choose_mutants(
        [job.source], count=_FAULTS, seed=job.seed + 1, language=job.spec.language
    )
    return [mutant.source for mutant in chosen]


def measure_recorded(
    mutants: Sequence[str], trials: Trials, recordings: Sequence[Recording], budget: Budget
) -> Strength:
    """Judge all mutants by the recordings; those that were not run by all of them do not count."""
    open_ = dict(enumerate(mutants))
    noticed = 0
    for recording in recordings:
        numbers = list(open_)
        results = trials.run(recording, list(open_.values()), budget.over) if numbers else []
        for number, trial in zip(numbers, results, strict=True):
            if not trial.passed:
                del open_[number]
                noticed += trial.status in {TrialStatus.RAN, TrialStatus.HANGS}
    return _strength(noticed, noticed + len(open_), budget)


def measure_directly(
    mutants: Sequence[str], job: SearchJob, interface: Interface, budget: Budget, jobs: int
) -> Strength:
    """Run the checks on one mutant after the other for as long as there is time."""
    noticed = faults = 0

    def one(item: tuple[int, str]) -> bool | None:
        number, text = item
        return None if budget.over() else _notices(number, text, job, interface)

    with ThreadPoolExecutor(jobs) as pool:
        for found in pool.map(one, enumerate(mutants)):
            faults += found is not None
            noticed += bool(found)
    return _strength(noticed, faults, budget)


def _notices(number: int, text: str, job: SearchJob, interface: Interface) -> bool | None:
    """Whether a check notices; None when the mutant was not judged to the end."""
    folder = job.workdir / f"fault-{number}"
    folder.mkdir(parents=True)
    path = folder / job.source.name
    path.write_text(text, encoding="utf-8")
    dut = Dut((*job.spec.context, path), interface, job.spec.language)
    for index, check in enumerate(job.checks):
        result = check.run(dut, folder / str(index), limits=job.limits, seed=job.seed)
        if job.limits.over() or _refused(result):
            return None
        if not result.passed:
            return True
    return False


def _refused(result: CheckResult) -> bool:
    """Whether the mutant did not compile: then no check has noticed anything."""
    return not result.samples and any(
        d.severity is Severity.ERROR and d.tool == "icarus" and d.code != "zero-delay-loop"
        for d in result.diagnostics
    )


def _strength(noticed: int, faults: int, budget: Budget) -> Strength:
    note = "" if faults else "no fault could be judged in the time there was"
    return Strength(noticed, faults, round(budget.spent_s, 3), note)
