"""The screen: what a design may not do, and what it may."""

import pytest
from rtl_agent.tools.diagnostic import Severity
from rtl_agent.tools.parse import parse_text
from rtl_agent.tools.screen import screen
from screen_kit import codes, dut, only


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


def test_findings_are_found_in_a_source_that_does_not_parse():
    assert "ends-simulation" in codes(
        "module dut(input a);\n initial $finish;\n wire x = ;\nendmodule"
    )


def test_a_large_netlist_is_screened():
    gates = "".join(f"  nand g{i}(n[{i + 1}], n[{i}], a);\n" for i in range(20000))
    text = f"module big(input a, output y);\n  wire [20001:0] n;\n{gates}endmodule\n"
    assert screen(parse_text(text), None) == ()


def test_a_verilog_design_is_also_read_as_systemverilog():
    """In Verilog-2005 this declares a net called `final`; a simulator may be told otherwise."""
    assert codes("module dut(input a, output y); wire final; assign y = a; endmodule") == []
    assert codes("module dut(input do, output bit); assign bit = do; endmodule") == []
