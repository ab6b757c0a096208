"""Edits: one source an operator, and what has to hold for all of them."""

from __future__ import annotations

import pytest
from rtl_agent.tools.edits import OPERATORS, Edit, apply, find_edits
from rtl_agent.tools.parse import parse_text

_HEAD = (
    "module m(input clk, input rst, input en, input [3:0] a, input [3:0] b, "
    "output reg [3:0] q, output [3:0] y);\n"
)


def _comb(expression: str) -> str:
    return f"{_HEAD}assign y = {expression};\nendmodule\n"


def _clocked(body: str, events: str = "posedge clk") -> str:
    return f"{_HEAD}always @({events}) begin {body} end\nendmodule\n"


_RESET = "if (rst) begin q <= 4'd3; end else begin q <= q + 4'd1; end"
_FSM = (
    "module f(input clk, input x, output reg z);\nlocalparam [1:0] A = 0, B = 1, C = 2;\n"
    "reg [1:0] s;\nalways @(posedge clk) case (s)\nA: s <= x ? B : A;\nB: s <= C;\n"
    "default: begin s <= A; z <= x; end\nendcase\nendmodule\n"
)
_HIER = (
    "module top(input p, input q, output r);\nsub u(.a(p), .b(q), .r(r));\nendmodule\n"
    "module sub(input a, input b, output r);\nassign r = a & ~b;\nendmodule\n"
)

# Operator, a source, and a text that one of its edits leads to.
_ONE_EACH = [
    ("operator-swap", _comb("a + b"), "y = a - b"),
    ("operator-swap", _comb("a ^ b"), "y = a ~^ b"),
    ("logic-swap", _comb("en && rst"), "y = en || rst"),
    ("comparison-swap", _comb("a < b"), "y = a <= b"),
    ("comparison-swap", _comb("a == b"), "y = a != b"),
    ("shift-direction", _comb("a << b"), "y = a >> b"),
    ("shift-direction", _clocked("q <= {q[2:0], en};"), "q <= {en, q[3:1]};"),
    ("shift-direction", _clocked("q <= {en, q[3:1]};"), "q <= {q[2:0], en};"),
    ("shift-kind", _comb("a >>> b"), "y = a >> b"),
    ("swap-operands", _comb("a - b"), "y = b - a"),
    ("swap-operands", _comb("a - b - 4'd1"), "y = 4'd1 - (a - b)"),
    ("drop-term", _comb("en && rst"), "y = rst;"),
    ("reduction-swap", _comb("&a"), "y = |a"),
    ("drop-inversion", _comb("~a"), "y = a;"),
    ("add-inversion", _comb("a & b"), "y = a & ~b"),
    ("invert-result", _comb("a & b"), "y = ~(a & b)"),
    ("negate-condition", _comb("a == b ? a : b"), "y = !(a == b) ? a : b"),
    ("negate-condition", _comb("!en ? a : b"), "y = en ? a : b"),
    ("constant-condition", _comb("en ? a : b"), "y = 1'b1 ? a : b"),
    ("swap-branches", _comb("en ? a : b"), "y = en ? b : a"),
    ("swap-branches", _clocked("if (en) q <= a; else q <= b;"), "if (en) q <= b; else q <= a;"),
    (
        "swap-conditions",
        _clocked("if (en) q <= a; else if (a == b) q <= b;"),
        "if (a == b) q <= a; else if (en) q <= b;",
    ),
    ("add-term", _clocked("if (en) q <= a;"), "if (en && !rst) q <= a;"),
    ("off-by-one", _comb("a + 4'd2"), "y = a + 4'd3"),
    ("off-by-one", _comb("a + 8'h0f"), "y = a + 8'h10"),
    ("constant-bit", _comb("4'b0_110"), "y = 4'b0_100"),
    ("constant-extreme", _comb("a + 4'd2"), "y = a + 4'd15"),
    ("constant-width", _comb("a + 4'd2"), "y = a + 3'd2"),
    ("parameter-value", "module m; parameter P = 5; endmodule", "P = 6;"),
    ("range", _comb("a[2:1]"), "y = a[2:0]"),
    ("range", _comb("a[3:2]"), "y = a[2:1]"),
    ("index", _comb("a[b]"), "y = a[b + 1]"),
    ("replication", _comb("{3{en}}"), "y = {4{en}}"),
    ("width", f"{_HEAD}reg [3:0] t; wire w;\nendmodule", "reg [4:0] t;"),
    ("width", f"{_HEAD}reg [3:0] t; wire w;\nendmodule", "wire [3:0] w;"),
    ("narrow", f"{_HEAD}reg [3:0] t; wire w;\nendmodule", "reg [2:0] t;"),
    ("signedness", f"{_HEAD}wire [3:0] t;\nendmodule", "wire signed [3:0] t;"),
    ("signedness", f"{_HEAD}reg signed [3:0] t;\nendmodule", "reg [3:0] t;"),
    ("signed-cast", _comb("a < b"), "y = $signed(a) < b"),
    ("signed-cast", _comb("$signed(a) >>> b"), "y = (a) >>> b"),
    ("edge", _clocked("q <= a;"), "@(negedge clk)"),
    ("sensitivity-drop", _clocked(_RESET, "posedge clk or posedge rst"), "@(posedge clk) begin"),
    ("sensitivity-add", _clocked(_RESET), "@(posedge clk or posedge rst)"),
    ("sensitivity-star", f"{_HEAD}always @(a or b) q = a & b;\nendmodule", "always @(*) q"),
    ("reset-polarity", _clocked(_RESET), "if (!rst)"),
    (
        "reset-polarity",
        _clocked(_RESET, "posedge clk or posedge rst"),
        "@(posedge clk or negedge rst) begin if (!rst)",
    ),
    ("reset-value", _clocked(_RESET), "q <= 4'd0;"),
    ("reset-drop", _clocked(_RESET), "begin begin q <= q + 4'd1; end end"),
    ("reset-drop-assign", _clocked(_RESET), "begin ; end else"),
    (
        "reset-add-assign",
        f"{_HEAD}reg t; always @(posedge clk) if (rst) begin q <= 0; end "
        "else begin q <= a; t <= en; end\nendmodule",
        "q <= 0; t <= 0; end else",
    ),
    ("blocking", _clocked("q <= a;"), "q = a;"),
    ("stuck", _comb("a"), "y = ~0;"),
    ("drop-assign", _clocked("q <= a;"), "begin ; end"),
    ("default-assignment", _clocked("if (en) q <= a;"), "begin q <= 0; if (en)"),
    (
        "target-swap",
        f"{_HEAD}reg [3:0] t; always @(posedge clk) t <= a;\nendmodule",
        "q <= a;",
    ),
    ("drop-arm", _FSM, "case (s)\n\nB: s <= C;"),
    ("drop-default", _FSM, "B: s <= C;\n\nendcase"),
    (
        "missing-default",
        f"{_HEAD}always @(*) case (a) 4'd0: q = b; endcase\nendmodule",
        "4'd0: q = b; default: q = 0; endcase",
    ),
    ("swap-arms", _FSM, "A: s <= C;\nB: s <= x ? B : A;"),
    ("case-kind", _FSM, "casez (s)"),
    ("drop-else", _clocked("if (en) q <= a; else q <= b;"), "if (en) q <= a;  end"),
    ("missing-else", _clocked("if (en) q <= a;"), "if (en) q <= a; else q <= 0; end"),
    ("concat-order", _comb("{a, b, en}"), "y = {en, b, a}"),
    ("concat-order", _comb("{a, b, en}"), "y = {b, a, en}"),
    ("identifier-swap", _comb("a + 4'd1"), "y = b + 4'd1"),
    ("transition", _FSM, "B: s <= A;"),
    ("transition", _FSM, "s <= x ? C : A;"),
    (
        "transition",
        "module f(input clk, output reg s);\nalways @(posedge clk) case (s)\n"
        "1'b0: s <= 1'b1;\n1'b1: s <= 1'b0;\nendcase\nendmodule",
        "1'b1: s <= 1'b1;",
    ),
    ("connection-swap", _HIER, "sub u(.a(q), .b(p), .r(r));"),
]


def _results(source: str, operator: str) -> list[str]:
    return [apply(source, [e]) for e in find_edits(source, frozenset({operator}))]


@pytest.mark.parametrize(("operator", "source", "expected"), _ONE_EACH)
def test_each_operator_does_what_it_says(operator: str, source: str, expected: str) -> None:
    assert expected not in source
    assert any(expected in text for text in _results(source, operator))


def test_every_operator_has_a_source_here() -> None:
    assert {operator for operator, _, _ in _ONE_EACH} == set(OPERATORS)


@pytest.mark.parametrize("source", sorted({s for _, s, _ in _ONE_EACH}))
def test_what_comes_out_still_parses(source: str) -> None:
    edits = find_edits(source)
    broken = []
    for edit in edits:
        model = parse_text(apply(source, [edit]))
        broken += [(edit, str(d)) for d in model.diagnostics if "syntax" in d.code]
        assert not model.truncated
    assert not broken


def test_edits_come_by_place_and_are_the_same_each_time() -> None:
    first, second = find_edits(_FSM), find_edits(_FSM)
    assert first == second
    assert [e.start for e in first] == sorted(e.start for e in first)
    assert len({(e.start, e.end, e.replacement) for e in first}) == len(first)


def test_an_edit_that_is_about_reset_is_called_so_whoever_finds_it_too() -> None:
    kinds = {e.operator for e in find_edits(_clocked(_RESET)) if "rst" in e.note}
    assert "reset-polarity" in kinds
    assert "negate-condition" not in kinds


def test_offsets_count_characters_and_lines_survive_bom_and_crlf() -> None:
    source = "\ufeff// größer als 3 µs\r\n" + _comb("a + b").replace("\n", "\r\n")
    edit = find_edits(source, frozenset({"operator-swap"}))[0]
    assert source[edit.start : edit.end] == "+"
    assert (edit.line, edit.column) == (3, 14)
    assert "a - b" in apply(source, [edit])


def test_nothing_is_found_inside_macros_or_in_text_that_is_left_out() -> None:
    source = "`define SUM a + b\n" + _comb("`SUM").replace(
        "endmodule", "`ifdef NOPE\nassign y = a * b;\n`endif\nendmodule"
    )
    for edit in find_edits(source):
        assert edit.line not in {1, 5}


def test_ports_keep_their_width() -> None:
    old = "module m(a, q);\ninput a;\noutput [3:0] q;\nreg [3:0] q;\nreg [3:0] t;\nendmodule\n"
    assert {e.line for e in find_edits(old, frozenset({"width", "signedness"}))} == {5}


def test_systemverilog_is_told_by_itself() -> None:
    source = (
        "module m(input logic clk, input logic [1:0] d, output logic [1:0] q);\n"
        "always_ff @(posedge clk) q <= d + 2'd1;\nalways_comb begin end\nendmodule\n"
    )
    assert {"edge", "operator-swap"} <= {e.operator for e in find_edits(source)}


def test_source_that_does_not_parse_gives_no_traceback() -> None:
    find_edits("module m(input a; assign y = ; endmodule")
    find_edits("")


def test_several_edits_are_made_at_once() -> None:
    source = _comb("a + b")
    plus = find_edits(source, frozenset({"operator-swap"}))[0]
    names = find_edits(source, frozenset({"identifier-swap"}))
    assert "y = b - b" in apply(source, [names[0], plus])


def test_edits_of_the_same_text_are_refused() -> None:
    source = _comb("a + b")
    plus = find_edits(source, frozenset({"operator-swap"}))[0]
    result = find_edits(source, frozenset({"invert-result"}))[0]
    with pytest.raises(ValueError, match="overlap"):
        apply(source, [plus, result])
    outside = Edit("stuck", 1, 1, 0, len(source) + 1, "", "")
    with pytest.raises(ValueError, match="outside"):
        apply(source, [outside])


def test_an_unknown_operator_is_refused() -> None:
    with pytest.raises(ValueError, match="unknown operator 'swap'"):
        find_edits(_comb("a"), frozenset({"swap"}))
