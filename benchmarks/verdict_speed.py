"""How long verdicts take: screen, lint, simulation, mutation score.

    python benchmarks/verdict_speed.py

One process, warm caches, medians of several runs, wall time. A target is what the project holds
itself to on two cores.
"""

from __future__ import annotations

import argparse
import json
import os
import platform
import statistics
import tempfile
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any

from rtl_agent.tools.checks.factory import make_check
from rtl_agent.tools.checks.types import CheckKind, CheckSource, Dut, Limits
from rtl_agent.tools.clocking import Clocking
from rtl_agent.tools.lint import lint
from rtl_agent.tools.mutate import MutantStatus, measure
from rtl_agent.tools.parse import parse_files
from rtl_agent.tools.screen import screen

if TYPE_CHECKING:
    from collections.abc import Callable

RESULTS = Path(__file__).parent / "results" / "verdict_speed.json"
TARGETS = {
    "screen_and_lint_without_yosys_verilator_s": 0.150,
    "screen_and_lint_all_s": 1.0,
    "cocotb_check_1000_cycles_s": 1.5,
    "verilog_bench_s": 0.2,
    "mutants_200_of_50_lines_s": 30.0,
}

COUNTER = """\
module cnt(input clk, input rst, input en, input load, input [7:0] d, output reg [7:0] q);
  always @(posedge clk)
    if (rst) q <= 8'd0;
    else if (load) q <= d;
    else if (en) q <= q + 8'd1;
endmodule
"""
MODEL = """\
class Counter:
    def reset(self):
        self.q = 0
        return {"q": 0}

    def step(self, inputs):
        if inputs["load"]:
            self.q = inputs["d"]
        elif inputs["en"]:
            self.q = (self.q + 1) & 255
        return {"q": self.q}
"""
BENCH = """\
`timescale 1ns/1ps
module tb;
  reg clk = 0, rst = 1, en = 0, load = 0; reg [7:0] d = 0, want = 0; wire [7:0] q;
  cnt dut(clk, rst, en, load, d, q);
  integer i, bad = 0, seed = 1;
  always #5 clk = ~clk;
  initial begin
    @(negedge clk); @(negedge clk) rst = 0;
    for (i = 0; i < 1000; i = i + 1) begin
      en = $random(seed); load = $random(seed); d = $random(seed);
      @(posedge clk) want = load ? d : en ? want + 8'd1 : want;
      @(negedge clk) if (q !== want) bad = bad + 1;
    end
    $display("RESULT %0d %0d", i, bad);
    $finish;
  end
endmodule
"""
# About fifty lines: a serial transmitter with a parity bit and a small queue in front of it.
FIFTY = """\
module sender (
    input  wire       clk,
    input  wire       rst,
    input  wire       put,
    input  wire [7:0] data,
    output reg        line,
    output wire       full,
    output wire       idle
);

    localparam WAIT  = 2'd0;
    localparam START = 2'd1;
    localparam BITS  = 2'd2;
    localparam STOP  = 2'd3;

    reg [7:0] queue [0:3];
    reg [2:0] head;
    reg [2:0] tail;
    reg [1:0] state;
    reg [2:0] count;
    reg [7:0] rest;

    wire empty = (head == tail);
    assign full = (head == {~tail[2], tail[1:0]});
    assign idle = empty && (state == WAIT);

    always @(posedge clk) begin
        if (rst) begin
            head  <= 3'd0;
            tail  <= 3'd0;
            state <= WAIT;
            count <= 3'd0;
            line  <= 1'b1;
        end else begin
            if (put && !full) begin
                queue[head[1:0]] <= data;
                head <= head + 3'd1;
            end
            case (state)
                WAIT: if (!empty) begin
                    rest  <= queue[tail[1:0]];
                    tail  <= tail + 3'd1;
                    line  <= 1'b0;
                    state <= START;
                end
                START: begin
                    line  <= rest[0];
                    count <= 3'd7;
                    state <= BITS;
                end
                BITS: begin
                    rest  <= {1'b0, rest[7:1]};
                    line  <= (count == 3'd0) ? 1'b1 : rest[1];
                    count <= count - 3'd1;
                    if (count == 3'd0) state <= STOP;
                end
                default: state <= WAIT;
            endcase
        end
    end

endmodule
"""
REPEATS = 7


def median(action: Callable[[Path], Any], repeats: int = REPEATS) -> dict[str, float]:
    """Seconds of `action` in a fresh folder each time, once before to warm up."""
    times = []
    for _ in range(repeats + 1):
        with tempfile.TemporaryDirectory() as folder:
            started = time.perf_counter()
            action(Path(folder))
            times.append(time.perf_counter() - started)
    kept = times[1:]
    return {"median": round(statistics.median(kept), 4), "slowest": round(max(kept), 4)}


def put(folder: Path, text: str, top: str) -> Dut:
    path = folder / f"{top}.v"
    path.write_text(text, encoding="utf-8")
    module = parse_files([path]).module(top)
    assert module is not None
    return Dut((path,), module.interface)


def screen_and_lint(folder: Path, *, all_tools: bool) -> None:
    dut = put(folder, COUNTER, "cnt")
    found = screen(parse_files(dut.files), dut.interface)
    assert not found, found
    work = folder / "lint"
    work.mkdir()
    result = lint(dut.files, work, top="cnt", use_verilator=all_tools, use_yosys=all_tools)
    assert not result.tools_missing, result.tools_missing


def check(kind: CheckKind, text: str, folder: Path) -> None:
    source = CheckSource(kind, "check", text, "benchmark:1")
    made = make_check(source, clocking=Clocking("clk", "rst"))
    result = made.run(put(folder, COUNTER, "cnt"), folder / "run", limits=Limits(), seed=1)
    assert result.passed, result.reason
    assert result.samples >= 900, result.samples


def mutants(folder: Path, jobs: int) -> dict[str, Any]:
    dut = put(folder, FIFTY, "sender")
    golden = folder / "golden.v"
    golden.write_text(FIFTY, encoding="utf-8")
    source = CheckSource(
        CheckKind.REFERENCE_RTL, "golden", FIFTY, "golden.v:1", golden, {"cycles": "1000"}
    )
    made = make_check(source, clocking=Clocking("clk", "rst"))
    report = measure([made], dut, folder / "work", count=200, seed=1, jobs=jobs)
    assert report.sound, report.baseline
    return {
        "seconds": round(report.seconds, 2),
        "mutants": len(report.outcomes),
        "lines": len(FIFTY.splitlines()),
        "score": report.score,
        "counts": {str(s): report.count(s) for s in MutantStatus},
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--out", type=Path, default=RESULTS)
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1)
    args = parser.parse_args()
    measured: dict[str, Any] = {
        "screen_and_lint_without_yosys_verilator_s": median(
            lambda folder: screen_and_lint(folder, all_tools=False)
        ),
        "screen_and_lint_all_s": median(lambda folder: screen_and_lint(folder, all_tools=True)),
        "cocotb_check_1000_cycles_s": median(
            lambda folder: check(CheckKind.REFERENCE_MODEL, MODEL, folder)
        ),
        "verilog_bench_s": median(lambda folder: check(CheckKind.TESTBENCH, BENCH, folder)),
    }
    with tempfile.TemporaryDirectory() as folder:
        measured["mutants_200_of_50_lines_s"] = mutants(Path(folder), args.jobs)
    report = {
        "machine": f"{platform.machine()}, {os.cpu_count()} cores",
        "python": platform.python_version(),
        "repeats": REPEATS,
        "targets": TARGETS,
        "measured": measured,
    }
    args.out.write_text(json.dumps(report, indent=1) + "\n", encoding="utf-8")
    print(json.dumps(report, indent=1))


if __name__ == "__main__":
    main()
