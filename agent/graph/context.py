"""What nodes work with and state does not hold: collaborators, options, the clock."""

from __future__ import annotations

import time
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from .stop import StopReason

if TYPE_CHECKING:
    from collections.abc import Callable

    from rtl_agent.agent.backends.base import ModelBackend
    from rtl_agent.agent.library.types import Retriever
    from rtl_agent.agent.proposals.types import Proposer
    from rtl_agent.agent.spec.model import Spec
    from rtl_agent.agent.styles.base import PromptStyle
    from rtl_agent.tools.checks.types import Check

    from .events import Event
    from .folder import RunFolder
    from .options import SolveOptions
    from .searching import Searcher
    from .state import RunState
    from .toolbox import Toolbox
    from .trajectory import Trajectory

__all__ = ["Asker", "Context", "Stopwatch"]


class Stopwatch:
    """Wall time of a run over all its sessions, in seconds."""

    def __init__(self, budget_s: float) -> None:
        self._budget = budget_s
        self._before = 0.0
        self._started = time.monotonic()

    def resume(self, spent_s: float) -> None:
        """Count what earlier sessions of the run spent."""
        self._before = spent_s

    @property
    def spent_s(self) -> float:
        """Time used so far."""
        return self._before + time.monotonic() - self._started

    @property
    def left_s(self) -> float:
        """Time left; infinite without a budget."""
        return self._budget - self.spent_s if self._budget else float("inf")

    @property
    def over(self) -> bool:
        """Whether the budget is used up."""
        return self.left_s <= 0


@dataclass(frozen=True, slots=True)
class Asker:
    """The three collaborators that a run with a model needs."""

    backend: ModelBackend
    style: PromptStyle
    retriever: Retriever | None


@dataclass(frozen=True, slots=True)
class Context:
    """Passed to every node by the graph; never saved.

    `asker` is None when only judging, `searcher` where nothing is repaired without a model,
    `proposer` where nothing that a model wrote as a check is run.
    """

    spec: Spec
    options: SolveOptions
    folder: RunFolder
    toolbox: Toolbox
    checks: tuple[Check, ...]
    trajectory: Trajectory
    emit: Callable[[Event], None]
    watch: Stopwatch
    asker: Asker | None = None
    searcher: Searcher | None = None
    examples: tuple[Check, ...] = ()  # of a spec without checks
    proposer: Proposer | None = None
    details: dict[str, object] = field(default_factory=dict)  # of the running step

    def budget_stop(self, state: RunState) -> str:
        """The budget that is used up, as a stop reason; empty while there is room."""
        if self.watch.over:
            return StopReason.TIME.value
        if self.options.max_tokens and state["tokens"] >= self.options.max_tokens:
            return StopReason.TOKENS.value
        return ""
