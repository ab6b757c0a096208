"""Helpers for the tests of checks: write a design, judge it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rtl_agent.tools.checks.factory import make_check
from rtl_agent.tools.checks.run import run_checks
from rtl_agent.tools.checks.types import CheckKind, CheckResult, CheckSource, Dut, Limits
from rtl_agent.tools.clocking import infer_clocking
from rtl_agent.tools.parse import parse_files

if TYPE_CHECKING:
    from pathlib import Path

COUNTER = """\
module cnt(input clk, input rst, input en, input load, input [7:0] d, output reg [7:0] q);
  always @(posedge clk)
    if (rst) q <= 0; else if (load) q <= d; else if (en) q <= q + 1;
endmodule
"""
COUNTER_MODEL = """\
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
WIRE = "module m(input [7:0] a, output [7:0] y); assign y = a; endmodule\n"


def source(kind: CheckKind, text: str, path: Path | None = None, **options: str) -> CheckSource:
    """A check in a fence whose text starts on line 10 of `spec.md`, or one in a file."""
    origin = f"{path}:1" if path is not None else "spec.md:10"
    return CheckSource(kind, kind.value, text, origin, path, options)


def dut(folder: Path, text: str, top: str, name: str = "dut.v") -> Dut:
    """Write `text` to `folder/name`; the interface is what the text says."""
    path = folder / name
    path.write_text(text, encoding="utf-8")
    module = parse_files([path]).module(top)
    assert module is not None
    return Dut((path,), module.interface)


def judge(
    folder: Path, design: Dut, *sources: CheckSource, limits: Limits | None = None, jobs: int = 1
) -> list[CheckResult]:
    """Run the checks in `sources` on `design` below `folder`."""
    clocking = infer_clocking(design.interface)
    checks = [make_check(s, clocking=clocking, timescale="1ns/1ps") for s in sources]
    workdir = folder / "work"
    return list(run_checks(checks, design, workdir, limits=limits, seed=1, jobs=jobs))
