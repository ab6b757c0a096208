"""Retrieved designs are put into the widths of the task."""

from __future__ import annotations

import shutil
import subprocess
from typing import TYPE_CHECKING

import pytest
from rtl_agent.agent.library.align import align
from rtl_agent.agent.library.resize import resize, resize_prose, width_map
from rtl_agent.agent.library.types import Exemplar
from rtl_agent.tools.interface import Direction, Interface, Port

if TYPE_CHECKING:
    from pathlib import Path

IN, OUT = Direction.INPUT, Direction.OUTPUT


def port(name: str, width: int, direction: Direction = IN) -> Port:
    return Port(direction, name, width)


def test_a_width_that_all_pairs_agree_on_is_mapped_with_its_neighbours() -> None:
    pairs = [
        (port("a", 4), port("x", 8)),
        (port("b", 4), port("y", 8)),
        (port("c", 1), port("c", 1)),
    ]
    assert width_map(pairs) == {4: 8, 5: 9, 8: 16}


def test_what_ports_say_outweighs_what_neighbours_imply() -> None:
    pairs = [(port("a", 4), port("a", 8)), (port("sum", 5, OUT), port("sum", 8, OUT))]
    assert width_map(pairs)[5] == 8


@pytest.mark.parametrize(
    "pairs",
    [
        [(port("a", 4), port("a", 8)), (port("b", 4), port("b", 4))],  # they disagree
        [(port("a", 1), port("a", 8))],  # a flag is no vector
        [(port("a", 8), port("a", 1))],
        [(port("a", 4), port("a", 4))],
        [(Port(IN, "a", "[W-1:0]"), port("a", 4))],
    ],
)
def test_what_is_not_certain_is_left(pairs: list[tuple[Port, Port]]) -> None:
    assert width_map(pairs) == {}


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("reg [3:0] q;", "reg [7:0] q;"),
        ("wire signed [3:0] q;", "wire signed [7:0] q;"),
        ("reg [2:0] q;", "reg [2:0] q;"),
        ("q <= 4'd0;", "q <= 8'd0;"),
        ("q == 4'd15", "q == 8'd255"),
        ("q == 4'hf", "q == 8'hff"),
        ("q <= 4'b1111;", "q <= 8'b11111111;"),
        ("q <= 4'b0001;", "q <= 8'b00000001;"),
        ("q <= 4'b1000;", "q <= 8'b10000000;"),
        ("q == 4'd14", "q == 8'd254"),
        ("q == 4'd9", "q == 8'd9"),
        ("q == 4'd8", "q == 8'd8"),
        ("4'd15: y = a;", "8'd15: y = a;"),
        ("4'b1000: y = a;", "8'b00001000: y = a;"),
        ("for (i = 0; i < 4; i = i + 1)", "for (i = 0; i < 8; i = i + 1)"),
        ("for (i = 3; i >= 0; i = i - 1)", "for (i = 7; i >= 0; i = i - 1)"),
        ("reg [3:0] q; y = q[3] ? 2 : q[2] ? 1 : q[1];",
         "reg [7:0] q; y = q[3] ? 2 : q[2] ? 1 : q[1];"),
        ("q <= 4'bz;", "q <= 4'bz;"),
        ("q <= {4{1'b0}};", "q <= {8{1'b0}};"),
        ("localparam WIDTH = 4;", "localparam WIDTH = 8;"),
        ("localparam STEPS = 4;", "localparam STEPS = 4;"),
        ("reg [3:0] q; assign c = q[3];", "reg [7:0] q; assign c = q[7];"),
        ("reg [3:0] q; q <= {q[2:0], d};", "reg [7:0] q; q <= {q[6:0], d};"),
        ("reg [3:0] q; q <= {d, q[3:1]};", "reg [7:0] q; q <= {d, q[7:1]};"),
        ("reg [3:0] q; assign c = q[2];", "reg [7:0] q; assign c = q[2];"),
        ("reg [1:0] q; assign c = q[3];", "reg [1:0] q; assign c = q[3];"),
        ("input [3:0] a,\n output [3:0] b\n); assign c = b[3];",
         "input [7:0] a,\n output [7:0] b\n); assign c = b[7];"),
    ],
)  # fmt: skip
def test_what_hangs_on_the_width_is_rewritten(before: str, after: str) -> None:
    assert resize(before, {4: 8}) == after


def test_a_narrower_width_never_cuts_a_constant_or_a_select() -> None:
    assert resize("q == 8'd200", {8: 4}) == "q == 8'd200"
    assert resize("reg [7:0] q; assign c = q[5];", {8: 4}) == "reg [3:0] q; assign c = q[5];"


def test_prose_speaks_of_the_new_width() -> None:
    assert resize_prose("A 4-bit counter of 4 bits, 4 deep.", {4: 8}) == (
        "A 8-bit counter of 8 bits, 4 deep."
    )


COUNTER = """\
module count4 (
    input clk,
    input rst,
    output reg [3:0] cnt,
    output wrap
);
    assign wrap = (cnt == 4'd15);
    always @(posedge clk)
        if (rst) cnt <= 4'd0;
        else cnt <= cnt + 4'd1;
endmodule
"""


@pytest.mark.skipif(shutil.which("iverilog") is None, reason="needs Icarus Verilog")
def test_an_aligned_counter_counts_in_the_width_of_the_task(tmp_path: Path) -> None:
    mine = Interface(
        "count4", (port("clk", 1), port("rst", 1), port("cnt", 4, OUT), port("wrap", 1, OUT))
    )
    task = Interface("c8", (port("clk", 1), port("rst", 1), port("q", 8, OUT), port("tc", 1, OUT)))
    moved = align(Exemplar("count4", "shipped", "A 4-bit counter.", COUNTER, mine), task)
    bench = """
module tb; reg clk = 0, rst = 1; wire [7:0] q; wire tc; integer i;
c8 dut (.clk(clk), .rst(rst), .q(q), .tc(tc));
initial begin #1 clk = 1; #1 clk = 0; rst = 0;
for (i = 0; i < 255; i = i + 1) begin #1 clk = 1; #1 clk = 0; end
$display("%0d %b", q, tc); end endmodule
"""
    source = tmp_path / "t.v"
    source.write_text(moved.rtl + bench)
    subprocess.run(["iverilog", "-o", tmp_path / "t", source], check=True)
    out = subprocess.run(["vvp", tmp_path / "t"], check=True, capture_output=True, text=True)
    assert out.stdout.strip() == "255 1"
    assert moved.spec == "A 8-bit counter."
    assert moved.interface.port("q") == port("q", 8, OUT)
