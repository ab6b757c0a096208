"""The steps that find out what a proposed check is worth: agree, weigh.

`agree` finds out whether it is a check at all and whether independent drafts confirm it, `weigh`
measures what it notices. What was accepted is never changed or given up: one that notices too
little gets another beside it, and a design that one of them refuses has failed.
"""

from __future__ import annotations

import os
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict, replace
from typing import TYPE_CHECKING

from rtl_agent.agent.proposals.agree import constant, count_votes, decide
from rtl_agent.agent.proposals.policy import voters
from rtl_agent.agent.proposals.store import Store, weight_path
from rtl_agent.agent.proposals.types import Compared, Proposal, ProposalStatus, WeighJob, Weight
from rtl_agent.tools.checks.types import CheckResult, CheckSource, CheckStatus, Dut

from .bench import dut_for
from .evidence import Record, fresh_folder, own_record, sources
from .probe import idle_dut
from .ranking import best_of
from .state import Candidate, RunState
from .stop import StopReason

if TYPE_CHECKING:
    from pathlib import Path

    from rtl_agent.agent.proposals.types import Proposer

    from .context import Context

__all__ = ["agree", "weigh"]

_RUN_S = 20.0  # of one reference on one design
_ENDLESS = {CheckStatus.BROKEN, CheckStatus.CRASHED, CheckStatus.TIMEOUT}


def agree(state: RunState, context: Context) -> RunState:
    """Try the last proposal on a design that does nothing, then let the drafts vote on it."""
    proposer, store = context.proposer, Store(context.folder.root)
    proposal = store.load(state["proposed"]) if not state["stop"] else None
    if proposer is None or proposal is None:
        return RunState()
    if proposal.status is ProposalStatus.OPEN:
        proposal = _try(context, proposer, store, proposal, state)
        if proposal.status is ProposalStatus.OPEN:
            return RunState(stop=StopReason.TIME.value)
        store.save(proposal)
    context.details.update(
        number=proposal.number,
        status=str(proposal.status),
        reason=proposal.reason,
        agreement=_counts(proposal),
    )
    return _open_again(state["candidates"])


def _counts(proposal: Proposal) -> dict[str, object] | None:
    """The votes as a step of the trajectory tells them."""
    if proposal.agreement is None:
        return None
    return {k: v for k, v in asdict(proposal.agreement).items() if k != "example"}


def _open_again(candidates: list[Candidate], only: str = "") -> RunState:
    """Let candidates be judged anew; the run's best is chosen anew among them."""
    return RunState(
        best=None,
        candidates=[
            {**c, "verdict": ""} if c["files"] and only in {"", c["id"]} else c for c in candidates
        ],
    )


def _try(
    context: Context, proposer: Proposer, store: Store, proposal: Proposal, state: RunState
) -> Proposal:
    """What becomes of an open proposal; it stays open when there is no time to find out."""
    checks = store.sources(proposal)
    for form, source in enumerate(checks):
        if context.watch.over:
            return proposal
        folder = store.folder(proposal.number)
        idle = idle_dut(context.spec, folder, "_idle")
        tried = _compare(context, proposer, source, idle, folder / f"idle-{form}")
        fault = _formal_fault(tried)
        if fault:
            return replace(proposal, status=ProposalStatus.UNUSABLE, reason=fault)
    drafts = voters(context, state["candidates"])
    runs = _runs(context, proposer, proposal, checks, drafts)
    if runs is None:
        return proposal
    ballots = {draft["id"]: runs[_original(draft)] for draft in drafts}
    fault = _differing(ballots)
    if fault:
        return replace(proposal, status=ProposalStatus.UNUSABLE, reason=fault)
    designs = len({draft["digest"] for draft in drafts})
    return decide(proposal, count_votes(ballots, designs))


def _formal_fault(tried: Compared) -> str:
    """Why a reference is no check, told from its run on the idle design; empty when it is one."""
    result = tried.result
    if result.status in _ENDLESS:
        return result.reason
    if not result.samples:
        return result.reason or "it never compares anything"
    if constant(tried.expected):
        return "it expects outputs that never change, so it shows nothing"
    return ""


def _differing(ballots: dict[str, list[Compared]]) -> str:
    """Whether the reference expected one thing beside one draft and another beside the next."""
    runs = list(ballots.values())
    if any(
        one.expected[: len(first.expected)] != first.expected[: len(one.expected)]
        for forms_of in runs[1:]
        for first, one in zip(runs[0], forms_of, strict=True)
    ):
        return "it does not expect the same twice"
    return ""


def _original(draft: Candidate) -> str:
    """The candidate whose folder has the results; a repetition shares those of the first."""
    return draft["same_as"] or draft["id"]


def _runs(
    context: Context,
    proposer: Proposer,
    proposal: Proposal,
    checks: tuple[CheckSource, ...],
    drafts: list[Candidate],
) -> dict[str, list[Compared]] | None:
    """The runs of a reference on each design, several at once; None when time runs out.

    They are its results as a check as well: nothing is simulated twice.
    """
    designs = {_original(draft): draft for draft in drafts}

    def one(identity: str) -> list[Compared]:
        folder = context.folder.candidate(identity)
        dut = dut_for(context.spec, sources(context, designs[identity]))
        found: list[Compared] = []
        for form, source in enumerate(checks):
            if context.watch.over:
                break
            place = folder / f"own-{proposal.number:02d}-{form}-samples"
            found.append(_compare(context, proposer, source, dut, place))
            own_record(folder, proposal.number, form).save(found[-1].result)
        return found

    with ThreadPoolExecutor(context.options.jobs or os.cpu_count() or 1) as pool:
        runs = dict(zip(designs, pool.map(one, designs), strict=True))
    return runs if all(len(found) == len(checks) for found in runs.values()) else None


def _compare(
    context: Context, proposer: Proposer, source: CheckSource, dut: Dut, place: Path
) -> Compared:
    record: Record[Compared] = Record(place.with_suffix(".json"), Compared)
    limits = context.options.check_limits
    limits = replace(limits, wall_s=max(1.0, min(limits.wall_s, _RUN_S, context.watch.left_s)))
    seed = context.options.seed

    def crashed(why: str) -> Compared:
        return Compared(CheckResult(source.name, source.kind, CheckStatus.CRASHED, 0, 0, why))

    return record.find(
        lambda: proposer.compare(
            source, context.spec, dut, fresh_folder(record.workdir), limits=limits, seed=seed
        ),
        crashed,
    )


def weigh(state: RunState, context: Context) -> RunState:
    """Measure on the best design how many faults the accepted check notices."""
    proposer, store = context.proposer, Store(context.folder.root)
    best, accepted = best_of(state["candidates"]), store.accepted()
    if proposer is None or best is None or not accepted:  # `due` sends no such run here
        raise RuntimeError("nothing to weigh")
    spec, options = context.spec, context.options
    folder = context.folder.candidate(best["id"])
    record: Record[Weight] = Record(weight_path(folder, accepted[-1].number), Weight)
    dut = dut_for(spec, sources(context, best))

    def measured() -> Weight:
        job = WeighJob(
            sources=[source for p in accepted for source in store.sources(p)],
            dut=dut,
            workdir=fresh_folder(record.workdir),
            limits=options.check_limits,
            seed=options.seed,
            jobs=options.jobs or os.cpu_count() or 1,
            over=lambda: context.watch.over,
        )
        return proposer.weigh(job, spec)

    weight = record.find(measured, lambda why: Weight(None, note=f"measuring crashed ({why})"))
    context.details.update(
        of=best["id"],
        numbers=[p.number for p in accepted],
        score=weight.score,
        killed=weight.killed,
        survived=weight.survived,
        equivalent=weight.equivalent,
        tried=weight.tried,
        cut=weight.cut,
    )
    return _open_again(state["candidates"], best["id"]) | RunState(weighings=state["weighings"] + 1)
