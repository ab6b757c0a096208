"""Fan-in cones and loops: from pyslang always, from pyverilog where it can."""

import threading

import pytest
from rtl_agent.tools.dataflow import ProcessKind, fan_in_cone, pyslang_cone
from rtl_agent.tools.dataflow.loops import find_loops
from rtl_agent.tools.dataflow.processes import processes_of
from rtl_agent.tools.dataflow.pyverilog_cone import parse_verilog_2001, pyverilog_cone
from rtl_agent.tools.parse import parse_text

DESIGN = """
module top(input clk, input rst, input [3:0] d, input s, input unused, output reg [3:0] q,
           output [3:0] y);
  wire [3:0] n; reg [3:0] k;
  sub u0(.a(d[0]), .b(n[0])); sub u1(.a(d[1]), .b(n[1])); assign n[3:2] = d[3:2] ^ {2{s}};
  always @(posedge clk) if (rst) q <= 4'd0; else q <= k + n;
  always @(*) begin k = 4'd0; if (s) k = q; end
  assign y = q & n;
endmodule
module sub(input a, output b); assign b = ~a; endmodule
"""


@pytest.fixture(scope="module")
def model():
    return parse_text(DESIGN)


def test_cone_of_a_register(model):
    cone = fan_in_cone(model, "q", top="top")
    assert cone.engine == "pyslang"
    assert cone.within(1) == ("k", "n", "rst", "clk")
    inside = {"u0.b", "u1.b", "u0.a", "u1.a"}
    assert set(cone.signals) == {"rst", "clk", "k", "n", "s", "d"} | inside
    assert "unused" not in cone.signals


def test_cone_inside_an_instance_that_is_used_twice(model):
    assert pyslang_cone(model, "u1.b", top="top").signals == ("u1.a", "d")
    assert pyslang_cone(model, "u0.b", top="top").signals == ("u0.a", "d")


def test_cone_follows_the_bits_that_are_read():
    model = parse_text(
        "module m(input a, b, output [1:0] y, output z); assign y[0] = a; assign y[1] = b;"
        " assign z = y[0]; endmodule"
    )
    assert pyslang_cone(model, "z", top="m").signals == ("y", "a")
    assert set(pyslang_cone(model, "y", top="m").signals) == {"a", "b"}


def test_unknown_signal_and_unknown_top(model):
    assert fan_in_cone(model, "nope", top="top").signals == ()
    assert fan_in_cone(model, "q", top="nope").signals == ()


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (
            "module m(input a, b, output y); wire w = a & b; assign y = ~w; endmodule",
            {"a", "b", "w"},
        ),
        ("module m(input a, b, output y); nand g(y, a, b); endmodule", {"a", "b"}),
        (
            "module m(input [1:0] a, output y); genvar i; wire [1:0] w; generate for (i = 0; i < 2;"
            " i = i + 1) begin : g wire t = a[i]; assign w[i] = t; end endgenerate"
            " assign y = ^w; endmodule",
            {"a", "w", "g[0].t", "g[1].t"},
        ),
        (
            "module m(input \\a[1] , b, output y); assign y = \\a[1] & b; endmodule",
            {"a[1]", "b"},
        ),
        (
            "module m(input clk, a, output reg y); reg [1:0] s; always @(posedge clk) case (s)"
            " 2'd0: y <= a; default: y <= 1'b0; endcase always @(posedge clk) s <= s + 2'd1;"
            " endmodule",
            {"a", "s", "clk"},
        ),
    ],
    ids=["net", "gate", "generate", "escaped", "case"],
)
def test_cones_of_many_styles(text, expected):
    model = parse_text(text)
    cone = pyslang_cone(model, "y", top="m")
    assert set(cone.signals) == expected


def test_systemverilog_is_for_pyslang_and_the_reason_is_named():
    model = parse_text(
        "module m(input logic [3:0] a, output logic y);"
        " typedef struct packed {logic [2:0] p; logic q;} t; t s; assign s = a; assign y = s.q;"
        " endmodule",
        name="m.sv",
    )
    cone, reason = pyverilog_cone(model, "y", top="m")
    assert cone is None
    assert "pyverilog cannot parse" in reason
    fallback = fan_in_cone(model, "y", top="m", prefer="pyverilog")
    assert fallback.engine == "pyslang"
    assert fallback.note == reason
    assert fallback.signals == ("s", "a")


def test_pyverilog_agrees_on_a_verilog_design(model, tmp_path, monkeypatch, capfd):
    monkeypatch.chdir(tmp_path)
    cone, reason = pyverilog_cone(model, "q", top="top")
    assert reason == ""
    assert cone.engine == "pyverilog"
    assert set(cone.signals) == set(pyslang_cone(model, "q", top="top").signals)
    assert list(tmp_path.iterdir()) == []
    assert capfd.readouterr() == ("", "")


@pytest.mark.parametrize(
    "text",
    [
        "module m(input a, output y); function integer f; input integer x; f = x; endfunction"
        " assign y = f(a); endmodule",
        "module m #(parameter N = 2, localparam L = N) (input a, output y);"
        " assign y = a; endmodule",
        "module m(input a, output y); assign y = nope; endmodule",
        "module m(input a, output y); assign y = a + ; endmodule",
    ],
    ids=["function-integer", "header-localparam", "undeclared", "syntax"],
)
def test_what_pyverilog_refuses_or_must_not_judge(text):
    cone, reason = pyverilog_cone(parse_text(text), "y", top="m")
    assert cone is None
    assert reason


def test_pyverilog_does_not_mix_designs_of_several_threads():
    found = {}

    def work(index):
        text = f"module m(input a{index}, output y); assign y = a{index}; endmodule"
        found[index] = pyverilog_cone(parse_text(text), "y", top="m")

    threads = [threading.Thread(target=work, args=(i,)) for i in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert all(found[i][0].signals == (f"a{i}",) for i in range(8))


def test_macros_are_expanded_for_pyverilog(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    model = parse_text("`define A b\nmodule m(input b, output y); assign y = `A; endmodule")
    cone, _ = pyverilog_cone(model, "y", top="m")
    assert cone.signals == ("b",)
    assert list(tmp_path.iterdir()) == []


def test_the_parser_says_where_it_stopped():
    assert parse_verilog_2001("module m; endmodule") is not None
    with pytest.raises(ValueError, match="line:2"):
        parse_verilog_2001("module m;\n wire w = ;\nendmodule")
    assert parse_verilog_2001("module m;\n\n\nendmodule") is not None
    with pytest.raises(ValueError, match="line:1"):
        parse_verilog_2001("module ;")


LOOPS = {
    "assigns": ("assign y = ~w; assign w = y;", {"w", "y"}),
    "gates": ("nor(y, a, w); nor(w, b, y);", {"w", "y"}),
    "blocks": ("reg p, q; always @(*) p = q; always @(*) q = p & a;", {"p", "q"}),
    "instance": ("inv u(.i(w), .o(y)); assign w = y;", {"u.i", "u.o", "w", "y"}),
    "one-bit-of-a-vector": ("wire [3:0] v; assign v[0] = v[1]; assign v[1] = ~v[0];", {"v"}),
    "carry": (
        "wire [1:0] v; assign {v[1], w} = {v[0], a}; assign v[0] = v[1]; assign y = w;",
        {"v"},
    ),
    "own-level-select": ("wire [3:0] v; assign v = {v[2:0], v[3]};", {"v"}),
}


@pytest.mark.parametrize("kind", LOOPS)
def test_loops_are_found_with_their_signals(kind):
    body, signals = LOOPS[kind]
    text = f"module m(input a, b, output y); wire w; {body} endmodule\n"
    model = parse_text(text + "module inv(input i, output o); assign o = ~i; endmodule")
    (loop,) = find_loops(processes_of(model, "m"))
    assert set(loop.signals) == signals


def test_a_block_that_starts_itself():
    model = parse_text(
        "module osc(input go, output reg busy); reg t; always @(*) begin busy <= 1'b0;"
        " if (go) t <= busy; busy <= 1'b1; end endmodule"
    )
    (loop,) = find_loops(processes_of(model, "osc"))
    assert loop.retriggers
    assert loop.signals == ("busy",)


def test_process_kinds():
    model = parse_text(
        "module m(input clk, a, output reg y, output reg z, output w);\n"
        "  initial y = 1'b0;\n  always @(posedge clk) y <= a;\n  always @(a) z = a;\n"
        "  assign w = a;\nendmodule\n"
    )
    kinds = [(p.kind, p.line) for p in processes_of(model, "m")]
    assert kinds == [
        (ProcessKind.INITIAL, 2),
        (ProcessKind.CLOCKED, 3),
        (ProcessKind.COMBINATIONAL, 4),
        (ProcessKind.ASSIGN, 5),
    ]
