"""What the harness is told (`job.json`) and what it tells (`outcome.json`)."""

from __future__ import annotations

import json
import os
from dataclasses import asdict, dataclass, field
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from pathlib import Path

__all__ = ["NONCE_VARIABLE", "CheckBrokenError", "Job", "Row", "write_outcome"]

# The outcome must carry this value: a design cannot read the environment, so it cannot forge one.
NONCE_VARIABLE = "RTL_HARNESS_NONCE"


class CheckBrokenError(Exception):
    """The check cannot judge; `line` is in the model file, 0 when unknown."""

    def __init__(self, message: str, line: int = 0) -> None:
        super().__init__(message)
        self.line = line


@dataclass(frozen=True)
class Row:
    """One cycle of stimulus: every input but the clock, and whether reset is asserted."""

    values: dict[str, int]
    in_reset: bool = False


@dataclass(frozen=True)
class Job:
    """One comparison.

    `mode` is `model` or `trace`; with `trace`, `expected` has one mapping a row of `rows`, from
    output name to a number or a string of `0`, `1`, `x` (`x`: don't care); an output that is not
    named is a don't care. `widths` are those that ports must have. With `record` nothing is
    compared and the outputs are in the outcome, with `keep` the stimulus, what was expected and
    what the design gave (`seen`).
    """

    mode: str
    inputs: list[str]
    outputs: list[str]
    clock: str | None
    reset: str | None
    reset_active_low: bool
    time_unit: str
    seed: int
    cycles: int
    model: str = ""
    model_class: str = ""
    rows: list[dict[str, Any]] = field(default_factory=list)
    expected: list[dict[str, int | str]] = field(default_factory=list)
    widths: dict[str, int] = field(default_factory=dict)
    record: bool = False
    keep: bool = False
    stop_at_first: bool = False
    shrink_rows: int = 2500

    @classmethod
    def load(cls, path: Path) -> Job:
        """Read a job that `save` wrote."""
        return cls(**json.loads(path.read_text(encoding="utf-8")))

    def save(self, path: Path) -> None:
        """Write the job for the child."""
        path.write_text(json.dumps(asdict(self), indent=1), encoding="utf-8")

    def reset_level(self, *, asserted: bool) -> int:
        """The value of the reset input."""
        return int(asserted != self.reset_active_low)


def write_outcome(path: Path, outcome: dict[str, Any]) -> None:
    """Write `outcome` with this run's nonce."""
    outcome = outcome | {"nonce": os.environ.get(NONCE_VARIABLE, "")}
    path.write_text(json.dumps(outcome), encoding="utf-8")
