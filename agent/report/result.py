"""The outcome of one spec, as data: what `--json` prints and every front door reads."""

from __future__ import annotations

from dataclasses import asdict, dataclass, field
from typing import TYPE_CHECKING, Any

from rtl_agent.agent.errors import ExitCode

if TYPE_CHECKING:
    from pathlib import Path

    from rtl_agent.agent.graph.stop import StopReason
    from rtl_agent.agent.verdict import Verdict
    from rtl_agent.tools.checks.types import CheckResult, Mismatch
    from rtl_agent.tools.diagnostic import Diagnostic

__all__ = [
    "RESULT_SCHEMA",
    "AttemptSummary",
    "BySearch",
    "CandidateSummary",
    "Decoding",
    "MutationScore",
    "ProposedCheck",
    "SolveResult",
    "Timing",
    "results_json",
]

RESULT_SCHEMA = 1


@dataclass(frozen=True, slots=True)
class CandidateSummary:
    """One candidate of an attempt, with its verdict; `same_as` names an identical earlier one.

    `by` is `search` for a candidate that was repaired without a model. `proposal` is the number of
    the check of the model's own that judged it, 0 where none did.
    """

    id: str
    verdict: str
    failed_at: str
    reason: str
    same_as: str = ""
    file: str = ""
    by: str = ""
    proposal: int = 0


@dataclass(frozen=True, slots=True)
class ProposedCheck:
    """A reference that the model proposed for a spec without checks.

    `status` is `accepted`, `contradicted`, `undecided`, `unusable` or `open`, `reason` says why.
    `files` are where it can be read. `voters` independent drafts, `designs` of them different,
    confirmed `confirmed` of `samples`.
    """

    number: int
    status: str
    reason: str
    files: tuple[str, ...] = ()
    voters: int = 0
    designs: int = 0
    samples: int = 0
    confirmed: int = 0


@dataclass(frozen=True, slots=True)
class MutationScore:
    """What the accepted references noticed of the faults that were put into the best design.

    `score` is None when there was no fault to inject; `cut` tells that time ended it early.
    """

    score: float | None
    noticed: int
    missed: int
    equivalent: int
    tried: int
    cut: bool = False
    survivors: tuple[str, ...] = ()
    note: str = ""


@dataclass(frozen=True, slots=True)
class AttemptSummary:
    """One round of candidates; `best` is a candidate id.

    `phase` is `given`, `reuse`, `draft` or `repair`.
    """

    number: int
    phase: str
    best: str
    verdict: str
    reason: str
    candidates: tuple[CandidateSummary, ...] = ()


@dataclass(frozen=True, slots=True)
class BySearch:
    """What the search changed in a design, and what stands behind the result.

    `passed` is false when it was repaired only so far that it compiles. `checks` counts the
    checks that passed, `samples` what they compared. `rivals` counts other edits that passed as
    well. Of `faults` small faults put into the design, the checks notice `noticed`; with no
    `faults`, `note` says why nothing was measured.
    """

    edits: tuple[str, ...] = ()
    passed: bool = False
    checks: int = 0
    samples: int = 0
    rivals: int = 0
    noticed: int = 0
    faults: int = 0
    note: str = ""
    seconds: float = 0.0

    @property
    def mutation_score(self) -> float | None:
        """Share of the faults that the checks notice, 0 to 1; None when not measured."""
        return self.noticed / self.faults if self.faults else None

    @property
    def sentence(self) -> str:
        """All of it, for people."""
        what = "; ".join(self.edits)
        if not self.passed:
            return f"repaired by search so far that it compiles: {what}"
        many = "s" * (self.checks != 1)
        parts = [
            f"repaired by search, not by the model: {what}. Behind it stand {self.checks} passed "
            f"check{many} ({self.samples} samples compared)"
        ]
        score = self.mutation_score
        if score is not None:
            parts.append(
                f"of {self.faults} small faults put into it they notice {self.noticed} "
                f"(mutation score {score:.0%})"
            )
        elif self.note:
            parts.append(f"their mutation score was not measured: {self.note}")
        if self.rivals:
            more = f"{self.rivals} other edit{'s' * (self.rivals != 1)}"
            parts.append(f"{more} passed as well: the checks do not decide between them")
        return "; ".join(parts)

    def to_json(self) -> dict[str, Any]:
        """The entry `search` of a result."""
        return {**asdict(self), "mutation_score": self.mutation_score}


@dataclass(frozen=True, slots=True)
class Timing:
    """Where the wall time went, in seconds. `loop_s` is all that is neither model nor tool.

    `search_s` is the search for repairs without a model, its own simulations included.
    """

    total_s: float = 0.0
    model_s: float = 0.0
    screen_s: float = 0.0
    lint_s: float = 0.0
    simulate_s: float = 0.0
    loop_s: float = 0.0
    search_s: float = 0.0


@dataclass(frozen=True, slots=True)
class Decoding:
    """What the model did: who it was, in which verification modes, at what cost."""

    backend: str = ""
    modes: tuple[str, ...] = ()
    prompt_tokens: int = 0
    new_tokens: int = 0
    answers: int = 0
    tokens_per_s: float = 0.0
    acceptance_length: float = 0.0


@dataclass(frozen=True, slots=True, kw_only=True)
class SolveResult:
    """How one spec came out.

    `rtl` is the best design in the output folder (None when there was none), `run` the run
    folder. `checks` and `diagnostics` are those of the best candidate. `exemplars` are the
    library designs that were shown to the model, as `(name, origin)`. `made_by` says where the
    design comes from: `model`, `search`, `library` (fitted to the spec) or `given`. `search` is
    what stands behind one from the search. `proposals` are references that the model proposed for a
    spec without checks, `mutation` what the accepted ones notice in this design. `cause` is the
    diagnostic that is the reason, where one is. `files` are all files of a given design.
    """

    spec: str
    module: str
    verdict: Verdict
    reason: str
    stop_reason: StopReason
    required: Verdict
    rtl: Path | None
    run: Path
    report: Path
    attempts: tuple[AttemptSummary, ...] = ()
    checks: tuple[CheckResult, ...] = ()
    diagnostics: tuple[Diagnostic, ...] = ()
    timing: Timing = field(default_factory=Timing)
    decoding: Decoding = field(default_factory=Decoding)
    exemplars: tuple[tuple[str, str], ...] = ()
    notes: tuple[str, ...] = ()
    made_by: str = ""
    search: BySearch | None = None
    proposals: tuple[ProposedCheck, ...] = ()
    mutation: MutationScore | None = None
    cause: Diagnostic | None = None
    files: tuple[Path, ...] = ()

    @property
    def run_id(self) -> str:
        """Name of the run, for `--resume`."""
        return self.run.name

    @property
    def tries(self) -> str:
        """How the design came about, in a few words for people; nothing of one only judged."""
        if self.made_by == "given" and len(self.attempts) == 1:
            return ""
        asked = sum(attempt.number > 0 for attempt in self.attempts)
        attempts = f"{asked} attempt{'' if asked == 1 else 's'}"
        search = "repaired by search" if self.reached else "edited by search"
        how = {"library": "from the library", "search": search}.get(self.made_by, "")
        if not asked and how:
            return how
        return f"{attempts}, {how}" if how else attempts

    @property
    def reached(self) -> bool:
        """Whether the verdict is as strong as was required."""
        return self.verdict.at_least(self.required)

    @property
    def exit_code(self) -> ExitCode:
        """Exit code of a program that solved this one spec."""
        return ExitCode.REACHED if self.reached else self.stop_reason.exit_code

    def to_json(self) -> dict[str, Any]:
        """One entry of `results` in the JSON output."""
        return {
            "spec": self.spec,
            "module": self.module,
            "verdict": str(self.verdict),
            "reason": self.reason,
            "made_by": self.made_by,
            "search": self.search.to_json() if self.search else None,
            "stop_reason": str(self.stop_reason),
            "required": str(self.required),
            "rtl": str(self.rtl) if self.rtl else None,
            "run": str(self.run),
            "report": str(self.report),
            "attempts": [asdict(a) for a in self.attempts],
            "checks": [_check_json(c) for c in self.checks],
            "proposals": [asdict(p) for p in self.proposals],
            "mutation": asdict(self.mutation) if self.mutation else None,
            "diagnostics": [_diagnostic_json(d) for d in self.diagnostics],
            "timing": asdict(self.timing),
            "decoding": asdict(self.decoding),
            "exemplars": [{"name": n, "origin": o} for n, o in self.exemplars],
            "notes": list(self.notes),
        }


def results_json(results: tuple[SolveResult, ...] | list[SolveResult]) -> dict[str, Any]:
    """The one object that `solve --json` and `check --json` print."""
    return {"schema_version": RESULT_SCHEMA, "results": [r.to_json() for r in results]}


def _diagnostic_json(found: Diagnostic) -> dict[str, Any]:
    return {**asdict(found), "severity": str(found.severity)}


def _check_json(result: CheckResult) -> dict[str, Any]:
    return {
        "name": result.name,
        "kind": str(result.kind),
        "status": str(result.status),
        "passed": result.passed,
        "samples": result.samples,
        "mismatches": result.mismatches,
        "reason": result.reason,
        "first_mismatch": _mismatch_json(result.first_mismatch),
        "shortest": _mismatch_json(result.shortest),
        "diagnostics": [_diagnostic_json(d) for d in result.diagnostics],
        "log": str(result.log) if result.log else None,
        "wave": str(result.wave) if result.wave else None,
        "seconds": round(result.seconds, 4),
        "sandboxed": result.sandboxed,
    }


def _mismatch_json(found: Mismatch | None) -> dict[str, Any] | None:
    if found is None:
        return None
    return {
        "time_ns": found.time_ns,
        "cycle": found.cycle,
        "expected": dict(found.expected),
        "actual": dict(found.actual),
        "inputs": dict(found.inputs),
        "window": [
            {"time_ns": c.time_ns, "cycle": c.index, "values": dict(c.values)} for c in found.window
        ],
    }
