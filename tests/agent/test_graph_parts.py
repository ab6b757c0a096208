"""The pieces of the loop on their own: files, texts, ranking, decisions, diagnosis."""

from __future__ import annotations

import json
import sqlite3
from dataclasses import replace
from pathlib import Path

import pytest
from loop_kit import (
    COUNTER,
    GOOD_INVERTER,
    ByPurpose,
    counter_spec,
    fenced,
    inverter_spec,
    run_loop,
)
from rtl_agent.agent.errors import ExitCode, OutputError, UsageError
from rtl_agent.agent.graph.codec import decode, dump, encode, load
from rtl_agent.agent.graph.decide import choose, settle
from rtl_agent.agent.graph.diagnosis import MAX_LINES, diagnose
from rtl_agent.agent.graph.folder import RunFolder, create_run, write_text
from rtl_agent.agent.graph.normalise import digest
from rtl_agent.agent.graph.options import SolveOptions, TemperatureSchedule
from rtl_agent.agent.graph.probe import idle_design
from rtl_agent.agent.graph.ranking import best_of, score
from rtl_agent.agent.graph.run import Request
from rtl_agent.agent.graph.state import Candidate, fresh_state
from rtl_agent.agent.graph.stop import StopReason
from rtl_agent.agent.graph.store import open_checkpoints
from rtl_agent.agent.verdict import Evidence, Verdict
from rtl_agent.tools.checks.types import CheckKind, CheckResult, CheckStatus, Cycle, Mismatch
from rtl_agent.tools.diagnostic import Diagnostic, Severity
from rtl_agent.tools.interface import Direction, Interface, Parameter, Port


def candidate(index: int, points: list[float], **changes: object) -> Candidate:
    base = Candidate(
        id=f"attempt-01/candidate-{index}",
        index=index,
        files=["x.v"],
        digest=str(index),
        same_as="",
        verdict="failed",
        failed_at="simulate",
        reason="r",
        score=points,
    )
    return {**base, **changes}


class TestFiles:
    def test_a_request_survives_the_file(self, tmp_path):
        options = SolveOptions(
            out=tmp_path, require=Verdict.COMPILES, temperature=TemperatureSchedule(start=0.1)
        )
        request = Request(counter_spec(), options, "b", "instruct")
        dump(tmp_path / "r.json", request)
        assert load(tmp_path / "r.json", Request) == request

    def test_a_result_of_a_check_survives_the_file(self, tmp_path):
        cycle = Cycle(1.5, 2, {"a": "0"}, {"y": "1"})
        wrong = Mismatch(1.5, 2, {"y": "1"}, {"y": "x"}, {"a": "0"}, (cycle,))
        found = Diagnostic("é.v", 1, 2, Severity.WARNING, "c", "m", "h", "t")
        result = CheckResult(
            "n", CheckKind.COCOTB, CheckStatus.TIMEOUT, 3, 1, "why", wrong, (found,), Path("a/b")
        )
        dump(tmp_path / "r.json", result)
        assert load(tmp_path / "r.json", CheckResult) == result

    @pytest.mark.parametrize(
        ("kind", "value"),
        [(int, "1"), (int, True), (str, 1), (float, "x"), (tuple[str, ...], "abc"), (Port, [])],
    )
    def test_what_is_of_another_form_is_refused(self, kind, value):
        with pytest.raises(TypeError):
            decode(kind, value)

    def test_unions_keep_their_member(self):
        port = Port(Direction.INPUT, "a", "[W-1:0]")
        assert decode(Port, encode(port)) == port
        assert decode(Port, encode(replace(port, width=4))).width == 4

    def test_writing_leaves_no_partial_file(self, tmp_path):
        write_text(tmp_path / "a" / "f.txt", "one")
        write_text(tmp_path / "a" / "f.txt", "two")
        assert [p.name for p in (tmp_path / "a").iterdir()] == ["f.txt"]
        assert (tmp_path / "a" / "f.txt").read_text() == "two"

    def test_runs_do_not_share_a_folder(self, tmp_path):
        assert len({create_run(tmp_path).root for _ in range(20)}) == 20

    def test_paths_inside_the_run_are_kept_relative(self, tmp_path):
        folder = RunFolder(tmp_path)
        inside, outside = tmp_path / "a" / "x.v", Path("/elsewhere/x.v")
        assert folder.relative(inside) == "a/x.v"
        assert folder.absolute(folder.relative(outside)) == outside


class TestStore:
    def test_one_process_at_a_time(self, tmp_path):
        folder = RunFolder(tmp_path)
        with (
            open_checkpoints(folder),
            pytest.raises(UsageError, match="already going on"),
            open_checkpoints(folder),
        ):
            pass

    def test_damaged_checkpoints_are_one_clear_error(self, tmp_path):
        first = run_loop(tmp_path, inverter_spec("t"), ByPurpose(draft=fenced(GOOD_INVERTER)))
        (first.run / "checkpoints.sqlite").write_bytes(b"not a database, but long enough" * 99)
        with pytest.raises(OutputError, match=r"checkpoints\.sqlite") as caught:
            run_loop(tmp_path, inverter_spec("t"), ByPurpose(), resume=first.run_id)
        assert "new run" in caught.value.remedy

    def test_a_full_disk_is_one_clear_error(self, tmp_path):
        def full():
            with open_checkpoints(RunFolder(tmp_path)):
                raise sqlite3.OperationalError("database or disk is full")

        with pytest.raises(OutputError, match="disk is full"):
            full()


class TestSameDesign:
    def test_layout_and_comments_do_not_matter(self):
        one = "module a(input b);\n  // note\n  assign c = d ;/* x */\nendmodule\n"
        other = "module a (input b) ; assign c =d; endmodule"
        assert digest(one) == digest(other)

    @pytest.mark.parametrize(
        ("one", "other"),
        [
            ("a <= b;", "a < = b;"),
            ('$display("a  b");', '$display("a b");'),
            ("assign a = b;", "assign a = c;"),
            ('x = "//";', 'x = "";'),
            ("reg a; wire b;", "rega; wireb;"),
        ],
    )
    def test_what_means_something_does(self, one, other):
        assert digest(one) != digest(other)


class TestRanking:
    def test_order_is_source_screen_compiles_checks_samples_diagnostics(self):
        error = Diagnostic("a.v", 1, 1, Severity.ERROR, "c", "m", "", "t")
        warning = replace(error, severity=Severity.WARNING)
        fail = CheckResult("t", CheckKind.VECTORS, CheckStatus.FAILED, 100, 90, "")
        better_fail = replace(fail, mismatches=10)
        passed = replace(fail, status=CheckStatus.PASSED, mismatches=0)
        dead = replace(fail, status=CheckStatus.TIMEOUT, samples=0, mismatches=0)
        sound = Evidence(has_source=True, screen=(), compiled=True, lint=(), user_checks=1)
        worst_first = [
            Evidence(has_source=False),
            Evidence(has_source=True, screen=(error,)),
            Evidence(has_source=True, screen=(), compiled=False, lint=(error, error)),
            Evidence(has_source=True, screen=(), compiled=False, lint=(error,)),
            replace(sound, user=(dead,)),
            replace(sound, user=(fail,)),
            replace(sound, user=(better_fail,), lint=(warning,)),
            replace(sound, user=(better_fail,)),
            replace(sound, user=(passed,)),
        ]
        scores = [score(e) for e in worst_first]
        assert scores == sorted(scores)
        assert len({tuple(s) for s in scores}) == len(scores)

    def test_earliest_among_equals_and_no_repetitions(self):
        same = [1.0, 1.0]
        chosen = best_of(
            [
                candidate(0, [9.0, 9.0], same_as="attempt-01/candidate-9"),
                candidate(1, same),
                candidate(2, same),
            ]
        )
        assert chosen is not None
        assert chosen["index"] == 1
        assert best_of([]) is None


class TestDecisions:
    def test_a_repair_that_is_better_becomes_the_base(self):
        state = {**fresh_state(), "attempt": 2, "phase": "repair", "stale": 1}
        state["base"] = candidate(0, [1.0, 0.0])
        update = settle(state, [candidate(1, [1.0, 0.5])], broken=False)
        assert (update["base"]["index"], update["stale"]) == (1, 0)

    def test_two_that_are_not_end_the_line(self):
        state = {**fresh_state(), "attempt": 2, "phase": "repair"}
        state["base"] = candidate(0, [1.0, 0.5])
        state.update(settle(state, [candidate(1, [1.0, 0.5])], broken=False))
        assert (state["stale"], state["base"]["index"]) == (1, 0)
        state["attempt"] = 3
        state.update(settle(state, [candidate(2, [1.0, 0.1])], broken=False))
        assert (state["base"], state["stale"], state["fresh"], state["heat"]) == (None, 0, 1, 1)
        assert choose(state, 9) == ("draft", "")

    def test_repetitions_raise_the_temperature(self):
        state = {**fresh_state(), "attempt": 1}
        update = settle(state, [candidate(0, [1.0]), candidate(1, [1.0], same_as="x")], broken=None)
        assert update["heat"] == 1
        lively = settle(state, [candidate(i, [1.0]) for i in range(3)], broken=None)
        assert lively["heat"] == 0

    def test_temperature_has_a_ceiling(self):
        schedule = TemperatureSchedule(start=0.5, step=0.5, top=1.2)
        assert [schedule.at(i) for i in range(4)] == [0.5, 1.0, 1.2, 1.2]

    @pytest.mark.parametrize(
        ("counter", "value", "reason"),
        [
            ("broken", 2, StopReason.CHECK_BROKEN),
            ("blank", 2, StopReason.NO_RTL),
            ("repeats", 3, StopReason.STALLED),
            ("attempt", 4, StopReason.ATTEMPTS),
        ],
    )
    def test_each_limit_has_its_name(self, counter, value, reason):
        state = {**fresh_state(), counter: value}
        assert choose(state, 4) == ("finish", reason.value)
        assert choose({**fresh_state(), counter: value - 1}, 4)[1] == ""

    def test_every_ending_has_a_sentence_and_an_exit_code(self):
        for reason in StopReason:
            assert reason.sentence
            assert reason.exit_code in ExitCode
        assert StopReason.TIME.exit_code is StopReason.TOKENS.exit_code is ExitCode.BUDGET


class TestOptions:
    @pytest.mark.parametrize(
        "bad", [{"attempts": 0}, {"candidates": 0}, {"answer_tokens": 0}, {"timeout_s": -1.0}]
    )
    def test_budgets_without_sense_are_refused(self, tmp_path, bad):
        with pytest.raises(UsageError, match=next(iter(bad))):
            SolveOptions(out=tmp_path, **bad)


class TestDiagnosis:
    def evidence(self, **changes: object) -> Evidence:
        sound = Evidence(has_source=True, screen=(), compiled=True, lint=(), user_checks=1)
        return replace(sound, **changes)

    def test_errors_stand_once_with_source_and_hint_before_warnings(self, tmp_path):
        source = tmp_path / "a.v"
        source.write_text("module a;\n  wire b = c\nendmodule\n")
        error = Diagnostic("a.v", 2, 3, Severity.ERROR, "x", "syntax error", "add `;`", "icarus")
        warning = replace(error, line=1, severity=Severity.WARNING, message="odd", hint="")
        found = self.evidence(compiled=False, lint=(warning, error, error))
        assert diagnose(source, found, counter_spec()).splitlines() == [
            "line 2: error: syntax error",
            "    2 | wire b = c",
            "    hint: add `;`",
            "line 1: warning: odd",
            "    1 | module a;",
        ]

    def test_a_mismatch_is_a_table_with_expected_beside_actual(self, tmp_path):
        window = tuple(
            Cycle(i * 10.0, i, {"rst": "0", "en": "1", "q": f"{i:04b}"}, {"q": f"{i + 1:04b}"})
            for i in range(3)
        )
        wrong = Mismatch(20.0, 2, {"q": "0011"}, {"q": "0010"}, {"rst": "0", "en": "1"}, window)
        result = CheckResult("m", CheckKind.COCOTB, CheckStatus.FAILED, 10, 4, "4 differ", wrong)
        text = diagnose(tmp_path / "none.v", self.evidence(user=(result,)), counter_spec())
        assert text.splitlines() == [
            "check m: 4 differ",
            "first mismatch in cycle 2 (20 ns):",
            "  q: expected 0011, got 0010",
            "  with inputs rst=0, en=1",
            "cycles around it:",
            "  cycle  rst  en     q  q expected",
            "      0    0   1  0000        0001",
            "      1    0   1  0001        0010",
            "      2    0   1  0010        0011",
        ]

    def test_the_short_way_from_reset_is_preferred(self, tmp_path):
        late = Mismatch(990.0, 99, {"q": "1"}, {"q": "0"}, {})
        early = Mismatch(10.0, 1, {"q": "1"}, {"q": "0"}, {}, (Cycle(10.0, 1, {"q": "0"}),))
        result = CheckResult(
            "m", CheckKind.COCOTB, CheckStatus.FAILED, 10, 4, "", late, shortest=early
        )
        text = diagnose(tmp_path / "none.v", self.evidence(user=(result,)), counter_spec())
        assert "cycle 1 (" in text
        assert "cycle 99" not in text

    def test_a_hang_names_what_to_look_for(self, tmp_path):
        result = CheckResult("m", CheckKind.COCOTB, CheckStatus.TIMEOUT, 0, 0, "after 30 s")
        text = diagnose(tmp_path / "none.v", self.evidence(user=(result,)), counter_spec())
        assert "combinational loop" in text
        assert "after 30 s" in text

    def test_never_more_than_the_budget(self, tmp_path):
        names = [f"sig{i}" for i in range(40)]
        window = tuple(Cycle(i, i, dict.fromkeys(names, "1" * 64)) for i in range(80))
        wrong = Mismatch(
            1, 1, dict.fromkeys(names, "1" * 64), dict.fromkeys(names, "0" * 64), {}, window
        )
        result = CheckResult("m", CheckKind.COCOTB, CheckStatus.FAILED, 9, 9, "x" * 999, wrong)
        error = Diagnostic("a.v", 1, 1, Severity.ERROR, "c", "m" * 500, "h" * 500, "t")
        many = tuple(replace(error, line=i) for i in range(50))
        for evidence in (self.evidence(user=(result,)), self.evidence(compiled=False, lint=many)):
            lines = diagnose(tmp_path / "none.v", evidence, counter_spec()).splitlines()
            assert len(lines) <= MAX_LINES
            assert max(map(len, lines)) <= 100

    def test_wide_values_are_hexadecimal_and_unknown_bits_stay(self, tmp_path):
        wrong = Mismatch(1, 0, {"q": "1" * 16}, {"q": "1" * 8 + "x" * 8}, {})
        result = CheckResult("m", CheckKind.COCOTB, CheckStatus.FAILED, 9, 9, "", wrong)
        text = diagnose(tmp_path / "none.v", self.evidence(user=(result,)), counter_spec())
        assert "expected 0xffff, got 11111111xxxxxxxx" in text


def test_the_idle_design_has_every_port_and_parameter():
    interface = Interface(
        "idle",
        (*COUNTER.ports, Port(Direction.OUTPUT, "w[0]", "[W-1:0]"), Port(Direction.INOUT, "io")),
        (Parameter("W", "8"),),
    )
    text = idle_design(interface)
    assert text.startswith("module idle #(parameter W = 8) (\n    input clk,")
    assert "output [W-1:0] \\w[0] ,\n" in text
    assert "assign \\w[0]  = 0;" in text
    assert "assign io" not in text


def test_requests_are_readable_json(tmp_path):
    result = run_loop(tmp_path, inverter_spec("t"), ByPurpose(draft=fenced(GOOD_INVERTER)))
    request = json.loads((result.run / "request.json").read_text())
    assert request["spec"]["interface"]["module"] == "inv"
    assert request["options"]["attempts"] == 4
