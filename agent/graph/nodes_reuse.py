"""The step that offers known-good designs as candidates before the model is asked.

They count as attempt 0. Only a run with checks of the user's does this: without one, nothing would
tell a design that fits from one that merely compiles.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from rtl_agent.agent.library.fit import offers
from rtl_agent.agent.library.types import Exemplar

from .candidates import new_candidate
from .codec import dump, load_if_there
from .state import Candidate, RunState

if TYPE_CHECKING:
    from .context import Context

__all__ = ["reuse"]

_BATCH = 4  # judged together; the first that is verified ends the run


def reuse(state: RunState, context: Context) -> RunState:
    """Make candidates of the next retrieved designs whose ports pair with the spec's.

    First the designs as they are, then their variants for the numbers of the task.
    """
    found = load_if_there(context.folder.retrieved, tuple[Exemplar, ...]) or ()
    fits, varied = offers(found, context.spec)
    offered = [*fits, *varied]
    before = state["candidates"] if state["phase"] == "reuse" else []
    start = len(offered) - state["pending"] if before else 0
    seen = dict(state["seen"])
    origins = load_if_there(context.folder.reused, dict[str, str]) or {}
    made: list[Candidate] = []
    taken = start
    for exemplar, source in offered[start:]:
        if len(made) == _BATCH or (made and taken == len(fits)):
            break
        taken += 1
        number = len(before) + len(made)
        identity = f"attempt-00/candidate-{number}"
        candidate = new_candidate(context, identity, number, source, seen)
        if not candidate["same_as"]:
            made.append(candidate)
            origins[identity] = f"{exemplar.name} ({exemplar.origin})"
    dump(context.folder.reused, origins)
    context.details["reused"] = {c["id"]: origins[c["id"]] for c in made}
    candidates = [*before, *made]
    return RunState(
        phase="reuse" if candidates else "draft",
        candidates=candidates,
        seen=seen,
        pending=len(offered) - taken if made else 0,
    )
