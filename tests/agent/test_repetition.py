"""Answers that go round in circles are noticed; designs that are merely regular are not."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from loop_kit import FakeToolbox, inverter_spec
from rtl_agent.agent.backends.base import Answer
from rtl_agent.agent.graph.options import SolveOptions
from rtl_agent.agent.graph.repetition import RepetitionWatch
from rtl_agent.agent.graph.run import solve
from rtl_agent.agent.styles.embedded import EmbeddedStyle
from rtl_agent.decoding.api import DecodeStats, FinishReason

if TYPE_CHECKING:
    from pathlib import Path


def watch(text: str) -> bool:
    seen = RepetitionWatch()
    for at in range(0, len(text), 7):  # in pieces, as tokens come
        seen.add(text[at : at + 7])
    return seen.looping


def test_the_same_declaration_for_ever_is_a_loop() -> None:
    assert watch("".join(f"    reg [7:0] out_{i % 5};\n" for i in range(16)))
    assert watch("    assign y = a;\n" * 16)


def test_regular_rtl_is_no_loop() -> None:
    table = "".join(f"            4'd{i}: y = 8'd{i * 7 % 50 + 10};\n" for i in range(64))
    assert not watch("case (a)\n" + table + "default: y = 0;\nendcase\n")
    ports = "".join(f"    wire {name};\n" for name in "abcdefghijklmnop")
    assert not watch(ports)


def test_a_few_lines_are_not_enough() -> None:
    assert not watch("    assign y = a;\n" * 4)


def watched(text: str, size: int = 7) -> bool:
    watch = RepetitionWatch()
    for start in range(0, len(text), size):
        watch.add(text[start : start + size])
    return watch.looping


def test_two_lines_in_turn_are_a_loop() -> None:
    assert watched("    if (w[7] == w[0])\n        n = w[0] + 1'b1;\n" * 6)


def test_a_condition_joined_to_itself_is_a_loop_before_its_line_ends() -> None:
    assert watched("    assign valid = (" + "req[7] == 3'd0] && " * 9)


def test_a_number_without_end_is_a_loop() -> None:
    assert watched("    x = 128'b" + "0" * 140)


def test_a_table_without_end_is_a_loop_and_one_of_64_arms_is_not() -> None:
    arms = [f"            8'd{i}: q = 8'h{i * 37 % 256:02x};\n" for i in range(256)]
    assert not watched("".join(arms[:64]) + "        endcase\n")
    assert watched("".join(arms))


def test_ordinary_designs_are_no_loops() -> None:
    rtl = """module m (input clk, input [3:0] d, output reg [15:0] q);
    always @(posedge clk) begin
        q <= {q[14:0], d[0]};
        if (d[1]) begin
            q <= 16'd0;
        end else if (d[2]) begin
            q <= 16'd1;
        end else if (d[3]) begin
            q <= 16'd2;
        end
    end
endmodule
"""
    assert not watched(rtl)
    assert not watched("    assign p = {" + ", ".join(f"a[{i}]" for i in range(32)) + "};\n")
    assert not watched("        end\n    end\nend\nendmodule\n")


@pytest.mark.parametrize(("tokens", "asked_again"), [(640, False), (200, True)])
def test_an_answer_beyond_what_the_model_can_write_is_given_up(
    tmp_path: Path, tokens: int, asked_again: bool
) -> None:
    stats = DecodeStats(new_tokens=tokens, target_passes=tokens, prompt_tokens=50)
    asked: list[str] = []

    class CutShort:
        name, style = "cut-short", "embedded"

        def answer(self, prompt, *, n, params, on_text=None, should_stop=None):
            asked.append(prompt.purpose)
            return (Answer("\n    assign y =", FinishReason.LENGTH, stats),) * n

    options = SolveOptions(out=tmp_path, attempts=1, candidates=1, jobs=1, probe=False)
    solve(inverter_spec("a"), options, CutShort(), EmbeddedStyle(), None, toolbox=FakeToolbox())
    assert ("continue" in asked) is asked_again
