"""What stands behind a design that the search repaired, measured once it is judged."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rtl_agent.agent.report.result import BySearch
from rtl_agent.agent.verdict import Verdict

from .codec import load_if_there
from .evidence import Record, fresh_folder
from .nodes_search import found_by_search
from .searching import SearchJob, Strength

if TYPE_CHECKING:
    from rtl_agent.agent.verdict import Evidence

    from .context import Context
    from .state import Candidate

__all__ = ["behind_search", "measure_strength"]

_SECONDS = 10.0
_LEAST_S = 2.0  # of the run's time, below which nothing is measured


def measure_strength(context: Context, best: Candidate | None) -> None:
    """Measure the mutation score of the checks on a repair by search that passed them all.

    Kept beside the candidate, so that a run which goes on does not measure again.
    """
    searcher = context.searcher
    if best is None or searcher is None or best["verdict"] != Verdict.VERIFIED.value:
        return
    if found_by_search(context.folder, best["id"]) is None:
        return
    record = _record(context, best)
    seconds = min(_SECONDS, context.watch.left_s)

    def work() -> Strength:
        if seconds < _LEAST_S:
            return Strength(note="the time budget was used up")
        return searcher.strength(
            SearchJob(
                source=context.folder.absolute(best["files"][0]),
                spec=context.spec,
                checks=context.checks,
                diagnostics=(),
                workdir=fresh_folder(record.workdir),
                seconds=seconds,
                seed=context.options.seed,
                limits=context.options.check_limits,
                over=lambda: context.watch.over,
            )
        )

    found = record.find(work, lambda why: Strength(note=f"measuring it crashed ({why})"))
    context.details["strength"] = {
        "noticed": found.noticed,
        "faults": found.faults,
        "seconds": found.seconds,
        "note": found.note,
    }


def behind_search(
    context: Context, best: Candidate | None, evidence: Evidence | None
) -> BySearch | None:
    """What is reported of a design that the search made; None of any other.

    `evidence` is all that is known of `best`.
    """
    found = found_by_search(context.folder, best["id"]) if best else None
    if best is None or evidence is None or found is None:
        return None
    results = evidence.user
    strength = load_if_there(_record(context, best).path, Strength) or Strength()
    return BySearch(
        edits=found.edits,
        passed=found.passed,
        checks=sum(r.passed for r in results),
        samples=sum(r.samples for r in results if r.passed),
        rivals=found.rivals,
        noticed=strength.noticed,
        faults=strength.faults,
        note=strength.note,
        seconds=strength.seconds,
    )


def _record(context: Context, best: Candidate) -> Record[Strength]:
    return Record(context.folder.candidate(best["id"]) / "strength.json", Strength)
