"""Designs of the kinds that broke other tools, all the way through a check."""

from dataclasses import replace
from pathlib import Path

import pytest
from checks_support import dut, judge, source
from rtl_agent.tools.checks.types import CheckKind, CheckStatus, Dut
from rtl_agent.tools.errors import CheckUnusable, SourceUnreadable
from rtl_agent.tools.interface import Direction, Interface, Port

HALVES = """\
module fdiv(input [7:0] a, output [7:0] y);
  function integer halve; input integer v; begin halve = v / 2; end endfunction
  assign y = halve(a);
endmodule
"""
PICK = """\
module pick #(parameter N = 4, localparam LW = $clog2(N))
  (input [N-1:0] d, input [LW-1:0] i, output y);
  assign y = d[i];
endmodule
"""
GENERATED = """\
module rev #(parameter W = 4) (input [W-1:0] d, output [W-1:0] y);
  genvar k;
  generate for (k = 0; k < W; k = k + 1) begin : g assign y[k] = d[W-1-k]; end endgenerate
endmodule
"""
BOM = "\ufeffmodule bom(input a, output y); // \u00b5s\r\n  assign y = a;\r\nendmodule\r\n"
ESCAPED = (
    r"module \1st (input \in-put , output \out.put[3] ); assign \out.put[3] = \in-put ; endmodule"
)
KEYWORDS = "module bit_do(input do, output unique); assign unique = do; endmodule\n"


@pytest.mark.parametrize(
    ("text", "top", "name", "step"),
    [
        (HALVES, "fdiv", "d.v", "{'y': i['a'] // 2}"),
        (PICK, "pick", "d.sv", "{'y': i['d'] >> i['i'] & 1}"),
        (GENERATED, "rev", "d.v", "{'y': int(format(i['d'], '04b')[::-1], 2)}"),
        (BOM, "bom", "d.v", "{'y': i['a']}"),
        (ESCAPED, "1st", "d.v", "{'out.put[3]': i['in-put']}"),
        (KEYWORDS, "bit_do", "d.v", "{'unique': i['do']}"),
    ],
)
def test_valid_designs_pass(tmp_path: Path, text: str, top: str, name: str, step: str) -> None:
    check = source(CheckKind.REFERENCE_MODEL, f"def step(i): return {step}\n", cycles="40")
    result = judge(tmp_path, dut(tmp_path, text, top, name), check)[0]
    assert result.passed, result.reason
    assert result.samples == 40


PACKAGE = "package p; typedef struct packed { logic valid; logic [7:0] data; } t_req; endpackage\n"
USE = "module usep(input p::t_req r, output logic v); assign v = r.valid; endmodule\n"
WIDTH = "package p; parameter W = 9; endpackage\n"
INSIDE = "module ins(input [p::W-1:0] r, output v); assign v = r[p::W-1]; endmodule\n"


def packaged(folder: Path, package: str, use: str, top: str) -> Dut:
    """The user of a package comes before the package in file order."""
    (folder / "a_use.sv").write_text(use)
    (folder / "b_def.sv").write_text(package)
    ports = (Port(Direction.INPUT, "r", 9), Port(Direction.OUTPUT, "v"))
    return Dut((folder / "a_use.sv", folder / "b_def.sv"), Interface(top, ports))


def test_files_are_put_in_order(tmp_path: Path) -> None:
    check = source(CheckKind.REFERENCE_MODEL, "def step(i): return {'v': i['r'] >> 8}\n")
    result = judge(tmp_path, packaged(tmp_path, WIDTH, INSIDE, "ins"), check)[0]
    assert result.passed, result.reason


def test_a_crash_of_the_simulator_is_reported_as_one(tmp_path: Path) -> None:
    check = source(CheckKind.REFERENCE_MODEL, "def step(i): return {'v': i['r'] >> 8}\n")
    result = judge(tmp_path, packaged(tmp_path, PACKAGE, USE, "usep"), check)[0]
    assert result.status is CheckStatus.CRASHED
    assert "Icarus crashed" in result.reason


def test_an_implicit_net_shows_in_the_diagnostics(tmp_path: Path) -> None:
    text = (
        "module add1(input [7:0] a, output [7:0] y); assign y = a + 8'd1; endmodule\n"
        "module two(input [7:0] a, output [7:0] y);\n"
        "  add1 u0(.a(a), .y(mid)); add1 u1(.a(mid), .y(y));\nendmodule\n"
    )
    check = source(CheckKind.REFERENCE_MODEL, "def step(i): return {'y': i['a'] + 2 & 255}\n")
    result = judge(tmp_path, dut(tmp_path, text, "two"), check)[0]
    assert result.status is CheckStatus.FAILED
    implicit = [d for d in result.diagnostics if d.code == "implicit-net"]
    assert implicit[0].file == str(tmp_path / "dut.v")
    assert implicit[0].line == 3
    assert "mid" in implicit[0].message


def test_a_truncated_design_fails_with_its_place(tmp_path: Path) -> None:
    design = dut(tmp_path, BOM, "bom")
    (tmp_path / "dut.v").write_text("module bom(input a, output y);\n  assign y = \n")
    check = source(CheckKind.REFERENCE_MODEL, "def step(i): return {}\n")
    result = judge(tmp_path, design, check)[0]
    assert result.status is CheckStatus.FAILED
    assert "dut.v" in result.reason


def test_files_that_are_no_design(tmp_path: Path) -> None:
    design = dut(tmp_path, BOM, "bom")
    check = source(CheckKind.REFERENCE_MODEL, "def step(i): return {}\n")
    for path in (tmp_path, tmp_path / "missing.v"):
        with pytest.raises(SourceUnreadable):
            judge(tmp_path, replace(design, files=(path,)), check)
    with pytest.raises(CheckUnusable, match="no RTL file"):
        judge(tmp_path, replace(design, files=()), check)
