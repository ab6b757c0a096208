"""The step that offers known-good designs as candidates before the model is asked.

They count as attempt 0. Only a run with checks of the user's does this: without one, nothing would
tell a design that fits from one that merely compiles.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from rtl_agent.agent.library.fit import fit
from rtl_agent.agent.library.types import Exemplar

from .candidates import new_candidate
from .codec import dump, load_if_there
from .state import Candidate, RunState

if TYPE_CHECKING:
    from .context import Context

__all__ = ["reuse"]

_MOST = 4  # designs tried; each costs a simulation


def reuse(state: RunState, context: Context) -> RunState:
    """Make candidates of the retrieved designs whose ports pair with the spec's."""
    found = load_if_there(context.folder.retrieved, tuple[Exemplar, ...]) or ()
    seen = dict(state["seen"])
    made: list[Candidate] = []
    origins: dict[str, str] = {}
    for exemplar in found:
        source = fit(exemplar, context.spec)
        if source is None or len(made) == _MOST:
            continue
        identity = f"attempt-00/candidate-{len(made)}"
        candidate = new_candidate(context, identity, len(made), source, seen)
        if not candidate["same_as"]:
            made.append(candidate)
            origins[identity] = f"{exemplar.name} ({exemplar.origin})"
    dump(context.folder.reused, origins)
    context.details["reused"] = origins
    return RunState(phase="reuse" if made else "draft", candidates=made, seen=seen)
