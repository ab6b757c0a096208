"""Lint: which sources are read and by which tools, and that all of them say the same."""

from functools import partial

import pytest
from lint_kit import CLEAN, lint_text, named, needs_verible, needs_verilator
from rtl_agent.tools.diagnostic import Severity
from rtl_agent.tools.errors import SourceUnreadable
from rtl_agent.tools.lint import lint
from rtl_agent.tools.toolchain import VERILATOR, YOSYS


@pytest.fixture
def run(tmp_path):
    return partial(lint_text, tmp_path)


def test_a_clean_design_has_nothing_to_say(run):
    result = run(CLEAN)
    assert result.ok
    assert result.diagnostics == ()
    assert result.tools_used == ("pyslang", "iverilog")
    assert result.tools_missing == ()
    assert 0 < result.seconds < 10


@needs_verilator
def test_a_clean_design_is_clean_for_verilator_too(run):
    result = run(CLEAN, use_verilator=True)
    assert result.diagnostics == ()
    assert result.tools_used[-1] == "verilator"


@pytest.mark.parametrize(
    "text",
    [
        "module m(input [7:0] a, output [7:0] y);\n  function integer halve; input integer v;"
        " begin halve = v / 2; end endfunction\n  assign y = halve(a);\nendmodule\n",
        "module m(input [7:0] a, output [7:0] y);\n  function automatic [7:0] inc;"
        " input [7:0] v; inc = v + 8'd1; endfunction\n  assign y = inc(a);\nendmodule\n",
        "module m(a, y); parameter W = 4; input [W-1:0] a; output [W-1:0] y; reg [W-1:0] y;\n"
        "  integer i; always @(a) for (i = 0; i < W; i = i + 1) y[i] = a[W-1-i];\nendmodule\n",
        "module m(input [1:0] s, input [3:0] d, output reg y);\n  always @(*) case (s)\n"
        "    2'd0: y = d[0];\n    2'd1: y = d[1];\n    2'd2: y = d[2];\n    default: y = d[3];\n"
        "  endcase\nendmodule\n",
        "module m(input clk, en, inout [3:0] io, output reg [3:0] q);\n"
        "  assign io = en ? q : 4'bz;\n  always @(posedge clk) q <= io;\nendmodule\n",
    ],
    ids=["function-integer", "automatic", "old-style", "case", "tristate"],
)
def test_right_designs_are_right_for_every_tool(run, text):
    result = run(text, use_verilator=VERILATOR.available())
    assert [str(d) for d in result.diagnostics if d.severity is not Severity.NOTE] == []


UNSUPPORTED = {
    "interface": (
        "interface bus; logic v; modport s(input v); endinterface\n"
        "module m(bus.s b, output logic y); assign y = b.v; endmodule\n",
        "interface",
    ),
    "break": (
        "module m(input [3:0] a, output logic y);\n  always_comb begin y = 1'b0;\n"
        "    for (int i = 0; i < 4; i++) begin if (a[i]) break; y = ~y; end\n  end\nendmodule\n",
        "break",
    ),
    "continue": (
        "module m(input [3:0] a, output logic y);\n  always_comb begin y = 1'b0;\n"
        "    for (int i = 0; i < 4; i++) begin if (a[i]) continue; y = ~y; end\n  end\nendmodule\n",
        "continue",
    ),
    "enum-cast": (
        "module m(input [1:0] a, output logic [1:0] y);\n  typedef enum logic [1:0] {A, B} t;\n"
        "  t s;\n  assign s = t'(a);\n  assign y = s;\nendmodule\n",
        "cast",
    ),
    "pattern": (
        "module m(input [1:0] a, output logic [1:0] y);\n"
        "  typedef struct packed {logic p; logic q;} t;\n  t s;\n"
        "  assign s = '{p: a[0], q: a[1]};\n  assign y = s;\nendmodule\n",
        "pattern",
    ),
    "unique-if": (
        "module m(input a, output logic y);\n  always_comb unique if (a) y = 1'b1;"
        " else y = 1'b0;\nendmodule\n",
        "unique",
    ),
}


@pytest.mark.parametrize("kind", UNSUPPORTED)
def test_right_code_that_the_simulator_cannot_read_is_told_from_wrong_code(run, kind):
    text, word = UNSUPPORTED[kind]
    result = run(text, name="m.sv")
    assert {d.code for d in result.errors} == {"unsupported-by-simulator"}
    assert any(word in d.message for d in result.errors)
    assert all("Icarus" in d.message for d in result.errors)
    assert all(d.hint for d in result.errors)


def test_wrong_code_is_not_called_unsupported(run):
    result = run("module m(input a, output y);\n  assing y = a;\nendmodule\n")
    assert result.errors
    assert named(result, "unsupported-by-simulator") == []
    assert result.errors[0].line == 2


def test_a_package_that_crashes_the_simulator_is_a_tool_crash(tmp_path):
    """Icarus 11 aborts on a packed struct port; with the package last it says `syntax error`."""
    use = tmp_path / "a_use.sv"
    use.write_text("module m(input p::t r, output logic v); assign v = r.valid; endmodule\n")
    package = tmp_path / "b_def.sv"
    package.write_text(
        "package p; typedef struct packed { logic valid; logic [7:0] d; } t; endpackage\n"
    )
    result = lint([use, package], tmp_path, top="m", use_verilator=False)
    codes = {d.code for d in result.errors}
    assert codes <= {"tool-crash", "unsupported-by-simulator"}
    assert "syntax" not in codes


def test_order_of_files_does_not_matter(tmp_path):
    use = tmp_path / "a.sv"
    use.write_text("module m import p::*; (input [W-1:0] a, output y); assign y = ^a; endmodule\n")
    package = tmp_path / "z.sv"
    package.write_text("package p; localparam W = 4; endpackage\n")
    for files in ([use, package], [package, use]):
        assert lint(files, tmp_path, top="m", use_verilator=False).diagnostics == ()


def test_files_may_share_macros_in_any_order(tmp_path):
    use = tmp_path / "a.v"
    use.write_text("module m(input [`W-1:0] a, output y); assign y = ^a; endmodule\n")
    define = tmp_path / "z.v"
    define.write_text("`define W 4\n")
    assert lint([use, define], tmp_path, top="m", use_verilator=False).ok


@pytest.mark.parametrize(
    "data",
    [
        b"\xef\xbb\xbf" + CLEAN.encode(),
        CLEAN.replace("\n", "\r\n").encode(),
        b"\xef\xbb\xbf// \xc2\xb5s\r\n" + CLEAN.encode(),
    ],
    ids=["bom", "crlf", "bom-and-comment"],
)
def test_marks_and_line_ends_do_not_matter(run, data):
    """Icarus 11 by itself says `No top level modules` for a byte order mark."""
    assert run(data).diagnostics == ()


def test_messages_name_the_users_file_not_the_cleaned_copy(run, tmp_path):
    text = "module m(input a, output y);\n  wire y2;\n  sub u(.a(a), .nope(y2));\nendmodule\n"
    text += "module sub(input a); endmodule\n"
    result = run(b"\xef\xbb\xbf" + text.encode())
    assert {d.file for d in result.diagnostics} == {str(tmp_path / "src" / "m.v")}


def test_a_file_beside_the_source_is_found_by_every_tool(run, tmp_path):
    (tmp_path / "src").mkdir()
    (tmp_path / "src" / "defs.vh").write_text("`define W 4\n")
    text = '`include "defs.vh"\nmodule m(input [`W-1:0] a, output y); assign y = ^a; endmodule\n'
    result = run(text, use_verilator=VERILATOR.available())
    assert result.diagnostics == ()


def test_nothing_runs_on_a_source_that_reaches_outside(run):
    result = run('`include "/dev/zero"\nmodule m(input a); endmodule\n')
    assert not result.ok
    assert result.tools_used == ("pyslang",)
    assert "include-outside" in {d.code for d in result.errors}


def test_a_truncated_source_is_reported_as_cut_off_first(run):
    result = run("module m(input clk, output reg q);\n  always @(posedge clk) begin\n    q <= 1")
    assert result.diagnostics[0].code == "truncated"
    assert "continue" in result.diagnostics[0].hint


def test_systemverilog_in_verilog_says_so(run):
    result = run("module m(input logic a, output logic y);\n  always_comb y = a;\nendmodule\n")
    assert result.diagnostics[0].code == "needs-systemverilog"
    text = "module m #(localparam W = 2) (input [W-1:0] a, output y); assign y = ^a; endmodule\n"
    assert [d.code for d in run(text).errors] == ["needs-systemverilog"]
    assert run(text, name="m.sv").ok


def test_a_module_that_is_missing_a_port_or_is_not_there(run):
    text = "module m(input a, output y);\n  sub u(.a(a), .nope(y));\n  gone g(a);\nendmodule\n"
    text += "module sub(input a, output y); assign y = a; endmodule\n"
    result = run(text)
    assert {"unknown-port", "unknown-module"} <= {d.code for d in result.errors} | {
        d.code for d in result.diagnostics
    }
    assert len(named(result, "unknown-module")) == 1


def test_widths_of_connected_ports(run):
    text = "module m(input [7:0] a, output y);\n  sub u(.a(a), .y(y));\nendmodule\n"
    text += "module sub(input [3:0] a, output y); assign y = ^a; endmodule\n"
    (width,) = named(run(text), "port-width")
    assert width.severity is Severity.WARNING
    assert width.line == 2


def test_the_top_must_exist(run):
    result = run(CLEAN, top="other")
    assert not result.ok


def test_escaped_names_pass_every_tool(run):
    text = (
        "module \\top.level[0] (input \\a[1] , input a, output \\y$out );\n"
        "  wire \\bus.0 ; assign \\bus.0 = \\a[1] & a; assign \\y$out = \\bus.0 ;\nendmodule\n"
    )
    assert run(text, top="top.level[0]").diagnostics == ()


@needs_verible
def test_style_is_off_unless_asked_for(run):
    text = CLEAN.replace("  always", "\talways")
    assert run(text).diagnostics == ()
    result = run(text, use_verible=True)
    assert result.tools_used[-1] == "verible"
    assert {d.code for d in result.diagnostics} >= {"style-no-tabs"}
    assert all(d.severity is Severity.NOTE for d in result.diagnostics)


def test_a_tool_that_is_not_there_is_named(run, monkeypatch):
    monkeypatch.setenv("PATH", "/nonexistent")
    result = run(CLEAN)
    assert result.tools_missing == ("iverilog",)
    assert result.tools_used == ("pyslang",)


def test_unreadable_files_are_one_clear_error(tmp_path):
    with pytest.raises(SourceUnreadable, match="no such file"):
        lint([tmp_path / "no.v"], tmp_path, top="m")


def test_lint_leaves_nothing_in_the_folder_of_the_source(run, tmp_path):
    run(CLEAN, use_verilator=VERILATOR.available())
    assert [p.name for p in (tmp_path / "src").iterdir()] == ["m.v"]


def test_a_long_netlist_is_linted_within_limits(run):
    gates = "".join(f"  nand g{i}(n[{i + 1}], n[{i}], a);\n" for i in range(1000))
    result = run(f"module m(input a, output y);\n  wire [1001:0] n;\n{gates}endmodule\n")
    assert "iverilog" in result.tools_used
    assert len(result.diagnostics) <= 1000


@pytest.mark.slow
@pytest.mark.skipif(not YOSYS.available(), reason="yosys not installed")
def test_yosys_counts_cells_and_finds_what_cannot_be_built(run):
    result = run(CLEAN, use_yosys=True)
    assert result.ok
    assert result.tools_used[-1] == "yosys"
    assert dict(result.cells).get("$sdff") == 1 or dict(result.cells).get("$dff") == 1
    assert run("module m(input a, output y); assign y = a; endmodule", use_yosys=True).ok
