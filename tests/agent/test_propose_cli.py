"""What a user of the command line sees of a check that the model proposed."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest
from cli_kit import GOOD, UNCHECKED, fenced, only, rtl_agent
from click.testing import CliRunner
from loop_kit import FakeToolbox
from propose_kit import FakeProposer, python
from rtl_agent.agent.backends.replay import Recorder
from rtl_agent.agent.backends.scripted import ScriptedBackend
from rtl_agent.agent.cli.outcome import summary_line
from rtl_agent.agent.cli.solve import solve_command
from rtl_agent.agent.config.build import solve_options
from rtl_agent.agent.config.schema import Settings
from rtl_agent.agent.graph.run import solve
from rtl_agent.agent.graph.stop import StopReason
from rtl_agent.agent.report.result import MutationScore, SolveResult
from rtl_agent.agent.spec.read import read_spec
from rtl_agent.agent.styles.instruct import InstructStyle
from rtl_agent.agent.verdict import Verdict

MODEL = python("def step(i):\n    return {'y': i['b'] if i['sel'] else i['a']}\n")
AGAIN = GOOD.replace("sel ? b : a", "(a & ~sel) | (b & sel)")


@pytest.mark.slow
@pytest.mark.skipif(shutil.which("iverilog") is None, reason="needs Icarus Verilog")
def test_solve_says_self_checked_with_its_score_and_replay_agrees(tmp_path):
    spec, recording = tmp_path / "mux2.md", tmp_path / "answers.jsonl"
    spec.write_text(UNCHECKED)
    settings = Settings(attempts=1, candidates=2, library=False, out=tmp_path / "made")
    answers = [fenced(GOOD), fenced(AGAIN), MODEL, MODEL]
    backend = Recorder(ScriptedBackend(answers, proposes=True), recording)
    fakes = {"toolbox": FakeToolbox(), "proposer": FakeProposer()}
    solve(read_spec(spec), solve_options(settings), backend, InstructStyle(), None, **fakes)
    arguments = ("--replay", str(recording), "--candidates", "2", "--attempts", "1")
    more = ("--no-library", "--require", "self-checked", "--json")
    ran = rtl_agent("solve", str(spec), *arguments, *more, cwd=tmp_path)
    assert ran.returncode == 0, ran.stderr
    (told,) = only(ran.stdout)["results"]
    assert told["verdict"] == "self-checked"
    assert told["mutation"]["score"] >= 0.5
    assert Path(told["proposals"][0]["files"][0]).is_file()
    assert "the drafts vote on the proposed check" in ran.stderr
    assert ran.stderr.count("candidate 1: ") == 2  # compiles, and then with the check
    again = rtl_agent("replay", "rtl-out", cwd=tmp_path)
    assert again.returncode == 0, again.stdout + again.stderr
    assert "candidate-0: self-checked, the same" in again.stderr


def test_the_score_stands_beside_the_verdict():
    result = SolveResult(
        spec="s.md",
        module="m",
        verdict=Verdict.SELF_CHECKED,
        reason="passed",
        stop_reason=StopReason.REACHED,
        required=Verdict.COMPILES,
        rtl=Path("m.v"),
        run=Path("runs/r"),
        report=Path("m.report.md"),
        mutation=MutationScore(0.875, 7, 1, 0, 8),
    )
    assert summary_line(result).startswith("self-checked m  m.v  (mutation score 88%, ")


def test_help_says_what_can_be_had():
    text = " ".join(CliRunner().invoke(solve_command, ["--help"]).output.split())
    assert "--no-propose" in text
    assert "such a spec can at most be" in text
