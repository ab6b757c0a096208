"""Events as lines of text."""

from __future__ import annotations

from rtl_agent.agent.graph.events import (
    AnswersStarted,
    AttemptEnded,
    CandidateJudged,
    Event,
    Retrieved,
    RunStarted,
)

__all__ = ["event_line"]


def event_line(event: Event) -> str:
    """The event in one line; empty for events that are too small for one."""
    if isinstance(event, RunStarted):
        verb = "going on with" if event.resumed else "working on"
        return f"{verb} {event.module} ({event.spec}), run {event.run_id}"
    if isinstance(event, Retrieved) and event.names:
        return f"  shown to the model: {', '.join(event.names)}"
    if isinstance(event, AnswersStarted):
        some = "one answer" if event.count == 1 else f"{event.count} answers"
        return f"  attempt {event.attempt}: {event.purpose}, {some}"
    if isinstance(event, CandidateJudged):
        if event.same_as:
            return f"    candidate {event.candidate}: the same as {event.same_as}"
        why = f": {event.reason}" if event.verdict == "failed" else ""
        return f"    candidate {event.candidate}: {event.verdict}{why}"
    if isinstance(event, AttemptEnded) and not event.best:
        return f"  attempt {event.attempt}: no design in the answers"
    return ""
