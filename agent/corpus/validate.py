"""A corpus design counts only when Icarus compiles it without a word and it equals its model."""

from __future__ import annotations

import re
import tempfile
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from rtl_agent.decoding.training.corpus.bench import vector_bench
from rtl_agent.tools.checks.types import Limits
from rtl_agent.tools.process import run

if TYPE_CHECKING:
    from rtl_agent.decoding.training.corpus.design import Design

__all__ = ["BenchRun", "run_bench", "validate"]

_RESULT = re.compile(r"^RESULT (\d+) (\d+)$", re.MULTILINE)
_MISMATCH = re.compile(r"^MISMATCH .*$", re.MULTILINE)
_LIMITS = Limits(wall_s=10, output_mib=1)


@dataclass(frozen=True, slots=True)
class BenchRun:
    """What a vector bench said of an RTL text."""

    compiled: bool
    clean: bool
    samples: int
    mismatches: int
    message: str

    @property
    def passed(self) -> bool:
        """Whether samples were compared and all were right."""
        return self.compiled and self.samples > 0 and self.mismatches == 0


def run_bench(rtl: str, bench: str) -> BenchRun:
    """Compile `rtl` with `bench` on Icarus and run it; never raises for wrong RTL."""
    with tempfile.TemporaryDirectory(prefix="rtl-bench-") as name:
        folder = Path(name)
        (folder / "dut.v").write_text(rtl, encoding="utf-8")
        (folder / "tb.v").write_text(bench, encoding="utf-8")
        argv = ["iverilog", "-g2005", "-Wall", "-Wno-timescale", "-o", "sim", "dut.v", "tb.v"]
        built = run(argv, cwd=folder, limits=_LIMITS)
        noise = built.stdout + built.stderr
        if built.exit_code != 0:
            return BenchRun(False, False, 0, 0, noise)
        ran = run(["vvp", "-n", "sim"], cwd=folder, limits=_LIMITS)
        found = _RESULT.search(ran.stdout)
        if found is None:
            return BenchRun(True, not noise, 0, 0, noise or ran.stdout[-400:])
        first = _MISMATCH.search(ran.stdout)
        message = first[0] if first else noise
        return BenchRun(True, not noise, int(found[1]), int(found[2]), message)


def validate(design: Design, *, cycles: int = 150, seed: int = 1) -> BenchRun:
    """Run `design` against its own reference model."""
    return run_bench(design.rtl, vector_bench(design, cycles, seed))
