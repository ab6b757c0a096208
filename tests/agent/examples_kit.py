"""The shipped examples as the tests see them: read by the real reader, judged by real checks."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

from rtl_agent.agent.spec.read import read_spec
from rtl_agent.tools.checks.factory import make_check
from rtl_agent.tools.checks.run import run_checks
from rtl_agent.tools.checks.types import Dut, Limits

if TYPE_CHECKING:
    from rtl_agent.agent.spec.model import Spec
    from rtl_agent.tools.checks.types import Check, CheckResult

ROOT = Path(__file__).parents[2] / "examples"
NAMES = (
    "mux4",
    "prio_enc8",
    "updown_counter",
    "edge_capture",
    "seq1011",
    "pwm8",
    "fifo8x8",
    "uart_tx",
    "gray4",
    "beyond/fp16_add",
)
PATIENT = Limits(wall_s=200.0)  # a busy machine is no reason for another verdict


@dataclass(frozen=True, slots=True)
class Example:
    """One example folder."""

    name: str
    spec: Spec
    checks: tuple[Check, ...]

    @property
    def folder(self) -> Path:
        return ROOT / self.name

    @property
    def reference(self) -> Path:
        return self.folder / "reference.v"

    def judge(self, rtl: str, workdir: Path) -> tuple[CheckResult, ...]:
        """Run the example's checks on `rtl`."""
        design = workdir / f"{self.spec.interface.module}.v"
        design.write_text(rtl, encoding="utf-8")
        dut = Dut((design,), self.spec.interface, self.spec.language)
        return run_checks(self.checks, dut, workdir / "run", limits=PATIENT)


@cache
def example(name: str) -> Example:
    """Load an example; its checks are kept, so that a golden design runs once."""
    spec = read_spec(ROOT / name / "spec.md")
    checks = tuple(
        make_check(source, clocking=spec.clocking, timescale=spec.timescale)
        for source in spec.checks
    )
    return Example(name, spec, checks)
