"""A spec that names no port takes those of its golden design."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rtl_agent.agent.spec.read import read_spec

if TYPE_CHECKING:
    from pathlib import Path

GOLDEN = """module ref(input clk, input rst_n, input [3:0] d, output reg [3:0] q);
  always @(posedge clk or negedge rst_n) if (!rst_n) q <= 4'd0; else q <= d;
endmodule
"""


def spec_with(folder: Path, text: str, golden: str = GOLDEN, more: str = "") -> Path:
    (folder / "golden.v").write_text(golden)
    path = folder / "spec.md"
    head = f"---\nmodule: hold\nchecks:\n  - reference: golden.v\n{more}---\n"
    path.write_text(head + text)
    return path


def test_ports_and_clocking_are_those_of_the_golden_design(tmp_path: Path) -> None:
    spec = read_spec(spec_with(tmp_path, "A register that takes over its input.\n"))
    assert spec.interface.module == "hold"
    assert [p.name for p in spec.interface.ports] == ["clk", "rst_n", "d", "q"]
    assert (spec.clocking.clock, spec.clocking.reset) == ("clk", "rst_n")
    assert any("golden design golden" in note for note in spec.notes)


def test_what_the_spec_says_goes_first(tmp_path: Path) -> None:
    text = "A register.\n\n- input `clk`\n- input `a` (4 bits)\n- output `b` (4 bits)\n"
    spec = read_spec(spec_with(tmp_path, text))
    assert [p.name for p in spec.interface.ports] == ["clk", "a", "b"]


def test_of_several_modules_the_one_that_is_named_or_alone_on_top(tmp_path: Path) -> None:
    inner = "module leaf(input x, output y); assign y = x; endmodule\n"
    top = inner + "module ref(input a, output z); leaf l(a, z); endmodule\n"
    spec = read_spec(spec_with(tmp_path, "A wire.\n", top))
    assert [p.name for p in spec.interface.ports] == ["a", "z"]
    spec = read_spec(spec_with(tmp_path, "A wire.\n", top, "    top: leaf\n"))
    assert [p.name for p in spec.interface.ports] == ["x", "y"]


def test_a_golden_design_that_cannot_be_read_changes_nothing(tmp_path: Path) -> None:
    spec = read_spec(spec_with(tmp_path, "A wire.\n", "module ref(input a; endmodule\n"))
    assert spec.interface.ports == ()
    assert any("left to the model" in note for note in spec.notes)
