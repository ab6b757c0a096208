"""Outcomes in words; a verdict is never put better than it is."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rtl_agent.agent.verdict import Verdict

if TYPE_CHECKING:
    from .conversation import Outcome
    from .session import Session

__all__ = ["outcome_text", "session_text"]


def outcome_text(outcome: Outcome, session: Session) -> str:
    """How a turn came out, and what the current design is now."""
    lines = [f"note: {note}" for note in outcome.notes]
    if outcome.ended == "interrupted":
        lines.append("stopped")
    if outcome.verdict is None:
        lines.append(outcome.reason)
    else:
        lines.append(f"{outcome.verdict}: {outcome.module}: {outcome.reason}")
    if outcome.result is not None and not outcome.result.reached:
        lines.append(f"the turn ended because {outcome.result.stop_reason.sentence}")
    lines += _what_now(outcome, session)
    return "\n".join(lines)


def _what_now(outcome: Outcome, session: Session) -> list[str]:
    lines: list[str] = []
    if outcome.adopted:
        lines.append(f"the design is {session.design_path}")
        if outcome.changed and outcome.verdict is not Verdict.FAILED:
            lines.append("checks cannot tell whether the change is the one you meant: see /diff")
    else:
        if session.design is not None:
            verdict = session.design.verdict
            lines.append(f"the current design stays as it was ({verdict}); the change is dropped")
        if outcome.left is not None:
            lines.append(f"what was made instead: {outcome.left}")
    return lines


def session_text(session: Session) -> str:
    """Where a session that is resumed stands."""
    said = f"session {session.id}, {len(session.turns)} turns"
    if session.design is None:
        return f"{said}; there is no design yet"
    design = session.design
    return f"{said}; the design is {design.verdict}: {design.reason}\n{session.design_path}"
