"""No verdict is higher than its evidence: each gap in it is tried in turn."""

from __future__ import annotations

from dataclasses import replace

import pytest
from rtl_agent.agent.verdict import (
    LEAST_MUTATION_SCORE,
    Evidence,
    FailedAt,
    Verdict,
    judge,
    own_checks_passed,
)
from rtl_agent.tools.checks.types import CheckKind, CheckResult, CheckStatus
from rtl_agent.tools.diagnostic import Diagnostic, Severity

PASSED = CheckResult("t", CheckKind.VECTORS, CheckStatus.PASSED, 100, 0, "100 samples match")
COMPILED = Evidence(has_source=True, screen=(), compiled=True, lint=())
VERIFIED = replace(COMPILED, user_checks=1, user=(PASSED,))


def found(severity: Severity, message: str = "something") -> Diagnostic:
    return Diagnostic("a.v", 3, 1, severity, "code", message, "", "tool")


def test_all_of_it_is_verified():
    assert judge(VERIFIED).verdict is Verdict.VERIFIED
    assert "100 samples" in judge(VERIFIED).reason


@pytest.mark.parametrize("status", [s for s in CheckStatus if s is not CheckStatus.PASSED])
def test_a_check_that_did_not_pass_is_a_failure(status):
    bad = replace(PASSED, status=status, reason="")
    judged = judge(replace(VERIFIED, user=(bad,)))
    assert (judged.verdict, judged.failed_at) == (Verdict.FAILED, FailedAt.SIMULATE)
    assert str(status) in judged.reason


def test_a_pass_that_compared_nothing_is_a_failure():
    judged = judge(replace(VERIFIED, user=(replace(PASSED, samples=0, reason=""),)))
    assert judged.verdict is Verdict.FAILED
    assert "no sample" in judged.reason


def test_one_check_of_two_that_ran_is_a_failure():
    judged = judge(replace(VERIFIED, user_checks=2))
    assert judged.verdict is Verdict.FAILED
    assert "only 1 of 2 checks ran" in judged.reason


def test_one_bad_check_among_good_ones_is_a_failure():
    bad = replace(PASSED, name="other", status=CheckStatus.FAILED, reason="3 samples differ")
    judged = judge(replace(VERIFIED, user_checks=2, user=(PASSED, bad)))
    assert judged.verdict is Verdict.FAILED
    assert judged.reason == "check other: 3 samples differ"


@pytest.mark.parametrize(
    ("change", "step"),
    [
        ({"has_source": False}, FailedAt.DRAFT),
        ({"screen": None}, FailedAt.SCREEN),
        ({"screen": (found(Severity.ERROR),)}, FailedAt.SCREEN),
        ({"compiled": None}, FailedAt.COMPILE),
        ({"compiled": False}, FailedAt.COMPILE),
    ],
)
def test_checks_cannot_save_what_earlier_steps_did_not_clear(change, step):
    judged = judge(replace(VERIFIED, **change))
    assert (judged.verdict, judged.failed_at) == (Verdict.FAILED, step)


def test_lint_errors_do_not_outweigh_checks_but_block_a_bare_claim():
    errors = (found(Severity.ERROR, "latch inferred"),)
    assert judge(replace(VERIFIED, lint=errors)).verdict is Verdict.VERIFIED
    bare = judge(replace(COMPILED, lint=errors))
    assert (bare.verdict, bare.failed_at) == (Verdict.FAILED, FailedAt.LINT)
    assert "latch inferred" in bare.reason


def test_warnings_and_notes_block_nothing():
    warnings = (found(Severity.WARNING), found(Severity.NOTE))
    assert judge(replace(COMPILED, screen=warnings, lint=warnings)).verdict is Verdict.COMPILES


def test_without_checks_nothing_above_compiles():
    judged = judge(COMPILED)
    assert judged.verdict is Verdict.COMPILES
    assert "nothing was simulated" in judged.reason


def test_without_lint_there_is_no_claim():
    assert judge(replace(COMPILED, lint=None)).verdict is Verdict.FAILED


def test_own_checks_make_self_checked_only_with_a_mutation_score():
    own = replace(COMPILED, own=(PASSED,))
    assert judge(own).verdict is Verdict.COMPILES
    judged = judge(replace(own, mutation_score=0.82))
    assert judged.verdict is Verdict.SELF_CHECKED
    assert "82%" in judged.reason


@pytest.mark.parametrize("score", [None, 0.0, LEAST_MUTATION_SCORE - 0.01])
def test_own_checks_that_notice_too_little_lift_nothing(score):
    judged = judge(
        replace(COMPILED, own=(PASSED,), own_checks=1, weighed=True, mutation_score=score)
    )
    assert judged.verdict is Verdict.COMPILES
    assert ("too few faults" in judged.reason) == (score is not None)
    least = replace(COMPILED, own=(PASSED,), mutation_score=LEAST_MUTATION_SCORE)
    assert judge(least).verdict is Verdict.SELF_CHECKED


def test_own_checks_of_which_one_did_not_run_lift_nothing():
    judged = judge(replace(COMPILED, own=(PASSED,), own_checks=2, mutation_score=1.0))
    assert judged.verdict is Verdict.COMPILES
    assert not own_checks_passed(COMPILED)


def test_why_no_own_check_counts_is_said():
    judged = judge(replace(COMPILED, own_note="most drafts contradict it"))
    assert judged.reason.endswith("most drafts contradict it")


def test_own_checks_never_make_verified_nor_save_a_failed_user_check():
    bad = replace(PASSED, status=CheckStatus.FAILED, reason="wrong")
    both = replace(VERIFIED, user=(bad,), own=(PASSED,), mutation_score=1.0)
    assert judge(both).verdict is Verdict.FAILED
    failing_own = replace(COMPILED, own=(bad,), mutation_score=1.0)
    assert judge(failing_own).verdict is Verdict.FAILED


def test_order_of_verdicts():
    assert Verdict.VERIFIED.at_least(Verdict.SELF_CHECKED)
    assert Verdict.SELF_CHECKED.at_least(Verdict.COMPILES)
    assert not Verdict.FAILED.at_least(Verdict.COMPILES)
    assert Verdict.FAILED.at_least(Verdict.FAILED)


def test_the_diagnostic_that_is_the_reason_is_kept_with_its_place():
    warning, first = found(Severity.WARNING, "odd"), found(Severity.ERROR, "wrong")
    errors = (warning, first, replace(first, line=9))
    for change in ({"screen": errors}, {"compiled": False, "lint": errors}, {"lint": errors}):
        judged = judge(replace(COMPILED, **change))
        assert judged.reason == "line 3: wrong (and 1 more)"
        assert judged.cause is first
    bad = replace(PASSED, status=CheckStatus.FAILED, reason="wrong")
    assert judge(replace(VERIFIED, user=(bad,), lint=errors)).cause is None
    assert judge(replace(COMPILED, compiled=False)).cause is None
