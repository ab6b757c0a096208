"""Known-good designs of the library are judged before a model is asked."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import pytest
from loop_kit import (
    BAD_INVERTER,
    GOOD_INVERTER,
    IN,
    INVERTER,
    OUT,
    ByPurpose,
    FakeToolbox,
    counter_spec,
    fenced,
    inverter_spec,
    run_loop,
)
from rtl_agent.agent.graph.options import SolveOptions
from rtl_agent.agent.graph.run import Interrupted, solve
from rtl_agent.agent.graph.toolbox_real import RealToolbox
from rtl_agent.agent.library.fit import fit
from rtl_agent.agent.library.types import Exemplar
from rtl_agent.agent.styles.instruct import InstructStyle
from rtl_agent.agent.verdict import Verdict
from rtl_agent.tools.interface import Interface, Parameter, Port

if TYPE_CHECKING:
    from pathlib import Path

NOT_GATE = Interface("not_gate", (Port(IN, "in"), Port(OUT, "out")))
GOOD = "module not_gate(input in, output out);\n  assign out = ~in;\nendmodule\n"
BAD = "module not_gate(input in, output out);\n  assign out = in;\nendmodule\n"


def design(rtl: str = GOOD, interface: Interface = NOT_GATE, name: str = "not") -> Exemplar:
    return Exemplar(name, "shipped", "An inverter.", rtl, interface, 1.0)


class Shelf:
    def __init__(self, *designs: Exemplar) -> None:
        self.designs = designs

    def nearest(self, spec: object, k: int) -> tuple[Exemplar, ...]:
        return self.designs[:k]


def test_a_design_that_fits_is_verified_without_a_model(tmp_path: Path) -> None:
    model = ByPurpose(draft=fenced(GOOD_INVERTER))
    result = run_loop(tmp_path, inverter_spec("a"), model, retriever=Shelf(design()))
    assert result.verdict is Verdict.VERIFIED
    assert model.calls == []
    assert (result.made_by, result.tries) == ("library", "from the library")
    assert [(a.number, a.phase) for a in result.attempts] == [(0, "reuse")]
    assert "taken from the library" in " ".join(result.notes)
    assert "not (shipped)" in result.report.read_text()
    assert "module inv" in (tmp_path / "inv.v").read_text()


def test_designs_that_fall_short_cost_no_attempt(tmp_path: Path) -> None:
    model = ByPurpose(draft=fenced(GOOD_INVERTER))
    shelf = Shelf(design(BAD))
    result = run_loop(tmp_path, inverter_spec("a"), model, retriever=shelf, attempts=1)
    assert result.verdict is Verdict.VERIFIED
    assert [(a.number, a.phase, a.verdict) for a in result.attempts] == [
        (0, "reuse", "failed"),
        (1, "draft", "verified"),
    ]
    assert not any("library" in note for note in result.notes)
    assert (result.made_by, result.tries) == ("model", "1 attempt")


def test_without_checks_nothing_is_reused(tmp_path: Path) -> None:
    """A library design compiles whatever the spec says: that would be a verdict about nothing."""
    model = ByPurpose(draft=fenced(GOOD_INVERTER))
    result = run_loop(tmp_path, inverter_spec(), model, retriever=Shelf(design(BAD)))
    assert [a.phase for a in result.attempts] == ["draft"]
    assert len(model.calls) == 1


def test_reuse_can_be_turned_off(tmp_path: Path) -> None:
    model = ByPurpose(draft=fenced(BAD_INVERTER), repair_mismatch=fenced(BAD_INVERTER))
    shelf = Shelf(design())
    result = run_loop(tmp_path, inverter_spec("a"), model, retriever=shelf, reuse=False)
    assert result.verdict is Verdict.FAILED
    assert {a.phase for a in result.attempts} <= {"draft", "repair"}


def test_a_design_that_the_screen_rejects_is_not_used(tmp_path: Path) -> None:
    cheat = GOOD.replace("endmodule", "  initial $finish;\nendmodule")
    model = ByPurpose(draft=fenced(GOOD_INVERTER))
    result = run_loop(tmp_path, inverter_spec("a"), model, retriever=Shelf(design(cheat)))
    assert result.attempts[0].candidates[0].failed_at == "screen"
    assert result.attempts[-1].phase == "draft"


def test_only_new_designs_whose_ports_pair_become_candidates(tmp_path: Path) -> None:
    wide = Interface("gate2", (Port(IN, "a"), Port(IN, "b"), Port(OUT, "y")))
    other = "module gate2(input a, input b, output y);\n  assign y = ~(a & b);\nendmodule\n"
    model = ByPurpose(draft=fenced(GOOD_INVERTER))
    shelf = Shelf(design(other, wide), design(BAD), design(BAD, name="again"))
    result = run_loop(tmp_path, inverter_spec("a"), model, retriever=shelf)
    assert len(result.attempts[0].candidates) == 1


def test_at_most_eight_are_tried(tmp_path: Path) -> None:
    shelf = Shelf(*(design(BAD.replace("= in", f"= in & {i}'d1")) for i in range(1, 13)))
    model = ByPurpose(draft=fenced(GOOD_INVERTER))
    result = run_loop(tmp_path, inverter_spec("a"), model, retriever=shelf)
    assert len(result.attempts[0].candidates) == 8


@pytest.mark.parametrize("at", ["screen", "lint", "check", "answer"])
def test_interrupted_anywhere_it_goes_on_without_judging_twice(tmp_path: Path, at: str) -> None:
    armed = [True]

    def point(name: str) -> None:
        if armed[0] and name == at:
            armed[0] = False
            raise KeyboardInterrupt

    tools = FakeToolbox(point=point)
    model = ByPurpose(point=point, draft=fenced(GOOD_INVERTER))
    common = {"toolbox": tools, "retriever": Shelf(design(BAD))}
    with pytest.raises(Interrupted) as stopped:
        run_loop(tmp_path, inverter_spec("a"), model, **common)
    result = run_loop(tmp_path, inverter_spec("a"), model, resume=stopped.value.run_id, **common)
    assert result.verdict is Verdict.VERIFIED
    assert len(tools.judged) == len(set(tools.judged))


def test_a_design_with_other_ports_does_not_fit() -> None:
    spec = inverter_spec("a")
    assert fit(design(), spec) is not None
    assert fit(design(interface=replace(NOT_GATE, ports=NOT_GATE.ports[:1])), spec) is None
    assert fit(design(), replace(spec, interface=Interface("inv"))) is None
    assert INVERTER.module == "inv"


def test_a_real_counter_of_another_width_and_reset_is_fitted_and_verified(tmp_path: Path) -> None:
    rtl = """module up6(input clock, input arst_n, input ce, output reg [5:0] value);
  always @(posedge clock or negedge arst_n)
    if (!arst_n) value <= 6'd0;
    else if (ce) value <= value + 6'd1;
endmodule
"""
    ports = (Port(IN, "clock"), Port(IN, "arst_n"), Port(IN, "ce"), Port(OUT, "value", 6))
    shelf = Shelf(design(rtl, Interface("up6", ports)))
    model = ByPurpose(draft="I cannot.")
    options = SolveOptions(out=tmp_path, jobs=1)
    result = solve(
        counter_spec(), options, model, InstructStyle(prefill=False), shelf, toolbox=RealToolbox()
    )
    assert result.verdict is Verdict.VERIFIED
    assert model.calls == []
    assert "reg [3:0] q" in (tmp_path / "cnt.v").read_text()


def counting(steps: int) -> Exemplar:
    """A design that the fake checks accept only in its variant for eight steps."""
    rtl = f"""module not_gate(input in, output out);
  reg [7:0] c;
  assign out = in ^ (c == 8'd{steps});
endmodule
"""
    return replace(design(rtl), spec=f"Counts {steps} steps.", name=f"steps{steps}")


class WantsEight(FakeToolbox):
    def check(self, check, dut, workdir, *, limits, seed):
        text = dut.files[-1].read_text()
        if "8'd8" in text:
            dut.files[-1].write_text(text + "// ~a\n")
        return super().check(check, dut, workdir, limits=limits, seed=seed)


def test_variants_for_the_numbers_of_the_task_come_after_the_designs(tmp_path: Path) -> None:
    model = ByPurpose(draft="I cannot.")
    spec = inverter_spec("a", text="One of 20 that are alike. It has eight of them.")
    shelf = Shelf(*(counting(n) for n in (3, 5, 6, 7)))
    result = run_loop(tmp_path, spec, model, retriever=shelf, toolbox=WantsEight())
    assert result.verdict is Verdict.VERIFIED
    assert model.calls == []
    (attempt,) = result.attempts
    # All four for 20 steps (one text), then the four as they came, then for eight.
    assert (attempt.number, len(attempt.candidates)) == (0, 6)
    assert [c.verdict for c in attempt.candidates[:5]] == ["failed"] * 5


def test_a_verified_design_spares_the_variants(tmp_path: Path) -> None:
    model = ByPurpose(draft="I cannot.")
    spec = inverter_spec("a", text="Counts 8 steps, or 5, or nine.")
    tools = WantsEight()
    result = run_loop(tmp_path, spec, model, retriever=Shelf(counting(8)), toolbox=tools)
    assert result.verdict is Verdict.VERIFIED
    assert len(result.attempts[0].candidates) == 1


def test_the_first_design_already_has_the_number_of_the_task(tmp_path: Path) -> None:
    model = ByPurpose(draft="I cannot.")
    spec = inverter_spec("a", text="Counts eight steps.")
    result = run_loop(tmp_path, spec, model, retriever=Shelf(counting(3)), toolbox=WantsEight())
    assert result.verdict is Verdict.VERIFIED
    assert len(result.attempts[0].candidates) == 1


def test_parameters_become_constants_of_the_widths_asked_for(tmp_path: Path) -> None:
    rtl = """module up #(parameter N = 6, parameter STEP = 1)
  (input clk, input rst, input en, output reg [N-1:0] q);
  always @(posedge clk)
    if (rst) q <= {N{1'b0}};
    else if (en) q <= q + STEP;
endmodule
"""
    ports = (Port(IN, "clk"), Port(IN, "rst"), Port(IN, "en"), Port(OUT, "q", "[N-1:0]"))
    generic = Interface("up", ports, (Parameter("N", "6"), Parameter("STEP", "1")))
    fitted = fit(design(rtl, generic), counter_spec())
    assert fitted is not None
    assert "localparam N = 4;" in fitted
    assert "localparam STEP = 1;" in fitted
    options = SolveOptions(out=tmp_path, jobs=1)
    shelf = Shelf(design(rtl, generic))
    model = ByPurpose(draft="I cannot.")
    result = solve(
        counter_spec(), options, model, InstructStyle(prefill=False), shelf, toolbox=RealToolbox()
    )
    assert (result.verdict, result.made_by) == (Verdict.VERIFIED, "library")
