"""Runs proposed references with the real tools: the sandbox, cocotb, the mutation score."""

from __future__ import annotations

import time
from dataclasses import replace
from typing import TYPE_CHECKING

from rtl_agent.agent.graph.options import SandboxPolicy
from rtl_agent.tools.checks.factory import make_check
from rtl_agent.tools.checks.reference_model import ReferenceModelCheck
from rtl_agent.tools.mutate import MutantStatus, measure
from rtl_agent.tools.sandbox import best_sandbox

from .types import Compared, WeighJob, Weight

if TYPE_CHECKING:
    from pathlib import Path

    from rtl_agent.agent.spec.model import Spec
    from rtl_agent.tools.checks.types import CheckSource, Dut, Limits

__all__ = ["RealProposer"]

_SHOWN = 5  # survivors that are kept as diffs


class RealProposer:
    """Implements `Proposer`: nothing here runs outside a sandbox unless that was asked by name.

    A weighing injects `mutants` faults and begins none after `weigh_s` seconds.
    """

    def __init__(
        self,
        sandbox: SandboxPolicy = SandboxPolicy.AUTO,
        *,
        mutants: int = 40,
        weigh_s: float = 30.0,
    ) -> None:
        self._off = sandbox is SandboxPolicy.OFF
        self._mutants = mutants
        self._weigh_s = weigh_s

    def refusal(self) -> str:
        """Why nothing that a model wrote may run here; empty when it may."""
        if self._off or best_sandbox().isolates:
            return ""
        return "no sandbox works here, and model-written Python runs in none only when asked to"

    def compare(  # noqa: PLR0913 - what a comparison is made of
        self, source: CheckSource, spec: Spec, dut: Dut, workdir: Path, *, limits: Limits, seed: int
    ) -> Compared:
        """Run the reference on `dut` in `workdir`, and keep every cycle."""
        check = make_check(source, clocking=spec.clocking, timescale=spec.timescale)
        if not isinstance(check, ReferenceModelCheck):
            raise TypeError(f"{source.name} is no reference model")
        result, told = check.execute(
            dut, workdir, limits=self._limits(limits), seed=seed, keep=True
        )
        return Compared(result, tuple(told.get("expected", ())), tuple(told.get("seen", ())))

    def weigh(self, job: WeighJob, spec: Spec) -> Weight:
        """Inject faults into a design that passes, and count those that are noticed."""
        end = time.monotonic() + self._weigh_s
        checks = [
            make_check(source, clocking=spec.clocking, timescale=spec.timescale)
            for source in job.sources
        ]
        count = job.count or self._mutants
        # A replay (`count`) repeats what was tried, however long it takes.
        report = measure(
            checks,
            job.dut,
            job.workdir,
            count=count,
            seed=job.seed,
            jobs=job.jobs,
            limits=self._limits(job.limits),
            over=None if job.count else lambda: job.over() or time.monotonic() > end,
        )
        return Weight(
            score=report.score if report.sound else None,
            killed=report.count(MutantStatus.KILLED),
            survived=report.count(MutantStatus.SURVIVED),
            equivalent=report.count(MutantStatus.EQUIVALENT),
            tried=len(report.outcomes),
            seconds=round(report.seconds, 3),
            cut=not job.count and (job.over() or time.monotonic() > end),
            survivors=tuple(o.mutant.diff() for o in report.survivors[:_SHOWN]),
            note=report.proof if report.sound else "the design does not pass the check again",
        )

    def _limits(self, limits: Limits) -> Limits:
        return replace(limits, unsandboxed=self._off)
