"""The state that travels through the graph: small, typed, made of plain JSON values.

Artefacts (prompts, answers, sources, results) lie in the run folder; state holds their paths and
ids only, so that a checkpoint stays a few kilobytes however long a run becomes.
"""

from __future__ import annotations

from typing import Literal, TypedDict

__all__ = ["Candidate", "Next", "Phase", "RunState", "attempt_of", "fresh_state"]

Phase = Literal["given", "reuse", "draft", "repair"]
Next = Literal["reuse", "draft", "repair", "search", "propose", "weigh", "diagnose", "finish"]


class Candidate(TypedDict):
    """One version of the RTL.

    `id` is `attempt-NN/candidate-N`; `files` are paths, relative to the run folder where they
    lie in it. `same_as` is the id of an earlier candidate with the same text: such a one is not
    judged again. `verdict` is empty until `judge` has seen it; `score` is as `ranking` makes it.
    """

    id: str
    index: int
    files: list[str]
    digest: str
    same_as: str
    verdict: str
    failed_at: str
    reason: str
    score: list[float]


class RunState(TypedDict, total=False):
    """Everything the routers and nodes decide on."""

    attempt: int  # number of the current attempt, 0 before the first
    phase: Phase  # what the current attempt is
    pending: int  # samples (when known-good designs are tried: designs) still to come
    candidates: list[Candidate]  # of the current attempt
    best: Candidate | None  # of the whole run
    base: Candidate | None  # what is being repaired
    stale: int  # repairs in a row that did not better `base`
    fresh: int  # fresh drafts so far; chooses exemplars
    heat: int  # how often the temperature was raised
    blank: int  # attempts in a row without any RTL
    repeats: int  # attempts in a row that only repeated earlier candidates
    broken: int  # attempts in a row in which a check could not judge
    seen: dict[str, str]  # digest of every source so far to the id of its candidate
    asked: list[str]  # digests of prompts that were answered greedily
    searched: int  # the last attempt whose candidates were searched for repairs
    proposed: int  # checks that the model was asked for so far
    tried_in: int  # the attempt after which the last of them was asked for
    tries: int  # how many were asked for after that attempt
    weighings: int  # how often a mutation score was measured
    settled: int  # the last attempt whose outcome is in the counters above
    tokens: int  # new tokens so far
    spent_s: float  # wall time so far, all sessions of the run together
    evidence: str  # path of the diagnosis for the next repair
    request: str  # what the user wants changed in the given design, in words
    next: Next  # what `retrieve` or `judge` decided
    unasked: Literal["", "draft", "repair"]  # the step that a budget kept from asking
    stop: str  # a StopReason once the run is to end


def fresh_state() -> RunState:
    """The state of a run that has not begun."""
    return RunState(
        attempt=0,
        phase="draft",
        pending=0,
        candidates=[],
        best=None,
        base=None,
        stale=0,
        fresh=0,
        heat=0,
        blank=0,
        repeats=0,
        broken=0,
        searched=-1,
        proposed=0,
        tried_in=-1,
        tries=0,
        weighings=0,
        settled=0,
        seen={},
        asked=[],
        tokens=0,
        spent_s=0.0,
        evidence="",
        request="",
        next="draft",
        unasked="",
        stop="",
    )


def attempt_of(candidate: Candidate) -> int:
    """The number of the attempt that made `candidate`."""
    return int(candidate["id"].partition("/")[0].removeprefix("attempt-"))
