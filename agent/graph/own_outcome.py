"""What a result says of checks that the model proposed."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rtl_agent.agent.proposals.policy import why_none
from rtl_agent.agent.proposals.store import Store
from rtl_agent.agent.proposals.types import Agreement
from rtl_agent.agent.report.result import MutationScore, ProposedCheck
from rtl_agent.agent.verdict import Verdict

if TYPE_CHECKING:
    from .context import Context
    from .state import Candidate

__all__ = ["mutation_score", "own_notes", "proposed_checks"]


def proposed_checks(context: Context) -> tuple[ProposedCheck, ...]:
    """Every reference that was proposed in the run, and what became of it."""
    store = Store(context.folder.root)
    found = []
    for proposal in store.all():
        votes = proposal.agreement or Agreement()
        found.append(
            ProposedCheck(
                number=proposal.number,
                status=str(proposal.status),
                reason=proposal.reason,
                files=tuple(str(context.folder.absolute(name)) for name in proposal.files),
                voters=len(votes.voters),
                designs=votes.designs,
                samples=votes.samples,
                confirmed=votes.confirmed,
            )
        )
    return tuple(found)


def mutation_score(context: Context, best: Candidate | None) -> MutationScore | None:
    """What the accepted references notice in the best design, where that was measured."""
    store = Store(context.folder.root)
    accepted = store.accepted()
    if best is None or context.checks or not accepted:
        return None
    weight = store.weight(context.folder.candidate(best["id"]), accepted[-1].number)
    if weight is None:
        return None
    return MutationScore(
        score=weight.score,
        noticed=weight.killed,
        missed=weight.survived,
        equivalent=weight.equivalent,
        tried=weight.tried,
        cut=weight.cut,
        survivors=weight.survivors,
        note=weight.note,
    )


def own_notes(context: Context, best: Candidate | None) -> list[str]:
    """What a reader must know of a check of the model's own, or why there is none."""
    why = why_none(context)
    if why not in {"", "-"}:
        return [why]
    if best is None or best["verdict"] != Verdict.SELF_CHECKED.value:
        return []
    store = Store(context.folder.root)
    paths = [str(context.folder.absolute(f)) for p in store.accepted() for f in p.files]
    return [
        "design and check came from the same model: what it misunderstood in the spec, both may "
        f"have wrong. Read the check: {', '.join(paths)}; to make it yours, put it into the spec "
        "as a ```python reference``` fence, or name it there under `checks:` as `reference: FILE`"
    ]
