"""Variants of known-good designs for the numbers of the task."""

from __future__ import annotations

import pytest
from rtl_agent.agent.library.retarget import (
    likeliest,
    numbers_in,
    repattern,
    retarget,
    variants,
)

FIFO = """\
    reg [7:0] store [0:3];
    reg [1:0] wr_ptr, rd_ptr;
    reg [2:0] fill;
    always @(posedge clk) begin
        if (push) store[wr_ptr] <= data;
    end
    assign full = (fill == 3'd4);
    assign empty = (fill == 3'd0);
    assign q = store[rd_ptr];
"""


def test_a_memory_its_pointers_and_its_count_follow_the_depth() -> None:
    made = retarget(FIFO, 4, 8)
    assert "reg [7:0] store [0:7];" in made
    assert "reg [2:0] wr_ptr, rd_ptr;" in made
    assert "reg [3:0] fill;" in made
    assert "fill == 4'd8" in made
    assert "fill == 4'd0" in made


def test_it_goes_back_again() -> None:
    assert retarget(retarget(FIFO, 4, 8), 8, 4) == FIFO


def test_pointers_with_a_wrap_bit_keep_it() -> None:
    rtl = """\
    reg [7:0] mem [0:3];
    reg [2:0] wptr, rptr;
    always @(posedge clk) if (we) mem[wptr[1:0]] <= d;
    assign q = mem[rptr[1:0]];
    assign full = (wptr == {~rptr[2], rptr[1:0]});
"""
    made = retarget(rtl, 4, 16)
    assert "reg [4:0] wptr, rptr;" in made
    assert "mem[wptr[3:0]]" in made
    assert "{~rptr[4], rptr[3:0]}" in made


def test_a_divider_counts_to_the_new_number_and_nothing_else_changes() -> None:
    rtl = """\
    localparam [1:0] STOP = 2'd3;
    reg [1:0] tick;
    reg [2:0] bits;
    always @(posedge clk) if (tick != 2'd3) tick <= tick + 1'b1; else if (bits == 3'd7) go <= 1;
"""
    made = retarget(rtl, 4, 16)
    assert "STOP = 2'd3" in made
    assert "reg [3:0] tick;" in made
    assert "tick != 4'd15" in made
    assert "bits == 3'd7" in made


def test_the_middle_moves_too() -> None:
    rtl = "    reg [3:0] c;\n    assign mid = (c == 4'd4);\n    assign top = (c == 4'd9);\n"
    made = retarget(rtl, 10, 20)
    assert "c == 5'd9" in made
    assert "c == 5'd19" in made


def test_a_wider_register_than_needed_stays_wide() -> None:
    rtl = "    reg [15:0] c;\n    assign top = (c == 16'd9);\n"
    assert retarget(rtl, 10, 20) == rtl.replace("16'd9", "16'd19")


def test_a_design_without_the_number_has_no_variants() -> None:
    assert retarget("    assign y = a & b;\n", 4, 8) == "    assign y = a & b;\n"
    assert list(variants("    assign y = a & b;\n", "four gates", "eight gates", 4)) == []


def test_numbers_that_only_one_text_names_come_first_and_variants_are_bounded() -> None:
    found = list(variants(FIFO, "A FIFO of 4 words.", "A FIFO of eight words, not 5 or 6.", 2))
    assert len(found) == 2
    assert "[0:7]" in found[0]


@pytest.mark.parametrize(
    ("text", "numbers"),
    [
        ("A 4-entry FIFO for 8-bit data.", (4,)),
        ("counts from zero to twelve, 12 steps", (12,)),
        ("one bit, 1 word", ()),
        ("10 clocks of 250 ms at 99999999 Hz", (10, 250)),
        ("uart8n1 x2", ()),
    ],
)
def test_numbers_are_read_as_digits_and_words(text: str, numbers: tuple[int, ...]) -> None:
    assert numbers_in(text, widths=False) == numbers


DETECTOR = """\
    reg [2:0] window;
    always @(posedge clk)
        if (rst) window <= 3'b000;
        else window <= {window[1:0], din};
    assign found = (window == 3'b110);
"""


def test_a_bit_pattern_of_another_length_takes_its_register_along() -> None:
    made = repattern(DETECTOR, "110", "1011")
    assert "reg [3:0] window;" in made
    assert "{window[2:0], din}" in made
    assert "window == 4'b1011" in made


def test_a_bit_pattern_of_the_same_length_changes_nothing_else() -> None:
    assert repattern(DETECTOR, "110", "011") == DETECTOR.replace("3'b110", "3'b011")


def test_patterns_come_before_numbers() -> None:
    (first,) = variants(DETECTOR, "A detector for 110.", "Finds 1011 in 8 bits.", 1)
    assert "4'b1011" in first


def test_the_likeliest_numbers_are_those_that_only_one_text_names() -> None:
    rtl, said = likeliest(FIFO, "A FIFO of four words of 8 bits.", "FIFO, 8-bit words, 16 deep.")
    assert "store [0:15]" in rtl
    assert "fill == 5'd16" in rtl
    assert said == "A FIFO of 16 words of 8 bits."


def test_several_numbers_are_paired_in_order() -> None:
    rtl = "    reg [3:0] a;\n    reg [4:0] b;\n    assign y = (a == 4'd9) | (b == 5'd20);\n"
    made, said = likeliest(rtl, "a counts to 10, b to 20", "one to 12, another to 30")
    assert "a == 4'd11" in made
    assert "b == 5'd30" in made
    assert said == "a counts to 12, b to 30"


def test_numbers_are_paired_by_the_words_around_them() -> None:
    rtl = "    reg [3:0] c;\n    assign y = (c < 4'd3) | (c == 4'd7);\n"
    made, said = likeliest(
        rtl, "a monitor with a window of 4 to 8 clocks", "it has a window of 3 to 12 clocks, not 4"
    )
    assert "c < 4'd2" in made
    assert "c == 4'd11" in made
    assert said == "a monitor with a window of 3 to 12 clocks"


def test_a_circle_of_numbers_changes_nothing() -> None:
    rtl = "    reg [3:0] c;\n    assign y = (c < 4'd5) | (c == 4'd9);\n"
    told = "a window of 5 to 9 clocks", "a window of 9 to 5 clocks"
    assert likeliest(rtl, *told) == (rtl, told[0])


def test_the_likeliest_pattern() -> None:
    rtl = "    reg [3:0] s;\n    assign y = s == 4'b0110;\n"
    made, said = likeliest(rtl, "finds 0110", "a detector for 1011")
    assert "s == 4'b1011" in made
    assert said == "finds 1011"


@pytest.mark.parametrize("year", ["Verilog-2005", "Verilog 2001", "SystemVerilog-2012"])
def test_the_year_of_the_language_is_no_number_of_the_task(year: str) -> None:
    assert numbers_in(f"Counts 7 steps; use synthesizable {year}.") == (7,)


def test_a_text_is_left_alone_where_the_rtl_does_not_change() -> None:
    rtl = "    assign y = a & b;\n"
    assert likeliest(rtl, "three gates", "five gates") == (rtl, "three gates")
