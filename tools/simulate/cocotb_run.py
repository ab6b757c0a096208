"""Run cocotb tests on a compiled design, in a sandboxed child process."""

from __future__ import annotations

import json
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from ..process import Limits, ProcessResult, run
from .results import TestCase, read_results

if TYPE_CHECKING:
    from collections.abc import Mapping

    from ..sandbox.base import Sandbox

__all__ = ["CocotbJob", "CocotbOutcome", "run_cocotb"]


@dataclass(frozen=True, slots=True)
class CocotbJob:
    """What to run: the compiled `image`, its top module, and a test module in `folder`."""

    image: Path
    top: str
    module: str
    folder: Path
    timescale: str
    seed: int
    env: Mapping[str, str]
    waves: bool = False
    explain_asserts: bool = True


@dataclass(frozen=True, slots=True)
class CocotbOutcome:
    """How a run ended; `tests` is None when there is no readable results file."""

    process: ProcessResult
    tests: tuple[TestCase, ...] | None

    @property
    def failed(self) -> tuple[TestCase, ...]:
        """The tests that did not pass."""
        return tuple(t for t in self.tests or () if t.outcome == "failed")


def run_cocotb(
    job: CocotbJob, *, workdir: Path, limits: Limits, sandbox: Sandbox | None
) -> CocotbOutcome:
    """Run the tests of `job` and read their results file, which must be written by this run."""
    results = workdir / "results.xml"
    results.unlink(missing_ok=True)
    child = workdir / "cocotb_child.py"
    child.write_text(_child_source(), encoding="utf-8")
    settings = {
        "module": job.module,
        "top": job.top,
        "build_dir": str(job.image.parent),
        "test_dir": str(job.folder),
        "results": str(results),
        "timescale": job.timescale,
        "seed": job.seed,
        "waves": job.waves,
        "env": dict(job.env),
    }
    config = workdir / "run.json"
    config.write_text(json.dumps(settings, indent=1), encoding="utf-8")
    env = {
        # Plugins of whatever else is installed cost seconds and have no say here.
        "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1",
        "COCOTB_REWRITE_ASSERTION_FILES": "*.py" if job.explain_asserts else "",
        "COCOTB_ANSI_OUTPUT": "0",
        "PYTHONPATH": str(job.folder),
        "PYTHONHASHSEED": "0",
    }
    argv = [sys.executable, str(child), str(config)]
    process = run(argv, cwd=workdir, limits=limits, env=env, sandbox=sandbox)
    return CocotbOutcome(process, None if process.stopped else read_results(results))


def _child_source() -> str:
    return Path(__file__).with_name("cocotb_child.py").read_text(encoding="utf-8")
