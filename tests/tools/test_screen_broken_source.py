"""A source that does not parse is refused for that, not for what the parser made of the rest."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rtl_agent.tools.lint import lint
from rtl_agent.tools.parse import parse_files
from rtl_agent.tools.screen import screen

if TYPE_CHECKING:
    from pathlib import Path

RESERVED_WORD = """\
module m(input [15:0] a, output reg [15:0] y);
  wire [15:0] large = a;
  always @* begin
    if (a[0]) y = a;
    else y = {large[15], 15'h7C00};
  end
endmodule
"""


def test_a_reserved_word_as_a_name_is_told_by_the_lint(tmp_path: Path) -> None:
    path = tmp_path / "m.v"
    path.write_text(RESERVED_WORD)
    model = parse_files([path])
    assert not model.ok
    assert not [d for d in screen(model, None) if d.code == "outside-reference"]
    assert lint([path], tmp_path, top="m").errors, "it is refused all the same"


def test_a_reference_that_leaves_a_sound_design_is_still_found(tmp_path: Path) -> None:
    path = tmp_path / "m.v"
    path.write_text("module m(output y);\n  assign y = tb.ref.y;\nendmodule\n")
    assert [d for d in screen(parse_files([path]), None) if d.code == "outside-reference"]
