"""The report says what stands behind a verdict, and never sounds better than it."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from pathlib import Path

import pytest
from loop_kit import BAD_INVERTER, GOOD_INVERTER, ByPurpose, fenced, inverter_spec, run_loop
from rtl_agent.agent.errors import ExitCode
from rtl_agent.agent.graph.options import SolveOptions
from rtl_agent.agent.graph.stop import StopReason
from rtl_agent.agent.report.located import located_reason
from rtl_agent.agent.report.markdown import report_markdown
from rtl_agent.agent.report.result import Decoding, SolveResult, results_json
from rtl_agent.agent.verdict import Verdict
from rtl_agent.tools.checks.types import CheckKind, CheckResult, CheckStatus, Cycle, Mismatch
from rtl_agent.tools.diagnostic import Diagnostic, Severity

WRONG = Mismatch(5.0, 1, {"y": "1"}, {"y": "0"}, {"a": "0"}, (Cycle(5.0, 1, {"y": "0"}),))
FAILED_CHECK = CheckResult(
    "t", CheckKind.VECTORS, CheckStatus.FAILED, 10, 5, "5 differ | `y`", WRONG, sandboxed=False
)


def result(**changes: object) -> SolveResult:
    base = SolveResult(
        spec="inv.md",
        module="inv",
        verdict=Verdict.FAILED,
        reason="check t: 5 differ",
        stop_reason=StopReason.ATTEMPTS,
        required=Verdict.VERIFIED,
        rtl=Path("/out/inv.v"),
        run=Path("/out/runs/r1"),
        report=Path("/out/inv.report.md"),
        checks=(FAILED_CHECK,),
    )
    return replace(base, **changes)


def report(outcome: SolveResult, **options: object) -> str:
    return report_markdown(outcome, inverter_spec("t"), SolveOptions(out=Path("/out"), **options))


def test_a_failure_says_so_first():
    text = report(result())
    assert text.startswith("# inv: failed\n")
    assert "**not** shown to do what the spec asks" in text
    assert "required verdict: verified (not reached)" in text
    assert "(`attempts`)" in text


def test_tables_survive_bars_and_backticks_in_messages():
    text = report(result())
    assert "| t | vectors | **failed** | 10 | 5 | 5 differ \\| 'y' |" in text


def test_compiles_says_that_nothing_was_simulated():
    text = report(result(verdict=Verdict.COMPILES, checks=(), required=Verdict.COMPILES))
    assert "**nothing was simulated**" in text
    assert "No check ran on this design." in text


def test_many_diagnostics_are_counted_and_not_listed_for_ever():
    found = Diagnostic("inv.v", 1, 2, Severity.WARNING, "latch", "a\nlatch", "", "verilator")
    text = report(result(diagnostics=tuple(replace(found, line=i) for i in range(25))))
    assert text.count("[latch]") == 20
    assert "and 5 more" in text
    assert "`inv.v:3:2: warning: a latch [latch]`" in text


@pytest.mark.parametrize(
    ("stop", "option"),
    [
        (StopReason.ATTEMPTS, "--attempts 8"),
        (StopReason.TIME, "--timeout 20"),
        (StopReason.TOKENS, "--max-tokens 10"),
    ],
)
def test_a_run_that_a_budget_ended_says_how_to_go_on(tmp_path, stop, option):
    outcome = run_loop(tmp_path, inverter_spec("t"), ByPurpose(draft=fenced(GOOD_INVERTER)))
    text = report(replace(outcome, stop_reason=stop), timeout_s=10.0, max_tokens=5)
    assert f"--resume {outcome.run_id} {option}" in text


def test_library_and_cost_of_a_real_run(tmp_path):
    backend = ByPurpose(draft=fenced(BAD_INVERTER), repair_mismatch=fenced(GOOD_INVERTER))
    outcome = run_loop(tmp_path, inverter_spec("t"), backend, candidates=2)
    text = outcome.report.read_text()
    assert "1. draft: best is failed (check t: 5 of 10 samples differ)" in text
    assert "2. repair: best is verified" in text
    assert "same design as attempt-01/candidate-0" in text
    assert "Model `by-purpose` (plain): 3 answers, 150 prompt and 30 new tokens" in text
    assert "2.00 tokens a pass" in text
    assert "rtl-agent solve spec.md" in text
    assert "--no-" not in text
    off = run_loop(tmp_path, inverter_spec("t"), backend, candidates=2, library=False)
    assert "the library was turned off" in off.report.read_text()
    assert re.search(r"rtl-agent solve .* --seed 0 --no-library$", off.report.read_text(), re.M)


def test_json_is_one_object_with_every_field_plain():
    text = json.dumps(results_json([result(), result(rtl=None, verdict=Verdict.VERIFIED)]))
    parsed = json.loads(text)
    assert parsed["schema_version"] == 1
    first, second = parsed["results"]
    assert first["verdict"] == "failed"
    assert first["checks"][0]["first_mismatch"]["window"][0]["values"] == {"y": "0"}
    assert first["checks"][0]["passed"] is False
    assert first["checks"][0]["sandboxed"] is False
    assert second["rtl"] is None


@pytest.mark.parametrize(
    ("verdict", "stop", "code"),
    [
        (Verdict.VERIFIED, StopReason.REACHED, ExitCode.REACHED),
        (Verdict.FAILED, StopReason.ATTEMPTS, ExitCode.NOT_REACHED),
        (Verdict.FAILED, StopReason.STALLED, ExitCode.NOT_REACHED),
        (Verdict.FAILED, StopReason.NO_RTL, ExitCode.NOT_REACHED),
        (Verdict.FAILED, StopReason.JUDGED, ExitCode.NOT_REACHED),
        (Verdict.FAILED, StopReason.TIME, ExitCode.BUDGET),
        (Verdict.FAILED, StopReason.TOKENS, ExitCode.BUDGET),
        (Verdict.FAILED, StopReason.CHECK_BROKEN, ExitCode.USAGE),
        # A budget that ends the run after the verdict was reached changes nothing.
        (Verdict.VERIFIED, StopReason.TIME, ExitCode.REACHED),
    ],
)
def test_exit_codes(verdict, stop, code):
    assert result(verdict=verdict, stop_reason=stop).exit_code is code


def test_a_given_design_has_the_file_of_its_fault_in_the_reason():
    cause = Diagnostic("a.v", 3, 1, Severity.ERROR, "syntax", "wrong", "", "iverilog")
    outcome = result(reason="line 3: wrong (and 1 more)", cause=cause)
    assert located_reason(outcome) == "a.v:3: wrong (and 1 more)"
    whole = replace(outcome, reason="wrong", cause=replace(cause, line=0))
    assert located_reason(whole) == "a.v: wrong"
    nowhere = replace(whole, cause=replace(cause, file="", line=0))
    assert located_reason(nowhere) == "wrong"
    drafted = replace(outcome, decoding=Decoding(backend="local"))
    assert located_reason(drafted) == outcome.reason


def test_a_module_that_is_not_there_may_be_the_wrong_file():
    cause = Diagnostic("a.v", 1, 1, Severity.ERROR, "wrong-top", "found `b`", "", "screen")
    told = located_reason(result(reason="line 1: found `b`", cause=cause))
    assert told.startswith("a.v:1: found `b`; name the file that defines `inv`")


def test_a_reason_that_only_sounds_like_a_diagnostic_gets_no_file():
    error = Diagnostic("a.v", 0, 0, Severity.ERROR, "syntax", "check t", "", "iverilog")
    assert located_reason(result(diagnostics=(error,))) == "check t: 5 differ"
