"""Compile a design together with a bench and simulate the two."""

from __future__ import annotations

import time
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from ..parse import parse_files
from ..sandbox import best_sandbox
from ..simulate.icarus import CompileResult, compile_icarus, run_vvp
from ..simulate.sources import stage
from .companions import copy_verilog_companions, home_of

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from pathlib import Path

    from ..process import Limits, ProcessResult
    from .types import CheckSource, Dut

__all__ = ["BenchRun", "run_bench"]


@dataclass(frozen=True, slots=True)
class BenchRun:
    """What came of it; `process` is None when it did not compile.

    `dut_files` maps file names as the simulator prints them to the user's paths, for the
    design's own files. `common` are fields that every result of the run has.
    """

    compiled: CompileResult
    process: ProcessResult | None
    dut_files: Mapping[str, str]
    common: dict[str, Any]


def run_bench(  # noqa: PLR0913
    source: CheckSource,
    dut: Dut,
    *,
    tops: Sequence[str],
    extra: Sequence[Path],
    workdir: Path,
    limits: Limits,
    timescale: str,
) -> BenchRun:
    """Compile and run the bench in `source` with `dut`; `tops` are the bench's top modules."""
    started = time.monotonic()
    workdir = workdir.resolve()
    folder = workdir / "src"
    folder.mkdir(parents=True, exist_ok=True)
    bench = workdir / "bench" / (source.path.name if source.path is not None else "bench.v")
    bench.parent.mkdir(exist_ok=True)
    bench.write_text(source.text, encoding="utf-8")
    ordered = list(parse_files([*extra, *dut.files], language=dut.language).order)
    staged = stage(ordered, folder, timescale=timescale)
    with_bench = stage([bench], folder, timescale=timescale, origins=staged.origins)
    staged.origins[with_bench.files[0].name] = str(source.path or source.origin)
    run_folder = workdir / "run"
    run_folder.mkdir(exist_ok=True)
    home = home_of(source)
    copy_verilog_companions(source.text, home, run_folder)
    if home is not None:
        copy_verilog_companions(source.text, home, folder)
    sandbox = best_sandbox()
    compiled = compile_icarus(
        [*staged.files, *with_bench.files],
        tops=tops,
        workdir=workdir,
        limits=limits,
        sandbox=sandbox,
        timescale=timescale,
        includes=[folder],
        origin=staged.origin,
    )
    log = workdir / "simulation.log"
    process = None
    if compiled.image is not None:
        process = run_vvp(
            compiled.image, workdir=workdir, cwd=run_folder, limits=limits, sandbox=sandbox
        )
    log.write_text(compiled.log + (process.output if process else ""), encoding="utf-8")
    own = {str(path) for path in dut.files}
    names = {str(folder / n): o for n, o in staged.origins.items() if o in own}
    common = {
        "log": log,
        "sandboxed": sandbox.isolates,
        "diagnostics": compiled.diagnostics,
        "seconds": time.monotonic() - started,
    }
    return BenchRun(compiled, process, names, common)
