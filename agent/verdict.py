"""What may be claimed of a candidate, worked out from the evidence and nothing else.

`judge` is pure: the same evidence always gives the same verdict, and a verdict is never higher
than its evidence. A check that did not run, compared nothing, timed out or crashed is no pass.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING

from rtl_agent.tools.checks.types import CheckStatus
from rtl_agent.tools.diagnostic import Diagnostic, Severity

if TYPE_CHECKING:
    from collections.abc import Sequence

    from rtl_agent.tools.checks.types import CheckResult

__all__ = [
    "LEAST_MUTATION_SCORE",
    "Evidence",
    "FailedAt",
    "Judgement",
    "Verdict",
    "judge",
    "own_checks_passed",
]

# A check of the model's own that misses every second fault says too little to be a claim.
LEAST_MUTATION_SCORE = 0.5


class Verdict(StrEnum):
    """The claim, strongest first."""

    VERIFIED = "verified"
    SELF_CHECKED = "self-checked"
    COMPILES = "compiles"
    FAILED = "failed"

    @property
    def rank(self) -> int:
        """Strength: 0 for `failed` up to 3 for `verified`."""
        return _RANK[self]

    def at_least(self, other: Verdict) -> bool:
        """Whether this claim is as strong as `other`, or stronger."""
        return self.rank >= other.rank


_RANK = {Verdict.FAILED: 0, Verdict.COMPILES: 1, Verdict.SELF_CHECKED: 2, Verdict.VERIFIED: 3}


class FailedAt(StrEnum):
    """The step at which a failed candidate failed; empty for the other verdicts."""

    NOWHERE = ""
    DRAFT = "draft"
    SCREEN = "screen"
    COMPILE = "compile"
    LINT = "lint"
    SIMULATE = "simulate"


@dataclass(frozen=True, slots=True)
class Evidence:
    """All that was found out about one candidate.

    `None` means that the step did not run, which is never the same as "found nothing".
    `user_checks` counts the checks the spec carries; `user` holds their results, `own` those of
    the `own_checks` checks written by the model, with `mutation_score` (0 to 1) for the latter
    once they are `weighed` (None then: there was no fault to inject). `own_note` says why no such
    check judges. `examples` are the results of the `example_checks` tables of examples that were
    read from the prose of a spec without checks: they can refuse a design and lift none.
    """

    has_source: bool
    screen: tuple[Diagnostic, ...] | None = None
    compiled: bool | None = None
    lint: tuple[Diagnostic, ...] | None = None
    user_checks: int = 0
    user: tuple[CheckResult, ...] = ()
    own: tuple[CheckResult, ...] = ()
    mutation_score: float | None = None
    own_checks: int = 0
    weighed: bool = False
    own_note: str = ""
    examples: tuple[CheckResult, ...] = ()
    example_checks: int = 0


@dataclass(frozen=True, slots=True)
class Judgement:
    """A verdict, the step that decided it when it is `failed`, and one sentence why.

    `cause` is the diagnostic that the sentence repeats, with its place, where one is the reason.
    """

    verdict: Verdict
    failed_at: FailedAt
    reason: str
    cause: Diagnostic | None = None


def judge(evidence: Evidence) -> Judgement:
    """Tell what may be claimed on this evidence."""
    return (
        _without_source(evidence)
        or _screened_out(evidence)
        or _not_compiled(evidence)
        or _by_user_checks(evidence)
        or _lint_errors(evidence)
        or _by_examples(evidence)
        or _by_own_checks(evidence)
        or _compiles("; ".join(_why_no_more(evidence)) or "nothing was simulated")
    )


def own_checks_passed(evidence: Evidence) -> bool:
    """Whether every check of the model's own ran and passed; False where there is none."""
    own = evidence.own
    return bool(own) and len(own) >= evidence.own_checks and all(r.passed for r in own)


def _compiles(why: str) -> Judgement:
    reason = f"screened, compiled and linted without errors; {why}"
    return Judgement(Verdict.COMPILES, FailedAt.NOWHERE, reason)


def _failed(step: FailedAt, reason: str) -> Judgement:
    return Judgement(Verdict.FAILED, step, reason)


def _without_source(evidence: Evidence) -> Judgement | None:
    if evidence.has_source:
        return None
    return _failed(FailedAt.DRAFT, "the answer contains no Verilog module")


def _screened_out(evidence: Evidence) -> Judgement | None:
    if evidence.screen is None:
        return _failed(FailedAt.SCREEN, "the screen did not run")
    found = _errors(evidence.screen)
    return _failed_by(FailedAt.SCREEN, found) if found else None


def _not_compiled(evidence: Evidence) -> Judgement | None:
    if evidence.compiled:
        return None
    if evidence.compiled is None:
        return _failed(FailedAt.COMPILE, "it was not compiled")
    errors = _errors(evidence.lint or ())
    if not errors:
        return _failed(FailedAt.COMPILE, "it does not compile")
    return _failed_by(FailedAt.COMPILE, errors)


def _lint_errors(evidence: Evidence) -> Judgement | None:
    if evidence.lint is None:
        return _failed(FailedAt.LINT, "lint did not run")
    errors = _errors(evidence.lint)
    return _failed_by(FailedAt.LINT, errors) if errors else None


def _by_user_checks(evidence: Evidence) -> Judgement | None:
    wanted = evidence.user_checks
    if not wanted:
        return None
    bad = next((r for r in evidence.user if not r.passed), None)
    if bad is not None:
        return _failed(FailedAt.SIMULATE, _why(bad))
    ran = len(evidence.user)
    if ran < wanted:
        return _failed(FailedAt.SIMULATE, f"only {ran} of {wanted} checks ran")
    samples = sum(r.samples for r in evidence.user)
    checks = "its check passed" if wanted == 1 else f"all {wanted} checks passed"
    return Judgement(Verdict.VERIFIED, FailedAt.NOWHERE, f"{checks} ({samples} samples compared)")


def _by_examples(evidence: Evidence) -> Judgement | None:
    """A design that contradicts an example of the spec has failed; that we read them is no proof.

    A table that cannot judge was read badly: that is not held against the design.
    """
    bad = next(
        (r for r in evidence.examples if not r.passed and r.status is not CheckStatus.BROKEN), None
    )
    return _failed(FailedAt.SIMULATE, _why(bad)) if bad else None


def _why_no_more(evidence: Evidence) -> list[str]:
    """What keeps a design that compiles from a higher verdict."""
    why = [evidence.own_note] if evidence.own_note else []
    samples = sum(r.samples for r in evidence.examples if r.passed)
    if samples:
        many = f"{samples} sample{'s' * (samples != 1)}"
        why.append(f"it agrees with the examples in the text ({many}), too few to count")
    elif evidence.example_checks:
        why.append("the examples in the text could not be run")
    return why


def _by_own_checks(evidence: Evidence) -> Judgement | None:
    if not evidence.own:
        return None
    bad = next((r for r in evidence.own if not r.passed), None)
    if bad is not None:
        return _failed(FailedAt.SIMULATE, _why(bad))
    if not own_checks_passed(evidence):
        return _compiles("not every generated check ran")
    if evidence.mutation_score is None:
        # Without the score nobody can tell what these checks are worth: they lift nothing.
        why = "no fault could be injected" if evidence.weighed else "it was not measured"
        return _compiles(f"generated checks passed, without a mutation score ({why})")
    score = f"mutation score {evidence.mutation_score:.0%}"
    if evidence.mutation_score < LEAST_MUTATION_SCORE:
        return _compiles(
            f"generated checks passed, but notice too few faults ({score}, "
            f"{LEAST_MUTATION_SCORE:.0%} needed)"
        )
    samples = sum(r.samples for r in evidence.own)
    return Judgement(
        Verdict.SELF_CHECKED,
        FailedAt.NOWHERE,
        f"generated checks passed ({samples} samples compared, {score})",
    )


def _why(result: CheckResult) -> str:
    reason = result.reason or (
        "no sample was compared" if result.samples == 0 else f"it ended as {result.status}"
    )
    return f"check {result.name}: {reason}"


def _errors(found: Sequence[Diagnostic]) -> list[Diagnostic]:
    return [d for d in found if d.severity is Severity.ERROR]


def _failed_by(step: FailedAt, found: Sequence[Diagnostic]) -> Judgement:
    """Failed for the first of these errors."""
    cause = found[0]
    more = f" (and {len(found) - 1} more)" if len(found) > 1 else ""
    place = f"line {cause.line}: " if cause.line else ""
    return Judgement(Verdict.FAILED, step, f"{place}{cause.message}{more}", cause)
