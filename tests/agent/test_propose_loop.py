"""When a check is asked for, when not, and that a run killed anywhere goes on as if it had not."""

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
)
from propose_kit import FakeProposer
from rtl_agent.agent.backends.scripted import ScriptedBackend
from rtl_agent.agent.errors import BackendError, ExitCode, MissingError
from rtl_agent.agent.graph.options import SandboxPolicy, SolveOptions
from rtl_agent.agent.graph.rejudge import rejudge
from rtl_agent.agent.graph.run import solve
from rtl_agent.agent.proposals import real
from rtl_agent.agent.proposals.real import RealProposer
from rtl_agent.agent.styles.embedded import EmbeddedStyle
from rtl_agent.agent.styles.instruct import InstructStyle
from rtl_agent.agent.verdict import Verdict
from rtl_agent.tools.interface import Interface

if TYPE_CHECKING:
    from pathlib import Path

GOOD = fenced(GOOD_INVERTER)
GOOD_AGAIN = fenced(GOOD_INVERTER.replace("assign y = ~a", "wire n = ~a;\n  assign y = n"))
MODEL = "```python\ndef step(inputs):\n    return {'y': 1 - inputs['a']}\n```\n"


def run(out, backend, *, proposer=None, spec=None, style=None, point=None, **options):
    toolbox = FakeToolbox(out / "log.txt", point) if point else FakeToolbox()
    settings = {"jobs": 1, "probe": False, "candidates": 2, "attempts": 1, **options}
    return solve(
        spec or inverter_spec(),
        SolveOptions(out=out, **settings),
        backend,
        style or InstructStyle(),
        None,
        toolbox=toolbox,
        proposer=proposer or FakeProposer(),
        on_event=point,
    )


def model(**answers):
    backend = ByPurpose(**{"draft": [GOOD, GOOD_AGAIN], "propose": MODEL, **answers})
    backend.proposes = True
    return backend


def purposes(backend) -> list[str]:
    return [purpose for purpose, _, _ in backend.calls]


def scripted(*answers: str, proposes: bool = True) -> ScriptedBackend:
    return ScriptedBackend(answers, proposes=proposes)


def test_all_drafts_are_wanted_where_a_check_is_to_be_confirmed(tmp_path):
    backend = scripted(GOOD, GOOD_AGAIN, MODEL)
    result = run(tmp_path, backend)
    assert result.verdict is Verdict.SELF_CHECKED
    assert [p.purpose for p in backend.prompts] == ["draft", "draft", "propose"]


@pytest.mark.parametrize(
    ("answers", "changes"),
    [
        ([GOOD], {"propose": False}),
        ([GOOD], {"require": Verdict.COMPILES}),
        ([GOOD], {"candidates": 1}),
        ([GOOD], {"spec": inverter_spec("t")}),
        ([GOOD], {"spec": inverter_spec(interface=Interface("inv"))}),
        ([GOOD], {"proposer": FakeProposer(refused="no sandbox works here")}),
    ],
)
def test_where_no_check_can_be_had_it_costs_nothing(tmp_path, answers, changes):
    backend = scripted(*answers)
    result = run(tmp_path, backend, **changes)
    assert len(backend.prompts) == 1
    assert result.proposals == ()
    assert result.reached
    told = " ".join(result.notes)
    assert ("two drafts" in told) == ("candidates" in changes)
    assert ("no sandbox" in told) == ("proposer" in changes)


def test_a_model_that_writes_no_python_is_not_asked(tmp_path):
    backend = scripted(GOOD, proposes=False)
    assert run(tmp_path / "a", backend).verdict is Verdict.COMPILES
    assert EmbeddedStyle().propose(inverter_spec()) is None
    assert len(backend.prompts) == 1


@pytest.mark.parametrize(
    "again",
    [
        GOOD,
        "Once more. " + GOOD,
        GOOD.replace("assign", "// the inverse\n\n   assign"),
        GOOD.replace(";", " ; /* done */"),
    ],
)
def test_drafts_of_the_same_source_are_one_opinion(tmp_path, again):
    """A server that ignores the seed says everything twice; it confirms nothing by that."""
    result = run(tmp_path, scripted(GOOD, again))
    assert (result.verdict, result.proposals) == (Verdict.COMPILES, ())


class _Fails(ByPurpose):
    """A server that goes away when it is asked for `purpose`."""

    def __init__(self, purpose, **answers):
        super().__init__(**answers)
        self.proposes, self._fails = True, purpose

    def answer(self, prompt, **rest):
        if prompt.purpose == self._fails:
            raise BackendError("the server answered 500", remedy="see its log")
        return super().answer(prompt, **rest)


def test_a_server_that_fails_when_asked_for_a_check_costs_no_design(tmp_path):
    def gone():
        return _Fails("propose", draft=[GOOD, GOOD_AGAIN])

    result = run(tmp_path / "a", gone(), candidates=3)
    assert (result.verdict, result.exit_code) == (Verdict.COMPILES, ExitCode.REACHED)
    assert "answered 500" in result.proposals[0].reason
    with pytest.raises(BackendError, match="answered 500"):
        run(tmp_path / "b", gone(), candidates=3, require=Verdict.SELF_CHECKED)


def test_a_server_that_fails_says_how_to_go_on_and_the_run_does(tmp_path):
    with pytest.raises(BackendError) as caught:
        run(tmp_path, _Fails("draft"), candidates=3)
    run_id = caught.value.remedy.partition("--resume ")[2]
    assert run(tmp_path, model(), candidates=3, resume=run_id).verdict is Verdict.SELF_CHECKED


def test_drafts_that_do_not_compile_have_no_vote(tmp_path):
    broken = fenced("module inv(input a, output y);\n  BROKEN\nendmodule\n")
    backend = scripted(GOOD, broken)
    assert run(tmp_path, backend).verdict is Verdict.COMPILES
    assert len(backend.prompts) == 2


@pytest.mark.parametrize(
    ("require", "answers", "code"),
    [
        (None, [GOOD, GOOD_AGAIN, MODEL], ExitCode.REACHED),
        (Verdict.SELF_CHECKED, [GOOD, GOOD_AGAIN, MODEL], ExitCode.REACHED),
        (Verdict.VERIFIED, [GOOD, GOOD_AGAIN, MODEL], ExitCode.NOT_REACHED),
        (None, [GOOD, GOOD_AGAIN, "", ""], ExitCode.REACHED),
        (Verdict.SELF_CHECKED, [GOOD, GOOD_AGAIN, "", ""], ExitCode.NOT_REACHED),
    ],
)
def test_what_is_required_decides_the_exit_code(tmp_path, require, answers, code):
    result = run(tmp_path, scripted(*answers), require=require)
    assert result.exit_code is code
    best = Verdict.SELF_CHECKED if MODEL in answers else Verdict.COMPILES
    assert result.verdict is best


def test_a_new_attempt_draws_new_drafts_and_asks_anew(tmp_path):
    """There is nothing to repair in a design that compiles and that no check refuses."""
    backend = scripted(GOOD, GOOD_AGAIN, "", "no", GOOD + " ", GOOD_AGAIN + "\n.", MODEL)
    result = run(tmp_path, backend, attempts=2, require=Verdict.SELF_CHECKED)
    assert [p.purpose for p in backend.prompts] == [
        "draft", "draft", "propose", "propose", "draft", "propose"
    ]  # fmt: skip
    assert [a.phase for a in result.attempts] == ["draft", "draft"]
    assert [p.status for p in result.proposals] == ["unusable", "unusable", "accepted"]


def test_a_low_score_is_no_claim(tmp_path):
    result = run(tmp_path, scripted(GOOD, GOOD_AGAIN, MODEL, ""), proposer=FakeProposer(score=0.49))
    assert result.verdict is Verdict.COMPILES
    assert "mutation score 49%, 50% needed" in result.reason
    assert result.to_json()["mutation"]["score"] == 0.49


def test_no_fault_to_inject_is_no_claim_either(tmp_path):
    result = run(tmp_path, scripted(GOOD, GOOD_AGAIN, MODEL, ""), proposer=FakeProposer(score=None))
    assert (result.verdict, result.mutation.score) == (Verdict.COMPILES, None)
    assert "no fault could be injected" in result.reason


def test_a_budget_that_ends_leaves_the_verdict_that_stands(tmp_path):
    result = run(tmp_path, scripted(GOOD, GOOD_AGAIN), max_tokens=1)
    assert (result.verdict, result.exit_code) == (Verdict.COMPILES, ExitCode.REACHED)


def test_nothing_that_a_model_wrote_runs_outside_a_sandbox_unless_asked_by_name(
    tmp_path, monkeypatch
):
    result = run(tmp_path, scripted(GOOD, GOOD_AGAIN, MODEL))

    class Limits:
        isolates = False

    monkeypatch.setattr(real, "best_sandbox", lambda **_: Limits())
    assert "no sandbox works" in RealProposer().refusal()
    assert "no sandbox works" in RealProposer(SandboxPolicy.REQUIRE).refusal()
    assert RealProposer(SandboxPolicy.OFF).refusal() == ""
    with pytest.raises(MissingError, match="no sandbox works"):
        rejudge(result.run, toolbox=FakeToolbox())


def test_a_resumed_run_without_a_sandbox_claims_less_and_runs_nothing(tmp_path):
    """Evidence that cannot be had here is missing; what was measured before stays."""
    first = run(tmp_path, scripted(GOOD, GOOD_AGAIN, MODEL), require=Verdict.VERIFIED)
    refusing = FakeProposer(refused="no sandbox works here")
    again = run(
        tmp_path,
        scripted(fenced(BAD_INVERTER), fenced(BAD_INVERTER) + "."),
        proposer=refusing,
        resume=first.run_id,
        attempts=2,
        require=Verdict.VERIFIED,
    )
    assert refusing.done == []
    assert again.attempts[1].candidates[0].verdict == "compiles"
    assert again.verdict is Verdict.SELF_CHECKED


def session_of(out: Path, point, resume: str = ""):
    """Of three drafts two are equal to the letter; they confirm the proposal, which is weighed."""
    log = out / "log.txt"
    backend = ByPurpose(log, point, draft=[GOOD, GOOD_AGAIN], propose=MODEL)
    backend.proposes = True
    proposer = FakeProposer(log, point)
    return run(out, backend, proposer=proposer, point=point, resume=resume, candidates=3)


@pytest.mark.parametrize(
    "stride", [pytest.param(6, id="every-sixth"), pytest.param(1, marks=pytest.mark.slow)]
)
def test_killed_at_any_point_and_resumed_nothing_is_asked_or_judged_twice(tmp_path, stride):
    whole = tmp_path / "whole"
    whole.mkdir()
    expected = session_of(whole, lambda _: None)
    done = Counter((whole / "log.txt").read_text().splitlines())
    assert expected.verdict is Verdict.SELF_CHECKED
    at = 1 - stride
    while True:
        at += stride
        out = tmp_path / f"at{at}"
        out.mkdir()
        if not killed(session_of, out, at):
            break
        (folder,) = (out / "runs").iterdir()
        result = session_of(out, lambda _: None, folder.name)
        assert (result.verdict, result.reason) == (expected.verdict, expected.reason)
        assert Counter((out / "log.txt").read_text().splitlines()) == done, at
        steps = json.loads((folder / "trajectory.json").read_text())["steps"]
        assert len({s["key"] for s in steps}) == len(steps)
    assert at > 40


def test_options_survive_in_the_settings():
    from rtl_agent.agent.config.build import solve_options
    from rtl_agent.agent.config.schema import Settings

    assert solve_options(Settings()).propose
    assert not solve_options(Settings(propose=False)).propose


def test_replay_backends_propose_only_what_was_recorded(tmp_path):
    from rtl_agent.agent.backends.replay import Recorder, ReplayBackend

    recording = tmp_path / "answers.jsonl"
    result = run(tmp_path / "a", Recorder(scripted(GOOD, GOOD_AGAIN, MODEL), recording))
    again = run(tmp_path / "b", ReplayBackend(recording))
    assert again.verdict is result.verdict is Verdict.SELF_CHECKED
    old = tmp_path / "old.jsonl"
    run(tmp_path / "c", Recorder(scripted(GOOD), old), propose=False)
    assert not ReplayBackend(old).proposes
    assert run(tmp_path / "d", ReplayBackend(old)).verdict is Verdict.COMPILES
