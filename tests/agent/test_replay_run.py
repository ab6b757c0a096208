"""A run folder judged again comes to the same verdicts, and says where it does not."""

from __future__ import annotations

import json

import pytest
from click.testing import CliRunner
from loop_kit import (
    BAD_INVERTER,
    GOOD_COUNTER,
    GOOD_INVERTER,
    ByPurpose,
    FakeToolbox,
    counter_spec,
    fenced,
    inverter_spec,
    run_loop,
)
from rtl_agent.agent.cli.replay import replay_command
from rtl_agent.agent.errors import UsageError
from rtl_agent.agent.graph.options import SolveOptions
from rtl_agent.agent.graph.rejudge import find_run, rejudge
from rtl_agent.agent.graph.run import solve
from rtl_agent.agent.styles.instruct import InstructStyle

_NO_COMPILE = fenced("module inv(input a, output y);\n  BROKEN\nendmodule\n")
_SCREENED = fenced("module inv(input a, output y);\n  assign y = ~a; initial $finish;\nendmodule\n")


@pytest.fixture
def ended(tmp_path):
    model = ByPurpose(
        draft=[fenced(BAD_INVERTER), _NO_COMPILE, _SCREENED, fenced(BAD_INVERTER)],
        repair_mismatch=fenced(GOOD_INVERTER),
    )
    return run_loop(tmp_path, inverter_spec("one"), model, candidates=4)


def test_every_verdict_comes_out_again(ended):
    toolbox = FakeToolbox()
    again = rejudge(ended.run, toolbox=toolbox)
    assert again.same
    assert {c.failed_at for c in again.candidates} >= {"simulate", "compile", ""}
    assert [c.candidate for c in again.candidates][-1] == "attempt-02/candidate-0"
    assert not any(
        "check" in entry and "attempt-01/candidate-1" in entry for entry in toolbox.judged
    )


def test_a_design_that_was_changed_is_found_out(ended):
    path = ended.run / "attempt-02" / "candidate-0" / "inv.v"
    path.write_text(BAD_INVERTER)
    again = rejudge(ended.run, toolbox=FakeToolbox())
    assert not again.same
    (other,) = [c for c in again.candidates if not c.same]
    assert (other.recorded, other.verdict) == ("verified", "failed")


def test_a_run_in_which_nothing_was_judged_is_said_to_be_one(tmp_path):
    result = run_loop(tmp_path, inverter_spec("one"), ByPurpose(draft="No idea."), attempts=1)
    with pytest.raises(UsageError, match="no design in it was judged"):
        rejudge(result.run, toolbox=FakeToolbox())


def test_the_latest_run_below_a_folder_is_found(ended, tmp_path):
    assert find_run(tmp_path) == ended.run
    assert find_run(ended.run) == ended.run
    with pytest.raises(UsageError, match="no run"):
        find_run(ended.run / "attempt-01")


def test_the_command_on_a_real_run(tmp_path):
    model = ByPurpose(draft=fenced(GOOD_COUNTER))
    options = SolveOptions(out=tmp_path, attempts=1, candidates=1, probe=False)
    result = solve(counter_spec(), options, model, InstructStyle(), None)
    ran = CliRunner().invoke(replay_command, [str(tmp_path), "--json"], standalone_mode=False)
    told = json.loads(ran.stdout)
    assert ran.return_value == 0
    assert told["same"] is True
    assert told["schema_version"] == 1
    assert told["candidates"][0]["verdict"] == "verified"
    design = result.run / "attempt-01" / "candidate-0" / "cnt.v"
    design.write_text(GOOD_COUNTER.replace("+", "-"))
    ran = CliRunner().invoke(replay_command, [str(tmp_path)], standalone_mode=False)
    assert ran.return_value == 1
    assert "recorded verified, now failed" in ran.stdout
