from pathlib import Path

import pytest
from checks_support import COUNTER, COUNTER_MODEL, WIRE, dut, judge, source
from rtl_agent.tools.checks.types import CheckKind, CheckResult, CheckStatus, Limits
from rtl_agent.tools.sandbox import Bubblewrap

SATURATES = COUNTER.replace("if (en)", "if (en & q != 8'hff)")
ESCAPED = r"""
module \top.level[0] (input \a[1] , input a, output \y$out );
  wire \bus.0 ; assign \bus.0 = \a[1] & a; assign \y$out = \bus.0 ;
endmodule
"""


def model(folder: Path, design: str, top: str, text: str, **options: str) -> CheckResult:
    check = source(CheckKind.REFERENCE_MODEL, text, **options)
    return judge(folder, dut(folder, design, top), check)[0]


def test_a_right_design_passes_on_a_thousand_samples(tmp_path: Path) -> None:
    result = model(tmp_path, COUNTER, "cnt", COUNTER_MODEL)
    assert result.passed, result.reason
    assert (result.samples, result.mismatches) == (1000, 0)
    assert result.sandboxed == Bubblewrap().available()
    assert result.log is not None
    assert "matches_expectation" in result.log.read_text()


def test_a_wrong_design_is_shown_at_its_first_mismatch(tmp_path: Path) -> None:
    result = model(tmp_path, SATURATES, "cnt", COUNTER_MODEL)
    assert result.status is CheckStatus.FAILED
    assert result.samples == 1000
    assert result.mismatches > 0
    first = result.first_mismatch
    assert first is not None
    assert (first.expected, first.actual) == ({"q": "00000000"}, {"q": "11111111"})
    assert first.inputs["en"] == "1"
    indices = [cycle.index for cycle in first.window]
    assert indices == list(range(indices[0], indices[0] + len(indices)))
    assert indices[0] < first.cycle < indices[-1]
    at = next(cycle for cycle in first.window if cycle.index == first.cycle)
    assert at.values["q"] != at.expected["q"]
    assert at.time_ns == first.time_ns


def test_a_failure_is_shrunk_to_what_it_takes(tmp_path: Path) -> None:
    result = model(tmp_path, SATURATES, "cnt", COUNTER_MODEL)
    shortest = result.shortest
    assert shortest is not None
    assert len(shortest.window) == 2  # load 255, count once
    assert shortest.window[0].values["load"] == "1"
    assert shortest.window[1].values["d"] == "00000000"
    assert shortest.actual == {"q": "11111111"}


@pytest.mark.parametrize("never", ["assign q = 8'bx;", "assign q = 8'bz;", ""])
def test_an_unknown_output_is_a_mismatch(tmp_path: Path, never: str) -> None:
    text = f"module t(input a, output [7:0] q); {never} endmodule\n"
    result = model(tmp_path, text, "t", "def step(i): return {'q': 0}\n", cycles="20")
    assert result.status is CheckStatus.FAILED
    assert result.first_mismatch is not None
    assert set(result.first_mismatch.actual["q"]) <= set("xz")


def test_dont_cares_are_not_compared(tmp_path: Path) -> None:
    text = "module t(input a, output [3:0] q, r); assign q = {3'bx, a}; endmodule\n"
    step = "def step(i): return {'q': 'xxx' + str(i['a']), 'r': None}\n"
    assert model(tmp_path, text, "t", step, cycles="20").passed


def test_two_functions_are_a_model_and_reset_is_optional(tmp_path: Path) -> None:
    assert model(tmp_path, WIRE, "m", "def step(i): return {'y': i['a']}\n", cycles="50").passed


def test_reset_in_mid_run_is_compared(tmp_path: Path) -> None:
    """A design that cannot be reset a second time fails only because of that."""
    once = COUNTER.replace("output reg [7:0] q);", "output reg [7:0] q);\n  reg done = 0;")
    once = once.replace("if (rst) q <= 0;", "if (rst & !done) begin q <= 0; done <= en; end")
    result = model(tmp_path, once, "cnt", COUNTER_MODEL)
    assert result.status is CheckStatus.FAILED
    assert result.first_mismatch is not None
    assert result.first_mismatch.inputs["rst"] == "1"


@pytest.mark.parametrize("edge", ["posedge clk", "posedge clk or negedge rst_n"])
def test_active_low_reset_of_both_kinds(tmp_path: Path, edge: str) -> None:
    text = (
        "module t(input clk, rst_n, d, output reg q);\n"
        f"always @({edge}) if (!rst_n) q <= 0; else q <= d;\nendmodule\n"
    )
    ref = (
        "class M:\n  def reset(self): return {'q': 0}\n  def step(self, i): return {'q': i['d']}\n"
    )
    assert model(tmp_path, text, "t", ref, cycles="200").passed


def test_a_models_own_stimulus_is_used(tmp_path: Path) -> None:
    ref = (
        "def step(i):\n    assert i['a'] in (3, 5)\n    return {'y': i['a']}\n"
        "def stimulus(rng, cycles):\n    return [{'a': 3}, {}, {'a': 5}]\n"
    )
    result = model(tmp_path, WIRE, "m", ref)
    assert result.passed, result.reason
    assert result.samples == 3


@pytest.mark.parametrize("first", ["", "from __future__ import annotations\n"])
def test_a_dataclass_is_a_model(tmp_path: Path, first: str) -> None:
    ref = (
        f"{first}from dataclasses import dataclass\n@dataclass\nclass M:\n    y: int = 0\n"
        "    def reset(self): pass\n    def step(self, i): return {'y': i['a']}\n"
    )
    result = model(tmp_path, WIRE, "m", ref, cycles="20")
    assert result.passed, result.reason


def test_what_a_model_returned_cannot_change_afterwards(tmp_path: Path) -> None:
    # Without a copy the list is the expectation: `x` when it is compared, anything when it is kept.
    ref = (
        "L = ['x'] * 8\nclass S(str):\n    def lower(self): return self\n"
        "    def replace(self, *a): return L\ndef step(i): return {'y': S('00000001')}\n"
    )
    result = model(tmp_path, WIRE, "m", ref, cycles="20")
    assert (result.status, result.passed) == (CheckStatus.FAILED, False)


def test_escaped_names(tmp_path: Path) -> None:
    ref = "def step(i): return {'y$out': i['a'] & i['a[1]']}\n"
    assert model(tmp_path, ESCAPED, "top.level[0]", ref, cycles="50").passed


@pytest.mark.parametrize(
    ("text", "status", "words"),
    [
        ("def step(i:\n", CheckStatus.BROKEN, "spec.md:10: syntax error"),
        (
            "\ndef step(i):\n    return {'y': i['b']}\n",
            CheckStatus.BROKEN,
            "spec.md:12: .*KeyError",
        ),
        ("def step(i): return {'z': 1}\n", CheckStatus.BROKEN, "'z', which is no output .*: y"),
        ("def step(i): return {'y': 256}\n", CheckStatus.BROKEN, "256 for y, .* 8 bit"),
        ("def step(i): return {'y': 1 << 20000}\n", CheckStatus.BROKEN, "cannot be printed for y"),
        ("def step(i): return {'y': 'no' * 9999}\n", CheckStatus.BROKEN, r"^.{,400}$"),
        ("def step(i): raise ValueError('no' * 9999)\n", CheckStatus.BROKEN, r"^.{,400}$"),
        (
            "def step(i): return {'y': 0}\ndef stimulus(rng, n):\n    yield {'a': 'three'}\n",
            CheckStatus.BROKEN,
            "invalid literal",
        ),
        (
            "def step(i): return {'y': 0}\ndef stimulus(rng, n):\n    while True: yield {}\n",
            CheckStatus.BROKEN,
            "more than 1000000 rows",
        ),
        ("def step(i): return 3\n", CheckStatus.BROKEN, "expected a dict"),
        ("def step(i): return {}\n", CheckStatus.BROKEN, "never compares anything"),
        ("x = 1\n", CheckStatus.BROKEN, "neither a class"),
        ("import sys\ndef step(i): sys.exit(0)\n", CheckStatus.BROKEN, "spec.md:11: .*SystemExit"),
        ("raise SystemExit\n", CheckStatus.BROKEN, "spec.md:10: .*SystemExit"),
        ("import os\ndef step(i): os._exit(0)\n", CheckStatus.CRASHED, "left no results"),
    ],
)
def test_a_model_that_cannot_judge(
    tmp_path: Path, text: str, status: CheckStatus, words: str
) -> None:
    result = model(tmp_path, WIRE, "m", text)
    assert result.status is status
    assert not result.passed
    with pytest.raises(AssertionError, match=words):
        raise AssertionError(result.reason)


def test_a_model_that_hangs_is_a_timeout(tmp_path: Path) -> None:
    result = model(tmp_path, WIRE, "m", "def step(i):\n  while True: pass\n", timeout="2")
    assert result.status is CheckStatus.TIMEOUT


@pytest.mark.parametrize("end", ["$finish", "$stop", "$fatal"])
def test_a_design_that_ends_the_simulation_never_passes(tmp_path: Path, end: str) -> None:
    early = WIRE.replace("endmodule", f"initial #300 {end}; endmodule")
    result = model(tmp_path, early, "m", "def step(i): return {'y': i['a']}\n")
    assert result.status is CheckStatus.FAILED
    assert "ended the simulation" in result.reason


@pytest.mark.slow
def test_a_zero_delay_loop_is_named(tmp_path: Path) -> None:
    text = (
        "module osc(input go, output reg busy);\n  reg t;\n  always @(*) begin\n"
        "    busy <= 1'b0; if (go) t <= busy; busy <= 1'b1;\n  end\nendmodule\n"
    )
    result = model(tmp_path, text, "osc", "def step(i): return {'busy': 1}\n")
    assert result.status is CheckStatus.FAILED
    assert "zero-delay loop through osc.busy" in result.reason
    assert result.diagnostics[-1].code == "zero-delay-loop"
    assert result.seconds < 29


def test_a_loop_that_settles_is_no_failure(tmp_path: Path) -> None:
    text = (
        "module t(input [3:0] a, output [3:0] y); assign y = {y[2:0] & a[3:1], a[0]}; endmodule\n"
    )
    ref = (
        "def step(i):\n  a = i['a']; y = a & 1\n"
        "  for k in range(1, 4): y |= ((y >> (k - 1)) & (a >> k) & 1) << k\n  return {'y': y}\n"
    )
    assert model(tmp_path, text, "t", ref, cycles="30").passed


def test_a_design_without_the_port_fails(tmp_path: Path) -> None:
    design = dut(tmp_path, COUNTER, "cnt")
    tmp_path.joinpath("dut.v").write_text(
        COUNTER.replace("output reg [7:0] q", "output reg [7:0] p").replace("q", "p")
    )
    check = source(CheckKind.REFERENCE_MODEL, COUNTER_MODEL)
    result = judge(tmp_path, design, check, limits=Limits(wall_s=20))[0]
    assert result.status is CheckStatus.FAILED
    assert result.reason == "the design has no port q"


@pytest.mark.parametrize("kind", ["model", "table"])
def test_a_design_with_a_narrow_port_fails(tmp_path: Path, kind: str) -> None:
    design = dut(tmp_path, COUNTER, "cnt")
    tmp_path.joinpath("dut.v").write_text(COUNTER.replace("output reg [7:0]", "output reg [3:0]"))
    check = source(CheckKind.REFERENCE_MODEL, COUNTER_MODEL)
    if kind == "table":
        check = source(CheckKind.VECTORS, "load,d,q\n1,255,255\n")
    result = judge(tmp_path, design, check)[0]
    assert result.status is CheckStatus.FAILED
    assert result.reason == "port q has 4 bit(s), expected 8"


def test_what_does_not_compile_fails_with_its_place(tmp_path: Path) -> None:
    design = dut(tmp_path, COUNTER, "cnt")
    tmp_path.joinpath("dut.v").write_text("module cnt(input clk);\n  assign = 1;\nendmodule\n")
    result = judge(tmp_path, design, source(CheckKind.REFERENCE_MODEL, COUNTER_MODEL))[0]
    assert result.status is CheckStatus.FAILED
    assert "dut.v:2" in result.reason
