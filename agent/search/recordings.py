"""Takes down what the checks of a spec apply and expect, once for all searches of a run."""

from __future__ import annotations

import shutil
from dataclasses import replace
from typing import TYPE_CHECKING

from rtl_agent.agent.graph.probe import idle_design
from rtl_agent.tools.checks.types import CheckKind, Dut
from rtl_agent.tools.errors import ToolError
from rtl_agent.tools.trials import Recording, record

if TYPE_CHECKING:
    from pathlib import Path

    from rtl_agent.agent.graph.searching import SearchJob
    from rtl_agent.tools.checks.types import Check
    from rtl_agent.tools.interface import Interface

__all__ = ["Recorder"]

_OTHER_SEED = 7919  # away from the run's own
_MOST_S = 20.0
_REACTING = {CheckKind.COCOTB, CheckKind.TESTBENCH}  # they may, so they are run every time
_SEEDED = {CheckKind.REFERENCE_MODEL, CheckKind.REFERENCE_RTL}


class Recorder:
    """Records each check once for each seed; None stands for a check that cannot be recorded."""

    def __init__(self) -> None:
        self._known: dict[tuple[int, str, int], Recording | None] = {}

    def all(self, job: SearchJob, interface: Interface) -> list[Recording | None]:
        """The recordings of the job's checks, in their order."""
        return [
            self._one(number, check, job, interface, job.seed)
            for number, check in enumerate(job.checks)
        ]

    def further(self, job: SearchJob, interface: Interface) -> Recording | None:
        """The first check on other stimulus; None where it always applies the same."""
        for number, check in enumerate(job.checks):
            if check.source.kind not in _SEEDED:
                continue
            first = self._one(number, check, job, interface, job.seed)
            other = self._one(number, check, job, interface, job.seed + _OTHER_SEED)
            if first is not None and other is not None and other.rows != first.rows:
                return other
        return None

    def _one(
        self, number: int, check: Check, job: SearchJob, interface: Interface, seed: int
    ) -> Recording | None:
        key = (number, check.source.origin, seed)
        if key not in self._known:
            made = self._record(check, job, interface, seed)
            if made is None and job.limits.over():
                return None  # for want of time; the next search may have more
            self._known[key] = made
        return self._known[key]

    def _record(
        self, check: Check, job: SearchJob, interface: Interface, seed: int
    ) -> Recording | None:
        """What the check does to a design that does nothing but has the right ports."""
        if check.source.kind in _REACTING:
            return None
        folder: Path = job.workdir / f"record-{len(self._known)}"
        folder.mkdir(parents=True)
        idle = folder / "idle.v"
        idle.write_text(idle_design(interface), encoding="utf-8")
        dut = Dut((idle,), interface, job.spec.language)
        limits = replace(job.limits, wall_s=min(job.limits.wall_s, _MOST_S))
        try:
            found = record(check, dut, folder / "run", limits=limits, seed=seed)[1]
        except ToolError:
            return None
        finally:
            shutil.rmtree(folder, ignore_errors=True)
        return found if found is not None and any(found.expected) else None
