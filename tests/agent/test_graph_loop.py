"""What the loop does with good, bad and stubborn models; tools faked, graph real."""

from __future__ import annotations

import contextlib
import json

import pytest
from loop_kit import (
    BAD_INVERTER,
    GOOD_INVERTER,
    INVERTER,
    SAMPLED_ONLY,
    ByPurpose,
    FakeToolbox,
    fenced,
    inverter_spec,
    run_loop,
)
from rtl_agent.agent.backends.base import Answer
from rtl_agent.agent.backends.scripted import ScriptedBackend
from rtl_agent.agent.errors import BackendError, ExitCode, OutputError
from rtl_agent.agent.graph import nodes_judge
from rtl_agent.agent.graph.context import Stopwatch
from rtl_agent.agent.graph.events import AnswersStarted, CandidateJudged, event_json
from rtl_agent.agent.graph.evidence import screen_record
from rtl_agent.agent.graph.options import TemperatureSchedule
from rtl_agent.agent.graph.run import Interrupted
from rtl_agent.agent.graph.stop import StopReason
from rtl_agent.agent.library.types import Exemplar
from rtl_agent.agent.report.result import results_json
from rtl_agent.agent.verdict import Verdict
from rtl_agent.decoding.api import DecodeStats, FinishReason
from rtl_agent.tools.diagnostic import Diagnostic, Severity

GOOD, BAD = fenced(GOOD_INVERTER), fenced(BAD_INVERTER)


def wrong(number: int) -> str:
    """One of many different wrong inverters."""
    return fenced(f"module inv(input a, output y);\n  assign y = a & {number + 1}'d1;\nendmodule\n")


class Counting:
    """Gives another wrong inverter every time."""

    name, style = "counting", "instruct"

    def __init__(self) -> None:
        self.asked = []
        self.made = 0

    def answer(self, prompt, *, n, params, on_text=None, should_stop=None):
        self.asked.append((prompt, n, params))
        script = ScriptedBackend([wrong(self.made + i) for i in range(n)])
        self.made += n
        return script.answer(prompt, n=n, params=params)

    def close(self):
        pass


class Library:
    def __init__(self, count: int) -> None:
        self.count = count

    def nearest(self, spec, k):
        found = (
            Exemplar(f"known{i}", "shipped", f"design {i}", f"module known{i}; endmodule", INVERTER)
            for i in range(self.count)
        )
        return tuple(found)[:k]


def test_right_at_once_costs_one_answer(tmp_path):
    backend = ScriptedBackend([GOOD])
    result = run_loop(tmp_path, inverter_spec("t"), backend)
    assert (result.verdict, result.stop_reason) == (Verdict.VERIFIED, StopReason.REACHED)
    assert result.exit_code is ExitCode.REACHED
    assert len(backend.params) == 1
    assert backend.params[0].temperature == 0
    assert (tmp_path / "inv.v").read_text() == GOOD_INVERTER
    assert (tmp_path / "inv.report.md").is_file()
    assert (result.run / "report.md").is_file()


def test_greedy_answer_first_then_the_others_sampled_in_one_batch(tmp_path):
    backend = ByPurpose(draft=BAD, repair_mismatch=GOOD)
    result = run_loop(tmp_path, inverter_spec("t"), backend, candidates=3)
    assert backend.calls == [("draft", 1, 0.0), ("draft", 2, 0.7), ("repair-mismatch", 1, 0.0)]
    assert [a.phase for a in result.attempts] == ["draft", "repair"]
    assert result.verdict is Verdict.VERIFIED
    assert result.attempts[1].number == 2


@pytest.mark.parametrize("told", [True, False])
def test_without_diagnosis_the_model_learns_only_that_it_failed(tmp_path, told):
    backend = ScriptedBackend([BAD, BAD, BAD, GOOD])
    run_loop(tmp_path, inverter_spec("t"), backend, candidates=3, diagnosis=told)
    text = str(backend.prompts[-1])
    assert ("the design fails its checks" in text) is not told
    assert ("samples" in text) is told


def test_same_text_is_judged_once_even_with_other_layout(tmp_path):
    tools = FakeToolbox()
    again = fenced("// again\nmodule inv(input a,output y);assign y=a;\n\nendmodule\n")
    backend = ScriptedBackend([BAD, again, BAD, GOOD])
    result = run_loop(tmp_path, inverter_spec("t"), backend, toolbox=tools, candidates=3)
    assert result.verdict is Verdict.VERIFIED
    assert tools.judged == [
        *(f"{step} attempt-01/candidate-0" for step in ("screen", "lint", "check t")),
        *(f"{step} attempt-02/candidate-0" for step in ("screen", "lint", "check t")),
    ]
    first = result.attempts[0].candidates
    assert [c.same_as for c in first] == ["", "attempt-01/candidate-0", "attempt-01/candidate-0"]
    assert {c.verdict for c in first} == {"failed"}


def test_the_best_candidate_is_repaired(tmp_path):
    no_compile = fenced("module inv(input a, output y);\n  BROKEN\nendmodule\n")
    cheat = fenced("module inv(input a, output y);\n  initial $finish;\nendmodule\n")
    backend = ScriptedBackend([no_compile, cheat, BAD, GOOD])
    result = run_loop(tmp_path, inverter_spec("t"), backend, candidates=3)
    assert result.attempts[0].best == "attempt-01/candidate-2"
    assert [c.failed_at for c in result.attempts[0].candidates] == ["compile", "screen", "simulate"]
    assert backend.prompts[-1].purpose == "repair-mismatch"
    assert "assign y = a;" in backend.prompts[-1].messages[-1][1]
    assert "y: expected 1, got 0" in backend.prompts[-1].messages[-1][1]


def test_compile_error_goes_back_with_its_line(tmp_path):
    backend = ScriptedBackend(
        [fenced("module inv(input a, output y);\n  BROKEN\nendmodule\n"), GOOD]
    )
    result = run_loop(tmp_path, inverter_spec("t"), backend, candidates=1)
    assert result.verdict is Verdict.VERIFIED
    assert backend.prompts[1].purpose == "repair-compile"
    text = backend.prompts[1].messages[-1][1]
    assert "line 2: error: syntax error" in text
    assert "2 | BROKEN" in text


def test_attempts_end_the_run(tmp_path):
    backend = Counting()
    result = run_loop(tmp_path, inverter_spec("t"), backend, attempts=5, candidates=2)
    assert result.stop_reason is StopReason.ATTEMPTS
    assert result.exit_code is ExitCode.NOT_REACHED
    assert len(result.attempts) == 5
    assert result.verdict is Verdict.FAILED
    assert "5 of 10 samples differ" in result.reason
    assert (tmp_path / "inv.v").is_file()


def test_many_attempts_never_hit_the_graphs_own_limit(tmp_path):
    result = run_loop(tmp_path, inverter_spec("t"), Counting(), attempts=40, candidates=2)
    assert (result.stop_reason, len(result.attempts)) == (StopReason.ATTEMPTS, 40)


def test_token_budget_ends_the_run(tmp_path):
    backend = ByPurpose(draft=[wrong(1), wrong(2)], repair_mismatch=[wrong(3), wrong(4)])
    result = run_loop(tmp_path, inverter_spec("t"), backend, max_tokens=25, candidates=2)
    assert result.stop_reason is StopReason.TOKENS
    assert result.exit_code is ExitCode.BUDGET
    assert result.decoding.new_tokens <= 30
    assert result.verdict is Verdict.FAILED


@pytest.fixture
def no_time_for_checks(monkeypatch):
    """As if the time budget ran out just before simulation, however fast the machine is."""
    monkeypatch.setattr(nodes_judge, "_LEAST_CHECK_S", 1e9)


@pytest.mark.usefixtures("no_time_for_checks")
def test_time_budget_ends_the_run_and_an_unjudged_design_is_no_pass(tmp_path):
    result = run_loop(tmp_path, inverter_spec("t"), ScriptedBackend([GOOD]))
    assert result.stop_reason is StopReason.TIME
    assert result.exit_code is ExitCode.BUDGET
    assert result.verdict is Verdict.FAILED
    assert "0 of 1 checks ran" in result.reason


def test_a_run_that_a_budget_ended_goes_on_with_more(tmp_path):
    tools = FakeToolbox()
    backend = ScriptedBackend([BAD, GOOD])
    spec = inverter_spec("t")
    first = run_loop(tmp_path, spec, backend, toolbox=tools, attempts=1, candidates=1)
    assert first.stop_reason is StopReason.ATTEMPTS
    again = run_loop(
        tmp_path, spec, backend, toolbox=tools, attempts=2, candidates=1, resume=first.run_id
    )
    assert again.verdict is Verdict.VERIFIED
    assert again.run == first.run
    assert len(tools.judged) == len(set(tools.judged)) == 6


def test_an_answer_that_time_cut_short_is_gone_on_with_when_resumed(tmp_path, monkeypatch):
    clock = {"over": False}
    monkeypatch.setattr(Stopwatch, "over", property(lambda self: clock["over"]))
    half = GOOD.index("assign")

    class Slow(ScriptedBackend):
        def answer(self, prompt, **kwargs):
            clock["over"] = True
            return super().answer(prompt, **kwargs)

    stats = DecodeStats(new_tokens=5)
    slow = Slow([Answer(GOOD[:half], FinishReason.CANCELLED, stats)])
    spec, tools = inverter_spec("t"), FakeToolbox()
    first = run_loop(tmp_path, spec, slow, toolbox=tools)
    assert (first.stop_reason, first.rtl, tools.judged) == (StopReason.TIME, None, [])
    clock["over"] = False
    rest = ScriptedBackend([GOOD[half:]])
    again = run_loop(tmp_path, spec, rest, toolbox=tools, resume=first.run_id)
    assert [p.purpose for p in rest.prompts] == ["continue"]
    assert again.verdict is Verdict.VERIFIED
    assert (tmp_path / "inv.v").read_text() == GOOD_INVERTER


def test_time_that_is_up_before_the_first_answer_asks_no_model(tmp_path):
    backend = ScriptedBackend([GOOD])
    result = run_loop(tmp_path, inverter_spec("t"), backend, timeout_s=1e-6)
    assert (result.stop_reason, result.rtl) == (StopReason.TIME, None)
    assert not backend.prompts
    assert "time budget" in result.report.read_text()
    again = run_loop(tmp_path, inverter_spec("t"), backend, resume=result.run_id)
    assert again.verdict is Verdict.VERIFIED


def test_checks_left_for_lack_of_time_run_when_resumed(tmp_path, monkeypatch):
    tools = FakeToolbox()
    spec = inverter_spec("t")
    with monkeypatch.context() as patch:
        patch.setattr(nodes_judge, "_LEAST_CHECK_S", 1e9)
        first = run_loop(tmp_path, spec, ScriptedBackend([GOOD]), toolbox=tools)
    assert len(tools.judged) == 2
    again = run_loop(tmp_path, spec, ScriptedBackend([]), toolbox=tools, resume=first.run_id)
    assert again.verdict is Verdict.VERIFIED
    assert len(tools.judged) == len(set(tools.judged)) == 3


@pytest.mark.parametrize("text", ["", "I am sorry, I cannot do that.", "```python\nx = 1\n```"])
def test_a_model_without_rtl_ends_by_name(tmp_path, text):
    backend = ScriptedBackend([text], repeat_last=True)
    result = run_loop(tmp_path, inverter_spec("t"), backend, attempts=9, candidates=2)
    assert result.stop_reason is StopReason.NO_RTL
    assert result.exit_code is ExitCode.NOT_REACHED
    assert result.rtl is None
    assert not (tmp_path / "inv.v").exists()
    assert "No answer of the model contains a Verilog module" in result.report.read_text()


def test_the_same_wrong_answer_for_ever_ends_by_name(tmp_path):
    tools = FakeToolbox()
    backend = ScriptedBackend([BAD], repeat_last=True)
    result = run_loop(
        tmp_path, inverter_spec("t"), backend, toolbox=tools, attempts=50, candidates=2
    )
    assert result.stop_reason is StopReason.STALLED
    assert result.verdict is Verdict.FAILED
    assert len(tools.judged) == 3
    temperatures = [p.temperature for p in backend.params if p.temperature]
    assert temperatures == sorted(temperatures)
    assert temperatures[-1] > temperatures[0]


def test_a_stalled_repair_gives_way_to_a_fresh_draft_with_another_exemplar(tmp_path):
    backend = Counting()
    run_loop(
        tmp_path,
        inverter_spec("t"),
        backend,
        retriever=Library(3),
        attempts=4,
        candidates=1,
        temperature=SAMPLED_ONLY,
    )
    purposes = [prompt.purpose for prompt, _, _ in backend.asked]
    assert purposes == ["draft", "repair-mismatch", "repair-mismatch", "draft"]
    assert "known0" in backend.asked[0][0].messages[-1][1]
    assert "known1" in backend.asked[3][0].messages[-1][1]
    assert backend.asked[3][2].temperature > backend.asked[0][2].temperature


def test_library_off_shows_nothing(tmp_path):
    backend = ScriptedBackend([GOOD])
    result = run_loop(tmp_path, inverter_spec("t"), backend, retriever=Library(3), library=False)
    assert result.exemplars == ()
    assert "known0" not in backend.prompts[0].messages[-1][1]


def test_a_check_that_cannot_judge_ends_the_run(tmp_path):
    result = run_loop(tmp_path, inverter_spec("broken"), Counting(), attempts=9, candidates=1)
    assert result.stop_reason is StopReason.CHECK_BROKEN
    assert result.exit_code is ExitCode.USAGE
    assert len(result.attempts) == 2
    assert "no test in it" in result.reason


def test_without_checks_compiling_is_enough_and_says_so(tmp_path):
    result = run_loop(tmp_path, inverter_spec(), ScriptedBackend([BAD]))
    assert (result.verdict, result.reached) == (Verdict.COMPILES, True)
    assert "nothing was simulated" in result.report.read_text()


def test_required_verdict_above_what_can_be_had_is_not_reached(tmp_path):
    result = run_loop(
        tmp_path,
        inverter_spec(),
        ScriptedBackend([BAD], repeat_last=True),
        require=Verdict.VERIFIED,
        attempts=2,
        candidates=1,
    )
    assert (result.verdict, result.reached) == (Verdict.COMPILES, False)
    assert result.exit_code is ExitCode.NOT_REACHED


def test_a_dead_backend_is_recorded_and_raised(tmp_path):
    with pytest.raises(BackendError, match="0 answers"):
        run_loop(tmp_path, inverter_spec("t"), ScriptedBackend([]))
    (path,) = tmp_path.glob("runs/*/trajectory.json")
    trajectory = json.loads(path.read_text())
    assert trajectory["status"] == "crashed"
    assert "0 answers" in trajectory["steps"][-1]["error"]


def test_interrupt_names_the_run_and_it_can_be_resumed(tmp_path):
    class Impatient(ByPurpose):
        def answer(self, prompt, **kwargs):
            if prompt.purpose == "draft":
                return super().answer(prompt, **kwargs)
            raise KeyboardInterrupt

    spec, tools = inverter_spec("t"), FakeToolbox()
    with pytest.raises(Interrupted) as caught:
        run_loop(tmp_path, spec, Impatient(draft=BAD), toolbox=tools, candidates=1)
    trajectory = json.loads((caught.value.run / "trajectory.json").read_text())
    assert trajectory["status"] == "interrupted"
    backend = ByPurpose(repair_mismatch=GOOD)
    result = run_loop(
        tmp_path, spec, backend, toolbox=tools, candidates=1, resume=caught.value.run_id
    )
    assert result.verdict is Verdict.VERIFIED
    assert len(tools.judged) == len(set(tools.judged))


def test_unwritable_out_is_an_error_before_the_model_is_asked(tmp_path):
    (tmp_path / "file").write_text("")
    backend = ScriptedBackend([GOOD])
    with pytest.raises(OutputError, match="file"):
        run_loop(tmp_path / "file", inverter_spec("t"), backend)
    assert not backend.prompts


def test_events_and_result_are_json(tmp_path):
    events = []
    backend = ByPurpose(draft=BAD, repair_mismatch=GOOD)
    result = run_loop(tmp_path, inverter_spec("t"), backend, on_event=events.append)
    lines = [json.loads(json.dumps(event_json(event))) for event in events]
    assert lines[0]["event"] == "run-started"
    assert lines[-1]["event"] == "run-ended"
    assert {line["schema_version"] for line in lines} == {1}
    assert any(isinstance(e, AnswersStarted) and e.purpose == "repair-mismatch" for e in events)
    assert [e.verdict for e in events if isinstance(e, CandidateJudged)][-1] == "verified"
    (entry,) = json.loads(json.dumps(results_json([result])))["results"]
    wanted = {"spec", "module", "verdict", "stop_reason", "rtl", "run", "attempts", "checks"}
    assert wanted | {"diagnostics", "timing", "decoding"} <= set(entry)
    assert entry["checks"][0]["samples"] == 10


def test_trajectory_has_every_step_with_its_cost(tmp_path):
    backend = ByPurpose(draft=BAD, repair_mismatch=GOOD)
    result = run_loop(tmp_path, inverter_spec("t"), backend, candidates=1)
    trajectory = json.loads((result.run / "trajectory.json").read_text())
    assert trajectory["schema_version"] == 1
    assert trajectory["status"] == "ended"
    names = [step["step"] for step in trajectory["steps"]]
    judging = ["screen", "lint", "simulate", "judge"]
    assert names == [
        "read_spec", "retrieve", "draft", *judging, "diagnose", "repair", *judging, "finish"
    ]  # fmt: skip
    draft = trajectory["steps"][2]
    assert (draft["new_tokens"], draft["acceptance_length"], draft["seed"]) == (10, 2.0, 1009)
    assert trajectory["result"]["verdict"] == "verified"


def test_seed_changes_what_the_model_is_asked_with(tmp_path):
    seeds = []
    for seed in (0, 0, 7):
        backend = ScriptedBackend([BAD, GOOD])
        run_loop(tmp_path, inverter_spec("t"), backend, candidates=2, seed=seed)
        seeds.append([p.seed for p in backend.params])
    assert seeds[0] == seeds[1] != seeds[2]


def test_several_checks_all_have_to_pass(tmp_path):
    backend = ScriptedBackend([GOOD], repeat_last=True)
    result = run_loop(tmp_path, inverter_spec("one", "broken"), backend, attempts=2, candidates=1)
    assert result.verdict is Verdict.FAILED
    assert [c.passed for c in result.checks] == [True, False]


def test_hot_start_can_be_turned_off(tmp_path):
    backend = ScriptedBackend([BAD, GOOD])
    schedule = TemperatureSchedule(start=0.4, greedy_first=False)
    run_loop(tmp_path, inverter_spec("t"), backend, candidates=2, temperature=schedule)
    assert [p.temperature for p in backend.params] == [0.4]


class TestCrashes:
    """A tool that dies of one candidate costs that candidate and not the run."""

    @pytest.mark.parametrize("step", ["screen", "lint", "check"])
    def test_in_each_step(self, tmp_path, step):
        class Fragile(FakeToolbox):
            def point(self, name):
                if name == step and not self.judged_bad:
                    self.judged_bad = True
                    raise RuntimeError("odd tree")

        tools = Fragile()
        del tools.__dict__["point"]
        tools.judged_bad = False
        backend = ScriptedBackend([BAD, GOOD])
        result = run_loop(tmp_path, inverter_spec("t"), backend, toolbox=tools, candidates=1)
        assert result.verdict is Verdict.VERIFIED
        (lost,) = result.attempts[0].candidates
        assert lost.verdict == "failed"
        assert "odd tree" in lost.reason

    def test_a_design_that_kills_the_process_is_not_tried_for_ever(self, tmp_path):
        record = screen_record(tmp_path)

        def die() -> tuple[()]:
            raise SystemExit  # as a kill: nothing is kept

        tries = 0
        while record.load() is None:
            tries += 1
            with contextlib.suppress(SystemExit):
                record.find(die, lambda why: (crash_note(why),))
        assert tries == 5
        assert "more than once" in record.load()[0].message


def crash_note(why: str) -> Diagnostic:
    return Diagnostic("", 0, 0, Severity.ERROR, "tool-crash", why, "", "t")


def test_half_a_character_from_a_server_is_no_crash(tmp_path):
    odd = fenced("// \ud83d\n" + GOOD_INVERTER)
    result = run_loop(tmp_path, inverter_spec("t"), ScriptedBackend([odd]))
    assert result.verdict is Verdict.VERIFIED


def test_every_further_draft_of_an_attempt_sees_the_next_known_good_design(tmp_path):
    """Greedily, one at a time; sampling begins when there is no new prompt left."""
    backend = Counting()
    run_loop(tmp_path, inverter_spec("t"), backend, retriever=Library(2), candidates=4, attempts=1)
    drafts = [(n, params.temperature, str(prompt)) for prompt, n, params in backend.asked]
    assert [(n, t) for n, t, _ in drafts] == [(1, 0.0), (1, 0.0), (2, 0.7)]
    assert "known0" in drafts[0][2]
    assert "known1" in drafts[1][2]
