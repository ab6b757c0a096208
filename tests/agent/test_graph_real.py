"""The whole loop with the real parser, screen, linters and simulator; the model is scripted."""

from __future__ import annotations

import shutil

import pytest
from loop_kit import COUNTER, GOOD_COUNTER, counter_spec, fenced
from rtl_agent.agent.backends.base import Answer
from rtl_agent.agent.backends.scripted import ScriptedBackend
from rtl_agent.agent.errors import SpecError, UsageError
from rtl_agent.agent.graph.options import SolveOptions
from rtl_agent.agent.graph.run import check_design, solve
from rtl_agent.agent.graph.stop import StopReason
from rtl_agent.agent.spec.model import Spec
from rtl_agent.agent.styles.instruct import InstructStyle
from rtl_agent.agent.verdict import Verdict
from rtl_agent.decoding.api import DecodeStats, FinishReason
from rtl_agent.tools.checks.types import CheckKind, CheckSource

pytestmark = pytest.mark.skipif(shutil.which("iverilog") is None, reason="needs Icarus Verilog")

FORGOT_ENABLE = GOOD_COUNTER.replace("else if (en)", "else")
NO_SEMICOLON = GOOD_COUNTER.replace("q <= 4'd0;", "q <= 4'd0")


def run(out, answers, *, spec=None, prefill=False, **options):
    backend = ScriptedBackend(answers)
    result = solve(
        spec or counter_spec(),
        SolveOptions(out=out, **{"candidates": 1, "search_s": 0, **options}),
        backend,
        InstructStyle(prefill=prefill),
        None,
    )
    return result, backend


def test_a_bug_is_repaired_without_the_model(tmp_path):
    result, backend = run(tmp_path, [fenced(FORGOT_ENABLE)], search_s=60)
    assert (result.verdict, len(result.attempts)) == (Verdict.VERIFIED, 1)
    assert len(backend.prompts) == 1
    assert [c.by for c in result.attempts[0].candidates] == ["", "search"]
    assert "if (en)" in result.rtl.read_text()
    assert result.timing.search_s > 0


def test_a_bug_is_found_fed_back_and_repaired(tmp_path):
    result, backend = run(tmp_path, [fenced(FORGOT_ENABLE), fenced(GOOD_COUNTER)])
    assert (result.verdict, len(result.attempts)) == (Verdict.VERIFIED, 2)
    assert result.attempts[0].candidates[0].failed_at == "simulate"
    assert (tmp_path / "cnt.v").read_text() == GOOD_COUNTER
    assert result.checks[0].samples > 100
    evidence = backend.prompts[1].messages[-1][1]
    assert "first mismatch in cycle" in evidence
    assert "q: expected" in evidence
    diagnosis = (result.run / "attempt-01" / "diagnosis.txt").read_text()
    assert 3 < len(diagnosis.splitlines()) <= 30


def test_a_syntax_error_goes_back_with_line_and_source(tmp_path):
    result, backend = run(tmp_path, [fenced(NO_SEMICOLON), fenced(GOOD_COUNTER)])
    assert result.verdict is Verdict.VERIFIED
    assert result.attempts[0].candidates[0].failed_at == "compile"
    evidence = backend.prompts[1].messages[-1][1]
    assert "line 3: error: " in evidence
    assert "3 | if (rst) q <= 4'd0" in evidence


def test_wrong_ports_are_screened_out_and_named(tmp_path):
    wrong = GOOD_COUNTER.replace("input en", "input enable").replace("(en)", "(enable)")
    result, backend = run(tmp_path, [fenced(wrong), fenced(GOOD_COUNTER)])
    assert result.verdict is Verdict.VERIFIED
    assert result.attempts[0].candidates[0].failed_at == "screen"
    assert "enable" in backend.prompts[1].messages[-1][1]


def test_a_design_that_ends_the_simulation_is_no_pass(tmp_path):
    cheat = GOOD_COUNTER.replace("endmodule", "  initial $finish;\nendmodule")
    result, _ = run(tmp_path, [fenced(cheat)], attempts=1)
    assert (result.verdict, result.stop_reason) == (Verdict.FAILED, StopReason.ATTEMPTS)
    assert "$finish" in result.reason
    assert result.checks == ()


def test_a_design_that_hangs_ends_within_the_limit(tmp_path):
    loop = GOOD_COUNTER.replace(
        "endmodule", "  reg z = 0;\n  always @(*) z <= ~z & (clk | 1'b1);\nendmodule"
    )
    result, _ = run(tmp_path, [fenced(loop)], attempts=1, timeout_s=60)
    assert result.verdict is Verdict.FAILED
    assert result.timing.total_s < 60
    diagnosis = result.reason
    assert "check model" in diagnosis


def test_a_cut_off_answer_is_continued_and_not_repaired(tmp_path):
    text = fenced(GOOD_COUNTER)
    middle = text.index("q + 4'd1")
    stats = DecodeStats(new_tokens=20)
    cut = Answer(text[:middle], FinishReason.LENGTH, stats)
    result, backend = run(tmp_path, [cut, Answer(text[middle:], FinishReason.EOS, stats)])
    assert result.verdict is Verdict.VERIFIED
    assert [p.purpose for p in backend.prompts] == ["draft", "continue"]
    assert len(result.attempts) == 1
    assert result.decoding.new_tokens == 40


def test_a_prefilled_answer_is_put_together(tmp_path):
    rest = " reg [3:0] q\n);\n" + "\n".join(GOOD_COUNTER.splitlines()[1:]) + "\n```\n"
    result, backend = run(tmp_path, [rest], prefill=True)
    assert backend.prompts[0].prefill.endswith("    input en,\n    output")
    assert result.verdict is Verdict.VERIFIED


def test_spec_without_checks_compiles_and_no_more(tmp_path):
    spec = Spec("cnt", None, "A counter.", COUNTER)
    result, _ = run(tmp_path, [fenced(FORGOT_ENABLE)], spec=spec)
    assert (result.verdict, result.reached) == (Verdict.COMPILES, True)


def test_a_table_as_second_check_has_to_pass_too(tmp_path):
    table = "rst,en,q\n1,0,x\n1,0,0\n0,1,0\n0,0,9\n"
    wrong = CheckSource(CheckKind.VECTORS, "table", table, "cnt.md:20")
    spec = counter_spec()
    both = Spec(
        "cnt", None, spec.text, COUNTER, checks=(*spec.checks, wrong), clocking=spec.clocking
    )
    result, _ = run(tmp_path, [fenced(GOOD_COUNTER)], spec=both, attempts=1)
    assert result.verdict is Verdict.FAILED
    assert [c.passed for c in result.checks] == [True, False]


def test_an_unusable_check_is_an_error_before_anything_runs(tmp_path):
    bad = CheckSource(CheckKind.VECTORS, "t", "nonsense\n", "cnt.md:9", options={"colour": "red"})
    spec = Spec("cnt", None, "A counter.", COUNTER, checks=(bad,))
    with pytest.raises(SpecError, match="colour"):
        run(tmp_path, [], spec=spec)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("import cocotb\n@cocotb.test()\nasync def t(dut)\n    pass\n", "syntax error"),
        (
            "import cocotb\n@cocotb.test()\nasync def t(dut):\n    dut.en.value = 1\n",
            "never checks",
        ),
        ("x = 1\n", "no @cocotb.test"),
    ],
)
def test_a_cocotb_test_that_can_judge_nothing_is_an_error_at_once(tmp_path, text, message):
    source = CheckSource(CheckKind.COCOTB, "t", text, "cnt.md:9")
    spec = Spec("cnt", None, "A counter.", COUNTER, checks=(source,))
    with pytest.raises(SpecError, match=message) as caught:
        run(tmp_path, [], spec=spec)
    assert "cnt.md:" in caught.value.message
    assert not (tmp_path / "runs").exists()


def test_a_check_that_an_idle_design_passes_is_named_in_the_report(tmp_path):
    table = "rst,en,q\n1,0,0\n1,0,0\n"
    weak = CheckSource(CheckKind.VECTORS, "weak", table, "cnt.md:20")
    counter = counter_spec()
    spec = Spec("cnt", None, counter.text, COUNTER, checks=(weak,), clocking=counter.clocking)
    result, _ = run(tmp_path, [fenced(GOOD_COUNTER)], spec=spec)
    assert result.verdict is Verdict.VERIFIED
    assert any("outputs are always 0" in note for note in result.notes)
    assert "outputs are always 0" in result.report.read_text()


def test_check_judges_a_given_design_where_it_lies(tmp_path):
    good, bad = tmp_path / "good.v", tmp_path / "bad.v"
    good.write_text(GOOD_COUNTER)
    bad.write_text(FORGOT_ENABLE)
    events = []
    options = SolveOptions(out=tmp_path / "out")
    passed = check_design([good], counter_spec(), options, events.append)
    assert (passed.verdict, passed.stop_reason) == (Verdict.VERIFIED, StopReason.REACHED)
    assert passed.rtl == good
    assert passed.attempts[0].phase == "given"
    assert passed.report == passed.run / "report.md"
    failed = check_design([bad], counter_spec(), options)
    assert (failed.verdict, failed.stop_reason) == (Verdict.FAILED, StopReason.JUDGED)
    assert int(failed.exit_code) == 1
    assert failed.checks[0].first_mismatch is not None


def test_check_of_several_files_in_any_order(tmp_path):
    top, part = tmp_path / "cnt.v", tmp_path / "next.v"
    top.write_text(
        "module cnt(input clk, input rst, input en, output reg [3:0] q);\n"
        "  wire [3:0] n;\n  next u(.q(q), .n(n));\n"
        "  always @(posedge clk) if (rst) q <= 0; else if (en) q <= n;\nendmodule\n"
    )
    part.write_text(
        "module next(input [3:0] q, output [3:0] n);\n  assign n = q + 4'd1;\nendmodule\n"
    )
    result = check_design([top, part], counter_spec(), SolveOptions(out=tmp_path / "out"))
    assert result.verdict is Verdict.VERIFIED


def test_context_files_may_be_instantiated(tmp_path):
    part = tmp_path / "next.v"
    part.write_text(
        "module next(input [3:0] q, output [3:0] n);\n  assign n = q + 4'd1;\nendmodule\n"
    )
    top = (
        "module cnt(input clk, input rst, input en, output reg [3:0] q);\n"
        "  wire [3:0] n;\n  next u(.q(q), .n(n));\n"
        "  always @(posedge clk) if (rst) q <= 0; else if (en) q <= n;\nendmodule\n"
    )
    spec = counter_spec()
    with_part = Spec(
        "cnt", None, spec.text, COUNTER, checks=spec.checks, clocking=spec.clocking, context=(part,)
    )
    result, _ = run(tmp_path, [fenced(top)], spec=with_part)
    assert result.verdict is Verdict.VERIFIED


def test_check_of_a_file_that_is_not_there(tmp_path):
    with pytest.raises(UsageError, match=r"nope\.v: no such file"):
        check_design([tmp_path / "nope.v"], counter_spec(), SolveOptions(out=tmp_path))
