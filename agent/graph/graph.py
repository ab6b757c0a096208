"""Wires the steps; nothing else happens here."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Literal

from langgraph.graph import END, START, StateGraph
from rtl_agent.agent.proposals.policy import TRIES

from . import (
    nodes_agree,
    nodes_decide,
    nodes_draft,
    nodes_edges,
    nodes_judge,
    nodes_propose,
    nodes_reuse,
    nodes_search,
)
from .context import Context
from .state import RunState
from .trace import traced

if TYPE_CHECKING:
    from langgraph.checkpoint.base import BaseCheckpointSaver

__all__ = ["build_check_graph", "build_solve_graph", "step_limit"]

Graph = Any

_NODES = {
    "read_spec": nodes_edges.read_spec,
    "retrieve": nodes_draft.retrieve,
    "reuse": nodes_reuse.reuse,
    "draft": nodes_draft.draft,
    "repair": nodes_draft.repair,
    "screen": nodes_judge.screen,
    "lint": nodes_judge.lint,
    "simulate": nodes_judge.simulate,
    "judge": nodes_decide.judge,
    "search": nodes_search.search,
    "propose": nodes_propose.propose,
    "agree": nodes_agree.agree,
    "weigh": nodes_agree.weigh,
    "diagnose": nodes_decide.diagnose,
    "finish": nodes_edges.finish,
}


def after_retrieve(state: RunState) -> Literal["screen", "reuse", "draft"]:
    """From retrieve: a design that was given is judged before the model is asked."""
    if state["phase"] == "given":
        return "screen"
    return "reuse" if state["next"] == "reuse" else "draft"


def after_reuse(state: RunState) -> Literal["screen", "draft"]:
    """From reuse: the model is asked at once where no known-good design has the right ports."""
    return "screen" if state["candidates"] else "draft"


def after_asking(state: RunState) -> Literal["screen", "finish"]:
    """From draft or repair: a budget that was used up before asking ends the run."""
    return "finish" if state["stop"] else "screen"


def after_judge(
    state: RunState,
) -> Literal["reuse", "draft", "repair", "search", "propose", "weigh", "diagnose", "finish"]:
    """From judge: as it decided."""
    return state["next"]


def after_search(state: RunState) -> Literal["screen", "judge"]:
    """From search: what it found is judged like any candidate."""
    return "screen" if any(not c["verdict"] for c in state["candidates"]) else "judge"


def build_solve_graph(checkpointer: BaseCheckpointSaver[str]) -> Graph:
    """The whole loop."""
    graph = _with_nodes(*_NODES)
    graph.add_edge(START, "read_spec")
    graph.add_edge("read_spec", "retrieve")
    graph.add_conditional_edges("retrieve", after_retrieve)
    graph.add_conditional_edges("reuse", after_reuse)
    graph.add_conditional_edges("draft", after_asking)
    graph.add_conditional_edges("repair", after_asking)
    _add_judging(graph)
    graph.add_conditional_edges("judge", after_judge)
    graph.add_conditional_edges("search", after_search)
    graph.add_edge("propose", "agree")
    graph.add_edge("agree", "simulate")
    graph.add_edge("weigh", "judge")
    graph.add_edge("diagnose", "repair")
    graph.add_edge("finish", END)
    return graph.compile(checkpointer=checkpointer)


def build_check_graph(checkpointer: BaseCheckpointSaver[str]) -> Graph:
    """The same steps for a design that is already there; no model."""
    graph = _with_nodes("read_spec", "screen", "lint", "simulate", "judge", "finish")
    graph.add_edge(START, "read_spec")
    graph.add_edge("read_spec", "screen")
    _add_judging(graph)
    graph.add_edge("judge", "finish")
    graph.add_edge("finish", END)
    return graph.compile(checkpointer=checkpointer)


def step_limit(attempts: int, candidates: int) -> int:
    """Steps that `attempts` can never exceed, for the graph's own recursion limit.

    An attempt takes at most diagnose, for every candidate ask, screen, lint, simulate and judge,
    and for a search the same once more. After an attempt a check may be proposed, agreed on,
    simulated, judged and weighed, `TRIES` times. Budgets end every run before this number does.
    """
    return 26 + (2 + 5 * (candidates + 2) + 6 * TRIES) * attempts


def _with_nodes(*names: str) -> StateGraph[RunState, Context, RunState, RunState]:
    graph = StateGraph(RunState, context_schema=Context)
    for name in names:
        node: Any = traced(name, _NODES[name])  # langgraph's overloads do not know this form
        graph.add_node(name, node)
    return graph


def _add_judging(graph: StateGraph[RunState, Context, RunState, RunState]) -> None:
    graph.add_edge("screen", "lint")
    graph.add_edge("lint", "simulate")
    graph.add_edge("simulate", "judge")
