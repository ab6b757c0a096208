"""What the tests of lint share: one text linted, a clean design, the tools that may be missing."""

import pytest
from rtl_agent.tools.lint import lint
from rtl_agent.tools.toolchain import VERIBLE, VERILATOR

needs_verilator = pytest.mark.skipif(not VERILATOR.available(), reason="verilator not installed")
needs_verible = pytest.mark.skipif(not VERIBLE.available(), reason="verible not installed")


def lint_text(tmp_path, text, *, name="m.v", top="m", **options):
    folder = tmp_path / "src"
    folder.mkdir(exist_ok=True)
    path = folder / name
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    work = tmp_path / "work"
    work.mkdir(exist_ok=True)
    options.setdefault("use_verilator", False)
    return lint([path], work, top=top, **options)


def named(result, code):
    return [d for d in result.diagnostics if d.code == code]


CLEAN = """module m(input clk, input rst, input [3:0] d, output reg [3:0] q);
  always @(posedge clk) begin
    if (rst) q <= 4'd0;
    else q <= d;
  end
endmodule
"""
