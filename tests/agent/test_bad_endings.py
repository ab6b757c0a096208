"""Whatever the spec, the check or the model is like, a run ends by a name and says so."""

from __future__ import annotations

import pytest
from loop_kit import (
    BAD_INVERTER,
    COUNTER,
    GOOD_COUNTER,
    GOOD_INVERTER,
    INVERTER,
    FakeToolbox,
    counter_spec,
    fenced,
    inverter_spec,
    run_loop,
)
from rtl_agent.agent.backends.scripted import ScriptedBackend
from rtl_agent.agent.errors import ExitCode, SpecError
from rtl_agent.agent.graph.options import SolveOptions
from rtl_agent.agent.graph.run import solve
from rtl_agent.agent.graph.stop import StopReason
from rtl_agent.agent.spec.model import Spec
from rtl_agent.agent.spec.read import read_spec
from rtl_agent.agent.styles.instruct import InstructStyle
from rtl_agent.agent.verdict import Verdict
from rtl_agent.tools.checks.types import CheckKind, CheckSource
from rtl_agent.tools.clocking import infer_clocking

VHDL = """```vhdl
entity inv is port (a : in bit; y : out bit); end inv;
architecture rtl of inv is begin y <= not a; end rtl;
```
"""
PYTHON = "```python\nfrom amaranth import *\nclass Inv(Elaboratable):\n    pass\n```\n"
CHISEL = "```scala\nclass Inv extends Module { val io = IO(new Bundle {}) }\n```\n"


def really(out, spec: Spec, *answers: str, **options):
    """Solve with the real tools; the model repeats its last answer for ever."""
    return solve(
        spec,
        SolveOptions(
            out=out,
            **{"jobs": 1, "candidates": 1, "attempts": 8, "timeout_s": 60.0, "search_s": 0.0}
            | options,
        ),
        ScriptedBackend(list(answers), repeat_last=True),
        InstructStyle(),
        None,
    )


def counter_with(kind: CheckKind, text: str, **options: str) -> Spec:
    source = CheckSource(kind, "given", text, "cnt.md:9", options=options)
    return Spec(
        "cnt", None, "A counter.", COUNTER, checks=(source,), clocking=infer_clocking(COUNTER)
    )


def ends(result, stop: StopReason, code: ExitCode, says: str) -> None:
    """Named, below its budget, with a report that says why."""
    assert result.stop_reason is stop
    assert result.exit_code is code
    assert result.verdict is Verdict.FAILED
    assert result.timing.total_s < 60
    report = result.report.read_text()
    assert stop.sentence in report
    assert says.lower() in report.lower()


@pytest.mark.parametrize("text", [VHDL, PYTHON, CHISEL, "\n\n", "The module inv is ready."])
def test_no_verilog_in_any_answer(tmp_path, text):
    backend = ScriptedBackend([text], repeat_last=True)
    result = run_loop(tmp_path, inverter_spec("t"), backend, attempts=30, candidates=1)
    ends(
        result, StopReason.NO_RTL, ExitCode.NOT_REACHED,
        "no answer of the model contains a Verilog module",
    )  # fmt: skip
    assert len(result.attempts) < 30


def test_the_same_wrong_module_under_ever_new_names(tmp_path):
    """Another name for a signal is no new design."""
    tools = FakeToolbox()
    texts = [
        BAD_INVERTER.replace(
            "  assign y = a", f"  wire w{i};\n  assign w{i} = a;\n  assign y = w{i}"
        )
        for i in range(40)
    ]
    backend = ScriptedBackend([fenced(t) for t in texts], repeat_last=True)
    result = run_loop(
        tmp_path, inverter_spec("t"), backend, toolbox=tools, attempts=30, candidates=1
    )
    ends(result, StopReason.STALLED, ExitCode.NOT_REACHED, "5 of 10 samples differ")
    assert len(tools.judged) == 3, "one screen, one lint, one check"


def test_a_module_of_another_name_and_other_ports(tmp_path):
    result = really(tmp_path, counter_spec(), fenced(GOOD_INVERTER))
    ends(result, StopReason.STALLED, ExitCode.NOT_REACHED, "cnt")


def test_a_check_that_never_compares(tmp_path):
    silent = (
        "class Model:\n    def reset(self):\n        pass\n"
        "    def step(self, inputs):\n        return {}\n"
    )
    spec = counter_with(CheckKind.REFERENCE_MODEL, silent)
    result = really(tmp_path, spec, fenced(GOOD_COUNTER))
    ends(result, StopReason.CHECK_BROKEN, ExitCode.USAGE, "compare")
    assert len(result.attempts) <= 2


def test_a_reference_that_breaks_down(tmp_path):
    broken = (
        "class Model:\n    def reset(self):\n        self.q = 0\n"
        "    def step(self, inputs):\n        return {'q': self.missing}\n"
    )
    result = really(tmp_path, counter_with(CheckKind.REFERENCE_MODEL, broken), fenced(GOOD_COUNTER))
    ends(result, StopReason.CHECK_BROKEN, ExitCode.USAGE, "missing")


def test_a_bench_that_fails_its_own_golden_design(tmp_path):
    bench = """module tb;
  reg clk = 0, rst = 1, en = 1; wire [3:0] q;
  cnt dut(clk, rst, en, q);
  initial begin
    #5 clk = 1; #5 clk = 0; #1;
    if (q !== 4'd9) $display("FAIL: 1 of 1 samples"); else $display("PASS: 1 samples");
    $finish;
  end
endmodule
"""
    golden = tmp_path / "golden.v"
    golden.write_text(GOOD_COUNTER)
    spec = counter_with(CheckKind.TESTBENCH, bench, golden=str(golden))
    result = really(tmp_path / "out", spec, fenced(GOOD_COUNTER))
    ends(result, StopReason.CHECK_BROKEN, ExitCode.USAGE, "golden")


def test_a_spec_that_no_design_can_meet(tmp_path):
    """Two tables that contradict each other; the design that meets one of them is the best."""
    spec = Spec(
        "inv", None, "y is not a, and y is a.", INVERTER,
        checks=tuple(
            CheckSource(CheckKind.VECTORS, name, text, f"inv.md:{line}")
            for name, text, line in (("one", "a,y\n0,1\n1,0\n", 5), ("two", "a,y\n0,0\n1,1\n", 9))
        ),
    )  # fmt: skip
    result = really(tmp_path, spec, fenced(BAD_INVERTER), fenced(GOOD_INVERTER))
    ends(result, StopReason.STALLED, ExitCode.NOT_REACHED, "2 of 2")
    assert (tmp_path / "inv.v").is_file()


@pytest.mark.parametrize(
    ("ports", "says"),
    [
        ("- input a\n- output [3:0] a\n- output y\n", "declared twice"),
        ("- input [3:0] a\n- input [7:0] a\n- output y\n", "declared twice"),
    ],
)
def test_contradictory_ports_are_an_error_before_anything_runs(tmp_path, ports, says):
    path = tmp_path / "s.md"
    path.write_text(f"Implement a module named inv.\n\n{ports}\ny is a.\n")
    with pytest.raises(SpecError, match=says) as caught:
        read_spec(path)
    assert "s.md:4" in caught.value.message
    assert caught.value.exit_code is ExitCode.USAGE
