"""The live view, the plain lines, and the last panel."""

from __future__ import annotations

import io
from dataclasses import replace
from pathlib import Path

import pytest
from rich.console import Console
from rtl_agent.agent.cli import views
from rtl_agent.agent.cli.lines import event_line
from rtl_agent.agent.cli.live import LiveView, RunState
from rtl_agent.agent.cli.outcome import exit_code, summary_line
from rtl_agent.agent.cli.panel import result_panel
from rtl_agent.agent.cli.views import EventsView, PlainView, make_view
from rtl_agent.agent.errors import ExitCode
from rtl_agent.agent.graph import events
from rtl_agent.agent.graph.options import SolveOptions
from rtl_agent.agent.graph.stop import StopReason
from rtl_agent.agent.report.result import AttemptSummary, SolveResult
from rtl_agent.agent.spec.read import read_spec_text
from rtl_agent.agent.verdict import Verdict
from rtl_agent.tools.checks.types import CheckKind, CheckResult, CheckStatus

SPEC = read_spec_text("Module: adder\n\n- input `a`\n- output `y`\n", name="adder.md")
OPTIONS = SolveOptions(out=Path("out"), attempts=3)


def result(**changes: object) -> SolveResult:
    values = {
        "spec": "adder.md",
        "module": "adder",
        "verdict": Verdict.VERIFIED,
        "reason": "all 1 check passed",
        "stop_reason": StopReason.REACHED,
        "required": Verdict.VERIFIED,
        "rtl": Path("out/adder.v"),
        "run": Path("out/runs/r1"),
        "report": Path("out/adder.report.md"),
        "checks": (CheckResult("table", CheckKind.VECTORS, CheckStatus.PASSED, 8, 0, ""),),
        "notes": ("something to know",),
    }
    return SolveResult(**{**values, **changes})


def drawn(renderable: object) -> str:
    console = Console(file=io.StringIO(), width=110, force_terminal=True, color_system=None)
    console.print(renderable)
    return str(console.file.getvalue())


def test_the_picture_shows_draft_step_and_candidates() -> None:
    state = RunState(SPEC, OPTIONS)
    for event in (
        events.RunStarted("r1", Path("r1"), "adder.md", "adder"),
        events.StepStarted("draft", 1),
        events.Retrieved(("half_adder",)),
        events.AnswersStarted(1, "draft", 0, 2, 0.7),
        events.DraftText(1, 0, "module adder(\n"),
        events.DraftText(1, 1, "module other(\n"),
        events.DraftText(1, 0, "  input a"),
    ):
        state.take(event)
    text = drawn(state)
    for part in (
        "adder",
        "draft",
        "attempt 1/3",
        "half_adder",
        "candidate 0 and 1 more",
        "input a",
    ):
        assert part in text
    state.take(events.CandidateJudged(1, 0, "failed", "compile", "line 3: syntax error"))
    state.take(events.AnswersStarted(2, "repair-compile", 0, 1, 0.7))
    text = drawn(state)
    assert "1.0  failed  line 3: syntax error" in text
    assert "module adder(" not in text  # the old draft is gone when new answers are asked for


def test_only_the_end_of_a_long_draft_is_shown() -> None:
    state = RunState(SPEC, OPTIONS)
    state.take(events.DraftText(1, 0, "\n".join(f"line {n};" for n in range(100))))
    text = drawn(state)
    assert "line 99;" in text
    assert "line 50;" not in text


def test_the_last_panel_has_verdict_evidence_and_places() -> None:
    text = drawn(result_panel(result()))
    for part in (
        "verified",
        "table: passed, 8 samples",
        "out/adder.v",
        "out/adder.report.md",
        "out/runs/r1",
        "note: something to know",
    ):
        assert part in text


def test_the_last_panel_says_why_it_failed() -> None:
    failed = result(
        verdict=Verdict.FAILED, reason="y is 1, 0 expected", stop_reason=StopReason.TIME
    )
    text = drawn(result_panel(failed))
    assert "y is 1, 0 expected" in text
    assert StopReason.TIME.sentence in text


def test_the_live_view_leaves_a_panel_and_puts_results_on_standard_output(
    capsys: pytest.CaptureFixture[str],
) -> None:
    console = Console(file=io.StringIO(), width=100, force_terminal=True)
    view = LiveView(as_json=False, console=console)
    view.begin(SPEC, OPTIONS)
    view.event(events.StepStarted("draft", 1))
    view.end(result())
    view.finish([result()])
    view.close()
    assert "verified" in console.file.getvalue()
    assert capsys.readouterr().out.startswith("verified")


def test_the_live_view_is_for_terminals_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    assert isinstance(make_view(events=False, as_json=False, quiet=False), PlainView)
    monkeypatch.setattr(views.sys.stderr, "isatty", lambda: True, raising=False)
    monkeypatch.setenv("TERM", "xterm")
    assert isinstance(make_view(events=False, as_json=False, quiet=False), LiveView)
    assert isinstance(make_view(events=False, as_json=False, quiet=True), PlainView)
    assert isinstance(make_view(events=True, as_json=False, quiet=False), EventsView)
    monkeypatch.setenv("TERM", "dumb")
    assert isinstance(make_view(events=False, as_json=False, quiet=False), PlainView)


LINES = {
    "working on adder (adder.md), run r1": events.RunStarted("r1", Path("r"), "adder.md", "adder"),
    "working on adder, run r1": events.RunStarted("r1", Path("r"), "adder", "adder"),
    "  known-good designs, fitted to the spec": events.StepStarted("reuse", 0),
    "  search: small edits of the best candidates": events.StepStarted("search", 1),
    "  nearest known-good design: a, b": events.Retrieved(("a", "b")),
    "  attempt 2: draft, 4 answers": events.AnswersStarted(2, "draft", 0, 4, 0.7),
    "    candidate 1: verified": events.CandidateJudged(1, 1, "verified", "", "fine"),
    "    candidate 1: failed: bad": events.CandidateJudged(1, 1, "failed", "lint", "bad"),
    "    candidate 1: the same as x": events.CandidateJudged(1, 1, "failed", "", "", "x"),
    "  attempt 1: no design in the answers": events.AttemptEnded(1, "draft", "", "failed", ""),
}


@pytest.mark.parametrize("line", LINES)
def test_events_in_words(line: str) -> None:
    assert event_line(LINES[line]) == line


def test_small_events_have_no_line() -> None:
    assert event_line(events.StepStarted("lint", 1)) == ""
    spoken = events.CandidateJudged(
        1, 0, "failed", "check t", "full with 4 words\nassert 1 == 0", ""
    )
    assert event_line(spoken) == "    candidate 0: failed: full with 4 words"
    assert event_line(events.DraftText(1, 0, "x")) == ""


def test_a_result_in_one_line() -> None:
    assert summary_line(result()).startswith("verified     adder  out/adder.v  (0 attempts")
    failed = result(verdict=Verdict.FAILED, stop_reason=StopReason.ATTEMPTS, rtl=None, reason="no")
    assert summary_line(failed).splitlines() == [
        "failed       adder  no design  (0 attempts, 0.0 s)",
        "  no",
    ]
    spoken = summary_line(result(verdict=Verdict.FAILED, reason="after 1 step\nassert 2 == 1"))
    assert spoken.splitlines()[1:] == ["  after 1 step", "  assert 2 == 1"]


def test_the_picture_names_a_design_without_a_spec_once() -> None:
    bare = replace(SPEC, name="adder", path=None)
    assert drawn(RunState(bare, OPTIONS)).count("adder") == 1


def test_how_a_design_came_about_in_a_few_words() -> None:
    given = AttemptSummary(1, "given", "c", "verified", "fine")
    assert "out/adder.v  (0.0 s)" in summary_line(result(made_by="given", attempts=(given,)))
    assert "repaired by search" in summary_line(result(made_by="search"))
    short = summary_line(result(made_by="search", verdict=Verdict.FAILED))
    assert "edited by search" in short  # it did not repair
    assert "repaired" not in short


SHORT = {"verdict": Verdict.FAILED}


@pytest.mark.parametrize(
    ("stops", "code"),
    [
        ([StopReason.REACHED], ExitCode.REACHED),
        ([StopReason.REACHED, StopReason.ATTEMPTS], ExitCode.NOT_REACHED),
        ([StopReason.TIME, StopReason.REACHED], ExitCode.BUDGET),
        ([StopReason.TIME, StopReason.ATTEMPTS], ExitCode.NOT_REACHED),
        ([StopReason.CHECK_BROKEN, StopReason.ATTEMPTS], ExitCode.USAGE),
    ],
)
def test_the_exit_code_over_several_results(stops: list[StopReason], code: ExitCode) -> None:
    results = [
        result(stop_reason=stop, **({} if stop is StopReason.REACHED else SHORT)) for stop in stops
    ]
    assert exit_code(results) is code
