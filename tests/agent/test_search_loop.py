"""The step of the loop that repairs without a model."""

from __future__ import annotations

import json
import time
from collections import Counter
from typing import TYPE_CHECKING

import pytest
from kill_kit import killed
from loop_kit import (
    BAD_INVERTER,
    GOOD_INVERTER,
    ByPurpose,
    FakeToolbox,
    fenced,
    inverter_spec,
    run_loop,
)
from rtl_agent.agent.graph.diagnosis import diagnose
from rtl_agent.agent.graph.options import SolveOptions
from rtl_agent.agent.graph.run import solve
from rtl_agent.agent.graph.searching import Found, Strength, SuspectLine
from rtl_agent.agent.graph.stop import StopReason
from rtl_agent.agent.styles.embedded import _problem
from rtl_agent.agent.styles.instruct import InstructStyle
from rtl_agent.agent.verdict import Evidence, Verdict
from rtl_agent.tools.checks.types import CheckKind, CheckResult, CheckStatus, Cycle, Mismatch

if TYPE_CHECKING:
    from pathlib import Path

SUSPECTS = (SuspectLine(2, 0.9, "an edit here changes the failure"),)


class FakeSearcher:
    """Gives back what it was made with, and keeps what it was asked."""

    def __init__(self, found=None, log=None, point=lambda name: None) -> None:
        self.found = found
        self.log = log
        self.point = point
        self.asked: list[str] = []
        self.measured = 0

    def search(self, of, job):
        self.point("search")
        self.asked.append(of)
        assert list(job.workdir.iterdir()) == []
        assert job.checks
        assert 0 < job.seconds <= 15
        if self.log:
            with self.log.open("a") as out:
                out.write(f"search {of}\n")
        text = self.found
        return Found(
            of,
            text or "",
            passed=bool(text),
            edits=("line 2: `a` is inverted",) if text else (),
            tried=7,
            seconds=0.1,
            rows=10 if text else 0,
            rivals=1 if text else 0,
            suspects=SUSPECTS,
        )

    def strength(self, job):
        self.point("strength")
        self.measured += 1
        assert "~a" in job.source.read_text()
        assert 0 < job.seconds <= 10
        return Strength(noticed=9, faults=12, seconds=0.2)


def run(out, backend, searcher, **options):
    return solve(
        inverter_spec("one", "two"),
        SolveOptions(out=out, **{"jobs": 1, "probe": False, "attempts": 2, **options}),
        backend,
        InstructStyle(),
        None,
        toolbox=options.pop("toolbox", None) or FakeToolbox(),
        searcher=searcher,
    )


def failing() -> ByPurpose:
    return ByPurpose(draft=fenced(BAD_INVERTER), repair_mismatch=fenced(BAD_INVERTER))


def test_what_the_search_finds_is_judged_and_marked(tmp_path):
    searcher = FakeSearcher(GOOD_INVERTER)
    model = failing()
    result = run(tmp_path, model, searcher, candidates=1)
    assert result.verdict is Verdict.VERIFIED
    assert searcher.asked == ["attempt-01/candidate-0"]
    assert [c[0] for c in model.calls] == ["draft"], "no repair was asked for"
    (attempt,) = result.attempts
    assert [c.by for c in attempt.candidates] == ["", "search"]
    assert "`attempt-01/candidate-1` (repaired by search) verified" in result.report.read_text()
    (note,) = [n for n in result.notes if "search" in n]
    assert note.startswith("repaired by search, not by the model: line 2: `a` is inverted.")
    assert "Behind it stand 2 passed checks (20 samples compared)" in note
    assert "of 12 small faults put into it they notice 9 (mutation score 75%)" in note
    assert "1 other edit passed as well: the checks do not decide between them" in note
    assert note in result.report.read_text()
    assert searcher.measured == 1
    told = result.to_json()["search"]
    assert (told["checks"], told["samples"], told["rivals"]) == (2, 20, 1)
    assert told["mutation_score"] == 0.75
    assert result.timing.search_s >= 0.2
    assert (tmp_path / "inv.v").read_text() == GOOD_INVERTER
    steps = json.loads((result.run / "trajectory.json").read_text())["steps"]
    (step,) = [s for s in steps if s["step"] == "search"]
    assert step["searches"][0]["tried"] == 7
    assert len({s["key"] for s in steps}) == len(steps)


def test_a_search_that_claims_too_much_gains_nothing(tmp_path):
    """Its word counts for nothing: the checks judge what it gives back."""
    searcher = FakeSearcher(BAD_INVERTER.replace("= a", "= a & a"))
    result = run(tmp_path, failing(), searcher, candidates=1)
    assert result.verdict is Verdict.FAILED
    assert result.stop_reason is StopReason.ATTEMPTS


def test_nothing_found_and_the_model_is_asked_as_before(tmp_path):
    searcher = FakeSearcher()
    good = ByPurpose(draft=fenced(BAD_INVERTER), repair_mismatch=fenced(GOOD_INVERTER))
    result = run(tmp_path, good, searcher, candidates=1)
    assert result.verdict is Verdict.VERIFIED
    assert [c[0] for c in good.calls] == ["draft", "repair-mismatch"]
    assert not any("search" in n for n in result.notes)
    told = (result.run / "attempt-01" / "diagnosis.txt").read_text()
    assert "  > 2 | assign y = a;" in told


@pytest.mark.parametrize("options", [{"search_s": 0.0}, {"timeout_s": 4.0}])
def test_no_search_when_off_or_when_no_time_is_left(tmp_path, options):
    searcher = FakeSearcher(GOOD_INVERTER)
    run(tmp_path, failing(), searcher, candidates=1, **options)
    assert searcher.asked == []


def test_no_search_without_checks(tmp_path):
    searcher = FakeSearcher(GOOD_INVERTER)
    broken = fenced("module inv(input a, output y);\n  BROKEN\nendmodule\n")
    model = ByPurpose(draft=broken, repair_compile=broken)
    result = solve(
        inverter_spec(),
        SolveOptions(out=tmp_path, jobs=1, probe=False, attempts=1, candidates=1),
        model,
        InstructStyle(),
        None,
        toolbox=FakeToolbox(),
        searcher=searcher,
    )
    assert searcher.asked == []
    assert result.verdict is Verdict.FAILED


def test_a_search_that_crashes_costs_its_time_only(tmp_path):
    class Crashing(FakeSearcher):
        def search(self, of, job):
            raise RuntimeError("out of ideas")

    result = run(tmp_path, failing(), Crashing(), candidates=1, attempts=1)
    assert result.stop_reason is StopReason.ATTEMPTS
    steps = json.loads((result.run / "trajectory.json").read_text())["steps"]
    (step,) = [s for s in steps if s["step"] == "search"]
    assert "out of ideas" in step["searches"][0]["note"]


def go(out: Path, point, resume: str = ""):
    log = out / "log.txt"
    return solve(
        inverter_spec("one"),
        SolveOptions(
            out=out, jobs=1, probe=False, attempts=2, candidates=1, reuse=False, resume=resume
        ),
        ByPurpose(log, point, draft=fenced(BAD_INVERTER)),
        InstructStyle(),
        None,
        toolbox=FakeToolbox(log, point),
        searcher=FakeSearcher(GOOD_INVERTER, log, point),
        on_event=point,
    )


@pytest.mark.parametrize(
    "stride", [pytest.param(6, id="every-sixth"), pytest.param(1, marks=pytest.mark.slow)]
)
def test_killed_at_any_point_a_run_with_a_search_goes_on(tmp_path, stride):
    whole = tmp_path / "whole"
    whole.mkdir()
    go(whole, lambda _: None)
    wanted = sorted((whole / "log.txt").read_text().splitlines())
    assert "search attempt-01/candidate-0" in wanted
    at = 1 - stride
    while True:
        at += stride
        out = tmp_path / f"killed-{at}"
        out.mkdir()
        if not killed(go, out, at):
            break
        (folder,) = (out / "runs").iterdir()
        result = go(out, lambda _: None, resume=folder.name)
        assert result.verdict is Verdict.VERIFIED, f"killed at point {at}"
        done = Counter((out / "log.txt").read_text().splitlines())
        assert sorted(done) == wanted, f"killed at point {at}"
        assert max(done.values()) == 1, f"killed at point {at}: something was done twice"
        steps = json.loads((folder / "trajectory.json").read_text())["steps"]
        assert len({s["key"] for s in steps}) == len(steps)
    assert at > 40


def test_without_a_searcher_the_loop_is_as_it_was(tmp_path):
    result = run_loop(tmp_path, inverter_spec("one"), failing(), candidates=1, attempts=1)
    assert result.timing.search_s == 0


@pytest.mark.parametrize("window", [True, False])
def test_suspect_lines_leave_the_embedded_prompt_as_it_is(tmp_path, window):
    source = tmp_path / "inv.v"
    source.write_text(BAD_INVERTER)
    cycles = (Cycle(10.0, 1, {"a": "0", "y": "0"}),) if window else ()
    wrong = Mismatch(10.0, 1, {"y": "1"}, {"y": "0"}, {"a": "0"}, cycles)
    result = CheckResult("one", CheckKind.VECTORS, CheckStatus.FAILED, 10, 5, "5 differ", wrong)
    evidence = Evidence(
        has_source=True, screen=(), compiled=True, lint=(), user_checks=1, user=(result,)
    )
    plain = diagnose(source, evidence, inverter_spec("one"))
    told = diagnose(source, evidence, inverter_spec("one"), SUSPECTS)
    assert "  > 2 | assign y = a;" in told
    assert _problem(told) == _problem(plain)
    assert len(told.splitlines()) <= 30


def test_a_score_that_cannot_be_measured_is_said_to_be_missing(tmp_path):
    class Crashing(FakeSearcher):
        def strength(self, job):
            raise RuntimeError("no faults left")

    result = run(tmp_path, failing(), Crashing(GOOD_INVERTER), candidates=1)
    assert result.verdict is Verdict.VERIFIED
    (note,) = [n for n in result.notes if "search" in n]
    assert "their mutation score was not measured: measuring it crashed" in note
    assert result.to_json()["search"]["mutation_score"] is None


def test_nothing_is_measured_of_a_design_that_the_model_made(tmp_path):
    searcher = FakeSearcher(GOOD_INVERTER)
    result = run(tmp_path, ByPurpose(draft=fenced(GOOD_INVERTER)), searcher, candidates=1)
    assert result.verdict is Verdict.VERIFIED
    assert searcher.measured == 0
    assert result.to_json()["search"] is None


@pytest.mark.slow
def test_no_time_left_and_the_score_is_skipped(tmp_path):
    """The searcher leaves less of the budget than a measurement takes."""

    class Slow(FakeSearcher):
        def search(self, of, job):
            time.sleep(4.5)
            return super().search(of, job)

    searcher = Slow(GOOD_INVERTER)
    result = run(tmp_path, failing(), searcher, candidates=1, timeout_s=6.0)
    assert result.verdict is Verdict.VERIFIED
    assert searcher.measured == 0
    (note,) = [n for n in result.notes if "search" in n]
    assert "not measured: the time budget was used up" in note
