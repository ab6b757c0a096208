"""The step that repairs without a model: small edits of the best candidates of an attempt.

What it finds becomes a further candidate of the same attempt and is screened, linted, simulated
and judged like any other: a search that errs costs time and nothing else.
"""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

from rtl_agent.agent.verdict import FailedAt

from .candidates import new_candidate
from .codec import load_if_there
from .evidence import Record, fresh_folder, gather
from .own_checks import in_force
from .searching import Found, SearchJob
from .state import Candidate, RunState

if TYPE_CHECKING:
    from rtl_agent.tools.checks.types import Check

    from .context import Context
    from .folder import RunFolder

__all__ = ["found_by_search", "may_search", "search", "search_record"]

_BASES = 2  # candidates of an attempt from which a search begins
_LEAST_S = 2.0  # a search is not begun with less time than this
_SPARE_S = 3.0  # of the run's time, for judging what the search finds
# Of samples right, below which single edits lead nowhere. A counter with one fault is soon wrong
# for ever, so this is low.
_LEAST_SHARE = 0.02
_FAILURES = {FailedAt.SCREEN, FailedAt.COMPILE, FailedAt.LINT, FailedAt.SIMULATE}


def may_search(state: RunState, context: Context, candidates: list[Candidate]) -> bool:
    """Whether a search is due after the attempt with these judged `candidates`."""
    asked_for = state["phase"] == "given" and bool(state.get("request"))
    return (
        context.searcher is not None
        and context.options.search_s > 0
        and not asked_for
        and state.get("searched", -1) < state["attempt"]
        and context.watch.left_s > _LEAST_S + _SPARE_S
        and bool(_bases(candidates))
        and bool(in_force(context).checks)
    )


def search(state: RunState, context: Context) -> RunState:
    """Search from the best candidates, and make a candidate of what is found."""
    candidates, seen = list(state["candidates"]), dict(state["seen"])
    told: list[dict[str, object]] = []
    left = context.options.search_s
    checks = in_force(context).checks
    for base in _bases(candidates):
        if left < _LEAST_S or context.watch.left_s < _LEAST_S + _SPARE_S:
            break
        begun = time.monotonic()
        found = _search_from(context, base, checks, min(left, context.watch.left_s - _SPARE_S))
        left -= max(found.seconds, time.monotonic() - begun)
        told.append(_told(found))
        if found.text:
            index = len(candidates)
            identity = f"attempt-{state['attempt']:02d}/candidate-{index}"
            candidates.append(new_candidate(context, identity, index, found.text, seen))
            search_record(context.folder, identity).save(found)
        if found.passed:
            break
    context.details["searches"] = told
    return RunState(candidates=candidates, seen=seen, searched=state["attempt"])


def search_record(folder: RunFolder, identity: str) -> Record[Found]:
    """The search that made candidate `identity`."""
    return Record(folder.candidate(identity) / "found.json", Found)


def found_by_search(folder: RunFolder, identity: str) -> Found | None:
    """What the search that made this candidate says of it; None for one of the model's."""
    return load_if_there(search_record(folder, identity).path, Found)


def _search_from(
    context: Context, base: Candidate, checks: tuple[Check, ...], seconds: float
) -> Found:
    assert context.searcher is not None
    searcher = context.searcher
    record: Record[Found] = Record(context.folder.candidate(base["id"]) / "search.json", Found)
    evidence = gather(context, base)

    def work() -> Found:
        job = SearchJob(
            source=context.folder.absolute(base["files"][0]),
            spec=context.spec,
            checks=checks,
            diagnostics=(*(evidence.screen or ()), *(evidence.lint or ())),
            workdir=fresh_folder(record.workdir),
            seconds=seconds,
            seed=context.options.seed,
            limits=context.options.check_limits,
            over=lambda: context.watch.over,
        )
        return searcher.search(base["id"], job)

    return record.find(work, lambda why: Found(base["id"], note=f"the search crashed ({why})"))


def _bases(candidates: list[Candidate]) -> list[Candidate]:
    """Where a search may begin: new, failed by the tools or the checks, the best first."""
    good = [
        c
        for c in candidates
        if c["files"]
        and not c["same_as"]
        and c["failed_at"] in {f.value for f in _FAILURES}
        and (c["failed_at"] != FailedAt.SIMULATE.value or c["score"][4] >= _LEAST_SHARE)
    ]
    return sorted(good, key=lambda c: (c["score"], -c["index"]), reverse=True)[:_BASES]


def _told(found: Found) -> dict[str, object]:
    return {
        "of": found.of,
        "passed": found.passed,
        "edits": list(found.edits),
        "tried": found.tried,
        "rivals": found.rivals,
        "seconds": found.seconds,
        "suspects": [s.line for s in found.suspects[:5]],
        "note": found.note,
    }
