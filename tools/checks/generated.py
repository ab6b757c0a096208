"""Run a generated cocotb test (the harness) on a DUT and read its outcome."""

from __future__ import annotations

import json
import secrets
import shutil
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ..simulate.cocotb_run import CocotbJob, CocotbOutcome
from .cocotb_bench import patient_cocotb
from .harness.job import NONCE_VARIABLE, Job
from .prepared import Bench, open_bench
from .types import CheckStatus
from .verdict import from_compile, from_outcome, result

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
    """What is needed beside the DUT: the check, its timescale, the seed and the limits.

    With `waves` signals are recorded, with `keep` the outcome has stimulus and expectation.
    """

    source: CheckSource
    timescale: str
    limits: Limits
    seed: int
    waves: bool = False
    keep: bool = False


def run_generated(
    request: GeneratedRun,
    dut: Dut,
    workdir: Path,
    make_job: Callable[[Interface, Path], Job],
) -> tuple[CheckResult, dict[str, Any]]:
    """Compile `dut`, run the harness on it in `workdir`, judge.

    `make_job` gets the interface that the DUT must have, with resolved widths, and the folder of
    the test, where it may put files.

    Returns:
        The result, and the harness's own outcome (empty when there is none).
    """
    bench = open_bench(
        dut, workdir, limits=request.limits, timescale=request.timescale, waves=request.waves
    )
    if bench.compiled.image is None:
        return from_compile(request.source, bench.compiled, **bench.common()), {}
    test = _write_test(bench.test, make_job, bench.dut.required, request)
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
    request: GeneratedRun,
) -> Path:
    harness = Path(__file__).with_name("harness")
    target = folder / "rtl_harness"
    target.mkdir(parents=True, exist_ok=True)
    for module in harness.glob("*.py"):
        shutil.copyfile(module, target / module.name)
    (folder / "test_generated.py").write_text(_TEST, encoding="utf-8")
    # A recording is there to look at the first mismatch; nothing after it is needed.
    widths = {p.name: p.width for p in interface.ports if isinstance(p.width, int)}
    job = replace(
        make_job(interface, folder), stop_at_first=request.waves, keep=request.keep, widths=widths
    )
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


def _judge(
    source: CheckSource, outcome: CocotbOutcome, told: dict[str, Any], **common: Any
) -> CheckResult:
    if not told or outcome.tests is None:
        reason = f"the simulator left no results (exit code {outcome.process.exit_code})"
        return result(source, CheckStatus.CRASHED, reason, **common)
    judged = from_outcome(source, told, **common)
    if not judged.passed:
        return judged
    if outcome.failed or not outcome.tests:
        message = outcome.failed[0].message if outcome.failed else "no test ran"
        reason = f"the run did not complete: {message}"
        return result(source, CheckStatus.FAILED, reason, samples=judged.samples, **common)
    return judged
