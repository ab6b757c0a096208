from pathlib import Path

import pytest
from checks_support import COUNTER, COUNTER_MODEL, WIRE, dut, source
from rtl_agent.tools.checks.factory import make_check
from rtl_agent.tools.checks.replay import Replay, replayable
from rtl_agent.tools.checks.types import (
    Check,
    CheckKind,
    CheckResult,
    CheckSource,
    CheckStatus,
    Limits,
)
from rtl_agent.tools.clocking import infer_clocking

MUTANTS = {
    "saturates": COUNTER.replace("if (en)", "if (en & q != 8'hff)"),
    "no reset": COUNTER.replace("if (rst) q <= 0; else ", ""),
    "wrong edge": COUNTER.replace("posedge", "negedge"),
    "wrong order": COUNTER.replace("if (load)", "if (load & !en)"),
    "ends early": COUNTER.replace("endmodule", "initial #500 $finish; endmodule"),
    "does not compile": COUNTER.replace("q + 1", "nowhere + 1"),
    "unknown": COUNTER.replace("q <= 0", "q <= 8'bx"),
    "equal": COUNTER.replace("q + 1", "q + 9'd257"),
}


def prepared(folder: Path, design: str, top: str, check: CheckSource) -> tuple[Check, Check]:
    """A check, and its replay recorded on `design`."""
    target = dut(folder, design, top, "golden.v")
    made = make_check(check, clocking=infer_clocking(target.interface), timescale="1ns/1ps")
    result, replay = replayable(made, target, folder / "golden", limits=Limits(), seed=1)
    assert result.passed, result.reason
    return made, replay


def core(result: CheckResult) -> tuple[object, ...]:
    """What replay and check must agree on (a compiler names its own top in its words)."""
    reason = result.reason.partition(" in `")[0]
    return (result.status, result.samples, result.mismatches, reason, result.first_mismatch)


@pytest.mark.parametrize(
    "kind",
    [
        CheckKind.REFERENCE_MODEL,
        pytest.param(CheckKind.REFERENCE_RTL, marks=pytest.mark.slow),
    ],
)
def test_a_replay_judges_as_the_check_does(tmp_path: Path, kind: CheckKind) -> None:
    text = COUNTER_MODEL if kind is CheckKind.REFERENCE_MODEL else COUNTER
    check, replay = prepared(tmp_path, COUNTER, "cnt", source(kind, text, cycles="150"))
    assert isinstance(replay, Replay)
    for i, (name, mutant) in enumerate(MUTANTS.items()):
        design = dut(tmp_path, mutant, "cnt", f"mutant{i}.v")
        fast = replay.run(design, tmp_path / f"fast{i}", limits=Limits(), seed=1)
        slow = check.run(design, tmp_path / f"slow{i}", limits=Limits(), seed=1)
        assert core(fast) == core(slow), name
        assert fast.passed == (name == "equal")


def test_a_table_without_a_clock_is_replayed(tmp_path: Path) -> None:
    _, replay = prepared(tmp_path, WIRE, "m", source(CheckKind.VECTORS, "a,y\n3,3\n255,255\n"))
    wrong = dut(tmp_path, WIRE.replace("= a", "= a & 8'h7f"), "m")
    result = replay.run(wrong, tmp_path / "w", limits=Limits(), seed=1)
    assert (result.status, result.samples, result.mismatches) == (CheckStatus.FAILED, 2, 1)
    assert result.first_mismatch is not None
    assert result.first_mismatch.actual == {"y": "01111111"}


def test_escaped_names_are_replayed(tmp_path: Path) -> None:
    text = "module \\a.b (input \\c[0] , output \\d.e[1] ); assign \\d.e[1] = \\c[0] ; endmodule\n"
    model = "def step(i): return {'d.e[1]': i['c[0]']}\n"
    check = source(CheckKind.REFERENCE_MODEL, model, cycles="20")
    _, replay = prepared(tmp_path, text, "a.b", check)
    assert isinstance(replay, Replay)
    design = dut(tmp_path, text, "a.b")
    assert replay.run(design, tmp_path / "w", limits=Limits(), seed=1).passed


@pytest.mark.slow
def test_a_zero_delay_loop_ends_and_is_named(tmp_path: Path) -> None:
    check = source(CheckKind.REFERENCE_MODEL, "def step(i): return {'y': i['a']}\n", cycles="20")
    _, replay = prepared(tmp_path, WIRE, "m", check)
    loop = "module m(input [7:0] a, output reg [7:0] y); always @* begin y <= a; y <= ~y; end\n"
    design = dut(tmp_path, loop + "endmodule\n", "m")
    result = replay.run(design, tmp_path / "w", limits=Limits(), seed=1)
    assert result.status is CheckStatus.FAILED
    assert "zero-delay loop through m.y" in result.reason


def test_checks_that_react_to_the_design_stay_as_they_are(tmp_path: Path) -> None:
    text = (
        "module tb; reg [7:0] a; wire [7:0] y; m dut(a, y);\n"
        'initial begin a = 1; #1 if (y === a) $display("PASS"); $finish; end endmodule\n'
    )
    check, replay = prepared(tmp_path, WIRE, "m", source(CheckKind.TESTBENCH, text))
    assert replay is check
