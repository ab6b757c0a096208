"""Answers of training pairs take over the names of the design that is shown."""

from __future__ import annotations

from rtl_agent.agent.corpus.likeness import in_names_of, likeness

SHOWN = """\
module m (input clk, input en, output [3:0] q);
    reg [3:0] ctr;
    always @(posedge clk) ctr <= en ? ctr + 1'b1 : ctr;
    assign q = ctr;
endmodule
"""
ANSWER = SHOWN.replace("ctr", "cnt_r").replace("[3:0]", "[7:0]")
PORTS = frozenset(("m", "clk", "en", "q"))


def test_own_signals_are_called_as_their_counterparts() -> None:
    assert in_names_of(ANSWER, SHOWN, PORTS) == SHOWN.replace("[3:0]", "[7:0]")


def test_ports_and_keywords_keep_their_names() -> None:
    moved = in_names_of(ANSWER.replace("en", "go"), SHOWN, frozenset(("m", "clk", "go", "q")))
    assert "input go" in moved
    assert "ctr" in moved


def test_a_name_that_stays_is_never_given_twice() -> None:
    answer = ANSWER.replace("assign", "wire ctr = 1'b0;\n    assign")
    moved = in_names_of(answer, SHOWN, PORTS)
    assert moved.count("reg [7:0] ctr;") + moved.count("wire ctr") < 2
    assert likeness(moved, answer) > 0.8


def test_signals_without_a_counterpart_keep_their_names() -> None:
    answer = ANSWER.replace("endmodule", "    wire spare = &cnt_r;\nendmodule")
    assert "spare" in in_names_of(answer, SHOWN, PORTS)


def test_likeness_counts_tokens_in_order() -> None:
    assert likeness(SHOWN, SHOWN) == 1.0
    assert likeness(SHOWN, "// other\n" + SHOWN) == 1.0
    assert likeness(SHOWN, ANSWER) > likeness(SHOWN, "module m; endmodule")
