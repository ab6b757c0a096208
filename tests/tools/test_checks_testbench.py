from pathlib import Path

import pytest
from checks_support import WIRE, dut, judge, source
from rtl_agent.tools.checks.bench_styles import can_report, read_report
from rtl_agent.tools.checks.types import CheckKind, CheckResult, CheckStatus, Limits
from rtl_agent.tools.errors import CheckUnusable

BENCH = """\
module tb;
  reg [7:0] a; wire [7:0] y; integer i, bad;
  m dut(a, y);
  initial begin
    bad = 0;
    for (i = 0; i < 256; i = i + 1) begin a = i; #1; if (y !== a) bad = bad + 1; end
    REPORT
    $finish;
  end
endmodule
"""
RESULT = BENCH.replace("REPORT", '$display("RESULT %0d %0d", i, bad);')
EVAL = BENCH.replace("REPORT", '$display("Mismatches: %1d in %1d samples", bad, i);')
RTLLM = BENCH.replace(
    "REPORT",
    'if (bad == 0) $display("===========Your Design Passed===========");'
    ' else $display("===========Error===========");',
)
PLAIN = BENCH.replace("REPORT", 'if (bad == 0) $display("PASS"); else $display("FAIL: %0d", bad);')
STYLES = [RESULT, EVAL, RTLLM, PLAIN]


def bench(folder: Path, design: str, text: str, **options: str) -> CheckResult:
    check = source(CheckKind.TESTBENCH, text, **options)
    return judge(folder, dut(folder, design, "m"), check, limits=Limits(wall_s=20))[0]


def with_body(body: str) -> str:
    return WIRE.replace("endmodule", f"{body} endmodule")


@pytest.mark.parametrize("text", STYLES)
def test_right_and_wrong_designs(tmp_path: Path, text: str) -> None:
    good = bench(tmp_path, WIRE, text)
    assert good.passed, good.reason
    wrong = bench(tmp_path, WIRE.replace("= a", "= a & 8'hfe"), text)
    assert wrong.status is CheckStatus.FAILED
    assert wrong.mismatches > 0


@pytest.mark.parametrize("text", STYLES)
@pytest.mark.parametrize("task", ["$finish", "$finish(0)", "$stop", "$fatal"])
def test_a_design_that_ends_the_simulation_fails(tmp_path: Path, text: str, task: str) -> None:
    for delay in ("", "#100 "):
        result = bench(tmp_path, with_body(f"initial {delay}{task};"), text)
        assert result.status is CheckStatus.FAILED, (delay, result.reason)


def test_zero_samples_are_no_pass(tmp_path: Path) -> None:
    result = bench(tmp_path, WIRE, EVAL.replace("i < 256", "i < 0"))
    assert result.status is CheckStatus.FAILED
    assert "0 samples" in result.reason


@pytest.mark.parametrize(
    "says",
    ['$display("PASS")', '$write("PASS\\n")', '$display("%s", "PASS")', '$display("RESULT 9 0")',
     '$display("%c%c%c%c", 80, 65, 83, 83)', '$display("Mismatches: %0d in 9 samples", 0)'],
)  # fmt: skip
def test_a_design_cannot_speak_for_the_bench(tmp_path: Path, says: str) -> None:
    result = bench(tmp_path, with_body(f"initial {says};").replace("= a", "= 0"), PLAIN)
    assert result.status is CheckStatus.FAILED


def test_a_design_may_print(tmp_path: Path) -> None:
    assert bench(tmp_path, with_body('initial $display("depth is %0d", 4);'), PLAIN).passed


@pytest.mark.parametrize("task", ["$error", "$fatal", "$stop", '$error("y is %0d", y)'])
def test_failures_that_the_bench_raises(tmp_path: Path, task: str) -> None:
    result = bench(tmp_path, WIRE, PLAIN.replace("$finish;", f"{task}; $finish;"))
    assert result.status is CheckStatus.FAILED


def test_a_bench_that_never_says_anything_is_broken(tmp_path: Path) -> None:
    result = bench(tmp_path, WIRE, BENCH.replace("REPORT", ""))
    assert result.status is CheckStatus.BROKEN
    assert "spec.md:10" in result.reason
    assert "options pass and fail" in result.reason


def test_a_bench_that_only_praises_fails_a_wrong_design(tmp_path: Path) -> None:
    praise = BENCH.replace("REPORT", 'if (bad == 0) $display("PASS");')
    assert bench(tmp_path, WIRE, praise).passed
    result = bench(tmp_path, WIRE.replace("= a", "= 0"), praise)
    assert result.status is CheckStatus.FAILED


def test_configured_patterns(tmp_path: Path) -> None:
    text = BENCH.replace("REPORT", '$display("%0d of %0d wrong", bad, i);')
    options = {"pass": r"^(?P<mismatches>\d+) of (?P<samples>\d+) wrong"}
    good = bench(tmp_path, WIRE, text, **options)
    assert good.passed, good.reason
    assert good.samples == 256
    assert bench(tmp_path, WIRE.replace("= a", "= 0"), text, **options).mismatches == 255


def test_the_golden_sample_count_is_required(tmp_path: Path) -> None:
    """A bench that stops at the first difference and reports only what it saw."""
    lazy = EVAL.replace("if (y !== a) bad = bad + 1;", "if (y !== a) i = 1000;").replace(
        "bad, i", "bad, (i > 999) ? 3 : i"
    )
    design = WIRE.replace("= a", "= (a > 3) ? 8'd0 : a")
    assert bench(tmp_path, design, lazy).passed  # the harm
    (tmp_path / "golden.v").write_text(WIRE)
    path = tmp_path / "tb.v"
    path.write_text(lazy)
    check = source(CheckKind.TESTBENCH, lazy, path, golden="golden.v")
    result = judge(tmp_path, dut(tmp_path, design, "m"), check)[0]
    assert result.status is CheckStatus.FAILED
    assert "only 3 samples" in result.reason
    assert judge(tmp_path, dut(tmp_path, WIRE, "m"), check)[0].passed


def test_a_golden_design_that_fails_makes_the_check_broken(tmp_path: Path) -> None:
    (tmp_path / "golden.v").write_text(WIRE.replace("= a", "= 0"))
    check = source(CheckKind.TESTBENCH, PLAIN, tmp_path / "tb.v", golden="golden.v")
    result = judge(tmp_path, dut(tmp_path, WIRE, "m"), check)[0]
    assert result.status is CheckStatus.BROKEN


def test_output_without_end_and_time_without_end(tmp_path: Path) -> None:
    flood = PLAIN.replace("$finish;", 'forever $display("PASS PASS PASS PASS PASS PASS");')
    result = judge(
        tmp_path,
        dut(tmp_path, WIRE, "m"),
        source(CheckKind.TESTBENCH, flood),
        source(
            CheckKind.TESTBENCH, PLAIN.replace("$finish;", "forever #1 a = a + 1;"), timeout="1"
        ),
        limits=Limits(wall_s=30, output_mib=1),
    )
    assert [r.status for r in result] == [CheckStatus.FAILED, CheckStatus.TIMEOUT]
    assert "1 MiB" in result[0].reason


@pytest.mark.slow
def test_a_zero_delay_loop_is_named(tmp_path: Path) -> None:
    loop = "module m(input [7:0] a, output reg [7:0] y); always @(*) begin y <= a; y <= ~y; end\n"
    result = bench(tmp_path, loop + "endmodule\n", PLAIN)
    assert result.status is CheckStatus.FAILED
    assert "zero-delay loop through tb.dut.y" in result.reason or "m.y" in result.reason


def test_data_files_and_top_of_a_bench(tmp_path: Path) -> None:
    (tmp_path / "data.hex").write_text("07\n")
    text = PLAIN.replace(
        "bad = 0;", 'bad = 0; $readmemh("data.hex", mem); if (mem[0] !== 7) bad = 1;'
    )
    text = text.replace("integer i", "reg [7:0] mem [0:0]; integer i")
    text += 'module unused; initial $display("FAIL"); endmodule\n'
    check = source(CheckKind.TESTBENCH, text, tmp_path / "tb.v", top="tb")
    result = judge(tmp_path, dut(tmp_path, WIRE, "m"), check)[0]
    assert result.passed, result.reason
    for options in ({"top": "nowhere"}, {"colour": "red"}, {"files": "nofile.v"}):
        with pytest.raises(CheckUnusable, match=r"spec\.md:10"):
            bench(tmp_path, WIRE, text, **options)


@pytest.mark.parametrize(
    ("output", "style", "clean"),
    [
        ("Mismatches: 0 in 0 samples\n", "verilogeval", False),
        ("Mismatches: 0 in 12 samples\n", "verilogeval", True),
        ("TIMEOUT\nMismatches: 0 in 12 samples\n", "verilogeval", True),
        ("Hint: Output 'q' has 2 mismatches.\nMismatches: 2 in 12 samples\n", "verilogeval", False),
        ("RESULT 10 0\n", "result", True),
        ("RESULT 10 1\n", "result", False),
        ("===========Your Design Passed===========\n", "rtllm", True),
        ("test failed\n===========Your Design Passed===========\nFailed\n", "rtllm", True),
        ("PASS\n", "plain", True),
        ("All tests passed!\n", "plain", True),
        ("TEST PASSED\n", "plain", True),
        ("PASS\nFAIL at 3\n", "plain", False),
        ("PASS: 3 of 5, 2 failed\n", "", False),
        ("this bypasses nothing\n", "", False),
        ("", "", False),
    ],
)
def test_styles(output: str, style: str, clean: bool) -> None:
    report = read_report(output)
    assert (report.style, report.clean) == (style, clean)


def test_what_could_be_read_as_a_report() -> None:
    assert can_report(["RESULT %0d %0d"])
    assert can_report(["x\\nPASS\\n"])
    assert not can_report(["value %0d", "%s"])
    assert can_report(["%s"], foreign=True)


@pytest.mark.parametrize("name", ["tb.want", "$root.tb.want"])
def test_a_design_that_reads_the_benchs_reference_fails(tmp_path: Path, name: str) -> None:
    text = EVAL.replace("integer i", "wire [7:0] want; assign want = a; integer i")
    result = bench(tmp_path, WIRE.replace("= a", f"= {name}"), text)
    assert result.status is CheckStatus.FAILED
    assert "stand alone" in result.reason or "does not compile" in result.reason


def test_a_design_that_ignores_its_inputs_does_not_pass_a_weak_bench(tmp_path: Path) -> None:
    weak = PLAIN.replace("y !== a", "y > a")
    result = bench(tmp_path, WIRE.replace("= a", "= 0"), weak)
    assert result.status is CheckStatus.FAILED
    assert "depends on any of its inputs" in result.reason
    assert bench(tmp_path, WIRE.replace("= a", "= a & 8'h55"), weak).passed


_ASKS = BENCH.replace("REPORT", '`ifdef EASY bad = 0; `endif $display("RESULT %0d %0d", i, bad);')


def test_macros_of_a_design_do_not_reach_the_bench(tmp_path: Path) -> None:
    wrong = "`define EASY\n" + WIRE.replace("= a", "= a & 8'hfe")
    result = bench(tmp_path, wrong, _ASKS)
    assert result.status is CheckStatus.FAILED
    assert result.mismatches == 128
    # The harm without the guard: with the macro the bench takes the same design.
    harm = tmp_path / "harm"
    harm.mkdir()
    assert bench(harm, wrong, "`define EASY\n" + _ASKS).passed


def test_macros_of_the_benchs_own_sources_do_reach_it(tmp_path: Path) -> None:
    common = tmp_path / "common.v"
    common.write_text("`define LAST 256\n")
    (tmp_path / "tb.v").write_text(RESULT.replace("i < 256", "i < `LAST"))
    check = source(
        CheckKind.TESTBENCH, (tmp_path / "tb.v").read_text(), tmp_path / "tb.v", files="common.v"
    )
    design = dut(tmp_path, "`define UNUSED 1\n" + WIRE, "m")
    assert judge(tmp_path, design, check)[0].passed


def test_a_sandbox_that_is_turned_off_is_not_used_and_the_result_says_so(tmp_path: Path) -> None:
    check = source(CheckKind.TESTBENCH, RESULT)
    design = dut(tmp_path, WIRE, "m")
    assert not judge(tmp_path, design, check, limits=Limits(unsandboxed=True))[0].sandboxed
