"""Judges a candidate again by the checks that the model had proposed for the run."""

from __future__ import annotations

import os
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from rtl_agent.agent.errors import MissingError, UsageError
from rtl_agent.agent.proposals.guard import find_fault
from rtl_agent.agent.proposals.store import Store
from rtl_agent.agent.proposals.types import WeighJob
from rtl_agent.agent.verdict import own_checks_passed

from .bench import dut_for, run_each

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from rtl_agent.agent.proposals.types import Proposer
    from rtl_agent.agent.report.result import CandidateSummary
    from rtl_agent.agent.verdict import Evidence
    from rtl_agent.tools.checks.types import CheckSource

    from .folder import RunFolder
    from .run import Request
    from .toolbox import Toolbox

__all__ = ["OwnChecks"]


@dataclass(frozen=True, slots=True)
class OwnChecks:
    """The proposed checks that judged one candidate of a run."""

    folder: RunFolder
    candidate: CandidateSummary
    request: Request
    tools: Toolbox
    proposer: Proposer | None

    def add(self, evidence: Evidence, files: Sequence[Path], work: Path) -> Evidence:
        """`evidence` with what these checks, and the mutation score, say now.

        Raises:
            UsageError: the proposed check is gone or is no longer one that may run.
            MissingError: model-written Python may not run here.
        """
        proposer, spec, options = self._proposer(), self.request.spec, self.request.options
        sources = self._sources()
        dut = dut_for(spec, files)
        checks = self.tools.prepare(replace(spec, checks=sources))
        results = run_each(checks, dut, self.tools, options, work / "own")
        evidence = replace(evidence, own=results, own_checks=len(sources))
        before = Store(self.folder.root).weight(
            self.folder.candidate(self.candidate.id), self.candidate.proposal
        )
        if before is None or not own_checks_passed(evidence):
            return evidence
        if not before.tried:  # nothing was, so there is nothing to try again
            return replace(evidence, weighed=True, mutation_score=before.score)
        job = WeighJob(
            sources=sources,
            dut=dut,
            workdir=work / "weight",
            limits=options.check_limits,
            seed=options.seed,
            jobs=options.jobs or os.cpu_count() or 1,
            over=lambda: False,
            count=before.tried,
        )
        score = proposer.weigh(job, spec).score
        return replace(evidence, weighed=True, mutation_score=score)

    def _sources(self) -> tuple[CheckSource, ...]:
        store = Store(self.folder.root)
        found: list[CheckSource] = []
        for proposal in store.accepted(last=self.candidate.proposal):
            sources = store.sources(proposal)
            fault = next((f for s in sources if (f := find_fault(s.text))), "")
            if not sources or fault:
                raise UsageError(
                    f"{store.folder(proposal.number)}: the proposed check "
                    f"{f'may not run ({fault})' if fault else 'is gone'}",
                    remedy="restore the run folder",
                )
            found += sources
        return tuple(found)

    def _proposer(self) -> Proposer:
        proposer = self.proposer
        if proposer is None:
            from rtl_agent.agent.proposals.real import RealProposer

            proposer = RealProposer(self.request.options.sandbox)
        refusal = proposer.refusal()
        if refusal:
            raise MissingError(
                f"the run was judged by a check that a model wrote: {refusal}",
                remedy="install bubblewrap (apt-get install bubblewrap)",
            )
        return proposer
