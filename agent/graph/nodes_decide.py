"""The steps that conclude: judge, diagnose."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rtl_agent.agent.proposals.policy import due
from rtl_agent.agent.proposals.store import Store
from rtl_agent.agent.report.result import AttemptSummary, CandidateSummary
from rtl_agent.agent.verdict import Verdict
from rtl_agent.agent.verdict import judge as verdict_of
from rtl_agent.tools.checks.types import CheckStatus

from .codec import dump, load_if_there
from .decide import better, choose, settle
from .diagnosis import UNDIAGNOSED
from .diagnosis import diagnose as describe
from .events import AttemptEnded, CandidateJudged
from .evidence import gather
from .folder import BLOCK_NOTE, write_text
from .given import is_given
from .nodes_search import found_by_search, may_search
from .ranking import best_of, score
from .searching import Found, SuspectLine
from .state import RunState, attempt_of
from .stop import StopReason

if TYPE_CHECKING:
    from rtl_agent.agent.spec.model import Spec

    from .context import Context
    from .options import SolveOptions
    from .state import Candidate

__all__ = ["diagnose", "judge", "required_verdict"]


def required_verdict(spec: Spec, options: SolveOptions) -> Verdict:
    """The verdict that is enough: as asked, else by whether the spec has checks."""
    if options.require is not None:
        return options.require
    return Verdict.VERIFIED if spec.checks else Verdict.COMPILES


def judge(state: RunState, context: Context) -> RunState:
    """Give every new candidate its verdict, and decide what comes next."""
    candidates = [c if c["verdict"] else _judged(context, c) for c in state["candidates"]]
    standing = state["phase"] == "given" and bool(state.get("request"))
    best = state["best"] if standing else better(state["best"], best_of(candidates))
    update = RunState(candidates=candidates, best=best)
    required = required_verdict(context.spec, context.options)
    open_work = due(state, context, candidates)
    enough = best is not None and Verdict(best["verdict"]).at_least(required)
    reached = enough and not open_work
    stop = StopReason.REACHED.value if reached else state["stop"] or context.budget_stop(state)
    ended = _summarise(state, context, candidates)
    if not stop and state["pending"]:
        phase = state["phase"]
        update["next"] = "draft" if phase == "given" else phase
        return update
    if not stop and open_work in {"propose", "weigh"}:
        update["next"] = open_work
        return update
    if not stop and may_search(state, context, candidates):
        update.update(RunState(next="search", pending=0))
        return update
    context.emit(ended)
    if state["settled"] < state["attempt"]:
        update.update(settle(state, candidates, broken=_broken(context, candidates)))
    if stop:
        update.update(RunState(stop=stop, next="finish"))
    else:
        if _nothing_to_repair(update.get("base", state["base"])):
            update["base"] = None
        settled: RunState = {**state, **update}
        following, stop = choose(settled, context.options.attempts)
        update.update(RunState(stop=stop, next=following))
    return update


def _nothing_to_repair(base: Candidate | None) -> bool:
    """Whether no evidence stands against a design that is not enough: then others are drafted."""
    if base is None or is_given(base):
        return False
    return Verdict(base["verdict"]).at_least(Verdict.COMPILES)


def diagnose(state: RunState, context: Context) -> RunState:
    """Distil the evidence against the candidate under repair into a few lines."""
    base = state["base"]
    if base is None:  # the router sends only runs with a base here
        raise RuntimeError("nothing to diagnose")
    source = context.folder.absolute(base["files"][0])
    text = describe(source, gather(context, base), context.spec, _suspects(context, base))
    # People find the whole of it in the run folder, also where the model is told less.
    path = context.folder.attempt(state["attempt"]) / "diagnosis.txt"
    write_text(path, _with_notes(state, context, text))
    if not _tells(context):
        path = path.with_name("told.txt")
        write_text(path, _with_notes(state, context, UNDIAGNOSED))
    context.details["of"] = base["id"]
    return RunState(evidence=context.folder.relative(path))


def _tells(context: Context) -> bool:
    """Whether the model is told the diagnosis: as asked, else where its style reads one."""
    if context.options.diagnosis is not None:
        return context.options.diagnosis
    return context.asker is not None and context.asker.style.reads_diagnosis


def _with_notes(state: RunState, context: Context, text: str) -> str:
    """`text` behind what the user asked for and what was wrong with the last answers' form."""
    text = "\n".join([*_block_notes(state, context), text])
    if state.get("request"):
        text = f"requested change: {state['request']}\n{text}"
    return text + "\n"


def _block_notes(state: RunState, context: Context) -> list[str]:
    """What was wrong with search-and-replace blocks of the last answers."""
    paths = (context.folder.candidate(c["id"]) / BLOCK_NOTE for c in state["candidates"])
    notes = [path.read_text(encoding="utf-8").strip() for path in paths if path.is_file()]
    return [f"the last answer could not be used: {note}" for note in dict.fromkeys(notes)]


def _suspects(context: Context, base: Candidate) -> tuple[SuspectLine, ...]:
    """The lines that a search from this candidate found suspect."""
    found = load_if_there(context.folder.candidate(base["id"]) / "search.json", Found)
    return found.suspects if found else ()


def _judged(context: Context, candidate: Candidate) -> Candidate:
    """The candidate with its verdict; a repetition takes that of the original."""
    if candidate["same_as"]:
        evidence = gather(context, {**candidate, "id": candidate["same_as"]})
    else:
        evidence = gather(context, candidate)
    judgement = verdict_of(evidence)
    if not candidate["score"] or candidate["reason"] != judgement.reason:  # else it was said before
        context.emit(
            CandidateJudged(
                attempt=attempt_of(candidate),
                candidate=candidate["index"],
                verdict=judgement.verdict.value,
                failed_at=judgement.failed_at.value,
                reason=judgement.reason,
                same_as=candidate["same_as"],
            )
        )
    return {
        **candidate,
        "verdict": judgement.verdict.value,
        "failed_at": judgement.failed_at.value,
        "reason": judgement.reason,
        "score": score(evidence),
    }


def _broken(context: Context, candidates: list[Candidate]) -> bool | None:
    """Whether every simulated candidate met a check that cannot judge; None without any."""
    simulated = [e.user for e in (gather(context, c) for c in candidates) if e.user]
    if not simulated:
        return None
    return all(any(r.status is CheckStatus.BROKEN for r in results) for results in simulated)


def _judged_by(context: Context, candidate: Candidate) -> int:
    """The number of the last proposed check whose results stand behind a verdict; 0: none."""
    accepted = () if context.checks else Store(context.folder.root).accepted()
    store = Store(context.folder.root)
    folder = context.folder.candidate(candidate["same_as"] or candidate["id"])
    return max((p.number for p in accepted if store.results(folder, p)), default=0)


def _summarise(state: RunState, context: Context, candidates: list[Candidate]) -> AttemptEnded:
    """Write how the attempt stands, and give the event for when it has ended."""
    best = best_of(candidates)
    reason = best["reason"] if best else "no candidate with new RTL"
    phase = state["phase"]
    summary = AttemptSummary(
        number=state["attempt"],
        phase=phase,
        best=best["id"] if best else "",
        verdict=best["verdict"] if best else Verdict.FAILED.value,
        reason=reason,
        candidates=tuple(
            CandidateSummary(
                id=c["id"],
                verdict=c["verdict"],
                failed_at=c["failed_at"],
                reason=c["reason"],
                same_as=c["same_as"],
                file=c["files"][0] if c["files"] else "",
                by="search" if found_by_search(context.folder, c["id"]) else "",
                proposal=_judged_by(context, c),
            )
            for c in candidates
        ),
    )
    dump(context.folder.attempt(state["attempt"]) / "attempt.json", summary)
    return AttemptEnded(summary.number, phase, summary.best, summary.verdict, summary.reason)
