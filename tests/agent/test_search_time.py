"""A search ends when its time is up, whatever the design or the check does."""

from __future__ import annotations

import time
from dataclasses import replace

import pytest
from rtl_agent.agent.graph.searching import SearchJob
from rtl_agent.agent.search.real import RealSearcher
from rtl_agent.agent.spec.model import Spec
from rtl_agent.tools.checks.factory import make_check
from rtl_agent.tools.checks.types import CheckKind, CheckSource, Dut, Limits
from rtl_agent.tools.clocking import Clocking
from rtl_agent.tools.interface import Direction, Interface, Port

IN, OUT = Direction.INPUT, Direction.OUTPUT
PORTS = Interface(
    "acc", (Port(IN, "clk"), Port(IN, "rst"), Port(IN, "en"), Port(OUT, "q", 4), Port(OUT, "z"))
)
GOOD = """module acc(
    input clk, input rst, input en, output reg [3:0] q, output z
);
    always @(posedge clk)
        if (rst) q <= 4'd0;
        else if (en) q <= q + 4'd1;
    assign z = q == 4'd0;
endmodule
"""
MODEL = """
class Model:
    def reset(self):
        self.q = 0

    def step(self, inputs):
        self.q = (self.q + inputs["en"]) & 15
        return {"q": self.q, "z": int(self.q == 0)}
"""
# A million cycles: about ten seconds for every variant.
BENCH = """module tb;
    reg clk = 0, rst = 1, en = 0; wire [3:0] q; wire z; integer k, bad = 0;
    acc dut(clk, rst, en, q, z);
    always #5 clk = ~clk;
    initial begin
        @(negedge clk); @(negedge clk) rst = 0; en = 1;
        for (k = 1; k < 1000000; k = k + 1) begin
            @(negedge clk);
            if (q !== k[3:0]) bad = bad + 1;
        end
        if (bad == 0) $display("PASS: 999999 samples"); else $display("FAIL");
        $finish;
    end
endmodule
"""
SETTLES_NEVER = GOOD.replace(
    "assign z = q == 4'd0;",
    "wire a, b; assign a = ~(b & en) ^ (rst & a); assign b = a ^ q[0]; assign z = a ^ b ^ q[3];",
)
WHILE = GOOD.replace(
    "q <= q + 4'd1;",
    "begin : w integer i; i = 0; while (i <= q) i = i + rst; q <= i; end",
)
SECONDS = 3.0


def check_source(kind: CheckKind, text: str, **options: str) -> CheckSource:
    return CheckSource(kind, "c", text, "s.md:1", options=options)


def job(tmp_path, text: str, source: CheckSource, **limits: float) -> SearchJob:
    path = tmp_path / "design.v"
    path.write_text(text)
    spec = Spec("acc", None, "", PORTS, checks=(source,), clocking=Clocking("clk", "rst"))
    work = tmp_path / "work"
    work.mkdir()
    checks = (make_check(source, clocking=spec.clocking),)
    bounds = Limits(**limits)
    return SearchJob(path, spec, checks, (), work, SECONDS, 0, bounds, lambda: False)


@pytest.mark.parametrize(
    ("text", "source"),
    [
        pytest.param(SETTLES_NEVER, check_source(CheckKind.REFERENCE_MODEL, MODEL), id="loop"),
        pytest.param(WHILE, check_source(CheckKind.REFERENCE_MODEL, MODEL), id="while"),
        pytest.param(
            GOOD.replace("4'd1", "4'd2"),
            check_source(CheckKind.TESTBENCH, BENCH, timeout="60"),
            id="slow-bench-with-its-own-limit",
        ),
    ],
)
def test_search_ends_in_time(tmp_path, text, source):
    started = time.monotonic()
    found = RealSearcher(2).search("c", job(tmp_path, text, source))
    took = time.monotonic() - started
    assert not found.passed
    assert took < SECONDS + 1.5, "what goes over is work in this process between two looks"
    assert found.seconds >= 0.9 * min(took, SECONDS)


def test_a_golden_design_cut_off_by_the_clock_is_run_again_later(tmp_path):
    """The loop's own checks are those that the search uses."""
    source = check_source(CheckKind.REFERENCE_RTL, GOOD, cycles="50")
    check = make_check(source, clocking=Clocking("clk", "rst"))
    path = tmp_path / "acc.v"
    path.write_text(GOOD)
    dut = Dut((path,), PORTS)
    over = Limits(until=time.monotonic())
    assert not check.run(dut, tmp_path / "cut", limits=over, seed=0).passed
    assert check.run(dut, tmp_path / "whole", limits=Limits(), seed=0).passed


@pytest.mark.parametrize("all_outputs", [True, False])
def test_strength_counts_the_faults_that_checks_notice(tmp_path, all_outputs):
    model = (
        MODEL if all_outputs else MODEL.replace('"q": self.q, "z": int(self.q == 0)', '"z": "x"')
    )
    model = model.replace('{"z": "x"}', '{"z": int(self.q == 0)} if self.q == 0 else {}')
    source = check_source(CheckKind.REFERENCE_MODEL, model, cycles="60")
    found = RealSearcher(1).strength(replace(job(tmp_path, GOOD, source), seconds=30.0))
    assert found.faults > 10
    assert found.score is not None
    assert (found.score > 0.8) == all_outputs, "one value of one output shows less"


@pytest.mark.slow
def test_strength_of_a_bench_is_measured_as_far_as_time_goes(tmp_path):
    short = BENCH.replace("1000000", "200").replace("999999", "199")
    source = check_source(CheckKind.TESTBENCH, short)
    started = time.monotonic()
    found = RealSearcher(2).strength(job(tmp_path, GOOD, source))
    assert time.monotonic() - started < SECONDS + 1.5
    assert found.faults, found.note
    assert found.noticed <= found.faults


@pytest.mark.slow
def test_faults_that_outlast_the_time_count_as_nothing(tmp_path):
    """A check that was cut off has noticed nothing: the score would be 100 %."""
    found = RealSearcher(2).strength(job(tmp_path, GOOD, check_source(CheckKind.TESTBENCH, BENCH)))
    assert found.score is None
    assert found.note == "no fault could be judged in the time there was"
