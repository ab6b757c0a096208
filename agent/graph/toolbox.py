"""The loop's view of the tools: four calls, and the real implementation of each.

Tests put a fake here; everything above works on `Diagnostic` and `CheckResult` alone.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from rtl_agent.agent.spec.model import Spec
    from rtl_agent.tools.checks.types import Check, CheckResult, Dut, Limits
    from rtl_agent.tools.diagnostic import Diagnostic

__all__ = ["Linted", "Toolbox"]


@dataclass(frozen=True, slots=True)
class Linted:
    """What compiling and linting found; `compiled` is the simulator's own word.

    `tools` are those that looked, `missing` those that would have and are not installed.
    """

    compiled: bool
    diagnostics: tuple[Diagnostic, ...]
    tools: tuple[str, ...] = ()
    missing: tuple[str, ...] = ()


class Toolbox(Protocol):
    """All EDA access of the loop."""

    def prepare(self, spec: Spec) -> tuple[Check, ...]:
        """Make the spec's checks ready. Raises `CheckUnusable` for one that never can run."""
        ...

    def screen(self, files: Sequence[Path], spec: Spec) -> tuple[Diagnostic, ...]:
        """Find what lets a DUT cheat or reach outside, and a wrong interface."""
        ...

    def lint(self, files: Sequence[Path], spec: Spec, workdir: Path) -> Linted:
        """Compile with the simulator and lint with every other tool there is."""
        ...

    def check(
        self, check: Check, dut: Dut, workdir: Path, *, limits: Limits, seed: int
    ) -> CheckResult:
        """Judge `dut` by one check in `workdir`, which is made and empty."""
        ...
