"""Lint: what is found in a design, with which severity, code, place and remedy."""

from functools import partial

import pytest
from lint_kit import lint_text, named, needs_verilator
from rtl_agent.tools.diagnostic import Severity


@pytest.fixture
def run(tmp_path):
    return partial(lint_text, tmp_path)


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
