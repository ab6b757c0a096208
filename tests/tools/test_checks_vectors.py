from pathlib import Path

import pytest
from checks_support import COUNTER, dut, judge, source
from rtl_agent.tools.checks.types import CheckKind, CheckResult, CheckStatus
from rtl_agent.tools.checks.values import parse_value
from rtl_agent.tools.errors import CheckUnusable

PRIORITY = """\
module p(input [3:0] r, output reg [1:0] n, output v);
  assign v = |r;
  always @(*) if (r[3]) n = 3; else if (r[2]) n = 2; else n = {1'b0, r[1]};
endmodule
"""
TABLE = """\
| `r[3:0]` | n  | v |
|:--------:|----|---|
| 1xxx     | 3  | 1 |
| 01xx     | 2  | 1 |
| 001x     | 01 | 1 |
| 0001     | 0  | 1 |
| 0000     | -  | 0 |
"""
CYCLES = """\
# counts, loads, wraps
rst,en,load,d,q
1,0,0,x,0
0,1,0,x,1
0,1,x,0xff,
0,0,1,8'hff,255
0,1,0,,8'b0000_00xx
"""


def table(folder: Path, design: str, top: str, text: str, path: Path | None = None) -> CheckResult:
    return judge(folder, dut(folder, design, top), source(CheckKind.VECTORS, text, path))[0]


def test_a_truth_table_in_markdown(tmp_path: Path) -> None:
    result = table(tmp_path, PRIORITY, "p", TABLE)
    assert result.passed, result.reason
    assert result.samples == 8 + 4 + 2 + 1 + 1  # don't-care inputs are enumerated


def test_a_dont_care_input_is_tried_with_both_values(tmp_path: Path) -> None:
    wrong = PRIORITY.replace("if (r[3]) n = 3", "if (r[3] & ~r[0]) n = 3")
    result = table(tmp_path, wrong, "p", TABLE)
    assert result.status is CheckStatus.FAILED
    assert "first at spec.md:12" in result.reason


def test_rows_are_clock_cycles(tmp_path: Path) -> None:
    result = table(tmp_path, COUNTER, "cnt", CYCLES)
    assert result.passed, result.reason
    assert result.samples == 4  # one row compares nothing


def test_a_wrong_row_is_named_with_file_and_line(tmp_path: Path) -> None:
    path = tmp_path / "t.csv"
    path.write_text(CYCLES)
    result = table(tmp_path, COUNTER.replace("q + 1", "q - 1"), "cnt", CYCLES, path)
    assert result.status is CheckStatus.FAILED
    assert f"{path}:4" in result.reason
    assert result.first_mismatch is not None
    assert result.first_mismatch.expected == {"q": "00000001"}


def test_without_a_reset_column_the_design_is_reset_first(tmp_path: Path) -> None:
    assert table(tmp_path, COUNTER, "cnt", "en,q\n1,1\n1,2\n0,2\n").passed


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("rst,ena,q\n1,0,0\n", r"spec.md:10: no such port: ena"),
        ("# x\nrst,q,q\n1,0,0\n", r"spec.md:11: column 'q' occurs twice"),
        ("rst,en\n1,0\n", r"no column is an output"),
        ("rst,q\n", r"no row"),
        ("", r"no table"),
        ("rst,q\n1,0,1\n", r"spec.md:11: 3 cells, expected 2"),
        ("rst,q\n0,256\n", r"spec.md:11: '256' is no value for q \(8 bit\)"),
        ("rst,q\n0,ff\n", r"'ff' is no value"),
    ],
)
def test_what_is_no_table_for_this_design(tmp_path: Path, text: str, words: str) -> None:
    with pytest.raises(CheckUnusable, match=words):
        table(tmp_path, COUNTER, "cnt", text)


@pytest.mark.parametrize(
    ("text", "width", "expected"),
    [
        ("5", 4, "0101"),
        ("-1", 4, "1111"),
        ("0x1F", 8, "00011111"),
        ("0b1x", 4, "001x"),
        ("4'b1x0-", 4, None),
        ("4'b1x0?", 4, "1x0x"),
        ("8'hF_x", 8, "1111xxxx"),
        ("'d12", 4, "1100"),
        ("0010", 4, "0010"),
        ("10", 4, "1010"),
        ("10", 2, "10"),
        ("x", 3, "xxx"),
        ("", 3, "xxx"),
        ("-", 1, "x"),
        ("1-0", 3, "1x0"),
        ("z", 2, "zz"),
        ("16", 4, None),
        ("-9", 4, None),
        ("8'h1FF", 8, None),
        ("0o17", 4, "1111"),
        ("abc", 8, None),
    ],
)
def test_values(text: str, width: int, expected: str | None) -> None:
    assert parse_value(text, width) == expected


def test_a_radix_for_bare_numbers() -> None:
    assert parse_value("ff", 8, "hex") == "11111111"
    assert parse_value("10", 8, "hex") == "00010000"
    assert parse_value("10", 8, "bin") == "00000010"
