"""Turn what happened in a run into a `CheckResult`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ..diagnostic import Severity
from .syntax import place
from .types import CheckResult, CheckStatus, Cycle, Mismatch

if TYPE_CHECKING:
    from collections.abc import Mapping

    from ..simulate.icarus import CompileResult
    from .types import CheckSource

__all__ = ["from_compile", "from_outcome", "mismatch", "result"]


def result(source: CheckSource, status: CheckStatus, reason: str, **more: Any) -> CheckResult:
    """A result of `source`; what is not given is zero or empty."""
    fields = {"samples": 0, "mismatches": 0} | more
    return CheckResult(source.name, source.kind, status, reason=reason, **fields)


def from_compile(source: CheckSource, compiled: CompileResult, **more: Any) -> CheckResult:
    """The result of a compilation that failed."""
    more = {"diagnostics": compiled.diagnostics} | more
    if compiled.timed_out:
        return result(source, CheckStatus.TIMEOUT, "compilation ran into its time limit", **more)
    if compiled.crashed:
        tail = compiled.log.strip().splitlines()[-1:] or ["no message"]
        return result(source, CheckStatus.CRASHED, f"Icarus crashed: {tail[0]}", **more)
    errors = [d for d in compiled.diagnostics if d.severity is Severity.ERROR]
    first = str(errors[0]) if errors else (compiled.log.strip().splitlines() or ["no message"])[0]
    return result(source, CheckStatus.FAILED, f"does not compile: {first}", **more)


def from_outcome(source: CheckSource, told: Mapping[str, Any], **common: Any) -> CheckResult:
    """The result that an outcome of the harness stands for."""
    samples, bad = told["samples"], told["mismatches"]
    common |= {"samples": samples, "mismatches": bad}
    if broken := told.get("broken"):
        reason = f"{place(source, broken['line'])}: {broken['message']}"
        return result(source, CheckStatus.BROKEN, reason, **common)
    if missing := told.get("pin_error"):
        return result(source, CheckStatus.FAILED, missing, **common)
    if bad:
        counts = ", ".join(f"{n} ({c})" for n, c in sorted(told["by_output"].items()))
        reason = f"{bad} of {samples} samples differ; outputs: {counts}"
        common["first_mismatch"] = mismatch(told["first"])
        common["shortest"] = mismatch(told["shortest"]) if told.get("shortest") else None
        return result(source, CheckStatus.FAILED, reason, **common)
    if not told.get("complete"):
        reason = f"the design ended the simulation after {samples} samples"
        return result(source, CheckStatus.FAILED, reason, **common)
    if not samples and not told.get("trace"):
        reason = f"{place(source, 0)}: the check never compares anything"
        return result(source, CheckStatus.BROKEN, reason, **common)
    return result(source, CheckStatus.PASSED, f"{samples} samples match", **common)


def mismatch(found: Mapping[str, Any]) -> Mismatch:
    """A mismatch as the harness wrote it."""
    window = tuple(_cycle(entry) for entry in found["window"])
    at = next(e for e in found["window"] if e["index"] == found["cycle"])
    wrong = found["outputs"]
    return Mismatch(
        time_ns=at["time_ns"],
        cycle=found["cycle"],
        expected={name: at["expected"][name] for name in wrong},
        actual={name: at["actual"][name] for name in wrong},
        inputs=at["inputs"],
        window=window,
    )


def _cycle(entry: Mapping[str, Any]) -> Cycle:
    values = {**entry["inputs"], **entry["actual"]}
    return Cycle(entry["time_ns"], entry["index"], values, entry["expected"])
