"""A run folder with the DUT compiled in it: the start of every check under cocotb."""

from __future__ import annotations

import time
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from ..sandbox import best_sandbox
from ..simulate.dump import DUMP_TOP, recorded, write_dump
from ..simulate.icarus import CompileResult, compile_icarus
from .dut_sources import PreparedDut, prepare_dut
from .wrapper import needs_wrapper, write_wrapper

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from ..sandbox import Sandbox
    from .types import Dut, Limits

__all__ = ["Bench", "open_bench"]


@dataclass(frozen=True, slots=True)
class Bench:
    """The folder of one check on one DUT, and what every result of it has in common."""

    folder: Path
    sandbox: Sandbox
    dut: PreparedDut
    files: tuple[Path, ...]
    top: str
    tops: tuple[str, ...]
    timescale: str
    compiled: CompileResult
    started: float
    waves: bool = False

    @property
    def log(self) -> Path:
        """Where everything that the tools print is kept."""
        return self.folder / "simulation.log"

    @property
    def test(self) -> Path:
        """Where the test is, and where the simulation runs."""
        return self.folder / "test"

    def common(self) -> dict[str, Any]:
        """Fields of a `CheckResult` that do not depend on the verdict."""
        return {
            "wave": recorded(self.test) if self.waves else None,
            "log": self.log,
            "sandboxed": self.sandbox.isolates,
            "diagnostics": self.compiled.diagnostics,
            "seconds": time.monotonic() - self.started,
        }

    def write_log(self, text: str) -> None:
        """Keep what the tools printed."""
        self.log.write_text(self.compiled.log + text, encoding="utf-8")

    def compile_with(
        self, extra: Sequence[Path], *, tops: Sequence[str], image: str, limits: Limits
    ) -> CompileResult:
        """Compile the DUT once more, together with `extra`, whose tops are roots as well."""
        return compile_icarus(
            [*self.files, *extra],
            tops=[*self.tops, *tops],
            workdir=self.folder,
            limits=limits,
            sandbox=self.sandbox,
            timescale=self.timescale,
            includes=[self.folder / "src"],
            image=image,
            origin=self.dut.staged.origin,
        )


def open_bench(
    dut: Dut, workdir: Path, *, limits: Limits, timescale: str, waves: bool = False
) -> Bench:
    """Stage and compile `dut` alone, with its own top as root, in `workdir`.

    With `waves` a module that records all signals is compiled beside it.
    """
    started = time.monotonic()
    workdir = workdir.resolve()
    workdir.mkdir(parents=True, exist_ok=True)
    sandbox = best_sandbox(off=limits.unsandboxed)
    sources = workdir / "src"
    prepared = prepare_dut(dut, sources, timescale=timescale)
    files, top = prepared.staged.files, prepared.top
    if needs_wrapper(top):
        top = write_wrapper(prepared.interface, sources)
        files = (*files, sources / f"{top}.v")
    tops: tuple[str, ...] = (top,)
    if waves:
        files, tops = (*files, write_dump(sources, top)), (top, DUMP_TOP)
    compiled = compile_icarus(
        files,
        tops=tops,
        workdir=workdir,
        limits=limits,
        sandbox=sandbox,
        timescale=timescale,
        includes=[sources],
        origin=prepared.staged.origin,
    )
    bench = Bench(workdir, sandbox, prepared, files, top, tops, timescale, compiled, started, waves)
    bench.test.mkdir(exist_ok=True)
    bench.write_log("")
    return bench
