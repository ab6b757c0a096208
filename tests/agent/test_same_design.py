"""Candidates that are one design, and such as only look like it."""

from __future__ import annotations

import time

import pytest
from loop_kit import GOOD_COUNTER, ByPurpose, fenced, inverter_spec, run_loop
from rtl_agent.agent.graph.normal_tree import normal_form
from rtl_agent.agent.graph.normalise import digest
from rtl_agent.agent.verdict import Verdict

TOP = "module m(input clk, input [3:0] a, output reg [7:0] y, output z);\n{}\nendmodule\n"
PLAIN = """  reg [7:0] t; wire w;
  assign w = a[0] & a[1];
  always @(posedge clk) begin
    if (w) t <= 8'h0a; else t <= t + 1;
    y <= t;
  end
  sub s(.w(w), .z(z));"""


def design(old: str = "", new: str = "", body: str = PLAIN) -> str:
    assert old in body
    return TOP.format(body.replace(old, new) if old else body)


SAME = {
    "layout": ("t <= 8'h0a;", "t\n<=   8'h0a ; /* ten */"),
    "block": ("t <= 8'h0a;", "begin t <= 8'h0a; end"),
    "blocks": ("t <= 8'h0a;", "begin begin t <= 8'h0a; end end"),
    "decimal": ("8'h0a", "8'd10"),
    "binary": ("8'h0a", "8'b0000_1010"),
    "capitals": ("8'h0a", "8'H0A"),
    "parentheses": ("a[0] & a[1]", "(a[0] & (a[1]))"),
}
DIFFERENT = {
    "width": ("8'h0a", "9'h0a"),
    "sign": ("8'h0a", "8'sh0a"),
    "unsized": ("8'h0a", "10"),
    "value": ("8'h0a", "8'd11"),
    "unknown": ("8'h0a", "8'b0000101x"),
    "blocking": ("t <= 8'h0a", "t = 8'h0a"),
    "edge": ("posedge", "negedge"),
    "operator": ("a[0] & a[1]", "a[0] && a[1]"),
    "grouping": ("t <= t + 1;", "t <= (t + 1) << 1;"),
    "port": ("y <= t;", "y <= a;"),
    "connection": (".w(w)", ".v(w)"),
    "instance": ("sub s", "sub2 s"),
    "range": ("reg [7:0] t", "reg [6:0] t"),
    "kind": ("reg [7:0] t", "reg signed [7:0] t"),
    "order": ("y <= t;", "y <= y; y <= t;"),
}


@pytest.mark.parametrize("name", SAME)
def test_same(name):
    assert digest(design(*SAME[name])) == digest(design())


@pytest.mark.parametrize("name", DIFFERENT)
def test_different(name):
    assert digest(design(*DIFFERENT[name])) != digest(design())


def test_names_of_inner_signals_do_not_matter():
    other = PLAIN.replace("t;", "held;").replace("t <=", "held <=").replace("<= t ", "<= held ")
    other = other.replace("reg [7:0] t", "reg [7:0] held").replace("wire w", "wire both")
    other = other.replace("assign w", "assign both").replace("if (w)", "if (both)")
    other = other.replace(".w(w)", ".w(both)")
    assert digest(design(body=other)) == digest(design())


def test_which_signal_it_is_does():
    two = "  reg p, q; always @(posedge clk) begin p <= a[0]; q <= p; end assign z = {};"
    assert digest(design(body=two.format("q"))) != digest(design(body=two.format("p")))
    swapped = two.replace("p <= a[0]; q <= p", "q <= a[0]; p <= q")
    assert digest(design(body=swapped.format("q"))) != digest(design(body=two.format("q")))


def test_an_else_belongs_to_its_if():
    """Without `begin` and `end` the two would be the same words."""
    near = "  always @* if (a[0]) if (a[1]) y = 1; else y = 2;"
    far = "  always @* if (a[0]) begin if (a[1]) y = 1; end else y = 2;"
    assert digest(design(body=near)) != digest(design(body=far))


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("  wire w; sub s(.w, .z(z));", "  wire v; sub s(.v, .z(z));"),
        ("  wire w; sub s(.*);", "  wire v; sub s(.*);"),
        ("  wire w; sub s(w); assign z = s.w;", "  wire v; sub s(v); assign z = s.v;"),
        ("  assign z = w;", "  assign z = v;"),
        ('  initial $display("%h", "a  b");', '  initial $display("%h", "a b");'),
        ("  parameter P = 1; assign z = P;", "  parameter Q = 1; assign z = Q;"),
    ],
)
def test_names_that_others_see_matter(one, other):
    assert digest(design(body=one)) != digest(design(body=other))


def test_directives_matter():
    assert digest("`timescale 1ns/1ps\n" + design()) != digest("`timescale 1ns/1ns\n" + design())
    two = [design(), design().replace("module m", "module n")]
    none = "`default_nettype none\n"
    assert digest(two[0] + none + two[1]) != digest(none + two[0] + two[1])
    named = "`define TEN 8'h0a\n" + design("8'h0a", "`TEN")
    assert digest(named) == digest(design())


def test_what_does_not_parse_is_compared_as_text():
    broken = design("posedge clk)", "posedge clk")
    assert normal_form(broken) is None
    assert digest(broken) == digest(broken.replace("\n", "\n\n"))
    assert digest(broken) != digest(broken.replace("8'h0a", "8'd10"))
    deep = design(body=f"  assign z = {'(' * 3000}a[0]{')' * 3000};")
    assert digest(deep) == digest(deep.replace("assign z", "assign  z"))


@pytest.mark.parametrize("number", ["999999999'h1", "8'd" + "9" * 6000, "'h1_0", "4'hz", "4'b1?0"])
def test_odd_numbers_do_no_harm(number):
    assert digest(design("8'h0a", number)) != digest(design())


def test_it_is_cheap():
    lines = "\n".join(f"    if (a[{i % 4}]) t <= 8'd{i}; else t <= t + {i};" for i in range(190))
    text = design(body=f"  reg [7:0] t;\n  always @(posedge clk) begin\n{lines}\n  end")
    normal_form(text)
    took = []
    for _ in range(5):
        begun = time.process_time()
        assert normal_form(text)
        took.append(time.process_time() - begun)
    assert min(took) < 0.1, "20 ms on an idle machine"


def test_a_candidate_with_other_names_is_not_judged_again(tmp_path):
    one = "module inv(input a, output y);\n  wire t;\n  assign t = a;\n  assign y = t;\nendmodule\n"
    other = one.replace("t;", "u;").replace(" t ", " u ")
    model = ByPurpose(draft=[fenced(one)], repair_mismatch=[fenced(other)])
    result = run_loop(tmp_path, inverter_spec("one"), model, candidates=1, attempts=2)
    assert result.verdict is Verdict.FAILED
    (second,) = result.attempts[1].candidates
    assert second.same_as == "attempt-01/candidate-0"


def test_other_names_may_be_what_was_asked_for():
    text = GOOD_COUNTER
    assert digest(text, as_written=True) != digest(text)
    assert digest(text, as_written=True) == digest(text.replace("\n", "\n\n"), as_written=True)
    assert digest(text, as_written=True) != digest(text.replace("4'd1", "4'h1"), as_written=True)
