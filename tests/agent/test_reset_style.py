"""Resets of exemplars are put into the style the spec asks for."""

from __future__ import annotations

import pytest
from rtl_agent.agent.library.reset_style import ResetStyle, in_style, prose_in_style, style_of
from rtl_agent.tools.clocking import Clocking

ASYNC_LOW = """\
always @(posedge clk or negedge rst) begin
    if (!rst) q <= 0;
    else if (en) q <= d;
end
"""
SYNC_HIGH = """\
always @(posedge clk) begin
    if (rst) q <= 0;
    else if (en) q <= d;
end
"""
ASYNC_HIGH = SYNC_HIGH.replace("(posedge clk)", "(posedge clk or posedge rst)")


@pytest.mark.parametrize("before", [ASYNC_LOW, SYNC_HIGH, ASYNC_HIGH])
def test_every_form_reaches_every_style(before: str) -> None:
    assert in_style(before, ResetStyle("rst", False, False)) == SYNC_HIGH
    assert in_style(before, ResetStyle("rst", False, True)) == ASYNC_HIGH
    assert in_style(before, ResetStyle("rst", True, True)) == ASYNC_LOW


def test_an_unknown_kind_changes_the_level_only() -> None:
    assert in_style(ASYNC_LOW, ResetStyle("rst", False, None)) == ASYNC_HIGH


def test_processes_without_the_reset_stay() -> None:
    memory = "always @(posedge clk) begin\n    if (wr) mem[a] <= d;\nend\n"
    assert in_style(memory, ResetStyle("rst", True, True)) == memory


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("`rst` is an asynchronous reset.", True),
        ("A synchronous FIFO. The reset rst is asynchronous.", True),
        ("rst: synchronous, active high reset", False),
        ("A synchronous FIFO. Reset rst clears it.", None),
        ("rst resets it. It works synchronously to the clock.", None),
    ],
)
def test_only_what_is_said_of_the_reset_counts(text: str, kind: bool | None) -> None:
    found = style_of(text, Clocking("clk", "rst", False))
    assert found == ResetStyle("rst", False, kind)


def test_no_reset_no_style() -> None:
    assert style_of("A reset-less adder.", Clocking("clk", None, False)) is None


def test_the_library_sentence_about_the_reset_is_made_true() -> None:
    said = "A counter. Synchronous reset: rst_n, active high."
    assert prose_in_style(said, ResetStyle("rst_n", True, True)) == (
        "A counter. Asynchronous reset: rst_n, active low."
    )
    assert prose_in_style(said, ResetStyle("rst_n", True, None)) == (
        "A counter. Synchronous reset: rst_n, active low."
    )
    assert prose_in_style("The reset is odd.", ResetStyle("r", True, None)) == "The reset is odd."
