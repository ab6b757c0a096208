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
from rtl_agent.tools.checks.types import Check, Dut
from rtl_agent.tools.diagnostic import Diagnostic, Severity
from rtl_agent.tools.errors import CheckUnusable

from .codec import load
from .folder import RunFolder
from .own_again import OwnChecks
from .own_checks import prepare_examples
from .run import Request

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from rtl_agent.agent.proposals.types import Proposer
    from rtl_agent.tools.checks.types import CheckResult

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
    tools = toolbox or _real(request)
    try:
        checks = tools.prepare(request.spec)
    except CheckUnusable as error:
        raise SpecError(error.message, remedy=error.remedy) from error
    found = []
    with tempfile.TemporaryDirectory(prefix="rtl-replay-") as name:
        for number, candidate in enumerate(_candidates(folder)):
            work = Path(name) / str(number)
            files = (folder.absolute(candidate.file),)
            if candidate.proposal:
                own = OwnChecks(folder, candidate, request, tools, proposer)
            else:
                own = None
            found.append(_again(candidate, files, request, checks, tools, work, own))
            tell(found[-1])
    if not found:
        raise UsageError(f"{run}: no design in it was judged", remedy="let the run end first")
    return Replayed(folder.root, request.spec.interface.module, tuple(found))


def _candidates(folder: RunFolder) -> list[CandidateSummary]:
    paths = sorted(folder.root.glob("attempt-*/attempt.json"))
    attempts = [load(path, AttemptSummary) for path in paths]
    return [c for a in attempts for c in a.candidates if c.verdict and c.file and not c.same_as]


def _real(request: Request) -> Toolbox:
    from .toolbox_real import RealToolbox

    return RealToolbox(request.options.sandbox)


def _again(  # noqa: PLR0913 - what a judgement is made of
    candidate: CandidateSummary,
    files: Sequence[Path],
    request: Request,
    checks: Sequence[Check],
    tools: Toolbox,
    work: Path,
    own: OwnChecks | None,
) -> Again:
    for path in files:
        if not path.is_file():
            raise UsageError(f"{path}: the design is gone", remedy="restore the run folder")
    evidence = _evidence(files, request, checks, tools, work)
    if evidence.compiled:
        evidence = _with_examples(evidence, files, request, tools, work)
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


def _evidence(
    files: Sequence[Path],
    request: Request,
    checks: Sequence[Check],
    tools: Toolbox,
    work: Path,
) -> Evidence:
    """All that the tools say now; nothing is run that the loop would not have run."""
    spec, options = request.spec, request.options
    screened = tools.screen(files, spec)
    if _errors(screened):
        return Evidence(has_source=True, screen=screened, user_checks=len(checks))
    lint_folder = work / "lint"
    lint_folder.mkdir(parents=True)
    linted = tools.lint(files, spec, lint_folder)
    results: list[CheckResult] = []
    if linted.compiled:
        dut = Dut((*spec.context, *files), spec.interface, spec.language)
        for number, check in enumerate(checks):
            place = work / f"check-{number}"
            place.mkdir()
            results.append(
                tools.check(check, dut, place, limits=options.check_limits, seed=options.seed)
            )
    return Evidence(
        has_source=True,
        screen=screened,
        compiled=linted.compiled,
        lint=linted.diagnostics,
        user_checks=len(checks),
        user=tuple(results),
    )


def _with_examples(
    evidence: Evidence, files: Sequence[Path], request: Request, tools: Toolbox, work: Path
) -> Evidence:
    """The evidence with that of the examples in the prose of a spec without checks."""
    spec, options = request.spec, request.options
    dut = Dut((*spec.context, *files), spec.interface, spec.language)
    results: list[CheckResult] = []
    for number, check in enumerate(prepare_examples(tools, spec)):
        place = work / f"examples-{number}"
        place.mkdir()
        results.append(
            tools.check(check, dut, place, limits=options.check_limits, seed=options.seed)
        )
    return replace(evidence, examples=tuple(results), example_checks=len(results))


def _errors(found: Sequence[Diagnostic]) -> bool:
    return any(d.severity is Severity.ERROR for d in found)
