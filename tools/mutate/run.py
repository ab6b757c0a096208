"""Run the checks of a design against its mutants."""

from __future__ import annotations

import shutil
import time
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

from ..checks.replay import replayable
from ..checks.types import CheckStatus, Limits
from ..diagnostic import Severity
from ..parse import effective_language, parse_files
from ..toolchain import YOSYS
from .choose import FAULTS, choose_mutants
from .equivalence import prove_equivalent
from .types import MutantOutcome, MutantStatus, MutationReport

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from ..checks.types import Check, CheckResult, Dut
    from .types import Mutant

__all__ = ["measure"]

# A mutant may take this many times as long as the design itself, and never less than a little.
_PATIENCE = 8.0
_LEAST_WALL_S = 3.0
_NO_PROOF = "Yosys is not installed, so mutants that change nothing count as survivors"


def measure(  # noqa: PLR0913
    checks: Sequence[Check],
    dut: Dut,
    workdir: Path,
    *,
    count: int = 100,
    seed: int = 1,
    jobs: int = 2,
    limits: Limits | None = None,
    operators: frozenset[str] = FAULTS,
    progress: Callable[[int, int], None] | None = None,
    over: Callable[[], bool] | None = None,
) -> MutationReport:
    """Inject `count` faults into `dut`, one at a time, and see which of them `checks` notice.

    The design itself is checked first. Checks that compare with what does not depend on the
    design are then replayed in Verilog alone, which is much faster. Everything happens below
    `workdir`; what survives is kept there. `progress` gets how many mutants are done, of how many.
    Once `over` says so no further mutant is tried; those left out are in no count.

    Raises:
        ToolMissing: Icarus is not installed.
        CheckUnusable: a check cannot run whatever the design is.
        SourceUnreadable: a file of the design cannot be read.
    """
    started = time.monotonic()
    limits = limits or Limits()
    workdir.mkdir(parents=True, exist_ok=True)
    baseline, runners = _baseline(checks, dut, workdir / "design", limits, seed)
    if not baseline or not all(r.passed for r in baseline):
        return MutationReport(baseline, (), seed, time.monotonic() - started)
    mutants = choose_mutants(
        dut.files, count=count, seed=seed, language=dut.language, operators=operators
    )
    included = dict(parse_files(dut.files, language=dut.language).included)
    trial = _Trial(runners, dut, workdir, limits, seed, included)
    outcomes: list[MutantOutcome] = []
    with ThreadPoolExecutor(max_workers=max(jobs, 1)) as pool:
        for outcome in pool.map(trial.unless(over), enumerate(mutants)):
            if outcome is None:
                continue
            outcomes.append(outcome)
            if progress is not None:
                progress(len(outcomes), len(mutants))
    proof = ""
    if any(o.status is MutantStatus.SURVIVED for o in outcomes):
        outcomes, proof = _tell_equivalents(outcomes, dut, workdir / "proofs", jobs)
    return MutationReport(baseline, tuple(outcomes), seed, time.monotonic() - started, proof)


@dataclass(frozen=True, slots=True)
class _Runner:
    """A check in its fastest form, and the wall time that it may take on a mutant."""

    check: Check
    wall_s: float


def _baseline(
    checks: Sequence[Check], dut: Dut, workdir: Path, limits: Limits, seed: int
) -> tuple[tuple[CheckResult, ...], list[_Runner]]:
    """The checks on the design; the runners, quickest first."""
    results: list[CheckResult] = []
    timed: list[tuple[float, _Runner]] = []
    for index, check in enumerate(checks):
        folder = workdir / f"{index:02d}"
        result, fast = replayable(check, dut, folder, limits=limits, seed=seed)
        results.append(result)
        seconds = result.seconds
        if fast is not check:
            seconds = fast.run(
                dut, workdir / f"{index:02d}-again", limits=limits, seed=seed
            ).seconds
        wall = min(limits.wall_s, max(_LEAST_WALL_S, _PATIENCE * seconds))
        timed.append((seconds, _Runner(fast, wall)))
    return tuple(results), [runner for _, runner in sorted(timed, key=lambda item: item[0])]


@dataclass(frozen=True, slots=True)
class _Trial:
    """What is the same for every mutant."""

    runners: list[_Runner]
    dut: Dut
    workdir: Path
    limits: Limits
    seed: int
    included: dict[str, str]

    def unless(
        self, over: Callable[[], bool] | None
    ) -> Callable[[tuple[int, Mutant]], MutantOutcome | None]:
        """`run`, which tries nothing more once `over` says so."""
        return lambda numbered: None if over is not None and over() else self.run(numbered)

    def run(self, numbered: tuple[int, Mutant]) -> MutantOutcome:
        """Run the checks until one notices."""
        index, mutant = numbered
        started = time.monotonic()
        folder = self.workdir / f"mutant-{index:03d}"
        folder.mkdir(parents=True, exist_ok=True)
        changed = folder / mutant.file.name
        changed.write_text(mutant.source, encoding="utf-8")
        self._put_headers(mutant.file.parent, folder)
        files = tuple(changed if p == mutant.file else p for p in self.dut.files)
        dut = replace(self.dut, files=files)
        status, killer = MutantStatus.SURVIVED, None
        for number, runner in enumerate(self.runners):
            limits = replace(self.limits, wall_s=runner.wall_s)
            result = runner.check.run(
                dut, folder / f"check-{number}", limits=limits, seed=self.seed
            )
            if not result.passed:
                status = MutantStatus.INVALID if _rejected(result) else MutantStatus.KILLED
                killer = result
                break
        if status is not MutantStatus.SURVIVED:
            shutil.rmtree(folder, ignore_errors=True)
        seconds = time.monotonic() - started
        if killer is None:
            return MutantOutcome(mutant, status, seconds=seconds)
        return MutantOutcome(mutant, status, killer.name, killer.status, killer.reason, seconds)

    def _put_headers(self, beside: Path, folder: Path) -> None:
        """What the design includes has to stand beside the mutant as well."""
        for name, text in self.included.items():
            path = Path(name)
            if path.is_relative_to(beside.resolve()):
                target = folder / path.relative_to(beside.resolve())
                target.parent.mkdir(parents=True, exist_ok=True)
                target.write_text(text, encoding="utf-8")


def _rejected(result: CheckResult) -> bool:
    """Whether the simulator's compiler refused the mutant: then no check has noticed anything."""
    return (
        result.status is CheckStatus.FAILED
        and not result.samples
        and any(d.severity is Severity.ERROR and d.tool == "icarus" for d in result.diagnostics)
        and not any(d.code == "zero-delay-loop" for d in result.diagnostics)
    )


def _tell_equivalents(
    outcomes: list[MutantOutcome], dut: Dut, workdir: Path, jobs: int
) -> tuple[list[MutantOutcome], str]:
    """Mark those survivors that are proved to do what the design does."""
    if not YOSYS.available():
        return outcomes, _NO_PROOF
    places = [i for i, o in enumerate(outcomes) if o.status is MutantStatus.SURVIVED]
    names = [str(path) for path in dut.files]
    proved = prove_equivalent(
        [outcomes[i].mutant for i in places],
        dut.files,
        top=dut.interface.module,
        workdir=workdir,
        systemverilog=effective_language(names, dut.language).startswith("systemverilog"),
        jobs=jobs,
    )
    for number, place in enumerate(places):
        if number in proved:
            outcomes[place] = replace(outcomes[place], status=MutantStatus.EQUIVALENT)
    return outcomes, "equivalent mutants are proved so by Yosys (induction over registers)"
