"""Many variants at once: each is judged as the check itself would judge it."""

from __future__ import annotations

import time

import pytest
from rtl_agent.tools.checks.factory import make_check
from rtl_agent.tools.checks.types import CheckKind, CheckSource, Dut, Limits
from rtl_agent.tools.clocking import Clocking
from rtl_agent.tools.interface import Direction, Interface, Port
from rtl_agent.tools.trials import Recording, Trials, TrialStatus, record
from rtl_agent.tools.trials.rename import defined_modules, renamed

IN, OUT = Direction.INPUT, Direction.OUTPUT
COUNTER = Interface("cnt", (Port(IN, "clk"), Port(IN, "rst"), Port(IN, "en"), Port(OUT, "q", 4)))
GOOD = """module cnt(input clk, input rst, input en, output reg [3:0] q);
  always @(posedge clk)
    if (rst) q <= 4'd0;
    else if (en) q <= q + 4'd1;
endmodule
"""
WRONG = GOOD.replace("q + 4'd1", "q - 4'd1")


def recording(rows: int = 40) -> Recording:
    """Count up with a pause; the expectation is computed here."""
    q, values, wanted = 0, [], []
    for row in range(rows):
        rst, en = int(row < 2), int(row % 5 != 4)
        q = 0 if rst else (q + en) % 16
        values.append({"rst": rst, "en": en})
        wanted.append({} if rst else {"q": format(q, "04b")})
    return Recording("count", Clocking("clk", "rst"), tuple(values), tuple(wanted))


@pytest.fixture
def trials(tmp_path):
    return Trials(COUNTER, tmp_path / "trials", Limits(), jobs=1)


def test_each_variant_has_its_own_verdict(trials):
    variants = [
        GOOD,
        WRONG,
        GOOD.replace("q <= q", "q <= missing"),
        GOOD.replace("if (rst)", "if rst"),
        GOOD.replace("4'd0", "4'd0 / 4'd0"),
    ]
    found = trials.run(recording(), variants)
    assert [t.status for t in found] == [
        TrialStatus.RAN,
        TrialStatus.RAN,
        TrialStatus.REJECTED,
        TrialStatus.REJECTED,
        TrialStatus.RAN,
    ]
    assert [t.passed for t in found] == [True, False, False, False, False]
    assert found[1].first == 2
    assert found[4].bad > 0, "an unknown output is a mismatch, not a match"


def test_a_variant_that_hangs_costs_the_others_nothing(trials):
    hanging = GOOD.replace("endmodule", "reg p = 0; always @(p) p <= ~p; initial p = 1; endmodule")
    found = trials.run(recording(), [GOOD, hanging, WRONG])
    assert [t.status for t in found] == [TrialStatus.RAN, TrialStatus.HANGS, TrialStatus.RAN]
    assert found[0].passed
    assert not found[2].passed


def test_variants_with_the_same_loop_are_run_once_for_all(tmp_path):
    """One after the other they would take a second and a half each."""
    loop = GOOD.replace("endmodule", "wire z; assign z = ~z | q[3]; endmodule")
    texts = [loop.replace("4'd1", f"4'd{n}") for n in range(2, 10)]
    texts.append(loop.replace("~z | q[3]", "q[3]").replace("4'd1", "4'd3"))
    trials = Trials(COUNTER, tmp_path, Limits(until=time.monotonic() + 14.0), jobs=1)
    found = trials.run(recording(), texts)
    assert {t.status for t in found[:-1]} == {TrialStatus.HANGS}
    assert found[-1].status is TrialStatus.RAN


def test_no_variant_is_judged_after_its_time(tmp_path):
    trials = Trials(COUNTER, tmp_path, Limits(until=time.monotonic()), jobs=1)
    assert {t.status for t in trials.run(recording(), [GOOD, WRONG])} == {TrialStatus.SKIPPED}


def test_generate_loop_without_end_is_rejected(trials):
    loop = GOOD.replace(
        "endmodule",
        "genvar i; generate for (i = 0; i >= 0; i = i + 1) begin end endgenerate endmodule",
    )
    found = trials.run(recording(), [GOOD, GOOD + "// 2", loop])
    assert [t.status.value for t in found] == ["ran", "ran", "rejected"]


def test_dont_care_is_not_compared(trials):
    told = recording()
    low = tuple({"q": "xxx" + e["q"][3]} if e else e for e in told.expected)
    blurred = Recording(told.check, told.clocking, told.rows, low)
    low_bit_right = GOOD.replace("q + 4'd1", "q + 4'd3")
    assert trials.run(blurred, [low_bit_right])[0].passed
    assert not trials.run(told, [low_bit_right])[0].passed


def test_recording_that_compares_nothing_is_refused(trials):
    told = recording()
    empty = Recording(told.check, told.clocking, told.rows, tuple({} for _ in told.rows))
    with pytest.raises(ValueError, match="never compares"):
        trials.run(empty, [GOOD])


def test_verdicts_are_those_of_the_check(tmp_path, trials):
    model = (
        "class M:\n    def reset(self):\n        self.q = 0\n"
        "    def step(self, i):\n        self.q = (self.q + i['en']) % 16\n"
        "        return {'q': self.q}\n"
    )
    check = make_check(
        CheckSource(CheckKind.REFERENCE_MODEL, "m", model, "m.md:1", options={"cycles": "200"}),
        clocking=Clocking("clk", "rst"),
    )
    path = tmp_path / "wrong.v"
    path.write_text(WRONG)
    judged, told = record(check, Dut((path,), COUNTER), tmp_path / "run", limits=Limits(), seed=3)
    assert told is not None
    (good, wrong) = trials.run(told, [GOOD, WRONG])
    assert good.passed
    assert wrong.bad == judged.mismatches
    assert sum(map(bool, told.expected)) == judged.samples


def test_bench_cannot_be_recorded(tmp_path):
    bench = (
        "module tb; reg c = 0; wire [3:0] q; cnt u(c, 1'b1, 1'b0, q);\n"
        'initial begin #1 c = 1; #1 if (q !== 0) $display("FAIL"); else $display("PASS");'
        " $finish; end endmodule\n"
    )
    check = make_check(
        CheckSource(CheckKind.TESTBENCH, "tb", bench, "t.md:1"), clocking=Clocking("clk", "rst")
    )
    path = tmp_path / "good.v"
    path.write_text(GOOD)
    judged, told = record(check, Dut((path,), COUNTER), tmp_path / "run", limits=Limits(), seed=0)
    assert judged.status == "passed"
    assert told is None


def test_watching_tells_outputs_and_wrong_rows(trials):
    seen = trials.watch(recording(), WRONG)
    assert seen is not None
    assert len(seen.outputs) == 40
    assert seen.wrong["q"] == trials.run(recording(), [WRONG])[0].failed


def test_renaming_spares_comments_strings_and_likes():
    source = (
        "module a(input x); b u(x); b #(.N(2)) w [1:0] (x); // b (x)\n"
        '  initial $display("b (x)"); wire b_c; assign b_c = x;\nendmodule\n'
        "module b #(parameter N = 1) (input x); endmodule\n"
    )
    assert defined_modules(source) == ("a", "b")
    new = renamed(source, ("a", "b"), "__v1")
    assert "module a__v1(input x); b__v1 u(x); b__v1 #(.N(2)) w [1:0] (x); // b (x)" in new
    assert '"b (x)"' in new
    assert "wire b_c" in new
    assert "module b__v1 #(" in new
