"""Judges a finished run again, from its folder alone: no model, every verdict anew."""

from __future__ import annotations

import tempfile
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from rtl_agent.agent.errors import SpecError, UsageError
from rtl_agent.agent.report.result import AttemptSummary, CandidateSummary
from rtl_agent.agent.verdict import Evidence, FailedAt
from rtl_agent.agent.verdict import judge as verdict_of
from rtl_agent.tools.diagnostic import Diagnostic, Severity
from rtl_agent.tools.errors import CheckUnusable

from .bench import dut_for, run_each
from .codec import load
from .folder import RunFolder
from .own_again import OwnChecks
from .own_checks import prepare_examples
from .run import Request

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from rtl_agent.agent.proposals.types import Proposer
    from rtl_agent.tools.checks.types import Check

    from .toolbox import Toolbox

__all__ = ["REPLAY_SCHEMA", "Again", "Replayed", "find_run", "rejudge"]

REPLAY_SCHEMA = 1


@dataclass(frozen=True, slots=True)
class Again:
    """One candidate: the verdict the run gave it, and the one it has now.

    `unfinished` says that the run's budget ended before all checks had judged it, so that there
    is no verdict to compare with.
    """

    candidate: str
    recorded: str
    recorded_at: str
    verdict: str
    failed_at: str
    reason: str
    unfinished: bool = False

    @property
    def same(self) -> bool:
        """Whether both verdicts, and the steps at which they failed, agree."""
        return self.unfinished or (self.recorded, self.recorded_at) == (
            self.verdict,
            self.failed_at,
        )


@dataclass(frozen=True, slots=True)
class Replayed:
    """The outcome for a run."""

    run: Path
    module: str
    candidates: tuple[Again, ...]

    @property
    def same(self) -> bool:
        """Whether every verdict came out as it was recorded."""
        return all(c.same for c in self.candidates)

    def to_json(self) -> dict[str, Any]:
        """The object that `replay --json` prints."""
        return {
            "schema_version": REPLAY_SCHEMA,
            "run": str(self.run),
            "module": self.module,
            "same": self.same,
            "candidates": [asdict(c) | {"same": c.same} for c in self.candidates],
        }


def find_run(place: Path) -> Path:
    """The run folder at `place`: itself, or the latest run below an output folder.

    Raises:
        UsageError: there is none.
    """
    if (place / "request.json").is_file():
        return place
    runs = sorted((place / "runs").glob("*/request.json"), key=lambda p: p.parent.name)
    if not runs:
        raise UsageError(
            f"{place}: no run in it", remedy="name the folder of a run: OUT/runs/<run-id>"
        )
    return runs[-1].parent


def rejudge(
    run: Path,
    *,
    toolbox: Toolbox | None = None,
    proposer: Proposer | None = None,
    tell: Callable[[Again], None] = lambda _: None,
) -> Replayed:
    """Screen, compile, lint and check every candidate of `run` again.

    A candidate that repeated an earlier one has its verdict and is passed over. Where the spec has
    no checks, those that the model proposed and the drafts confirmed judge again, and the mutation
    score is measured again with as many faults.

    Raises:
        UsageError: the run has no candidate that was judged.
        OutputError: the run folder is damaged.
        SpecError: a check can no longer be run.
        MissingError: a check that the model wrote may not run here, for want of a sandbox.
    """
    folder = RunFolder(run.resolve())
    request = load(folder.request, Request)
    bench = _Bench.of(request, toolbox or _real(request))
    found = []
    with tempfile.TemporaryDirectory(prefix="rtl-replay-") as name:
        for number, candidate in enumerate(_candidates(folder)):
            files = (folder.absolute(candidate.file),)
            own = None
            if candidate.proposal:
                own = OwnChecks(folder, candidate, request, bench.tools, proposer)
            found.append(_again(candidate, files, bench, Path(name) / str(number), own))
            tell(found[-1])
    if not found:
        raise UsageError(f"{run}: no design in it was judged", remedy="let the run end first")
    return Replayed(folder.root, request.spec.interface.module, tuple(found))


@dataclass(frozen=True, slots=True)
class _Bench:
    """What every candidate of a run is judged with; made ready once."""

    request: Request
    tools: Toolbox
    checks: tuple[Check, ...]
    examples: tuple[Check, ...]  # in the prose of a spec without checks

    @classmethod
    def of(cls, request: Request, tools: Toolbox) -> _Bench:
        try:
            checks = tools.prepare(request.spec)
        except CheckUnusable as error:
            raise SpecError(error.message, remedy=error.remedy) from error
        return cls(request, tools, checks, prepare_examples(tools, request.spec))


def _candidates(folder: RunFolder) -> list[CandidateSummary]:
    paths = sorted(folder.root.glob("attempt-*/attempt.json"))
    attempts = [load(path, AttemptSummary) for path in paths]
    return [c for a in attempts for c in a.candidates if c.verdict and c.file and not c.same_as]


def _real(request: Request) -> Toolbox:
    from .toolbox_real import RealToolbox

    return RealToolbox(request.options.sandbox)


def _again(
    candidate: CandidateSummary,
    files: Sequence[Path],
    bench: _Bench,
    work: Path,
    own: OwnChecks | None,
) -> Again:
    for path in files:
        if not path.is_file():
            raise UsageError(f"{path}: the design is gone", remedy="restore the run folder")
    evidence = _evidence(files, bench, work)
    if own is not None and evidence.compiled:
        evidence = own.add(evidence, files, work)
    judgement = verdict_of(evidence)
    return Again(
        candidate.id,
        candidate.verdict,
        candidate.failed_at,
        judgement.verdict.value,
        judgement.failed_at.value,
        judgement.reason,
        unfinished=candidate.failed_at == FailedAt.SIMULATE.value
        and candidate.reason.startswith("only "),
    )


def _evidence(files: Sequence[Path], bench: _Bench, work: Path) -> Evidence:
    """All that the tools say now; nothing is run that the loop would not have run."""
    spec, options, tools = bench.request.spec, bench.request.options, bench.tools
    screened = tools.screen(files, spec)
    found = Evidence(has_source=True, screen=screened, user_checks=len(bench.checks))
    if _errors(screened):
        return found
    lint_folder = work / "lint"
    lint_folder.mkdir(parents=True)
    linted = tools.lint(files, spec, lint_folder)
    found = replace(found, compiled=linted.compiled, lint=linted.diagnostics)
    if not linted.compiled:
        return found
    dut = dut_for(spec, files)
    return replace(
        found,
        user=run_each(bench.checks, dut, tools, options, work / "check"),
        examples=run_each(bench.examples, dut, tools, options, work / "examples"),
        example_checks=len(bench.examples),
    )


def _errors(found: Sequence[Diagnostic]) -> bool:
    return any(d.severity is Severity.ERROR for d in found)
