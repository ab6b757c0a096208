"""The explicit fragment marker in Verilog text."""

from __future__ import annotations

from rtl_agent.agent.corpus.markers import mark, marked_answer, significant_ends

M = "<f>"


def test_markers_stand_behind_significant_tokens_of_a_worked_example() -> None:
    header = "module t (\n    input clk,\n    output reg [3:0] q\n);"
    answer = "\n    // é counts\n    always @(posedge clk) q <= q + 4'd1;\nendmodule\n"
    assert marked_answer(header, answer, M) == (
        "\n    // é counts\n    always<f> @(posedge<f> clk<f>) q<f> <= q<f> + 4'd1<f>;\n"
        "endmodule<f>\n"
    )


def test_without_markers_the_text_is_what_it_was() -> None:
    rtl = "module a(input [7:0] x, output y);\n  assign y = ^x | (x == 8'hF0);\nendmodule\n"
    ends = significant_ends(rtl)
    assert ends is not None
    assert mark(rtl, ends, M).replace(M, "") == rtl


def test_text_that_does_not_parse_is_not_marked() -> None:
    assert significant_ends("module a(input x output y); endmodule") is None
    assert marked_answer("module a(input x);", " assign", M) is None
