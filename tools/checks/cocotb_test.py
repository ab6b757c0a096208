"""A cocotb test as the user wrote it."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from ..simulate.cocotb_run import ENDED_EARLY, CocotbJob, CocotbOutcome
from ..simulate.timescale import DEFAULT_TIMESCALE
from .cocotb_bench import patient_cocotb
from .companions import copy_python_companions, home_of
from .options import integer, own_limits, require_known
from .prepared import Bench, open_bench
from .syntax import never_checks, place, syntax_problem
from .types import CheckStatus
from .verdict import from_compile, result

if TYPE_CHECKING:
    from pathlib import Path

    from .types import CheckResult, CheckSource, Dut, Limits

__all__ = ["OPTIONS", "CocotbCheck"]

OPTIONS = frozenset({"seed"})
_RESERVED = ("cocotb", "cocotb_tools", "pygpi", "pytest", "test")
_RAISED = re.compile(r"^\s*(\w+(?:Error|Exception)\b.*)$", re.MULTILINE)
_TRACE = re.compile(r'File "(?P<file>[^"]+)", line (?P<line>\d+)')


@dataclass(frozen=True, slots=True)
class CocotbCheck:
    """All `@cocotb.test()` functions of a file; every one must pass, and there must be one.

    `samples` is the number of tests that passed: cocotb does not count comparisons. A file whose
    tests cannot fail is a broken check. Options: `seed`.
    """

    source: CheckSource
    timescale: str = DEFAULT_TIMESCALE

    def run(
        self, dut: Dut, workdir: Path, *, limits: Limits, seed: int, waves: bool = False
    ) -> CheckResult:
        """Judge `dut`; the test runs only inside the sandboxed child."""
        require_known(self.source, OPTIONS)
        limits = own_limits(self.source, limits)
        problem = syntax_problem(self.source) or never_checks(self.source)
        if problem:
            return result(self.source, CheckStatus.BROKEN, problem)
        bench = open_bench(dut, workdir, limits=limits, timescale=self.timescale, waves=waves)
        if bench.compiled.image is None:
            return from_compile(self.source, bench.compiled, **bench.common())
        module = self._write(bench.test)
        job = CocotbJob(
            image=bench.compiled.image,
            top=bench.top,
            module=module,
            folder=bench.test,
            timescale=self.timescale,
            seed=integer(self.source, "seed", seed),
            env={},
            waves=waves,
        )
        patience = patient_cocotb(bench, dut, job, limits)
        outcome = patience.run()
        bench.write_log(outcome.process.output)
        if outcome.process.stopped is not None:
            return patience.explain(self.source, outcome.process, **bench.common())
        return self._judge(outcome, module, bench)

    def _write(self, folder: Path) -> str:
        """Put the test and what it needs into `folder`; returns the name of its module."""
        folder.mkdir(parents=True, exist_ok=True)
        stem = self.source.path.stem if self.source.path is not None else "test_spec"
        module = re.sub(r"\W", "_", stem)
        if not module.isidentifier() or module in _RESERVED:
            module = f"test_{module}"
        (folder / f"{module}.py").write_text(self.source.text, encoding="utf-8")
        copy_python_companions(self.source.text, home_of(self.source), folder)
        return module

    def _judge(self, outcome: CocotbOutcome, module: str, bench: Bench) -> CheckResult:
        common: dict[str, Any] = bench.common()
        log = outcome.process.output
        if outcome.tests is None:
            return self._without_results(log, module, outcome.process.exit_code, common)
        ran = [test for test in outcome.tests if test.outcome != "skipped"]
        passed = len(ran) - len(outcome.failed)
        common |= {"samples": passed, "mismatches": len(outcome.failed)}
        if not ran:
            reason = f"{place(self.source, 0)}: no test ran"
            return result(self.source, CheckStatus.BROKEN, reason, **common)
        if outcome.failed:
            first = outcome.failed[0]
            if ENDED_EARLY in first.message:
                reason = f"the design ended the simulation while {first.name} was running"
                return result(self.source, CheckStatus.FAILED, reason, **common)
            reason = f"{len(outcome.failed)} of {len(ran)} tests failed; {first.name}: "
            reason += first.message or "no message"
            return result(
                self.source, CheckStatus.FAILED, reason + self._line(log, module), **common
            )
        return result(self.source, CheckStatus.PASSED, f"{passed} tests passed", **common)

    def _without_results(
        self, log: str, module: str, exit_code: int, common: dict[str, Any]
    ) -> CheckResult:
        """No results file: the test cannot be loaded, or a crash."""
        if "Traceback (most recent call last)" in log:
            last = [
                line for line in log.splitlines() if re.match(r"\s*\w+(Error|Exception)\b", line)
            ]
            what = last[-1] if last else "the test module cannot be loaded"
            reason = f"{place(self.source, 0)}: {what}{self._line(log, module)}"
            return result(self.source, CheckStatus.BROKEN, reason, **common)
        reason = f"the simulator left no results (exit code {exit_code})"
        return result(self.source, CheckStatus.CRASHED, reason, **common)

    def _line(self, log: str, module: str) -> str:
        """Where in the user's file the first traceback ended, in words; empty when unknown."""
        lines = [m["line"] for m in _TRACE.finditer(log) if m["file"].endswith(f"/{module}.py")]
        return f" ({place(self.source, int(lines[-1]))})" if lines else ""
