"""Mutation score: which faults are injected, which are told apart, and what a score means."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import pytest
from checks_support import COUNTER, COUNTER_MODEL, WIRE, dut, source
from rtl_agent.tools.checks.factory import make_check
from rtl_agent.tools.checks.types import CheckKind, Limits
from rtl_agent.tools.clocking import infer_clocking
from rtl_agent.tools.edits import OPERATORS, apply, find_edits
from rtl_agent.tools.mutate import (
    FAULTS,
    Mutant,
    MutantStatus,
    choose_mutants,
    measure,
    prove_equivalent,
)
from rtl_agent.tools.parse import parse_text
from rtl_agent.tools.toolchain import YOSYS

if TYPE_CHECKING:
    from pathlib import Path

    from rtl_agent.tools.checks.types import Check, CheckSource, Dut
    from rtl_agent.tools.mutate import MutationReport

needs_yosys = pytest.mark.skipif(not YOSYS.available(), reason="Yosys is not installed")
LAZY = COUNTER_MODEL.replace('return {"q": self.q}', 'return {"q": None}').replace(
    'return {"q": 0}', 'return {"q": 0}'
)


def checks(design: Dut, *sources: CheckSource) -> list[Check]:
    return [make_check(s, clocking=infer_clocking(design.interface)) for s in sources]


def score(folder: Path, text: str, top: str, *sources: CheckSource, count: int) -> MutationReport:
    design = dut(folder, text, top)
    return measure(checks(design, *sources), design, folder / "work", count=count, jobs=2)


def test_mutants_are_spread_over_the_operators_and_all_compile(tmp_path: Path) -> None:
    design = dut(tmp_path, COUNTER, "cnt")
    mutants = choose_mutants(design.files, count=24, seed=3)
    assert len(mutants) == 24
    assert len({m.source for m in mutants}) == 24
    assert all(parse_text(m.source).ok for m in mutants)
    kinds = [m.edit.operator for m in mutants]
    there = {e.operator for e in find_edits(COUNTER, FAULTS)}
    assert set(kinds) <= there
    assert len(set(kinds)) >= min(len(there), 18)
    assert mutants == choose_mutants(design.files, count=24, seed=3)
    assert mutants != choose_mutants(design.files, count=24, seed=4)
    # A measurement that time cut short can be repeated by its count.
    assert mutants[:7] == choose_mutants(design.files, count=7, seed=3)


def test_every_fault_is_an_operator() -> None:
    assert set(OPERATORS) > FAULTS
    assert {"operator-swap", "off-by-one", "negate-condition", "edge", "stuck"} <= FAULTS


def test_a_good_check_notices_and_a_weak_one_does_not(tmp_path: Path) -> None:
    model = source(CheckKind.REFERENCE_MODEL, COUNTER_MODEL, cycles="300")
    good = score(tmp_path, COUNTER, "cnt", model, count=16)
    assert good.sound
    assert good.score is not None
    assert good.score > 0.9
    weak_folder = tmp_path / "weak"
    weak_folder.mkdir()
    blind = source(CheckKind.REFERENCE_MODEL, LAZY, cycles="300")
    weak = score(weak_folder, COUNTER, "cnt", blind, count=16)
    assert weak.score is not None
    assert weak.score < 0.6
    assert all(o.mutant.diff().count("\n+") >= 1 for o in weak.survivors)


def test_what_time_leaves_out_is_in_no_count(tmp_path: Path) -> None:
    design = dut(tmp_path, COUNTER, "cnt")
    model = source(CheckKind.REFERENCE_MODEL, COUNTER_MODEL, cycles="300")
    asked: list[int] = []

    def over() -> bool:
        asked.append(1)
        return len(asked) > 3

    report = measure(checks(design, model), design, tmp_path / "work", count=12, jobs=1, over=over)
    assert len(report.outcomes) == 3
    assert len(asked) == 12
    assert report.score is not None


def test_a_design_that_fails_its_checks_has_no_score(tmp_path: Path) -> None:
    model = source(CheckKind.REFERENCE_MODEL, COUNTER_MODEL, cycles="50")
    report = score(tmp_path, COUNTER.replace("q + 1", "q + 2"), "cnt", model, count=5)
    assert not report.sound
    assert report.score is None
    assert report.outcomes == ()


def test_what_the_simulator_does_not_compile_does_not_count(tmp_path: Path) -> None:
    """Icarus 11 refuses a non-blocking assignment in a function, which pyslang lets pass."""
    from rtl_agent.tools.mutate.run import _rejected

    bench = source(
        CheckKind.TESTBENCH,
        "module tb; wire [7:0] y; m d(8'd1, y); initial begin #1 "
        '$display("RESULT 1 %0d", y !== 1); $finish; end endmodule',
    )
    design = dut(tmp_path, WIRE.replace("assign y = a", "assign y = nothing_there(a)"), "m")
    (check,) = checks(design, bench)
    result = check.run(design, tmp_path / "run", limits=Limits(), seed=1)
    assert not result.passed
    assert _rejected(result)


def mutant(folder: Path, text: str, operator: str, note: str) -> Mutant:
    path = folder / "dut.v"
    path.write_text(text, encoding="utf-8")
    edit = next(e for e in find_edits(text, frozenset({operator})) if note in e.note)
    return Mutant(path, edit, apply(text, [edit]), text)


FSM = """\
module f(input clk, input rst, input d, output reg z);
  localparam A = 2'd0, B = 2'd1, C = 2'd2, D = 2'd3;
  reg [1:0] s;
  always @(posedge clk)
    if (rst) begin s <= A; z <= 1'b0; end
    else begin
      z <= (s == D) && d;
      case (s)
        A: s <= d ? B : A;
        B: s <= d ? B : C;
        C: s <= d ? D : A;
        default: s <= d ? B : C;
      endcase
    end
endmodule
"""
_PROOFS = [
    ("comparison-swap", "becomes `>=`", True),  # nothing is greater than the last state
    ("drop-arm", "arm `B`", True),  # the default does the same
    ("drop-arm", "arm `C`", False),
    ("comparison-swap", "becomes `!=`", False),
    ("reset-value", "`2'd", False),
    ("reset-polarity", "`!rst`", False),
    ("blocking", "`z <=` becomes", True),  # nobody else reads it in the same instant
    ("edge", "negedge", False),  # the proof does not see edges, so it is not tried
    ("sensitivity-add", "asynchronous", False),
    ("stuck", "`z` is all ones", False),
]


@needs_yosys
@pytest.mark.parametrize(("operator", "note", "same"), _PROOFS)
def test_proofs(tmp_path: Path, operator: str, note: str, same: bool) -> None:
    text = FSM.replace("s <= A; z <= 1'b0", "s <= 2'd0; z <= 1'b0")
    changed = mutant(tmp_path, text, operator, note)
    proved = prove_equivalent([changed], [changed.file], top="f", workdir=tmp_path / "p")
    assert bool(proved) == same


@needs_yosys
def test_an_assignment_that_another_block_reads_is_never_proved(tmp_path: Path) -> None:
    """After synthesis `=` and `<=` are the same here; in simulation the order of blocks shows."""
    text = (
        "module r(input clk, input d, output reg q);\nreg t;\n"
        "always @(posedge clk) t <= d;\nalways @(posedge clk) q <= t;\nendmodule\n"
    )
    first = mutant(tmp_path, text, "blocking", "`t <=`")
    last = mutant(tmp_path, text, "blocking", "`q <=`")
    assert prove_equivalent([first, last], [first.file], top="r", workdir=tmp_path) == {1}


def test_without_yosys_nothing_is_proved_and_the_report_says_so(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(type(YOSYS), "available", lambda self: False)
    text = FSM.replace("parameter", "parameter")
    changed = mutant(tmp_path, text, "drop-arm", "arm `B`")
    assert not prove_equivalent([changed], [changed.file], top="f", workdir=tmp_path)
    model = source(CheckKind.REFERENCE_MODEL, LAZY, cycles="50")
    report = score(tmp_path, COUNTER, "cnt", model, count=6)
    assert "not installed" in report.proof
    assert report.count(MutantStatus.EQUIVALENT) == 0


def test_a_design_of_several_files_with_a_header(tmp_path: Path) -> None:
    (tmp_path / "widths.vh").write_text("`define W 8\n")
    top = (
        '`include "widths.vh"\nmodule two(input [`W-1:0] a, output [`W-1:0] y);\n'
        "wire [`W-1:0] t; inc u(a, t); assign y = ~t;\nendmodule\n"
    )
    leaf = '`include "widths.vh"\nmodule inc(input [`W-1:0] a, output [`W-1:0] y);\n'
    (tmp_path / "inc.v").write_text(leaf + "assign y = a + 1;\nendmodule\n")
    first = dut(tmp_path, top.replace("inc u(a, t);", "assign t = a;"), "two", "two.v")
    (tmp_path / "two.v").write_text(top)
    design = replace(first, files=(tmp_path / "two.v", tmp_path / "inc.v"))
    model = source(CheckKind.REFERENCE_MODEL, "def step(i): return {'y': ~(i['a'] + 1) & 255}\n")
    report = measure(checks(design, model), design, tmp_path / "work", count=10, jobs=2)
    assert {o.mutant.file.name for o in report.outcomes} == {"two.v", "inc.v"}
    assert report.count(MutantStatus.INVALID) <= 2
    assert report.score is not None
    assert report.score > 0.8
