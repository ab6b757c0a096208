"""Killed at any point and resumed, a run ends as if it had not been, and judges nothing twice."""

from __future__ import annotations

import json
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
from rtl_agent.agent.errors import OutputError, SpecError, UsageError
from rtl_agent.agent.graph.run import load_request
from rtl_agent.agent.verdict import Verdict

if TYPE_CHECKING:
    from pathlib import Path

_NO_COMPILE = fenced("module inv(input a, output y);\n  BROKEN\nendmodule\n")


def run(out: Path, point, resume: str = ""):
    """Draft (greedy, then two sampled) fails; the repair is right. Every event is a point."""
    log = out / "log.txt"
    backend = ByPurpose(
        log, point, draft=[fenced(BAD_INVERTER), _NO_COMPILE], repair_mismatch=fenced(GOOD_INVERTER)
    )
    return run_loop(
        out,
        inverter_spec("one", "two"),
        backend,
        toolbox=FakeToolbox(log, point),
        on_event=point,
        candidates=3,
        resume=resume,
    )


@pytest.mark.parametrize(
    "stride", [pytest.param(5, id="every-fifth"), pytest.param(1, marks=pytest.mark.slow)]
)
def test_killed_at_every_point_and_resumed(tmp_path, stride):
    whole = tmp_path / "whole"
    whole.mkdir()
    expected = run(whole, lambda _: None)
    wanted = sorted((whole / "log.txt").read_text().splitlines())
    assert len(wanted) == len(set(wanted)) == 13
    at = 1 - stride
    while True:
        at += stride
        out = tmp_path / f"killed-{at}"
        out.mkdir()
        if not killed(run, out, at):
            break
        (folder,) = (out / "runs").iterdir()
        result = run(out, lambda _: None, resume=folder.name)
        assert result.verdict is Verdict.VERIFIED
        assert result.attempts == expected.attempts
        done = Counter((out / "log.txt").read_text().splitlines())
        assert sorted(done) == wanted, f"killed at point {at}"
        assert max(done.values()) == 1, f"killed at point {at}: something was done twice"
        steps = json.loads((folder / "trajectory.json").read_text())["steps"]
        assert len({s["key"] for s in steps}) == len(steps)
        assert [s["step"] for s in steps] == _steps(whole)
    assert at > 60, "the run has more points than that at which it can be killed"


def _steps(out: Path) -> list[str]:
    (path,) = out.glob("runs/*/trajectory.json")
    return [s["step"] for s in json.loads(path.read_text())["steps"]]


def test_killed_again_and_again(tmp_path):
    """Every session gets a few points further, and the run ends all the same."""
    assert killed(run, tmp_path, 6)
    (folder,) = (tmp_path / "runs").iterdir()
    sessions = 1
    while killed(run, tmp_path, 12, resume=folder.name):
        sessions += 1
        assert sessions < 30
    done = Counter((tmp_path / "log.txt").read_text().splitlines())
    assert max(done.values()) == 1
    assert (tmp_path / "inv.v").read_text() == GOOD_INVERTER


def test_resuming_a_finished_run_gives_its_result_again(tmp_path):
    first = run(tmp_path, lambda _: None)
    before = (tmp_path / "log.txt").read_text()
    again = run(tmp_path, lambda _: None, resume=first.run_id)
    assert (again.verdict, again.attempts) == (first.verdict, first.attempts)
    assert (tmp_path / "log.txt").read_text() == before


def test_request_is_kept_for_resuming_without_naming_it_again(tmp_path):
    first = run(tmp_path, lambda _: None)
    request = load_request(tmp_path, first.run_id)
    assert request.spec == inverter_spec("one", "two")
    assert request.options.candidates == 3
    assert request.backend == "by-purpose"


def test_unknown_run_names_those_there_are(tmp_path):
    first = run(tmp_path, lambda _: None)
    with pytest.raises(UsageError, match="no run 'nope'") as caught:
        run(tmp_path, lambda _: None, resume="nope")
    assert first.run_id in caught.value.remedy
    with pytest.raises(UsageError):
        run(tmp_path, lambda _: None, resume="../runs/" + first.run_id)


def test_changed_spec_is_refused(tmp_path):
    first = run(tmp_path, lambda _: None)
    other = inverter_spec("one", "two", text="A buffer.")
    with pytest.raises(SpecError, match="changed since the run began"):
        run_loop(tmp_path, other, ByPurpose(), resume=first.run_id)


@pytest.mark.parametrize("name", ["request.json", "trajectory.json"])
@pytest.mark.parametrize("text", ['{"spec": 1}', "", "[]", "[" * 100_000])
def test_damaged_run_folder_is_one_clear_error(tmp_path, name, text):
    first = run(tmp_path, lambda _: None)
    (first.run / name).write_text(text)
    with pytest.raises(OutputError, match=name) as caught:
        run(tmp_path, lambda _: None, resume=first.run_id)
    assert "new run" in caught.value.remedy


@pytest.mark.parametrize("name", ["request.json", "trajectory.json"])
def test_a_run_of_another_format_is_refused(tmp_path, name):
    first = run(tmp_path, lambda _: None)
    text = (first.run / name).read_text()
    assert '"schema_version": 1' in text
    (first.run / name).write_text(text.replace('"schema_version": 1', '"schema_version": 99'))
    with pytest.raises(OutputError, match=rf"{name}: written in format 99") as caught:
        run(tmp_path, lambda _: None, resume=first.run_id)
    assert "version of rtl-agent" in caught.value.remedy
