"""The screen: the harm is real that it is against, shown with the simulator."""

import pytest
from rtl_agent.tools.diagnostic import Severity
from rtl_agent.tools.parse import parse_text
from rtl_agent.tools.screen import screen
from screen_kit import codes, dut, run_verilog


def test_why_the_simulator_macro_matters(tmp_path):
    """Without defining what Icarus defines, this design looks clean and ends the simulation."""
    design = dut("`ifdef __ICARUS__\n  initial $finish;\n`endif")
    bench = 'module tb; initial #1 $display("compared"); dut u(); endmodule\n'
    assert "compared" in run_verilog(tmp_path, dut("") + bench)
    assert "compared" not in run_verilog(tmp_path, design + bench)


BENCH = """
module tb; reg clk = 0; wire [3:0] good_out = 4'd5; wire [3:0] y; wire w = clk; integer errors = 0;
  dut u(.clk(w), .a(4'd2), .y(y));
  initial begin : compare
    #5 clk = 1; #1 if (y !== good_out) errors = errors + 1;
    #5 $display("clk=%b errors=%0d", w, errors);
  end
endmodule
"""


@pytest.mark.parametrize(
    ("design", "shows"),
    [
        (dut("assign y = tb.good_out;", body=""), "errors=0"),
        (dut("initial #6 tb.errors = 0; always @* #5.5 tb.errors = 0;"), "errors="),
        (dut("assign (supply1, supply0) clk = 1'b0;"), "clk=0"),
        (dut('initial $display("clk=1 errors=0");'), "errors=0"),
    ],
    ids=["reads-reference", "writes-bench", "drives-net", "prints"],
)
def test_the_harm_is_real_and_the_screen_sees_it(tmp_path, design, shows):
    """Each of these changes what the bench reports; each is an error of the screen."""
    assert shows in run_verilog(tmp_path, design + BENCH)
    assert any(d.severity is Severity.ERROR for d in screen(parse_text(design), None))


def test_disable_reaches_the_bench(tmp_path):
    design = dut("initial #1 disable compare;")
    assert "errors" not in run_verilog(tmp_path, design + BENCH)
    assert codes(design) == ["outside-reference"]


DIFFERENCES = {
    "macro-in-escaped-name": (
        '`define F \\\n ; initial $display("cheat"); wire k\n' + dut("wire \\foo`F ;"),
        "hidden-macro",
    ),
    "escaped-system-task": (
        dut('task \\$display ; input [99:0] s; begin end endtask initial \\$display ("cheat");'),
        "disguised-system-task",
    ),
    "undefineall": (
        "`define BAD\n`undefineall\n" + dut('`ifdef BAD\n  initial $display("cheat");\n`endif'),
        "directive",
    ),
    "disabled-comment": (
        dut('`ifdef NOPE\n// /*\n`endif\n  initial $display("cheat");\n// */'),
        "prints",
    ),
    "commented-continuation": (dut('// text \\\n  initial $display("cheat");'), "prints"),
    "string-escape": (
        dut('initial begin : b reg [99:0] s; s = "\\\\"; $display("cheat"); //"; \n end'),
        "prints",
    ),
}


@pytest.mark.parametrize("kind", DIFFERENCES)
def test_what_icarus_reads_differently_is_refused(tmp_path, kind):
    """Icarus prints `cheat` for each of these."""
    design, code = DIFFERENCES[kind]
    assert "cheat" in run_verilog(tmp_path, design + "module top; dut u(); endmodule\n")
    assert code in codes(design)
