from pathlib import Path

import pytest
from rtl_agent.tools.simulate.loops import zero_delay_signals

INVERTERS = """
module inv(input x, output y); assign y = ~x; endmodule
module t(input e, output y); wire z; inv i(z & e, y); assign z = y; endmodule
"""


def signals(folder: Path, text: str) -> tuple[str, ...]:
    path = folder / "t.sv"
    path.write_text(text)
    return zero_delay_signals([path], top="t")


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("module t(input e, output y); wire z; assign z = ~(y & e); assign y = z; endmodule",
         {"t.y", "t.z"}),
        ("module t(input e, output reg y); always @(*) begin y <= 0; if (e) y <= ~y; end endmodule",
         {"t.y"}),
        ("module t(output reg y); always begin y = ~y; end endmodule", {"t.y"}),
        ("module t(input e, output y); nand (y, e, y); endmodule", {"t.y"}),
        (INVERTERS, {"t.i.x", "t.i.y", "t.y", "t.z"}),
    ],
)  # fmt: skip
def test_loops_are_found(tmp_path: Path, text: str, expected: set[str]) -> None:
    assert set(signals(tmp_path, text)) == expected


@pytest.mark.parametrize(
    "text",
    [
        "module t(input c, output reg y); always @(posedge c) y <= ~y; endmodule",
        "module t(input c, e, output reg y); reg n; always_ff @(posedge c) y <= n;"
        " always_comb n = ~y & e; endmodule",
        "module t(output reg c); initial c = 0; always #5 c = ~c; endmodule",
        "module t(input [3:0] a, input [1:0] i, output reg y); always @(*) y = a[i]; endmodule",
    ],
)
def test_a_clock_edge_or_a_delay_breaks_a_loop(tmp_path: Path, text: str) -> None:
    assert signals(tmp_path, text) == ()


@pytest.mark.parametrize(
    "text",
    [
        "module t(output y); assign y = tb.other.y; endmodule",
        "module t(output y); assign nowhere = 1; nowhere u(y); and (); endmodule",
        "module t(output y",
    ],
)
def test_a_design_that_does_not_elaborate_is_no_obstacle(tmp_path: Path, text: str) -> None:
    assert signals(tmp_path, text) == ()
