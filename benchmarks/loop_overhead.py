"""What an attempt costs beside model and tools: graph, checkpoints, files, prompts, events.

    python benchmarks/loop_overhead.py [--attempts 30] [--candidates 4] [--out result.json]

Model and tools are replaced by ones that answer at once, each time with another wrong design, so
that all the time that is left is the loop's own. Writes one JSON object with the machine, the
workload and the figures (milliseconds an attempt, wall and processor time).
"""

from __future__ import annotations

import argparse
import json
import os
import platform
import statistics
import tempfile
import time
from pathlib import Path
from typing import TYPE_CHECKING

from rtl_agent.agent.backends.scripted import ScriptedBackend
from rtl_agent.agent.graph.events import AttemptEnded, Event
from rtl_agent.agent.graph.options import SolveOptions
from rtl_agent.agent.graph.run import solve
from rtl_agent.agent.graph.toolbox import Linted
from rtl_agent.agent.spec.model import Spec
from rtl_agent.agent.styles.instruct import InstructStyle
from rtl_agent.tools.checks.types import CheckKind, CheckResult, CheckSource, CheckStatus
from rtl_agent.tools.interface import Direction, Interface, Port

if TYPE_CHECKING:
    from collections.abc import Sequence

    from rtl_agent.tools.checks.types import Check, Dut, Limits
    from rtl_agent.tools.diagnostic import Diagnostic

BUDGET_MS = 100.0


class _Check:
    def __init__(self, source: CheckSource) -> None:
        self.source = source

    def run(self, dut: Dut, workdir: Path, *, limits: Limits, seed: int) -> CheckResult:
        del dut, workdir, limits, seed
        return CheckResult("t", CheckKind.VECTORS, CheckStatus.FAILED, 100, 50, "50 samples differ")


class _InstantTools:
    def prepare(self, spec: Spec) -> tuple[Check, ...]:
        return tuple(_Check(source) for source in spec.checks)

    def screen(self, files: Sequence[Path], spec: Spec) -> tuple[Diagnostic, ...]:
        del files, spec
        return ()

    def lint(self, files: Sequence[Path], spec: Spec, workdir: Path) -> Linted:
        del files, spec, workdir
        return Linted(compiled=True, diagnostics=())

    def check(
        self, check: Check, dut: Dut, workdir: Path, *, limits: Limits, seed: int
    ) -> CheckResult:
        return check.run(dut, workdir, limits=limits, seed=seed)


def _spec() -> Spec:
    ports = (Port(Direction.INPUT, "a", 8), Port(Direction.OUTPUT, "y", 8))
    check = CheckSource(CheckKind.VECTORS, "t", "a,y\n0,0\n", "spec.md:1")
    return Spec("inv", None, "An inverter.", Interface("inv", ports), checks=(check,))


def measure(attempts: int, candidates: int) -> dict[str, object]:
    """Run the loop once and give what each attempt took."""
    body = "module inv(input [7:0] a, output [7:0] y);\n  assign y = a + 8'd{};\nendmodule\n"
    answers = [f"```verilog\n{body.format(i)}```\n" for i in range(attempts * candidates * 2)]
    wall: list[float] = []
    cpu: list[float] = []
    marks = [(0.0, 0.0)]

    def listen(event: Event) -> None:
        if isinstance(event, AttemptEnded):
            now = (time.perf_counter(), time.process_time())
            if marks[0] != (0.0, 0.0):
                wall.append(now[0] - marks[0][0])
                cpu.append(now[1] - marks[0][1])
            marks[0] = now

    with tempfile.TemporaryDirectory() as out:
        options = SolveOptions(out=Path(out), attempts=attempts, candidates=candidates, timeout_s=0)
        solve(
            _spec(),
            options,
            ScriptedBackend(answers),
            InstructStyle(),
            None,
            on_event=listen,
            toolbox=_InstantTools(),
        )
    return {"wall_ms": _figures(wall), "cpu_ms": _figures(cpu)}


def _figures(seconds: list[float]) -> dict[str, float]:
    ordered = sorted(1000 * s for s in seconds)
    return {
        "median": round(statistics.median(ordered), 2),
        "p95": round(ordered[int(0.95 * (len(ordered) - 1))], 2),
        "max": round(ordered[-1], 2),
    }


def main() -> int:
    """Measure, print and write; the exit status says whether the budget was kept."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--attempts", type=int, default=30)
    parser.add_argument("--candidates", type=int, default=4)
    parser.add_argument("--out", type=Path)
    args = parser.parse_args()
    figures = measure(args.attempts, args.candidates)
    result = {
        "schema_version": 1,
        "benchmark": "loop_overhead",
        "machine": {
            "processor": platform.processor() or platform.machine(),
            "cores": os.cpu_count(),
            "load": round(os.getloadavg()[0], 2),
            "python": platform.python_version(),
        },
        "workload": {"attempts": args.attempts, "candidates": args.candidates, "model": "none"},
        "budget_ms": BUDGET_MS,
        **figures,
    }
    text = json.dumps(result, indent=1)
    print(text)
    if args.out:
        args.out.write_text(text + "\n", encoding="utf-8")
    cpu = figures["cpu_ms"]
    assert isinstance(cpu, dict)
    return 0 if cpu["median"] < BUDGET_MS else 1


if __name__ == "__main__":
    raise SystemExit(main())
