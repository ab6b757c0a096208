"""Compile a design together with a bench and simulate the two."""

from __future__ import annotations

import time
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from ..diagnostic import Severity
from ..parse import parse_files
from ..parse.directives import defined_macros
from ..sandbox import best_sandbox
from ..simulate.dump import DUMP_TOP, recorded, write_dump
from ..simulate.heartbeat import HEARTBEAT_SILENCE, HEARTBEAT_TOP, write_heartbeat
from ..simulate.icarus import CompileResult, compile_icarus, run_vvp
from ..simulate.sources import Staged, stage
from .companions import copy_verilog_companions, home_of

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from pathlib import Path

    from ..process import Limits, ProcessResult, Silence
    from ..sandbox import Sandbox
    from .types import CheckSource, Dut

__all__ = ["BenchBuild", "BenchSetup", "build_bench"]


@dataclass(frozen=True, slots=True)
class BenchSetup:
    """A bench: its check, its top modules, further sources, and the time unit."""

    source: CheckSource
    tops: Sequence[str]
    extra: Sequence[Path]
    timescale: str
    waves: bool = False


@dataclass(frozen=True, slots=True)
class BenchBuild:
    """A design and a bench, compiled in `folder`.

    `dut_files` maps file names as the simulator prints them to the user's paths, for the
    design's own files.
    """

    folder: Path
    setup: BenchSetup
    files: tuple[Path, ...]
    staged: Staged
    sandbox: Sandbox
    compiled: CompileResult
    dut_files: Mapping[str, str]
    started: float

    def simulate(self, limits: Limits) -> ProcessResult:
        """Run the bench; everything printed is kept in the log."""
        process = self._vvp(self.compiled, limits)
        log = self.compiled.log + process.output
        (self.folder / "simulation.log").write_text(log, encoding="utf-8")
        return process

    def probe(self, limits: Limits) -> ProcessResult | None:
        """Run the bench with the heartbeat beside it."""
        beat = write_heartbeat(self.folder)
        compiled = self._compile([beat], [HEARTBEAT_TOP], "probe.vvp", limits)
        if compiled.image is None:
            return None
        return self._vvp(compiled, limits, HEARTBEAT_SILENCE)

    def outside_references(self, top: str, limits: Limits) -> str:
        """What the design needs from outside itself; empty when it elaborates alone.

        A design that reads the bench's reference by its hierarchical name does not.
        """
        own = [path for path in self.files if str(path) in self.dut_files]
        alone = self._elaborate(own, [top], "alone.vvp", limits)
        if alone.ok:
            return ""
        errors = [d for d in alone.diagnostics if d.severity is Severity.ERROR]
        return str(errors[0]) if errors else "it does not compile without the bench"

    def common(self) -> dict[str, Any]:
        """Fields of a `CheckResult` that do not depend on the verdict."""
        return {
            "wave": recorded(self.folder / "run") if self.setup.waves else None,
            "log": self.folder / "simulation.log",
            "sandboxed": self.sandbox.isolates,
            "diagnostics": self.compiled.diagnostics,
            "seconds": time.monotonic() - self.started,
        }

    def _vvp(
        self, compiled: CompileResult, limits: Limits, silence: Silence | None = None
    ) -> ProcessResult:
        assert compiled.image is not None
        run_folder = self.folder / "run"
        return run_vvp(
            compiled.image, workdir=self.folder, cwd=run_folder, limits=limits,
            sandbox=self.sandbox, silence=silence, waves="fst" if self.setup.waves else "none",
        )  # fmt: skip

    def _compile(
        self, extra: Sequence[Path], tops: Sequence[str], image: str, limits: Limits
    ) -> CompileResult:
        return self._elaborate([*self.files, *extra], [*self.setup.tops, *tops], image, limits)

    def _elaborate(
        self, files: Sequence[Path], tops: Sequence[str], image: str, limits: Limits
    ) -> CompileResult:
        return compile_icarus(
            files,
            tops=tops,
            workdir=self.folder,
            limits=limits,
            sandbox=self.sandbox,
            timescale=self.setup.timescale,
            includes=[self.folder / "src"],
            image=image,
            origin=self.staged.origin,
        )


def _macros_of(files: Sequence[Path], language: str) -> frozenset[str]:
    """Names of the macros that the bench's own further sources define."""
    if not files:
        return frozenset()
    model = parse_files(files, language=language)
    texts = (*model.texts.values(), *model.included.values())
    return frozenset(name for text in texts for name in defined_macros(text))


def build_bench(setup: BenchSetup, dut: Dut, workdir: Path, limits: Limits) -> BenchBuild:
    """Stage and compile the bench of `setup` with `dut` in `workdir`."""
    started = time.monotonic()
    workdir = workdir.resolve()
    source, folder = setup.source, workdir / "src"
    folder.mkdir(parents=True, exist_ok=True)
    bench = workdir / "bench" / (source.path.name if source.path is not None else "bench.v")
    bench.parent.mkdir(exist_ok=True)
    bench.write_text(source.text, encoding="utf-8")
    ordered = list(parse_files([*setup.extra, *dut.files], language=dut.language).order)
    # What the design defines must not change what the bench means.
    known = _macros_of(setup.extra, dut.language)
    staged = stage(ordered, folder, timescale=setup.timescale, forget=known)
    of_bench = stage([bench], folder, timescale=setup.timescale, origins=staged.origins)
    staged.origins[of_bench.files[0].name] = str(source.path or source.origin)
    (workdir / "run").mkdir(exist_ok=True)
    for target in (workdir / "run", folder):  # data files, and what the bench includes
        copy_verilog_companions(source.text, home_of(source), target)
    own = {str(path) for path in dut.files}
    names = {str(folder / n): o for n, o in staged.origins.items() if o in own}
    sandbox = best_sandbox(off=limits.unsandboxed)
    files = (*staged.files, *of_bench.files)
    tops = list(setup.tops)
    if setup.waves:
        files, tops = (*files, write_dump(folder, tops[0])), [*tops, DUMP_TOP]
    compiled = compile_icarus(
        files,
        tops=tops,
        workdir=workdir,
        limits=limits,
        sandbox=sandbox,
        timescale=setup.timescale,
        includes=[folder],
        origin=staged.origin,
    )
    (workdir / "simulation.log").write_text(compiled.log, encoding="utf-8")
    return BenchBuild(workdir, setup, files, staged, sandbox, compiled, names, started)
