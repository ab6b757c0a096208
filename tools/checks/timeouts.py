"""What it means that a simulation had to be stopped."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ..process import StopCause
from .types import CheckStatus
from .verdict import result

if TYPE_CHECKING:
    from ..process import ProcessResult
    from .types import CheckResult, CheckSource, Dut, Limits

__all__ = ["timeout_result"]


def timeout_result(
    source: CheckSource,
    dut: Dut,
    process: ProcessResult,
    limits: Limits,
    **common: Any,
) -> CheckResult:
    """The result of a run that a limit ended; a zero-delay loop is told apart."""
    if process.stopped is StopCause.OUTPUT:
        reason = f"the simulation printed more than {limits.output_mib} MiB"
        return result(source, CheckStatus.FAILED, reason, **common)
    if process.stopped is StopCause.PROCESSES:
        reason = f"the simulation started more than {limits.processes} processes"
        return result(source, CheckStatus.FAILED, reason, **common)
    reason = f"the simulation did not end within {limits.wall_s:g} s"
    return result(source, CheckStatus.TIMEOUT, reason, **common)
