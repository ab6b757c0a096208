"""Events as lines of text."""

from __future__ import annotations

from rtl_agent.agent.graph.events import (
    AnswersStarted,
    AttemptEnded,
    CandidateJudged,
    Event,
    Retrieved,
    RunStarted,
    StepStarted,
)

__all__ = ["event_line"]


def event_line(event: Event) -> str:
    """The event in one line; empty for events that are too small for one."""
    match event:
        case RunStarted():
            line = _started(event)
        case Retrieved() if event.names:
            line = f"  nearest known-good design: {', '.join(event.names)}"
        case StepStarted(step="reuse"):
            line = "  known-good designs, fitted to the spec"
        case StepStarted(step="search"):
            line = "  search: small edits of the best candidates"
        case StepStarted(step="agree"):
            line = "  the drafts vote on the proposed check"
        case StepStarted(step="weigh"):
            line = "  faults are injected to measure what the proposed check notices"
        case AnswersStarted():
            some = "one answer" if event.count == 1 else f"{event.count} answers"
            line = f"  attempt {event.attempt}: {event.purpose}, {some}"
        case CandidateJudged():
            line = _candidate(event)
        case AttemptEnded() if not event.best:
            line = f"  attempt {event.attempt}: no design in the answers"
        case _:
            line = ""
    return line


def _started(event: RunStarted) -> str:
    verb = "going on with" if event.resumed else "working on"
    # A design without a spec goes by the name of its module.
    spec = f" ({event.spec})" if event.spec != event.module else ""
    return f"{verb} {event.module}{spec}, run {event.run_id}"


def _candidate(event: CandidateJudged) -> str:
    if event.same_as:
        return f"    candidate {event.candidate}: the same as {event.same_as}"
    # A test's own words may go on for lines; the report has them all.
    why = f": {event.reason.partition(chr(10))[0]}" if event.verdict == "failed" else ""
    return f"    candidate {event.candidate}: {event.verdict}{why}"
