"""The source model: ports, widths, hierarchy, order, and what is cut off."""

import threading

import pytest
from rtl_agent.tools.interface import Direction, Parameter
from rtl_agent.tools.parse import parse_files, parse_text


def widths(module):
    return {p.name: p.width for p in module.interface.ports}


def written(module):
    return {p.name: p.width for p in module.interface_as_written.ports}


HEADER_LOCALPARAM = """
module pick #(parameter N = 4, localparam LW = $clog2(N))
  (input [N-1:0] d, input [LW-1:0] i, output y);
  assign y = d[i];
endmodule
"""


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (HEADER_LOCALPARAM, {"d": 4, "i": 2, "y": 1}),
        (
            "module m #(parameter W = 8, parameter D = W * 2) (input [D-1:0] a, output [0:W-1] y);"
            " assign y = a[W-1:0]; endmodule",
            {"a": 16, "y": 8},
        ),
        (
            "module m #(parameter A = 3) (a, y); localparam W = 1 << A; input [W-1:0] a;"
            " output y; assign y = ^a; endmodule",
            {"a": 8, "y": 1},
        ),
        (
            "module m #(parameter int unsigned N = 5, localparam type T = logic [N-1:0])"
            " (input T a, output logic [$bits(T)-1:0] y); assign y = a; endmodule",
            {"a": 5, "y": 5},
        ),
        (
            "`define W 6\nmodule m(input [`W-1:0] a, output y); assign y = &a; endmodule",
            {"a": 6, "y": 1},
        ),
    ],
    ids=["header-localparam", "derived", "body-localparam", "type", "macro"],
)
def test_widths_are_resolved(text, expected):
    model = parse_text(text, name="m.sv")
    assert model.ok, model.diagnostics
    assert widths(model.modules[0]) == expected


def test_expressions_are_kept_as_written():
    module = parse_text(HEADER_LOCALPARAM, name="pick.sv").modules[0]
    assert written(module) == {"d": "[N-1:0]", "i": "[LW-1:0]", "y": 1}
    assert module.interface.parameters == (Parameter("N", "4"),)


@pytest.mark.parametrize(
    "text",
    [
        "module m(a, b, y); input [3:0] a, b; output y; reg y; always @(*) y = a < b; endmodule",
        "module m(input [3:0] a, b, output reg y); always @(*) y = a < b; endmodule",
        "module m(input wire [3:0] a, input wire [3:0] b, output y); assign y = a < b; endmodule",
        "module m(a, b, y); input a, b; wire [3:0] a, b; output y; assign y = a < b; endmodule",
    ],
    ids=["non-ansi", "ansi-list", "ansi", "split-range"],
)
def test_port_styles_give_one_interface(text):
    module = parse_text(text).modules[0]
    directions = [(p.name, p.direction) for p in module.interface.ports]
    assert directions == [
        ("a", Direction.INPUT),
        ("b", Direction.INPUT),
        ("y", Direction.OUTPUT),
    ]
    assert widths(module)["y"] == 1


def test_signed_inout_and_vectors_of_vectors():
    model = parse_text(
        "module m(input signed [7:0] a, inout wire [3:0] z, output logic [1:0][3:0] q);"
        " assign q = a; endmodule",
        name="m.sv",
    )
    ports = model.modules[0].interface
    assert ports.port("a").signed
    assert ports.port("z").direction is Direction.INOUT
    assert ports.port("q").width == 8


@pytest.mark.parametrize(
    "text",
    [
        "module fdiv(input [7:0] a, output [7:0] y);\n  function integer halve; input integer v;"
        " begin halve = v / 2; end endfunction\n  assign y = halve(a);\nendmodule\n",
        "module f(input [7:0] a, output [7:0] y);\n  function automatic [7:0] inc(input [7:0] v);"
        " inc = v + 8'd1; endfunction\n  assign y = inc(a);\nendmodule\n",
        "module f(input [7:0] a, output reg [7:0] y);\n  task t; input [7:0] v; output [7:0] w;"
        " w = ~v; endtask\n  always @(*) t(a, y);\nendmodule\n",
        "module f(input [7:0] a, output [7:0] y);\n  function signed [7:0] n; input signed [7:0] v;"
        " n = -v; endfunction\n  assign y = n(a);\nendmodule\n",
    ],
    ids=["function-integer", "automatic", "task", "signed"],
)
def test_functions_and_tasks_parse(text):
    assert parse_text(text).ok


ESCAPED = (
    "module \\top.level[0] (input \\a[1] , input a, output \\y$out );\n"
    "  wire \\bus.0 ; assign \\bus.0 = \\a[1] & a; assign \\y$out = \\bus.0 ;\nendmodule\n"
)


def test_escaped_names_survive():
    model = parse_text(ESCAPED)
    assert model.ok
    (module,) = model.modules
    assert module.name == "top.level[0]"
    assert [p.name for p in module.interface.ports] == ["a[1]", "a", "y$out"]


def test_escaped_instances_and_simple_names_written_escaped():
    model = parse_text(
        "module \\plain (input a, output y); assign y = a; endmodule\n"
        "module top(input \\in/1 , output y); \\plain \\u-1 (.a(\\in/1 ), .y(y)); endmodule\n"
    )
    top = model.module("top")
    assert model.ok
    assert [(i.module, i.name) for i in top.instances] == [("plain", "u-1")]
    assert [m.name for m in model.tops] == ["top"]


def test_hierarchy_and_tops():
    model = parse_text(
        "module leaf(input a, output y); assign y = a; endmodule\n"
        "module mid(input a, output y);\n  leaf u0(a, y);\nendmodule\n"
        "module top(input a, output [1:0] y);\n  genvar g;\n"
        "  generate for (g = 0; g < 2; g = g + 1) begin : col mid m(a, y[g]); end endgenerate\n"
        "endmodule\n"
    )
    assert model.ok
    assert [m.name for m in model.tops] == ["top"]
    assert [(i.module, i.line) for i in model.module("mid").instances] == [("leaf", 3)]
    assert [i.name for i in model.module("top").instances] == ["m"]


def test_a_module_keeps_its_default_width_when_it_is_used_with_another():
    model = parse_text(
        "module sub #(parameter W = 2) (input [W-1:0] a); endmodule\n"
        "module top(input [7:0] a); sub #(.W(8)) u(.a(a)); endmodule\n"
    )
    assert widths(model.module("sub")) == {"a": 2}


def test_interfaces_and_packages():
    model = parse_text(
        "package p; typedef struct packed { logic valid; logic [7:0] data; } t_req; endpackage\n"
        "interface bus; logic v; modport s(input v); endinterface\n"
        "module m(input p::t_req r, bus.s b, output logic v); assign v = r.valid;"
        " endmodule\n",
        name="m.sv",
    )
    module = model.module("m")
    assert model.ok, model.diagnostics
    assert module.interface.port("r").width == 9
    assert module.interface.port("b").width == "bus.s"
    assert model.module("bus").kind == "interface"


USE = "module usep(input p::t_req r, output logic v); assign v = r.valid; endmodule\n"
PACKAGE = "package p; typedef struct packed { logic valid; logic [7:0] data; } t_req; endpackage\n"


def write(folder, **files):
    paths = []
    for name, text in files.items():
        path = folder / f"{name}.sv"
        path.write_text(text)
        paths.append(path)
    return paths


@pytest.mark.parametrize(
    "files",
    [
        {"a_use": USE, "b_def": PACKAGE},
        {
            "a": "import q::*;\nmodule m(input [W-1:0] x); endmodule\n",
            "b": "package q; localparam W = p::N; endpackage\n",
            "c": "package p; localparam N = 3; endpackage\n",
        },
        {
            "a": "module m(input [3:0] x, output y); s u(x, y); endmodule\n",
            "b": "module s(input [`W-1:0] x, output y); assign y = ^x; endmodule\n",
            "c": "`define W 4\n",
        },
        {
            "a": "module m(bus.s b, output y); assign y = b.v; endmodule\n",
            "b": "interface bus; logic v; modport s(input v); endinterface\n",
        },
    ],
    ids=["package", "chain", "macro", "interface"],
)
def test_files_are_ordered_by_what_they_use(tmp_path, files):
    paths = write(tmp_path, **files)
    model = parse_files(paths)
    assert model.ok, model.diagnostics
    assert list(model.order) == paths[::-1]


def test_files_that_use_each_other_keep_their_order(tmp_path):
    paths = write(
        tmp_path,
        a="module m(input x, output y); s u(x, y); endmodule\nmodule t(input x); endmodule\n",
        b="module s(input x, output y); assign y = x; t u(x); endmodule\n",
    )
    model = parse_files(paths)
    assert model.ok
    assert set(model.order) == set(paths)


def test_an_undefined_package_is_an_error_with_its_name():
    (first, *_) = parse_text(USE, name="a_use.sv").diagnostics
    assert first.code == "unknown-package"
    assert "'p'" in first.message


@pytest.mark.parametrize(
    ("text", "truncated"),
    [
        ("module tr(input clk, output reg q);\n  always @(posedge clk) begin\n    q <= d", True),
        ("module tr(input clk, output reg [7:0] q);\n  always @(posedge clk) begin\n", True),
        ("module tr(input clk,\n", True),
        ("module tr", True),
        ("module a(input x); endmodule\nmodule tr(input x);\n  wire w = x +", True),
        ("module tr(input x); // a note\n  /* a comment that never", True),
        ('module tr(output y);\n  initial $display("half a', True),
        ("module tr(input x);\n  case (x) 1'b0:", True),
        ("module a(input x); wire w = x + ; endmodule\n", False),
        ("module a(input x);\n  assing y = x;\nendmodule\n", False),
        ("module a(input x); always @(posedge x) begin end end endmodule\n", False),
        ("module a(input x); endmodule\nmodule b(input x); endmodule // no newline", False),
    ],
)
def test_a_cut_off_source_is_told_from_a_wrong_one(text, truncated):
    model = parse_text(text)
    assert model.truncated is truncated
    assert [d.code for d in model.diagnostics].count("truncated") == truncated
    assert model.ok is (not any(d.severity == "error" for d in model.diagnostics))


def test_the_place_of_the_cut_is_the_end_of_the_text():
    model = parse_text("module tr(input clk, output reg q);\n  always @(posedge clk) q <= d\n\n")
    cut = next(d for d in model.diagnostics if d.code == "truncated")
    assert (cut.line, cut.column) == (2, 31)


def test_systemverilog_in_a_verilog_design_is_said_as_such():
    model = parse_text(
        "module m(input logic a, output logic y);\n  always_comb y = a;\nendmodule\n"
    )
    assert not model.ok
    assert model.diagnostics[0].code == "needs-systemverilog"
    assert widths(model.modules[0]) == {"a": 1, "y": 1}


def test_systemverilog_words_are_names_in_verilog():
    model = parse_text("module m(input bit, output logic);\n  assign logic = bit;\nendmodule\n")
    assert model.ok, model.diagnostics
    assert widths(model.modules[0]) == {"bit": 1, "logic": 1}


IMPLICIT = (
    "module add1(input [7:0] a, output [7:0] y); assign y = a + 8'd1; endmodule\n"
    "module two(input [7:0] a, output [7:0] y);\n"
    "  add1 u0(.a(a), .y(mid)); add1 u1(.a(mid), .y(y));\nendmodule\n"
)


@pytest.mark.parametrize(
    ("text", "name", "line"),
    [
        (IMPLICIT, "mid", 3),
        ("module m(input a, output y);\n  assign tmp = a;\n  assign y = a;\nendmodule\n", "tmp", 2),
        (
            "module m(input a, output y);\n\n  nand g(w, a, a);\n  assign y = w;\nendmodule\n",
            "w",
            3,
        ),
        ("module m(input [3:0] a, output y);\n  assign y = en & a[0];\nendmodule\n", "en", 2),
        ("module m(input data_in, output y);\n  assign y = data_im;\nendmodule\n", "data_im", 2),
    ],
    ids=["between-instances", "assign", "gate", "right-side", "typo"],
)
def test_undeclared_nets_are_errors_with_line_and_name(text, name, line):
    model = parse_text(text)
    found = [d for d in model.diagnostics if d.code in {"implicit-net", "undeclared"}]
    assert not model.ok
    assert found[0].line == line
    assert f"'{name}'" in found[0].message
    assert found[0].hint


def test_include_outside_the_folder_is_not_read(tmp_path):
    outside = tmp_path / "secret.vh"
    outside.write_text("module found; endmodule\n")
    folder = tmp_path / "work"
    folder.mkdir()
    design = folder / "m.v"
    for target in ('"../secret.vh"', f'"{outside}"', "<secret.vh>", "`WHERE", '"/dev/zero"'):
        design.write_text(f'`define WHERE "../secret.vh"\n`include {target}\nmodule m; endmodule\n')
        model = parse_files([design])
        assert not model.ok
        assert model.module("found") is None


def test_include_beside_the_file_is_read(tmp_path):
    (tmp_path / "defs.vh").write_text("`define W 4\n")
    design = tmp_path / "m.v"
    design.write_text('`include "defs.vh"\nmodule m(input [`W-1:0] a); endmodule\n')
    model = parse_files([design])
    assert model.ok, model.diagnostics
    assert widths(model.modules[0]) == {"a": 4}


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("Here is the module:\n```verilog\nmodule f(input a, output y); endmodule\n```\n", 2),
        ("```\nmodule f; endmodule\n```", 1),
        ("module f; endmodule\n  ```\nThis module does nothing.\n", 2),
    ],
)
def test_a_chat_answer_is_told_from_wrong_code(text, line):
    first = parse_text(text).diagnostics[0]
    assert (first.code, first.line) == ("markdown-fence", line)


def test_a_missing_include_says_so(tmp_path):
    design = tmp_path / "m.v"
    design.write_text('`include "gone.vh"\nmodule m; endmodule\n')
    model = parse_files([design])
    assert [d.code for d in model.diagnostics] == ["include-missing"]
    assert model.module("m") is not None


def test_parses_in_parallel_do_not_mix():
    texts = [f"module m{i}(input [{i}:0] a); endmodule" for i in range(40)]
    found = {}

    def work(index):
        found[index] = parse_text(texts[index])

    threads = [threading.Thread(target=work, args=(i,)) for i in range(40)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    for i in range(40):
        assert [m.name for m in found[i].modules] == [f"m{i}"]
        assert widths(found[i].modules[0]) == {"a": i + 1}


def test_two_hundred_modules_and_a_long_netlist():
    text = "".join(
        f"module m{i}(input a, output y);"
        + (f" m{i + 1} u(a, y);" if i < 199 else " assign y = a;")
        + " endmodule\n"
        for i in range(200)
    )
    model = parse_text(text)
    assert model.ok, model.diagnostics[:3]
    assert [m.name for m in model.tops] == ["m0"]
    gates = "".join(f"  nand g{i}(n[{i + 1}], n[{i}], a);\n" for i in range(20000))
    netlist = f"module big(input a, output y);\n  wire [20001:0] n;\n{gates}endmodule\n"
    assert parse_text(netlist).module("big") is not None


def test_deep_nesting_and_endless_generate_end():
    deep = (
        "module m(input a, output y); assign y = " + "(" * 5000 + "a" + ")" * 5000 + "; endmodule"
    )
    assert not parse_text(deep).ok
    endless = (
        "module m(output y); genvar i; generate for (i = 0; i >= 0; i = i + 0) begin : g"
        " wire w; end endgenerate endmodule"
    )
    assert not parse_text(endless).ok
