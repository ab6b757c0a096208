"""A spec without checks, the real tools, a scripted model: what is claimed, and what never is."""

from __future__ import annotations

import json
import shutil
from dataclasses import replace

import pytest
from click.testing import CliRunner
from loop_kit import COUNTER_MODEL, GOOD_COUNTER, IN, OUT, fenced
from propose_kit import (
    FORGETS_ENABLE,
    GOOD,
    GOOD_AGAIN,
    HALF_MODEL,
    MODEL,
    PAIR_AGAIN,
    PAIR_RTL,
    PAIR_SPEC,
    SAME_MISTAKE,
    UNCHECKED,
    WHOLE_MODEL,
    asked,
    python,
    run,
)
from rtl_agent.agent.cli.replay import replay_command
from rtl_agent.agent.errors import ExitCode, UsageError
from rtl_agent.agent.graph.rejudge import rejudge
from rtl_agent.agent.graph.run import check_design
from rtl_agent.agent.graph.stop import StopReason
from rtl_agent.agent.spec.model import Spec
from rtl_agent.agent.spec.read import read_spec_text
from rtl_agent.agent.verdict import Verdict
from rtl_agent.tools.checks.types import Limits
from rtl_agent.tools.interface import Interface, Port

pytestmark = pytest.mark.skipif(shutil.which("iverilog") is None, reason="needs Icarus Verilog")


@pytest.fixture(scope="module")
def confirmed(tmp_path_factory):
    """One run that ends well, looked at by several tests."""
    return run(tmp_path_factory.mktemp("confirmed"), [GOOD, GOOD_AGAIN, MODEL])


def test_a_confirmed_reference_makes_self_checked_and_no_more(confirmed):
    result, backend = confirmed
    assert asked(backend) == ["draft", "draft", "propose"]
    assert (result.verdict, result.stop_reason) == (Verdict.SELF_CHECKED, StopReason.REACHED)
    assert result.required is Verdict.COMPILES
    assert "mutation score" in result.reason
    (check,) = result.checks
    assert check.passed
    assert check.sandboxed
    assert check.samples > 100


def test_the_reference_is_asked_for_without_showing_any_design(confirmed):
    _, backend = confirmed
    shown = "\n".join(text for _, text in backend.prompts[-1].messages)
    assert "always @" not in shown
    assert "endmodule" not in shown
    assert UNCHECKED.text in shown
    assert "`rst` is high" in shown


def test_the_outcome_carries_the_evidence(confirmed):
    result, _ = confirmed
    told = json.loads(json.dumps(result.to_json()))
    (proposal,) = told["proposals"]
    assert (proposal["status"], proposal["voters"], proposal["designs"]) == ("accepted", 2, 2)
    assert proposal["confirmed"] == proposal["samples"] > 100
    assert told["mutation"]["score"] >= 0.5
    assert told["mutation"]["tried"] == 8
    assert result.timing.loop_s < 0.5 * result.timing.total_s


def test_the_report_says_who_wrote_both_and_how_to_adopt_the_check(confirmed):
    result, _ = confirmed
    text = result.report.read_text()
    (path,) = result.proposals[0].files
    assert "Design and check came from the same model" in text
    assert "Mutation score on this design: **" in text
    assert path in text
    assert "```python reference" in text
    assert any("same model" in note and path in note for note in result.notes)


def test_the_reference_can_be_adopted_as_the_report_says(confirmed, tmp_path):
    result, _ = confirmed
    path = result.proposals[0].files[0]
    ports = "- input clk\n- input rst\n- input en\n- output [3:0] q\n"
    reference = (result.run / path).read_text()
    spec = f"Implement a module named cnt, a counter.\n\n{ports}\n{python(reference)}"
    adopted = read_spec_text(spec.replace("```python", "```python reference"), name="cnt")
    assert len(adopted.checks) == 1
    judged = check_design([result.rtl], adopted, replace(_options(result), out=tmp_path))
    assert judged.verdict is Verdict.VERIFIED


def _options(result):
    from rtl_agent.agent.graph.run import load_request

    return load_request(result.run.parent.parent, result.run_id).options


def test_the_trajectory_has_the_steps(confirmed):
    result, _ = confirmed
    steps = json.loads((result.run / "trajectory.json").read_text())["steps"]
    assert len({s["key"] for s in steps}) == len(steps)
    names = [s["step"] for s in steps]
    assert names[names.index("propose") :] == [
        "propose", "agree", "simulate", "judge", "weigh", "judge", "finish"
    ]  # fmt: skip
    by_name = {s["step"]: s for s in steps}
    assert by_name["propose"]["new_tokens"] > 0
    assert by_name["agree"]["agreement"]["whole"] == 2
    assert by_name["weigh"]["score"] == result.mutation.score
    # Both drafts were run on the reference once, by the vote; nothing was simulated again.
    assert by_name["simulate"]["simulations"] == 0


@pytest.mark.slow
def test_replay_comes_to_the_same_verdict_and_notices_a_changed_reference(confirmed):
    result, _ = confirmed
    again = rejudge(result.run)
    assert again.same
    assert {c.verdict for c in again.candidates} == {"self-checked", "compiles"}
    reference = result.run / "proposals" / "01" / "reference.py"
    kept = reference.read_text()
    try:
        reference.write_text(kept.replace("+ 1", "+ 2"))
        arguments = [str(result.run), "--json", "-q"]
        ran = CliRunner().invoke(replay_command, arguments, standalone_mode=False)
        assert ran.return_value == 1
        assert json.loads(ran.stdout)["candidates"][0]["verdict"] == "failed"
        reference.write_text("import os\n" + kept)
        with pytest.raises(UsageError, match="may not run"):
            rejudge(result.run)
    finally:
        reference.write_text(kept)


def test_a_wrong_reference_that_shares_its_error_with_a_draft_is_asked_anew(tmp_path):
    """Trust in one draft would have called `FORGETS_ENABLE` self-checked."""
    result, backend = run(
        tmp_path,
        [FORGETS_ENABLE, GOOD, GOOD_AGAIN, SAME_MISTAKE, MODEL],
        candidates=3,
    )
    assert asked(backend) == ["draft", "draft", "propose", "propose"]
    assert [p.status for p in result.proposals] == ["contradicted", "accepted"]
    assert result.verdict is Verdict.SELF_CHECKED
    assert "if (en)" in result.rtl.read_text()
    first = result.attempts[0].candidates[0]
    assert (first.verdict, first.failed_at) == ("failed", "simulate")
    # The model is not told what the drafts say: then neither would confirm the other.
    assert backend.prompts[-1].messages == backend.prompts[-2].messages


@pytest.mark.slow
def test_drafts_that_differ_decide_nothing(tmp_path):
    result, _ = run(tmp_path, [GOOD, FORGETS_ENABLE, SAME_MISTAKE, MODEL])
    assert [p.status for p in result.proposals] == ["undecided", "undecided"]
    assert (result.verdict, result.exit_code) == (Verdict.COMPILES, ExitCode.REACHED)
    assert "differ among themselves" in result.reason


STATIC = ["", "One could compare it with a table.", python("def step(inputs)\n    return {}\n")]
IMPORTS = python("import os\n" + COUNTER_MODEL)
OPENS = python(COUNTER_MODEL.replace("self.q = 0", "self.q = len(open('cnt.v').read())", 1))


@pytest.mark.parametrize(
    ("answers", "reasons"),
    [
        (STATIC[:2], ("no Python model", "no Python model")),
        ((STATIC[2], IMPORTS), ("syntax error", "`import os`")),
        ((OPENS, fenced(GOOD_COUNTER)), ("`open`", "no Python model")),
    ],
)
def test_answers_that_are_no_check_run_nowhere_and_are_told_why(tmp_path, answers, reasons):
    result, backend = run(tmp_path, [GOOD, GOOD_AGAIN, *answers])
    assert (result.verdict, result.exit_code) == (Verdict.COMPILES, ExitCode.REACHED)
    assert result.checks == ()
    for proposal, reason in zip(result.proposals, reasons, strict=True):
        assert proposal.status == "unusable"
        assert reason in proposal.reason
    assert reasons[0] in backend.prompts[-1].messages[-1][1]
    assert reasons[1] in result.reason
    assert not list(result.run.glob("attempt-*/*/own-*"))


@pytest.mark.parametrize(
    ("answer", "reason"),
    [
        (
            "class M:\n    def reset(self): pass\n    def step(self, i): return {}\n",
            "never compares",
        ),
        ("def step(i): return {'q': 0}\n", "never change"),
        ("def step(i): return {'q': i['enable']}\n", "KeyError"),
        ("def step(i): return {'x': 1}\n", "no output of the design"),
        pytest.param(
            "def step(i):\n    while True: pass\n", "did not end within", marks=pytest.mark.slow
        ),
    ],
)
def test_references_that_show_nothing_are_refused_before_any_draft_is_tried(
    tmp_path, answer, reason
):
    result, _ = run(tmp_path, [GOOD, GOOD_AGAIN, python(answer), ""], check_limits=Limits(wall_s=6))
    assert result.verdict is Verdict.COMPILES
    assert result.proposals[0].status == "unusable"
    assert reason in result.proposals[0].reason
    assert not list(result.run.glob("attempt-*/*/own-*"))


@pytest.mark.slow
def test_a_check_that_notices_too_little_stays_compiles(tmp_path):
    answers = [fenced(PAIR_RTL), fenced(PAIR_AGAIN), python(HALF_MODEL)]
    weak, _ = run(tmp_path, [*answers, ""], spec=PAIR_SPEC, require=Verdict.SELF_CHECKED)
    assert (weak.verdict, weak.exit_code) == (Verdict.COMPILES, ExitCode.NOT_REACHED)
    assert "notice too few faults" in weak.reason
    assert weak.mutation.score < 0.5
    assert "**no check counts for it**" in weak.report.read_text()


@pytest.mark.slow  # 13 runs of cocotb and two measurements
def test_a_second_reference_comes_beside_a_weak_one_and_not_in_its_place(tmp_path):
    answers = [fenced(PAIR_RTL), fenced(PAIR_AGAIN), python(HALF_MODEL), python(WHOLE_MODEL)]
    better, _ = run(tmp_path, answers, spec=PAIR_SPEC)
    assert [p.status for p in better.proposals] == ["accepted", "accepted"]
    assert better.verdict is Verdict.SELF_CHECKED
    assert len(better.checks) == 2


BITS = Interface("bits", (Port(IN, "a", 4), Port(OUT, "y", 4)))
BITS_SPEC = Spec("bits", None, "y is a with all bits inverted.", BITS)
BITS_RTL = "module bits(input [3:0] a, output [3:0] y);\n  assign y = ~a;\nendmodule\n"
BITS_MODEL = "def step(inputs):\n    return {'y': ~inputs['a'] & 15}\n"


def wrong_at(value: int) -> str:
    return fenced(BITS_RTL.replace("~a", f"(a == 4'd{value}) ? a : ~a"))


@pytest.mark.slow
def test_what_an_accepted_reference_contradicts_is_repaired_and_the_reference_stays(tmp_path):
    """A repair that answers with a laxer reference changes no check, and repairs nothing."""
    laxer = python("def step(inputs):\n    return {'y': None}\n")
    result, backend = run(
        tmp_path,
        [*(wrong_at(i) for i in (3, 7, 12)), python(BITS_MODEL), laxer, *[fenced(BITS_RTL)] * 2],
        spec=BITS_SPEC,
        candidates=3,
        attempts=2,
    )
    assert asked(backend) == ["draft", "draft", "propose", "repair-mismatch", "repair-mismatch"]
    (proposal,) = result.proposals
    assert proposal.status == "accepted"
    assert "0 of 3 agree in all" in proposal.reason
    assert [c.failed_at for c in result.attempts[0].candidates] == ["simulate"] * 3
    assert "y: expected 0011, got 1100" in backend.prompts[-1].messages[-1][1]
    assert (result.verdict, result.made_by) == (Verdict.SELF_CHECKED, "model")
    assert [str(path.name) for path in sorted((result.run / "proposals").iterdir())] == ["01"]
    assert (result.run / proposal.files[0]).read_text() == BITS_MODEL
    assert rejudge(result.run).same


def test_a_design_that_an_accepted_reference_refuses_never_compiles_again(tmp_path):
    """However often it is drawn: what was refused once has failed, and the run says so."""
    drafts = [wrong_at(i) for i in (3, 7, 12)]
    result, _ = run(
        tmp_path, [*drafts, python(BITS_MODEL), *drafts], spec=BITS_SPEC, candidates=3, attempts=2
    )
    assert (result.verdict, result.exit_code) == (Verdict.FAILED, ExitCode.NOT_REACHED)
    assert "proposed reference" in result.reason
