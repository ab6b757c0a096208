"""The screen: what a design may not do, and what it may."""

import subprocess

import pytest
from rtl_agent.tools.diagnostic import Severity
from rtl_agent.tools.interface import Direction, Interface, Parameter, Port
from rtl_agent.tools.parse import parse_files, parse_text
from rtl_agent.tools.screen import screen

HEAD = "module dut(input clk, input [3:0] a, output [3:0] y);\n"
BODY = "  assign y = a;\n"


def dut(line, *, head=HEAD, body=BODY):
    return f"{head}  {line}\n{body}endmodule\n"


def codes(text, wanted=None, **options):
    name = options.pop("name", "dut.v")
    return [d.code for d in screen(parse_text(text, name=name), wanted, **options)]


def only(text, **options):
    name = options.pop("name", "dut.v")
    (found,) = screen(parse_text(text, name=name), None, **options)
    assert found.hint
    assert found.message
    return found


@pytest.mark.parametrize(
    ("line", "code"),
    [
        ("initial $finish;", "ends-simulation"),
        ("initial if (0) $finish(0);", "ends-simulation"),
        ("always @(posedge clk) if (a == 4'd9) $stop;", "ends-simulation"),
        ('initial $fatal(1, "x");', "ends-simulation"),
        ("task t; begin $finish; end endtask", "ends-simulation"),
        ("function f; input x; begin $stop; f = x; end endfunction", "ends-simulation"),
        ('initial $display("Mismatches: 0 in 100 samples");', "prints"),
        ('always @(posedge clk) $write("PASS\\n");', "prints"),
        ('initial $monitor("%d", y);', "prints"),
        ('initial $strobe("Your Design Passed");', "prints"),
        ('initial $error("PASS");', "prints"),
        ('integer f; initial f = $fopen("/etc/passwd", "r");', "file-access"),
        ('initial $dumpfile("x.vcd");', "file-access"),
        ('reg [3:0] m [0:3]; initial $writememh("o.hex", m);', "file-access"),
        ('initial $system("touch x");', "host-access"),
        ('integer p; initial p = $test$plusargs("golden");', "host-access"),
        ("initial $my_vpi_task;", "unknown-system-task"),
        ("initial begin force y = 4'd0; end", "force"),
        ("initial release y;", "force"),
    ],
)
def test_calls_and_statements_that_cheat(line, code):
    found = only(dut(line))
    assert found.code == code
    assert found.severity is Severity.ERROR
    assert found.line == 2
    assert found.column > 1


@pytest.mark.parametrize(
    "line",
    [
        "// $finish; in a comment",
        "/* initial $stop; */",
        'localparam [8*7:1] S = "$finish";',
        "wire \\$finish ; assign \\$finish = clk;",
        "wire [3:0] s = $signed(a) >>> 1;",
        "localparam W = $clog2(9);",
        "reg forced, release_it; initial forced = 1'b0;",
        "initial begin : blk integer i; for (i = 0; i < 4; i = i + 1) begin end disable blk; end",
        "`define FINISH 1'b0",
        "generate if (1 == 2) begin : g wire w; end endgenerate",
    ],
)
def test_harmless_text_is_left_alone(line):
    assert codes(dut(line)) == []


def test_random_numbers_are_only_a_warning():
    found = only(dut("reg [3:0] r; always @(posedge clk) r <= $random;"))
    assert found.code == "simulation-only"
    assert found.severity is Severity.WARNING


@pytest.mark.parametrize(
    "line",
    [
        "wire s = tb.good_out;",
        "wire s = $root.tb.good_out;",
        "wire s = tb.u_ref.state[0];",
        "initial disable tb.compare;",
        "initial disable compare;",
        "initial tb.stop_now;",
        "initial stop_now;",
        "initial stop_now(1);",
        "initial -> tb.done;",
        "initial tb.errors = 0;",
        "always @(posedge tb.clk) ;",
        "defparam tb.u_ref.N = 0;",
        "reg r; always @(tb.good_out) r = tb.good_out;",
        "generate if (0) begin : g wire s = tb.good_out; end endgenerate",
        "function f; input x; f = tb.good_out; endfunction",
        "wire s; assign s = a[tb.index];",
    ],
)
def test_names_that_leave_the_design(line):
    found = screen(parse_text(dut(line)), None)
    assert {d.code for d in found} == {"outside-reference"}
    assert all(d.line == 2 and d.severity is Severity.ERROR for d in found)


def test_a_child_may_not_look_up_into_its_parent():
    text = (
        "module dut(input a, output y); wire secret = a; child c(y); endmodule\n"
        "module child(output y); assign y = dut.secret; endmodule\n"
    )
    assert codes(text) == ["outside-reference"]


@pytest.mark.parametrize(
    "decoy",
    [
        "generate if (0) begin : tb wire good_out; end endgenerate",
        "generate if (1) begin : tb wire good_out = 1'b0; end endgenerate",
        "generate case (1) 2: begin : tb wire good_out; end endcase endgenerate",
    ],
)
def test_a_branch_that_may_not_exist_does_not_make_a_name_local(decoy):
    assert codes(dut(f"{decoy} wire s = tb.good_out;")) == ["conditional-reference"]


@pytest.mark.parametrize(
    "decoy",
    [
        "function f; input tb; f = tb; endfunction",
        "initial begin : b reg tb; tb = 1'b0; end",
        "typedef struct packed { logic tb; } t; t s0;",
        "generate if (1) begin : g wire tb; end endgenerate",
    ],
)
def test_a_name_of_another_scope_does_not_make_a_name_local(decoy):
    assert "outside-reference" in codes(dut(f"{decoy} wire s = tb.good_out;"), name="dut.sv")


@pytest.mark.parametrize(
    "line",
    [
        "sub u(.a(a[0])); wire s = u.inner;",
        "genvar i; generate for (i = 0; i < 2; i = i + 1) begin : g wire w = a[i]; end endgenerate"
        " wire s = g[0].w;",
        "wire s = dut.clk;",
        "initial begin : outer begin : inner disable outer; end end",
        "task t; input x; begin end endtask initial t(1'b0);",
        "function [3:0] f; input [3:0] x; f = x; endfunction wire [3:0] s = f(a);",
        "event e; initial -> e;",
        "generate if (1) begin : g wire w = clk; wire v = g.w; end endgenerate",
    ],
)
def test_references_inside_the_design_are_allowed(line):
    text = dut(line) + "module sub(input a); wire inner = a; endmodule\n"
    assert codes(text) == []


def test_structs_packages_and_interfaces_are_no_hierarchy():
    text = (
        "package p; localparam W = 4; typedef struct packed { logic v; logic [2:0] d; } t;"
        " endpackage\n"
        "interface bus; logic v; modport s(input v); endinterface\n"
        "module dut import p::*; (input p::t r, bus.s b, output logic [p::W-1:0] y);\n"
        "  p::t q; always_comb begin q = r; q.v = b.v; end assign y = {q.v, r.d};\nendmodule\n"
    )
    assert codes(text, name="dut.sv") == []


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("bind dut spy s(); module spy; endmodule\n" + dut(""), "bind"),
        ('import "DPI-C" function int f(int x);\n' + dut(""), "foreign-code"),
        ("program p; initial begin end endprogram\n" + dut(""), "ends-simulation"),
        (dut("always_comb begin : Your_Design_Passed assert (a == 0); end"), "assertion"),
        (dut("assert property (@(posedge clk) a == 0);"), "assertion"),
        (dut("RefModule u(.y(y));"), "unknown-module"),
        (dut("wire [3:0] w; alias w = a;"), "alias"),
    ],
)
def test_constructs_that_have_no_place_in_a_design(text, code):
    assert code in codes(text, name="dut.sv")


def test_elaboration_checks_on_parameters_are_allowed():
    text = (
        "module dut #(parameter W = 4) (input [W-1:0] a, output y);\n"
        '  if (W < 2) $fatal(1, "too narrow");\n  assign y = ^a;\nendmodule\n'
    )
    assert codes(text, name="dut.sv") == []


@pytest.mark.parametrize(
    "line",
    [
        "assign (supply1, supply0) clk = 1'b0;",
        "assign clk = 1'b0;",
        "buf b(clk, a[0]);",
        "tran t(clk, a[0]);",
        "pulldown p(clk);",
        "pull u(.q(clk));",
        "deep d(clk);",
        "pad p [1:0] (.x(a[1:0])); pad q(clk);",
        "generate if (1) begin : g assign clk = 1'b0; end endgenerate",
    ],
)
def test_a_design_that_drives_its_input(line):
    text = dut(line) + "module pull(output q); assign q = 1'b0; endmodule\n"
    text += "module pad(inout x); assign (supply1, supply0) x = 1'b0; endmodule\n"
    text += "module deep(inout x); pad p(x); endmodule\n"
    found = [d for d in screen(parse_text(text), None) if d.severity is Severity.ERROR]
    assert {d.code for d in found} == {"drives-input"}
    assert any("`clk`" in d.message for d in found)


def test_a_child_that_drives_its_own_input():
    text = dut("child u(.c(clk));") + "module child(input c); assign c = 1'b1; endmodule\n"
    assert "drives-input" in codes(text)


@pytest.mark.parametrize("net", ["supply0", "supply1", "wand", "wor", "tri1", "trireg"])
def test_a_port_whose_net_type_acts_outside(net):
    text = f"module dut(input {net} a, output y); assign y = 1'b0; endmodule\n"
    assert "port-net-type" in codes(text)


@pytest.mark.parametrize(
    "line",
    [
        '`include "/etc/passwd"',
        '`include "../other.vh"',
        "`include <secret.vh>",
        "`pragma protect begin_protected",
        '`line 1 "other.v" 0',
    ],
)
def test_directives_that_hide_or_reach_outside(tmp_path, line):
    path = tmp_path / "dut.v"
    path.write_text(f"{line}\n{dut('')}")
    found = screen(parse_files([path]), None)
    assert {d.code for d in found} <= {"include-outside", "directive"}
    assert found[0].line == 1


def test_include_and_memory_file_beside_the_design_are_allowed(tmp_path):
    (tmp_path / "defs.vh").write_text("`define W 4\n")
    (tmp_path / "rom.hex").write_text("0 1 2 3\n")
    path = tmp_path / "dut.v"
    line = 'reg [3:0] m [0:3]; initial $readmemh("rom.hex", m);'
    path.write_text('`include "defs.vh"\n' + dut(line))
    assert screen(parse_files([path]), None, workdir=tmp_path) == ()


@pytest.mark.parametrize(
    "argument",
    ['"/etc/passwd"', '"../golden.hex"', '"sub/../../x.hex"', "NAME", '{"a", ".hex"}', '"a b.hex"'],
)
def test_memory_files_elsewhere_are_refused(tmp_path, argument):
    path = tmp_path / "dut.v"
    line = f'reg [63:0] m [0:3]; localparam NAME = "x.hex"; initial $readmemh({argument}, m);'
    path.write_text(dut(line))
    assert [d.code for d in screen(parse_files([path]), None, workdir=tmp_path)] == ["file-access"]


def test_a_memory_file_behind_a_link_is_outside(tmp_path):
    work = tmp_path / "work"
    work.mkdir()
    (tmp_path / "golden.hex").write_text("0\n")
    (work / "rom.hex").symlink_to(tmp_path / "golden.hex")
    path = work / "dut.v"
    path.write_text(dut('reg [3:0] m [0:0]; initial $readmemh("rom.hex", m);'))
    assert [d.code for d in screen(parse_files([path]), None, workdir=work)] == ["file-access"]


@pytest.mark.parametrize(
    "text",
    [
        dut("`ifdef __ICARUS__\n  initial $finish;\n`endif"),
        dut("`ifdef COCOTB_SIM\n  initial $finish;\n`endif"),
        dut("`ifdef BENCH\n  initial $finish;\n`endif"),
        dut("`ifndef SYNTHESIS\n  initial $finish;\n`endif"),
        dut("`ifdef A\n`elsif B\n  initial $finish;\n`endif"),
        dut("`ifdef A\n`ifndef B\n  initial $finish;\n`endif\n`endif"),
        "`define QUIT $finish\n" + dut("initial `QUIT;"),
        "`define QUIT(x) x``finish\n" + dut("initial `QUIT($);"),
        "`ifdef X\n`define Q $finish\n`else\n`define Q\n`endif\n" + dut("initial `Q;"),
    ],
    ids=["icarus", "cocotb", "other", "ifndef", "elsif", "nested", "macro", "paste", "define"],
)
def test_conditional_text_and_macros_do_not_hide(text):
    assert "ends-simulation" in codes(text)


def test_why_the_simulator_macro_matters(tmp_path):
    """Without defining what Icarus defines, this design looks clean and ends the simulation."""
    design = dut("`ifdef __ICARUS__\n  initial $finish;\n`endif")
    bench = 'module tb; initial #1 $display("compared"); dut u(); endmodule\n'
    assert "compared" in run_verilog(tmp_path, dut("") + bench)
    assert "compared" not in run_verilog(tmp_path, design + bench)


def run_verilog(folder, text):
    (folder / "all.v").write_text(text)
    subprocess.run(["iverilog", "-g2012", "-o", "a.out", "all.v"], cwd=folder, check=True)
    done = subprocess.run(
        ["vvp", "-n", "a.out"], cwd=folder, check=False, capture_output=True, text=True, timeout=10
    )
    return done.stdout


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


PORTS = (
    Port(Direction.INPUT, "clk"),
    Port(Direction.INPUT, "a", 4),
    Port(Direction.OUTPUT, "y", 4),
)
WANTED = Interface("dut", PORTS)


def test_the_wanted_interface_has_no_findings():
    assert codes(dut(""), WANTED) == []


@pytest.mark.parametrize(
    ("head", "code", "says"),
    [
        ("module other(input clk, input [3:0] a, output [3:0] y);", "wrong-top", "`dut`"),
        ("module dut(input [3:0] a, output [3:0] y);", "port-missing", "`clk`"),
        ("module dut(input clk, rst, input [3:0] a, output [3:0] y);", "port-invented", "`rst`"),
        ("module dut(output clk, input [3:0] a, output [3:0] y);", "port-direction", "`clk`"),
        ("module dut(input clk, input [4:0] a, output [3:0] y);", "port-width-wrong", "5 bits"),
        ("module dut(input clk, input [3:0] a, output y);", "port-width-wrong", "`y`"),
        ("module dut(input clk, input [3:0] a, inout [3:0] y);", "port-direction", "inout"),
    ],
)
def test_a_different_interface_is_an_error(head, code, says):
    found = screen(parse_text(dut("", head=head + "\n")), WANTED)
    assert [d.code for d in found] == [code]
    assert found[0].severity is Severity.ERROR
    assert says in found[0].message
    assert found[0].hint


def test_a_renamed_port_is_both_missing_and_invented():
    found = screen(
        parse_text("module dut(input CLK, input [3:0] a, output [3:0] y); assign y = a; endmodule"),
        WANTED,
    )
    assert {d.code for d in found} == {"port-missing", "port-invented"}
    assert any("it has `CLK`" in d.message for d in found)


def test_no_module_at_all():
    assert codes("// nothing\n", WANTED) == ["no-module"]


def test_a_guessed_width_is_only_a_warning():
    guessed = Interface("dut", (*PORTS[:2], Port(Direction.OUTPUT, "y", 1, inferred=True)))
    (found,) = screen(parse_text(dut("")), guessed)
    assert (found.code, found.severity) == ("port-width-wrong", Severity.WARNING)


PARAMETRISED = Interface(
    "dut",
    (Port(Direction.INPUT, "a", "[W-1:0]"), Port(Direction.OUTPUT, "y", "[$clog2(W)-1:0]")),
    (Parameter("W", "8"),),
)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (
            "module dut #(parameter W = 8) (input [W-1:0] a, output [$clog2(W)-1:0] y); endmodule",
            [],
        ),
        (
            "module dut #(parameter W=8, localparam L=$clog2(W)) (input [W-1:0] a,"
            " output [L-1:0] y);"
            " endmodule",
            [],
        ),
        ("module dut(a, y); parameter W = 8; input [W-1:0] a; output [2:0] y; endmodule", []),
        ("module dut(input [7:0] a, output [2:0] y); endmodule", ["parameter-missing"]),
        (
            "module dut #(parameter W = 4) (input [W-1:0] a, output [2:0] y); endmodule",
            ["parameter-default", "port-width-wrong"],
        ),
    ],
)
def test_widths_that_depend_on_parameters(text, expected):
    assert codes(text, PARAMETRISED, name="dut.sv") == expected


def test_escaped_names_pass():
    text = "module \\top.level[0] (input \\a[1] , output \\y$out ); "
    text += "assign \\y$out = \\a[1] ; endmodule\n"
    wanted = Interface(
        "top.level[0]", (Port(Direction.INPUT, "a[1]"), Port(Direction.OUTPUT, "y$out"))
    )
    assert codes(text, wanted) == []


def test_a_design_may_not_bring_its_own_bench_modules():
    text = dut("") + "module RefModule(output y); assign y = 1'b0; endmodule\n"
    assert codes(text, WANTED) == ["shadows-testbench"]
    assert codes(dut("") + "module golden; endmodule\n", WANTED, reserved={"golden"}) == [
        "shadows-testbench"
    ]


def test_a_module_nobody_uses_is_a_warning():
    (found,) = screen(parse_text(dut("") + "module spare(input x); endmodule\n"), WANTED)
    assert (found.code, found.severity) == ("unused-module", Severity.WARNING)


def test_findings_are_found_in_a_source_that_does_not_parse():
    assert "ends-simulation" in codes(
        "module dut(input a);\n initial $finish;\n wire x = ;\nendmodule"
    )


def test_many_conditionals_end():
    text = "".join(f"`ifdef M{i}\n`endif\n" for i in range(300)) + dut("")
    found = screen(parse_text(text), None)
    assert [d.code for d in found] == ["too-many-conditionals"]


def test_a_large_netlist_is_screened():
    gates = "".join(f"  nand g{i}(n[{i + 1}], n[{i}], a);\n" for i in range(20000))
    text = f"module big(input a, output y);\n  wire [20001:0] n;\n{gates}endmodule\n"
    assert screen(parse_text(text), None) == ()


def test_included_files_are_screened_too(tmp_path):
    path = tmp_path / "dut.v"
    path.write_text('`include "a.vh"\n' + dut(""))
    hidden = tmp_path / "b.vh"
    (tmp_path / "a.vh").write_text('`include "b.vh"\n')
    for text, code in [
        ("`ifdef BENCH\n`define Q 1\ninitial $finish;\n`endif\n", "ends-simulation"),
        ("`pragma protect begin_protected\n", "directive"),
        ('`include "/dev/zero"\n', "include-outside"),
        ('`include "../x.vh"\n', "include-outside"),
    ]:
        hidden.write_text(text)
        assert code in [d.code for d in screen(parse_files([path]), None)]


def test_a_file_that_includes_itself_ends(tmp_path):
    path = tmp_path / "dut.v"
    path.write_text('`include "dut.v"\n' + dut(""))
    assert not parse_files([path]).ok


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


def test_a_verilog_design_is_also_read_as_systemverilog():
    """In Verilog-2005 this declares a net called `final`; a simulator may be told otherwise."""
    assert codes("module dut(input a, output y); wire final; assign y = a; endmodule") == []
    assert codes("module dut(input do, output bit); assign bit = do; endmodule") == []
