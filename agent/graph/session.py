"""One session of a run: opens its checkpoints, begins or goes on, and builds the result."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from .given import given_state
from .graph import build_check_graph, build_solve_graph, step_limit
from .outcome import build_result
from .state import Candidate, RunState, fresh_state
from .stop import StopReason
from .store import open_checkpoints

if TYPE_CHECKING:
    from rtl_agent.agent.report.result import SolveResult

    from .context import Context
    from .run import Request

__all__ = ["run_graph"]


def run_graph(context: Context, given: list[str] | None, request: Request) -> SolveResult:
    """Run the loop, or judge the `given` files, from where its checkpoints stand to the end."""
    with open_checkpoints(context.folder) as saver:
        graph = build_check_graph(saver) if given is not None else build_solve_graph(saver)
        config: dict[str, Any] = {
            "configurable": {"thread_id": context.folder.run_id},
            "recursion_limit": step_limit(context.options.attempts, context.options.candidates),
        }
        start = _start(graph, config, context, _first_state(context, given, request))
        # "sync": a step counts as done only when its checkpoint is on disk.
        graph.invoke(start, config, context=context, durability="sync")
        state: RunState = graph.get_state(config).values
    return build_result(state, context)


def _start(
    graph: Any, config: dict[str, Any], context: Context, first: RunState
) -> RunState | None:
    """The state to begin with; None to go on from the last checkpoint."""
    snapshot = graph.get_state(config)
    if not snapshot.values:
        return first
    state: RunState = snapshot.values
    context.watch.resume(state["spent_s"])
    if not snapshot.next and StopReason(state["stop"]).budget:
        _reopen(graph, config, state)
    return None


def _reopen(graph: Any, config: dict[str, Any], state: RunState) -> None:
    """Let a run that a budget ended go on under the budgets of this session.

    Candidates of the last attempt are judged again from their files, so that checks for which
    there was no time are run now; nothing that has a result is run again.
    """
    if state["unasked"]:  # the budget ended the run before or while the model was asked
        update = RunState(stop="", unasked="", next=state["unasked"])
        graph.update_state(config, update, as_node="judge")
        return
    open_again: list[Candidate] = [{**c, "verdict": ""} for c in state["candidates"]]
    update = RunState(stop="", candidates=open_again)
    before = "reuse" if state["phase"] == "reuse" else "draft" if state["attempt"] else "retrieve"
    graph.update_state(config, update, as_node=before)


def _first_state(context: Context, given: list[str] | None, request: Request) -> RunState:
    if given is not None:
        return _given(given)
    if request.given is not None:
        return given_state(context.folder.absolute(request.given), request.request, context.folder)
    return fresh_state()


def _given(files: list[str]) -> RunState:
    candidate = Candidate(
        id="attempt-01/candidate-0",
        index=0,
        files=files,
        digest="",
        same_as="",
        verdict="",
        failed_at="",
        reason="",
        score=[],
    )
    return {**fresh_state(), "attempt": 1, "phase": "given", "candidates": [candidate]}
