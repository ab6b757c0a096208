"""The part of the report about checks that the model proposed."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from .result import MutationScore, ProposedCheck, SolveResult

__all__ = ["proposed_section"]


def proposed_section(result: SolveResult) -> str:
    """What was proposed, what came of it, what it notices, and how to make it the user's own."""
    if not result.proposals:
        return ""
    lines = ["## Checks proposed by the model", ""]
    lines.append(
        "The spec has no check, so the model that drafted the design was asked for a reference "
        "model as well, from the spec alone. **Design and check came from the same model**: what "
        "it misunderstood in the spec, both may have wrong."
    )
    lines += ["", *(_line(p) for p in result.proposals)]
    if result.mutation is not None:
        lines += ["", *_score(result.mutation)]
    accepted = [p for p in result.proposals if p.status == "accepted"]
    if accepted:
        lines += ["", *_adopt(accepted[0])]
    return "\n".join(lines)


def _line(proposal: ProposedCheck) -> str:
    files = ", ".join(f"`{name}`" for name in proposal.files)
    reason = " ".join(proposal.reason.replace("`", "'").split())
    return f"{proposal.number}. **{proposal.status}**: {reason}" + (f" ({files})" if files else "")


def _score(mutation: MutationScore) -> list[str]:
    if mutation.score is None:
        return [f"Mutation score: none, no fault could be injected. {mutation.note}".rstrip()]
    cut = "; time ended the measurement before all faults were tried" if mutation.cut else ""
    text = (
        f"Mutation score on this design: **{mutation.score:.0%}** ({mutation.noticed} faults "
        f"noticed, {mutation.missed} not, {mutation.equivalent} change nothing{cut})."
    )
    if not mutation.survivors:
        return [text]
    shown = "".join(mutation.survivors).rstrip("\n")
    return [text, "", "Not noticed, among others:", "", "```diff", shown, "```"]


def _adopt(proposal: ProposedCheck) -> list[str]:
    return [
        f"To make it your own, read `{proposal.files[0]}` against the spec. If it says what you "
        "want, put its text into the spec:",
        "",
        "````markdown",
        "```python reference",
        "...",
        "```",
        "````",
        "",
        "or copy the file beside the spec and name it in the front matter "
        "(`checks:`, `- reference: reference.py`). A design that passes it then is `verified`.",
    ]
