"""When a check is asked for, and when it is weighed: the decisions, apart from the doing."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Literal

from rtl_agent.agent.graph.evidence import gather, sources
from rtl_agent.agent.graph.normalise import normalise
from rtl_agent.agent.graph.ranking import best_of
from rtl_agent.agent.verdict import Verdict, judge, own_checks_passed

from .agree import LEAST_VOTERS
from .store import Store

if TYPE_CHECKING:
    from rtl_agent.agent.graph.context import Context
    from rtl_agent.agent.graph.state import Candidate, RunState

__all__ = ["TRIES", "due", "voters", "why_none"]

TRIES = 2  # references asked for after one attempt
_LEAST_S = 10.0  # nothing is begun with less of the run's time left


def why_none(context: Context) -> str:
    """Why this run asks for no check, as a sentence for the report; empty when it may.

    `-` where that needs no words: the spec has checks, or nobody wants more than it compiles.
    """
    asker, options, spec = context.asker, context.options, context.spec
    wanted = options.propose and options.require is not Verdict.COMPILES
    if asker is None or context.checks or not wanted or context.proposer is None:
        return "-"
    if not getattr(asker.backend, "proposes", False):
        return "-"
    if not spec.interface.ports:
        return "no check was proposed: the spec names no ports that could be read"
    if options.candidates < LEAST_VOTERS:
        return "no check was proposed: it takes two drafts to confirm one (--candidates 2)"
    refusal = context.proposer.refusal()
    return f"no check was proposed: {refusal}" if refusal else ""


def due(
    state: RunState, context: Context, candidates: list[Candidate]
) -> Literal["", "drafts", "propose", "weigh"]:
    """What is still to be done about a check of the model's own, with these judged candidates.

    `drafts` means that all candidates of the attempt are wanted, though one compiles already:
    a reference is only as good as the drafts that confirm it are many.
    """
    if why_none(context) or state["stop"] or context.budget_stop(state):
        return ""
    if context.watch.left_s < _LEAST_S:
        return ""
    drafting = state["phase"] == "draft"
    if drafting and state["pending"]:
        return "drafts"
    if Store(context.folder.root).accepted():
        standing = _standing(context, best_of(candidates))
        if standing != "weak":
            return standing
    # Only independent drafts can confirm a reference, and a repair is none.
    return "propose" if drafting and _may_ask(state, context, candidates) else ""


def _standing(context: Context, best: Candidate | None) -> Literal["", "weigh", "weak"]:
    """How the best design stands to the accepted checks: it may have passed weak ones."""
    evidence = gather(context, best) if best else None
    if best is None or evidence is None or not own_checks_passed(evidence):
        return ""
    if not evidence.weighed:
        return "weigh"
    return "" if Verdict(best["verdict"]).at_least(Verdict.SELF_CHECKED) else "weak"


def _may_ask(state: RunState, context: Context, candidates: list[Candidate]) -> bool:
    """Whether another reference may be asked for after this attempt."""
    tries = state["tries"] if state.get("tried_in", -1) == state["attempt"] else 0
    return tries < TRIES and len(voters(context, candidates)) >= LEAST_VOTERS


def voters(context: Context, candidates: list[Candidate]) -> list[Candidate]:
    """The drafts that may confirm or refute a reference: clean, and drawn independently.

    A draft that repeats the source of another is no second opinion, whatever words, comments and
    white space stand around it: that is what a server gives that ignores the seed. One that writes
    the same design otherwise is. What the search made of a draft is not drawn at all.
    """
    found: list[Candidate] = []
    texts: set[str] = set()
    for candidate in candidates:
        path = context.folder.candidate(candidate["id"]) / "answer.txt"
        if not candidate["files"] or not path.is_file() or not _clean(context, candidate):
            continue
        read = (p.read_text(encoding="utf-8") for p in sources(context, candidate))
        text = normalise("\n".join(read))
        if text not in texts:
            texts.add(text)
            found.append(candidate)
    return found


def _clean(context: Context, candidate: Candidate) -> bool:
    """Whether nothing stands against a draft but, perhaps, an earlier check of the model's own.

    A repetition has the evidence of its original.
    """
    evidence = gather(context, {**candidate, "id": candidate["same_as"] or candidate["id"]})
    without = replace(evidence, own=(), own_checks=0, mutation_score=None)
    return judge(without).verdict is not Verdict.FAILED
