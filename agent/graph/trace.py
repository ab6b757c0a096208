"""Wraps a node so that it is announced, timed and recorded, also when it dies."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Any

# langgraph reads the annotations of a node at run time: these may not hide behind TYPE_CHECKING.
from langgraph.runtime import Runtime  # noqa: TC002

from .context import Context  # noqa: TC001
from .events import StepEnded, StepStarted
from .state import RunState  # noqa: TC001

if TYPE_CHECKING:
    from collections.abc import Callable

__all__ = ["traced"]


def traced(
    name: str, node: Callable[[RunState, Context], RunState]
) -> Callable[[RunState, Runtime[Context]], RunState]:
    """`node` under `name`, with events and an entry in the trajectory."""

    def run(state: RunState, runtime: Runtime[Context]) -> RunState:
        context = runtime.context
        context.details.clear()
        context.emit(StepStarted(name, state["attempt"]))
        begun, tick = context.watch.spent_s, time.perf_counter()
        update: RunState = {}
        entry: dict[str, Any] = {"step": name, "at_s": round(begun, 3)}
        try:
            update = node(state, context)
            update["spent_s"] = round(context.watch.spent_s, 3)
        except BaseException as problem:
            entry["error"] = f"{type(problem).__name__}: {problem}"
            raise
        finally:
            seconds = time.perf_counter() - tick
            attempt = update.get("attempt", state["attempt"])
            entry |= {"seconds": round(seconds, 4), **_facts(name, state, update, attempt)}
            context.trajectory.add(entry | context.details)
        context.emit(StepEnded(name, attempt, seconds))
        return update

    run.__name__ = name
    return run


def _facts(name: str, state: RunState, update: RunState, attempt: int) -> dict[str, Any]:
    """What went into a step and what came out, and the key that tells it from all others."""
    # A second pass through a step of one attempt sees fewer samples pending.
    known = len(state["candidates"]) if attempt == state["attempt"] else 0
    # So does one after a search that found nothing.
    again = "+" if state.get("searched", -1) == attempt else ""
    # And one after a check was proposed or weighed.
    if state.get("proposed", 0):
        again += f"p{state['proposed']}w{state['weighings']}"
    return {
        "key": f"{attempt}/{name}/{known}{again}",
        "attempt": attempt,
        "inputs": {k: state[k] for k in ("attempt", "phase", "pending", "heat")},
        "outputs": {k: v for k, v in update.items() if k not in {"seen", "asked", "spent_s"}},
    }
