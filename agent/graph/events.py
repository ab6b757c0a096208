"""What a run tells while it goes: for the live view and for `--events`.

Each event is a frozen dataclass; `event_json` gives the object that one line of `--events` holds.
"""

from __future__ import annotations

import re
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

__all__ = [
    "EVENT_SCHEMA",
    "AnswersStarted",
    "AttemptEnded",
    "CandidateJudged",
    "DraftText",
    "Event",
    "Retrieved",
    "RunEnded",
    "RunStarted",
    "StepEnded",
    "StepStarted",
    "event_json",
]

EVENT_SCHEMA = 1


@dataclass(frozen=True, slots=True)
class RunStarted:
    """A run begins, or goes on (`resumed`)."""

    run_id: str
    run: Path
    spec: str
    module: str
    resumed: bool = False


@dataclass(frozen=True, slots=True)
class StepStarted:
    """A step of the loop begins; `attempt` is 0 before the first."""

    step: str
    attempt: int


@dataclass(frozen=True, slots=True)
class StepEnded:
    """A step of the loop ended after `seconds`."""

    step: str
    attempt: int
    seconds: float


@dataclass(frozen=True, slots=True)
class Retrieved:
    """Known-good designs that go into the prompt."""

    names: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class AnswersStarted:
    """The model is asked for `count` answers, candidates `first` and up."""

    attempt: int
    purpose: str
    first: int
    count: int
    temperature: float


@dataclass(frozen=True, slots=True)
class DraftText:
    """A piece of an answer, as it streams."""

    attempt: int
    candidate: int
    text: str


@dataclass(frozen=True, slots=True)
class CandidateJudged:
    """A candidate has its verdict; `same_as` names an identical earlier one."""

    attempt: int
    candidate: int
    verdict: str
    failed_at: str
    reason: str
    same_as: str = ""


@dataclass(frozen=True, slots=True)
class AttemptEnded:
    """All candidates of an attempt are judged; `best` is empty when none had RTL."""

    attempt: int
    phase: str
    best: str
    verdict: str
    reason: str


@dataclass(frozen=True, slots=True)
class RunEnded:
    """The run ended; `rtl` is where the best design was put, if there is one."""

    run_id: str
    verdict: str
    stop_reason: str
    reason: str
    rtl: Path | None
    run: Path
    seconds: float


Event = (
    RunStarted
    | StepStarted
    | StepEnded
    | Retrieved
    | AnswersStarted
    | DraftText
    | CandidateJudged
    | AttemptEnded
    | RunEnded
)


def event_json(event: Event) -> dict[str, Any]:
    """The event as a JSON-ready object with `schema_version` and `event` (`step-started`, …)."""
    name = re.sub(r"(?<!^)(?=[A-Z])", "-", type(event).__name__).lower()
    fields = {k: str(v) if isinstance(v, Path) else v for k, v in asdict(event).items()}
    return {"schema_version": EVENT_SCHEMA, "event": name, **fields}
