"""What a caller may ask of a run."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum
from typing import TYPE_CHECKING

from rtl_agent.agent.errors import UsageError
from rtl_agent.tools.checks.types import Limits

if TYPE_CHECKING:
    from pathlib import Path

    from rtl_agent.agent.verdict import Verdict

__all__ = ["SandboxPolicy", "SolveOptions", "TemperatureSchedule"]


class SandboxPolicy(StrEnum):
    """What to do where no sandbox works."""

    AUTO = "auto"  # use it where it works, say so where it does not
    REQUIRE = "require"  # refuse to simulate without one
    OFF = "off"  # asked for by name: run without one


@dataclass(frozen=True, slots=True, kw_only=True)
class TemperatureSchedule:
    """Sampling temperature: `start`, raised by `step` whenever candidates repeat, up to `top`.

    With `greedy_first` the first answer to every new prompt is greedy and is judged before any
    is sampled: most runs that can succeed at once then cost one answer.
    """

    start: float = 0.7
    step: float = 0.2
    top: float = 1.3
    top_p: float = 0.95
    greedy_first: bool = True

    def at(self, steps: int) -> float:
        """Temperature after `steps` rises."""
        return min(self.start + self.step * steps, self.top)


@dataclass(frozen=True, slots=True, kw_only=True)
class SolveOptions:
    """One run's budgets and choices.

    `timeout_s` bounds the whole run in wall-clock seconds and `max_tokens` all new tokens
    together; 0 means no bound. `answer_tokens` bounds one answer. `require` is the verdict that
    is enough; None means `verified` for a spec with checks and `compiles` for one without.
    `resume` is the id of a run below `out/runs` to go on with. `jobs` simulations run at once;
    0 means one for each processor. `check_limits` bounds each check's child process. `probe`
    tries each check on a design that does nothing before a model is asked. `reuse` judges the
    retrieved designs themselves, fitted to the spec, before a model is asked; it needs checks.
    `search_s` bounds the search for a repair without a model after an attempt, in seconds; 0
    turns it off. `propose` asks the model for a check where the spec has none, unless `require` is
    `compiles`. With `diagnosis` off a repair prompt says that a design failed and not where or how;
    None leaves it to the prompt style, which knows whether its models make anything of it.
    """

    out: Path
    attempts: int = 4
    candidates: int = 4
    timeout_s: float = 600.0
    max_tokens: int = 0
    answer_tokens: int = 1024
    seed: int = 0
    require: Verdict | None = None
    library: bool = True
    exemplars: int = 1
    resume: str = ""
    sandbox: SandboxPolicy = SandboxPolicy.AUTO
    temperature: TemperatureSchedule = field(default_factory=TemperatureSchedule)
    check_limits: Limits = field(default_factory=Limits)
    jobs: int = 0
    probe: bool = True
    reuse: bool = True
    search_s: float = 15.0
    propose: bool = True
    diagnosis: bool | None = None

    def __post_init__(self) -> None:
        for name in ("attempts", "candidates", "answer_tokens"):
            if getattr(self, name) < 1:
                raise UsageError(f"{name} must be at least 1, not {getattr(self, name)}")
        for name in ("timeout_s", "max_tokens", "jobs", "exemplars", "search_s"):
            if getattr(self, name) < 0:
                raise UsageError(f"{name} must not be negative, is {getattr(self, name)}")
