"""Run a generated cocotb test (the harness) on a DUT and read its outcome."""

from __future__ import annotations

import json
import secrets
import shutil
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ..simulate.cocotb_run import ENDED_EARLY, CocotbJob, CocotbOutcome
from .cocotb_bench import patient_cocotb
from .harness.job import NONCE_VARIABLE, Job
from .prepared import Bench, open_bench
from .syntax import place
from .types import CheckStatus
from .verdict import from_compile, mismatch, result

if TYPE_CHECKING:
    from collections.abc import Callable

    from ..interface import Interface
    from .types import CheckResult, CheckSource, Dut, Limits

__all__ = ["GeneratedRun", "run_generated"]

_TEST = '''"""Generated: compares the design with what is expected of it, cycle by cycle."""

from pathlib import Path

import cocotb
from rtl_harness.compare import compare


@cocotb.test()
async def matches_expectation(dut):
    await compare(dut, Path(__file__).parent)
'''


@dataclass(frozen=True, slots=True)
class GeneratedRun:
    """What is needed beside the DUT: the check, its timescale, the seed and the limits."""

    source: CheckSource
    timescale: str
    limits: Limits
    seed: int
    waves: bool = False


def run_generated(
    request: GeneratedRun,
    dut: Dut,
    workdir: Path,
    make_job: Callable[[Interface, Path], Job],
) -> tuple[CheckResult, dict[str, Any]]:
    """Compile `dut`, run the harness on it in `workdir`, judge.

    `make_job` gets the DUT's interface and the folder of the test, where it may put files.

    Returns:
        The result, and the harness's own outcome (empty when there is none).
    """
    bench = open_bench(
        dut, workdir, limits=request.limits, timescale=request.timescale, waves=request.waves
    )
    if bench.compiled.image is None:
        return from_compile(request.source, bench.compiled, **bench.common()), {}
    test = _write_test(bench.test, make_job, bench.dut.interface, waves=request.waves)
    nonce = secrets.token_hex(16)
    patience = patient_cocotb(bench, dut, _job(request, bench, test, nonce), request.limits)
    outcome = patience.run()
    told = _told(test / "outcome.json", nonce)
    bench.write_log(outcome.process.output)
    common = bench.common()
    if outcome.process.stopped is not None:
        return patience.explain(request.source, outcome.process, **common), told
    return _judge(request.source, outcome, told, **common), told


def _write_test(
    folder: Path,
    make_job: Callable[[Interface, Path], Job],
    interface: Interface,
    *,
    waves: bool,
) -> Path:
    harness = Path(__file__).with_name("harness")
    target = folder / "rtl_harness"
    target.mkdir(parents=True, exist_ok=True)
    for module in harness.glob("*.py"):
        shutil.copyfile(module, target / module.name)
    (folder / "test_generated.py").write_text(_TEST, encoding="utf-8")
    # A recording is there to look at the first mismatch; nothing after it is needed.
    job = replace(make_job(interface, folder), stop_at_first=waves)
    job.save(folder / "job.json")
    return folder


def _job(request: GeneratedRun, bench: Bench, test: Path, nonce: str) -> CocotbJob:
    assert bench.compiled.image is not None
    return CocotbJob(
        image=bench.compiled.image,
        top=bench.top,
        module="test_generated",
        folder=test,
        timescale=request.timescale,
        seed=request.seed,
        env={NONCE_VARIABLE: nonce},
        waves=request.waves,
        explain_asserts=False,
    )


def _told(path: Path, nonce: str) -> dict[str, Any]:
    """The harness's outcome; empty unless it is complete and carries this run's nonce."""
    try:
        told = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return {}
    return told if isinstance(told, dict) and told.get("nonce") == nonce else {}


def _judge(  # noqa: PLR0911
    source: CheckSource, outcome: CocotbOutcome, told: dict[str, Any], **common: Any
) -> CheckResult:
    if not told or outcome.tests is None:
        reason = f"the simulator left no results (exit code {outcome.process.exit_code})"
        return result(source, CheckStatus.CRASHED, reason, **common)
    samples, bad = told["samples"], told["mismatches"]
    common |= {"samples": samples, "mismatches": bad}
    if broken := told.get("broken"):
        complaint = f"{place(source, broken['line'])}: {broken['message']}"
        return result(source, CheckStatus.BROKEN, complaint, **common)
    if missing := told.get("pin_error"):
        return result(source, CheckStatus.FAILED, missing, **common)
    if bad:
        first = mismatch(told["first"])
        shortest = mismatch(told["shortest"]) if told.get("shortest") else None
        counts = ", ".join(f"{n} ({c})" for n, c in sorted(told["by_output"].items()))
        reason = f"{bad} of {samples} samples differ; outputs: {counts}"
        common |= {"first_mismatch": first, "shortest": shortest}
        return result(source, CheckStatus.FAILED, reason, **common)
    if told.get("complete") and not samples:
        reason = f"{place(source, 0)}: the check never compares anything"
        return result(source, CheckStatus.BROKEN, reason, **common)
    if outcome.failed or not outcome.tests or not told.get("complete"):
        message = outcome.failed[0].message if outcome.failed else "no test ran"
        reason = f"the design ended the simulation after {samples} samples"
        if ENDED_EARLY not in message:
            reason = f"the run did not complete: {message}"
        return result(source, CheckStatus.FAILED, reason, **common)
    return result(source, CheckStatus.PASSED, f"{samples} samples match", **common)
