"""What a check is, and what comes out of running one."""

from __future__ import annotations

import time
from dataclasses import dataclass, field
from enum import StrEnum
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from pathlib import Path

    from ..diagnostic import Diagnostic
    from ..interface import Interface

__all__ = [
    "Check",
    "CheckKind",
    "CheckResult",
    "CheckSource",
    "CheckStatus",
    "Cycle",
    "Dut",
    "Limits",
    "Mismatch",
]


class CheckKind(StrEnum):
    """The five ways in which a user may say how a DUT is judged."""

    COCOTB = "cocotb"
    TESTBENCH = "testbench"
    REFERENCE_MODEL = "reference-model"
    REFERENCE_RTL = "reference-rtl"
    VECTORS = "vectors"


@dataclass(frozen=True, slots=True)
class CheckSource:
    """A check as the user wrote it.

    `text` is the whole source (Python, Verilog, CSV or Markdown table); `path` the file it came
    from, None when it stood inside the spec; `origin` is `file:line` for messages. `options` are
    the check's own keys from the front matter (`pass`, `fail`, `top`, `cycles`, `seed`, …).
    """

    kind: CheckKind
    name: str
    text: str
    origin: str
    path: Path | None = None
    options: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Dut:
    """A candidate on disk: source files in any order, and the interface it must have."""

    files: tuple[Path, ...]
    interface: Interface
    language: str = "verilog-2005"


@dataclass(frozen=True, slots=True)
class Limits:
    """Bounds on one child process and all it starts.

    With `unsandboxed` only these limits hold: no sandbox is used, even where one works. The user
    has to ask for that by name. `until` is a time of `time.monotonic()` at which whatever still
    runs is ended, however often and with whatever `wall_s` it was started: a check is more than
    one process, and may have a time limit of its own.
    """

    wall_s: float = 30.0
    memory_mib: int = 2048
    output_mib: int = 16
    processes: int = 64
    unsandboxed: bool = False
    until: float | None = None

    @property
    def left_s(self) -> float:
        """Seconds that a process started now may take; 0 once `until` has come."""
        if self.until is None:
            return self.wall_s
        return max(0.0, min(self.wall_s, self.until - time.monotonic()))

    def over(self) -> bool:
        """Whether `until` has come."""
        return self.until is not None and time.monotonic() >= self.until


class CheckStatus(StrEnum):
    """How a check ended. Only PASSED is evidence, and only with samples > 0."""

    PASSED = "passed"
    FAILED = "failed"  # the DUT is wrong (also: it hangs, or ends the simulation early)
    BROKEN = "broken"  # the check itself cannot judge: no test, no comparison, syntax error
    CRASHED = "crashed"  # a tool died
    TIMEOUT = "timeout"


@dataclass(frozen=True, slots=True)
class Cycle:
    """Values in one cycle around a mismatch; a value is a binary string, `x`/`z` kept.

    `values` has inputs and outputs as they were, `expected` the outputs that were compared.
    """

    time_ns: float
    index: int
    values: Mapping[str, str]
    expected: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Mismatch:
    """The first place where DUT and expectation part."""

    time_ns: float
    cycle: int
    expected: Mapping[str, str]
    actual: Mapping[str, str]
    inputs: Mapping[str, str]
    window: tuple[Cycle, ...] = ()


@dataclass(frozen=True, slots=True)
class CheckResult:
    """The outcome of one check on one DUT.

    `samples` counts comparisons that really happened; a check that cannot count them says 0 and
    never passes on its own word alone. `seconds` is wall time. `shortest` is a mismatch on the
    shortest stimulus found that still fails from reset; its window is that whole stimulus.
    """

    name: str
    kind: CheckKind
    status: CheckStatus
    samples: int
    mismatches: int
    reason: str
    first_mismatch: Mismatch | None = None
    diagnostics: tuple[Diagnostic, ...] = ()
    log: Path | None = None
    wave: Path | None = None
    seconds: float = 0.0
    sandboxed: bool = True
    shortest: Mismatch | None = None

    @property
    def passed(self) -> bool:
        """Whether this counts as evidence."""
        return self.status is CheckStatus.PASSED and self.samples > 0


class Check(Protocol):
    """One executable judgement of a DUT."""

    @property
    def source(self) -> CheckSource:
        """The check as the user wrote it."""
        ...

    def run(
        self, dut: Dut, workdir: Path, *, limits: Limits, seed: int, waves: bool = False
    ) -> CheckResult:
        """Judge `dut` inside `workdir` (its own, empty); never raises for a wrong DUT.

        With `waves` all signals of the DUT are recorded, which costs time.
        """
        ...


def worst(results: Sequence[CheckResult]) -> CheckStatus:
    """The status that decides a set of checks: the first that is not PASSED, else PASSED."""
    return next((r.status for r in results if not r.passed), CheckStatus.PASSED)
