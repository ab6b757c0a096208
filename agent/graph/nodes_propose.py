"""The steps that give a spec without checks one: propose, agree, weigh.

`propose` asks the model for a reference, `agree` finds out whether it is a check at all and
whether independent drafts confirm it, `weigh` measures what it notices. What was accepted is never
changed or given up: one that notices too little gets another beside it, and a design that one of
them refuses has failed.
"""

from __future__ import annotations

import os
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from typing import TYPE_CHECKING

from rtl_agent.agent.proposals.agree import constant, count_votes, decide
from rtl_agent.agent.proposals.extract import NO_MODEL, forms, model_text
from rtl_agent.agent.proposals.guard import find_fault
from rtl_agent.agent.proposals.policy import voters
from rtl_agent.agent.proposals.store import FORMS, Store, weight_path
from rtl_agent.agent.proposals.types import Compared, Proposal, ProposalStatus, WeighJob, Weight
from rtl_agent.tools.checks.types import CheckResult, CheckSource, CheckStatus, Dut

from .asking import Batch, ask
from .evidence import Record, fresh_folder, own_record, sources
from .folder import file_stem, write_text
from .probe import idle_design
from .ranking import best_of
from .state import Candidate, RunState
from .stop import StopReason

if TYPE_CHECKING:
    from pathlib import Path

    from rtl_agent.agent.backends.base import Prompt
    from rtl_agent.agent.proposals.types import Proposer

    from .asking import Kept
    from .context import Asker, Context

__all__ = ["agree", "propose", "weigh"]

_SEED_STRIDE = 7919  # between proposals, and away from the seeds of drafts
_RUN_S = 20.0  # of one reference on one design
_ENDLESS = {CheckStatus.BROKEN, CheckStatus.CRASHED, CheckStatus.TIMEOUT}


def propose(state: RunState, context: Context) -> RunState:
    """Ask for a reference, and keep it where it is sound on its face."""
    asker = context.asker
    if asker is None:  # `due` sends only runs with a model here
        raise RuntimeError("this run has no model")
    store = Store(context.folder.root)
    number = state["proposed"] + 1
    fault = _fault_before(store, number, state)
    prompt = asker.style.propose(context.spec, fault)
    again = state["tries"] if state["tried_in"] == state["attempt"] else 0
    update = RunState(proposed=number, tried_in=state["attempt"], tries=again + 1)
    if prompt is None:
        store.save(_unusable(number, state["attempt"], "the model cannot be asked for one"))
        return update
    answer = _answer(context, asker, prompt, number, state)
    if not answer.done:
        return RunState(stop=StopReason.TIME.value)
    if store.load(number) is None:
        store.save(_read(store, number, state["attempt"], prompt.prefill + answer.text))
    proposal = store.load(number)
    assert proposal is not None  # it was saved
    context.details.update(number=number, status=str(proposal.status), reason=proposal.reason)
    return update | RunState(tokens=state["tokens"] + answer.stats.new_tokens)


def _fault_before(store: Store, number: int, state: RunState) -> str:
    """What the model is told of the proposal before: faults of form, and nothing of designs.

    A reference that was told what the drafts say could no longer confirm them, nor they it.
    """
    before = store.load(number - 1)
    if before is None or before.attempt != state["attempt"]:
        return ""
    return before.reason if before.status is ProposalStatus.UNUSABLE else ""


def _answer(context: Context, asker: Asker, prompt: Prompt, number: int, state: RunState) -> Kept:
    options = context.options
    place = f"proposals/{number:02d}"
    parts = [f"[{role}]\n{text}" for role, text in prompt.messages]
    write_text(context.folder.absolute(place) / "prompt.txt", prompt.raw or "\n\n".join(parts))
    batch = Batch(
        attempt=state["attempt"],
        first=len(state["candidates"]),
        count=1,
        temperature=0.0 if number == 1 else options.temperature.start,
        top_p=options.temperature.top_p,
        seed=options.seed + number * _SEED_STRIDE,
        max_new_tokens=options.answer_tokens,
        place=f"{place}/answer.json",
    )
    answer = ask(context, asker, prompt, batch)[0]
    stats = answer.stats
    context.details.update(
        purpose=prompt.purpose,
        prompt=f"{place}/prompt.txt",
        temperature=batch.temperature,
        seed=batch.seed,
        answers=1,
        finish=[str(answer.finish)],
        continued=answer.rounds,
        prompt_tokens=stats.prompt_tokens,
        new_tokens=stats.new_tokens,
        mode=[str(stats.mode)],
        acceptance_length=(
            round(stats.new_tokens / stats.target_passes, 3) if stats.target_passes else None
        ),
    )
    return answer


def _read(store: Store, number: int, attempt: int, answer: str) -> Proposal:
    """The proposal that an answer holds; its files are written before it is."""
    text = model_text(answer)
    fault = find_fault(text) if text else NO_MODEL
    if fault:
        if text:
            write_text(store.folder(number) / "refused.py.txt", text)
        return _unusable(number, attempt, fault)
    files = []
    for name, form in zip(FORMS, forms(text), strict=False):
        path = store.folder(number) / name
        write_text(path, form)
        files.append(str(path.relative_to(store.root)))
    return Proposal(number, attempt, ProposalStatus.OPEN, files=tuple(files))


def _unusable(number: int, attempt: int, reason: str) -> Proposal:
    return Proposal(number, attempt, ProposalStatus.UNUSABLE, reason)


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
        agreement=_told(proposal),
    )
    return _open_again(state["candidates"])


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
        place = context.folder.absolute("proposals") / f"{proposal.number:02d}" / f"idle-{form}"
        tried = _compare(context, proposer, source, _idle(context, place), place)
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


def _idle(context: Context, place: Path) -> Dut:
    spec = context.spec
    suffix = "sv" if spec.language.startswith("system") else "v"
    path = place.parent / f"{file_stem(spec.interface.module)}_idle.{suffix}"
    write_text(path, idle_design(spec.interface))
    return Dut((*spec.context, path), spec.interface, spec.language)


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
    spec, designs = context.spec, {_original(draft): draft for draft in drafts}

    def one(identity: str) -> list[Compared]:
        folder = context.folder.candidate(identity)
        files = sources(context, designs[identity])
        dut = Dut((*spec.context, *files), spec.interface, spec.language)
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
    dut = Dut((*spec.context, *sources(context, best)), spec.interface, spec.language)

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


def _told(proposal: Proposal) -> dict[str, object] | None:
    votes = proposal.agreement
    if votes is None:
        return None
    return {
        "voters": list(votes.voters),
        "designs": votes.designs,
        "whole": votes.whole,
        "samples": votes.samples,
        "confirmed": votes.confirmed,
        "contradicted": votes.contradicted,
        "undecided": votes.undecided,
    }
