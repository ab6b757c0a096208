"""Simulations that have to be stopped, and what that means."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Generic, TypeVar

from ..diagnostic import Diagnostic, Severity
from ..process import Limits, ProcessResult, StopCause
from ..simulate.heartbeat import PROBE_S, last_beat, stands_still
from ..simulate.loops import zero_delay_signals
from .types import CheckStatus
from .verdict import result

if TYPE_CHECKING:
    from collections.abc import Callable

    from .types import CheckResult, CheckSource, Dut

__all__ = ["Patience"]

_FIRST_S = 3.0  # what a design with a possible zero-delay loop gets before it is looked at
_SMALL_BYTES = 200_000
_CODE = "zero-delay-loop"
_HINT = "break the loop with a register, or assign the signal from others than itself"
T = TypeVar("T")


@dataclass(slots=True)
class Patience(Generic[T]):
    """Runs a simulation, not for long if the design may hang it, and explains a stop.

    `simulate` runs it within limits, `probe` runs it with a heartbeat, `process` finds the
    process result in what `simulate` returns.
    """

    dut: Dut
    limits: Limits
    simulate: Callable[[Limits], T]
    probe: Callable[[Limits], ProcessResult | None]
    process: Callable[[T], ProcessResult]
    _still: bool | None = None
    _at: int | None = None

    def run(self) -> T:
        """Simulate; a suspicious design first for a few seconds, and then only if time goes on."""
        if self.limits.wall_s > _FIRST_S and self._small() and self._signals():
            outcome = self.simulate(replace(self.limits, wall_s=_FIRST_S))
            if not self.process(outcome).timed_out or self._stands_still():
                return outcome
        return self.simulate(self.limits)

    def explain(self, source: CheckSource, process: ProcessResult, **common: Any) -> CheckResult:
        """The result of a run that a limit ended; a zero-delay loop is told apart."""
        if process.stopped is StopCause.OUTPUT:
            reason = f"the simulation printed more than {self.limits.output_mib} MiB"
            return result(source, CheckStatus.FAILED, reason, **common)
        if process.stopped is StopCause.PROCESSES:
            reason = f"the simulation started more than {self.limits.processes} processes"
            return result(source, CheckStatus.FAILED, reason, **common)
        signals = self._signals()
        if not signals or not self._stands_still():
            reason = f"the simulation did not end within {self.limits.wall_s:g} s"
            return result(source, CheckStatus.TIMEOUT, reason, **common)
        names = ", ".join(signals)
        reason = f"zero-delay loop through {names}: simulated time stood still at {self._at} ps"
        found = Diagnostic(
            str(self.dut.files[0]), 0, 0, Severity.ERROR, _CODE, reason, _HINT, "icarus"
        )
        common["diagnostics"] = (*common.get("diagnostics", ()), found)
        return result(source, CheckStatus.FAILED, reason, **common)

    def _small(self) -> bool:
        """Whether looking for loops costs next to nothing."""
        return sum(path.stat().st_size for path in self.dut.files) <= _SMALL_BYTES

    def _signals(self) -> tuple[str, ...]:
        return zero_delay_signals(
            self.dut.files, top=self.dut.interface.module, language=self.dut.language
        )

    def _stands_still(self) -> bool:
        if self._still is None:
            probe = self.probe(replace(self.limits, wall_s=PROBE_S))
            self._still = probe is not None and stands_still(probe)
            self._at = last_beat(probe) if probe is not None else None
        return self._still
