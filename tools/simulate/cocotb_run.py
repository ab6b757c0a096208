"""Run cocotb tests on a compiled design, in a sandboxed child process."""

from __future__ import annotations

import functools
import json
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from ..errors import ToolMissing
from ..process import Limits, ProcessResult, Silence, run
from .results import TestCase, read_results

if TYPE_CHECKING:
    from collections.abc import Mapping

    from ..sandbox.base import Sandbox

__all__ = ["ENDED_EARLY", "CocotbJob", "CocotbOutcome", "run_cocotb"]


# How cocotb words it when the simulation ends under a running test.
ENDED_EARLY = "the simulation ended prematurely"


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
    job: CocotbJob,
    *,
    workdir: Path,
    limits: Limits,
    sandbox: Sandbox | None,
    silence: Silence | None = None,
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
        "LIBPYTHON_LOC": _libpython(),
        "PYTHONHASHSEED": "0",
    }
    argv = [sys.executable, str(child), str(config)]
    process = run(argv, cwd=workdir, limits=limits, env=env, sandbox=sandbox, silence=silence)
    return CocotbOutcome(process, None if process.stopped else read_results(results))


@functools.cache
def _libpython() -> str:
    """The shared library of this Python, which the simulator loads; searching it takes time."""
    import find_libpython

    found = find_libpython.find_libpython()
    if found is None:
        raise ToolMissing(
            "this Python has no shared library (libpython), which cocotb needs",
            remedy="use a Python built with --enable-shared, such as the system's",
        )
    return str(found)


def _child_source() -> str:
    return Path(__file__).with_name("cocotb_child.py").read_text(encoding="utf-8")
