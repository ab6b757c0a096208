"""What happens after an attempt, as pure functions of its outcome and the run's counters.

A line is a draft and its repairs. A line that brings nothing better twice in a row is given up
for a fresh draft with other known-good designs at a higher temperature.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from .given import is_given
from .ranking import best_of
from .state import Next, RunState
from .stop import StopReason

if TYPE_CHECKING:
    from .state import Candidate

__all__ = ["better", "choose", "settle"]

_STALE_LIMIT = 2  # repairs in a row that better nothing
_BLANK_LIMIT = 2  # attempts in a row without RTL
_REPEAT_LIMIT = 3  # attempts in a row of nothing new
_BROKEN_LIMIT = 2  # attempts in a row in which a check could not judge


def better(one: Candidate | None, other: Candidate | None) -> Candidate | None:
    """The better of two; the first among equals."""
    if one is None or other is None:
        return one or other
    return other if other["score"] > one["score"] else one


def settle(state: RunState, candidates: list[Candidate], *, broken: bool | None) -> RunState:
    """The counters after an attempt with these judged `candidates`.

    `broken` tells whether a check could not judge any of them; None when none was simulated.
    """
    with_source = [c for c in candidates if c["files"]]
    repeated = [c for c in with_source if c["same_as"]]
    new = len(with_source) - len(repeated)
    heat = state["heat"]
    if not with_source or 2 * len(repeated) >= len(with_source):
        heat += 1
    update = RunState(
        settled=state["attempt"],
        pending=0,
        blank=0 if with_source else state["blank"] + 1,
        repeats=state["repeats"] + 1 if with_source and not new else 0,
        broken=state["broken"] if broken is None else (state["broken"] + 1 if broken else 0),
        heat=heat,
    )
    now = best_of(candidates)
    update.update(
        _repair_line(state, now, heat) if state["phase"] == "repair" else _draft_line(state, now)
    )
    return update


def _draft_line(state: RunState, now: Candidate | None) -> RunState:
    return RunState(base=now, stale=0, fresh=state["fresh"] + (now is None))


def _repair_line(state: RunState, now: Candidate | None, heat: int) -> RunState:
    base = state["base"]
    # A given design that lacks what was asked for is no measure for those that may have it.
    beaten = base is None or (bool(state.get("request")) and is_given(base))
    if now is not None and (beaten or base is None or now["score"] > base["score"]):
        return RunState(base=now, stale=0)
    stale = state["stale"] + 1
    if stale < _STALE_LIMIT:
        return RunState(stale=stale)
    return RunState(base=None, stale=0, fresh=state["fresh"] + 1, heat=heat + 1)


def choose(state: RunState, attempts: int) -> tuple[Next, str]:
    """The next step after a settled attempt, and a stop reason when that is `finish`."""
    stop = ""
    if state["broken"] >= _BROKEN_LIMIT:
        stop = StopReason.CHECK_BROKEN.value
    elif state["blank"] >= _BLANK_LIMIT:
        stop = StopReason.NO_RTL.value
    elif state["repeats"] >= _REPEAT_LIMIT:
        stop = StopReason.STALLED.value
    elif state["attempt"] >= attempts:
        stop = StopReason.ATTEMPTS.value
    if stop:
        return "finish", stop
    return ("diagnose" if state["base"] is not None else "draft"), ""
