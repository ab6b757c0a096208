"""What cannot be read is one message that names file, line and remedy."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

import pytest
from rtl_agent.agent.errors import ExitCode, SpecError
from rtl_agent.agent.spec.read import read_spec, read_spec_text

if TYPE_CHECKING:
    from pathlib import Path

TABLE = (
    "Module: t\n\n| Port | Direction | Width |\n|-|-|-|\n"
    "| a | input | {width} |\n| y | output | 1 |\n"
)
BODY = "Module: thing\n\n- input `a`\n- output `y`\n\ny is a.\n"


def refused(text: str | bytes, folder: Path, name: str = "spec.md") -> SpecError:
    path = folder / name
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    with pytest.raises(SpecError) as caught:
        read_spec(path)
    error = caught.value
    assert error.exit_code is ExitCode.USAGE
    assert error.remedy
    return error


def test_missing_file(tmp_path: Path) -> None:
    with pytest.raises(SpecError, match=r"nothing\.md: no such file"):
        read_spec(tmp_path / "nothing.md")


def test_folder(tmp_path: Path) -> None:
    with pytest.raises(SpecError, match="is a folder"):
        read_spec(tmp_path)


@pytest.mark.parametrize("text", ["", "   \n\n\t\n", "\ufeff\n"])
def test_empty(tmp_path: Path, text: str) -> None:
    assert "is empty" in refused(text, tmp_path).message


def test_front_matter_without_a_body(tmp_path: Path) -> None:
    error = refused("---\nmodule: x\n---\n\n", tmp_path)
    assert "below the front matter" in error.message


def test_latin_1_names_line_offset_and_remedy(tmp_path: Path) -> None:
    error = refused("Module: thing\n\nZähler".encode("latin-1"), tmp_path)
    assert "spec.md:3: not UTF-8: byte 0xe4 at offset 16" in error.message
    assert "iconv" in error.remedy


def test_utf_16_is_refused_not_garbled(tmp_path: Path) -> None:
    error = refused("Module".encode("utf-16"), tmp_path)
    assert "not UTF-8" in error.message
    assert "iconv -f UTF-16 " in error.remedy


def test_binary(tmp_path: Path) -> None:
    assert "spec.md:2: the file holds a NUL byte" in refused(b"a\nb\0c", tmp_path).message


def test_two_megabytes(tmp_path: Path) -> None:
    error = refused("word " * 420_000, tmp_path)
    assert "2.0 MiB; the limit is 1 MiB" in error.message


@pytest.mark.parametrize(
    "filler",
    [
        "input a and output b, c is x " * 30_000,
        "a, b, " * 150_000,
        "`x` (" * 150_000,
        pytest.param("- it goes on\n" * 50_000, marks=pytest.mark.slow),
        "| a | b |\n" * 90_000,
    ],
    ids=["sentence", "list", "parentheses", "items", "table"],
)
def test_just_below_the_limit_is_read_in_time(filler: str) -> None:
    started = time.process_time()
    spec = read_spec_text(f"{BODY}\n{filler[:400_000]}", name="spec.md")
    assert time.process_time() - started < 20
    assert [p.name for p in spec.interface.ports] == ["a", "y"]


def test_a_byte_order_mark_and_crlf_are_nothing(tmp_path: Path) -> None:
    path = tmp_path / "s.md"
    path.write_bytes(b"\xef\xbb\xbf---\r\nmodule: m\r\n---\r\n- input a\r\n- output y\r\n")
    spec = read_spec(path)
    assert spec.interface.module == "m"
    assert [p.name for p in spec.interface.ports] == ["a", "y"]


FRONT = {
    "moduel: x": (2, "unknown front-matter key 'moduel'", "module, language"),
    "module: a\nmodule: b": (3, "'module' is given twice", "Keep one"),
    "module: [a, b]": (2, "'module' must be one word", "value"),
    "module: 3x": (2, "'3x' is no Verilog identifier", "letters"),
    "module: case": (2, "'case' is a reserved word", "another name"),
    "module: x\nlanguage: vhdl": (3, "unknown language 'vhdl'", "verilog-2005"),
    "module: x\ntimescale: fast": (3, "'fast' is no timescale", "1ns/1ps"),
    "module: x\nreset_active_low: perhaps": (3, "must be true or false", "Correct"),
    "module: x: y": (2, "not valid YAML", "quotes"),
    "module: x\n  bad: [": (3, "not valid YAML", "Correct"),
    "- a\n- b": (2, "must be `key: value` lines", "Known keys"),
    "checks: test.py": (2, "'checks' must be a list", "- "),
    "checks:\n  - test.py": (3, "a check must be `kind: path`", "cocotb"),
    "checks:\n  - bench: tb.v": (3, "unknown key 'bench' in a check", "testbench"),
    "checks:\n  - cocotb: a.py\n    vectors: b.csv": (4, "both 'cocotb' and 'vectors'", "one of"),
    "checks:\n  - pass: yes": (3, "this check has no kind", "one of"),
    "checks:\n  - testbench: {pass: OK}": (3, "the testbench check has no `path`", "one of"),
    "checks:\n  - cocotb: none.py": (3, "no such check file: 'none.py'", "beside"),
    "checks:\n  - cocotb: spec.md": (3, "a cocotb check must be a .py file", "right"),
    "checks:\n  - vectors: t.csv\n    cycles: 3": (4, "unknown key 'cycles' in a vectors", "radix"),
    "context: none.v": (2, "no such context file: 'none.v'", "folder"),
    "clock: a\nmodule: thing\nreset: zz": (4, "reset 'zz' is no input of thing", "a"),
}


@pytest.mark.parametrize("front", FRONT)
def test_front_matter_that_cannot_be_used(front: str, tmp_path: Path) -> None:
    line, message, remedy = FRONT[front]
    error = refused(f"---\n{front}\n---\n{BODY}", tmp_path)
    assert f"spec.md:{line}: " in error.message
    assert message in error.message
    assert remedy in error.remedy


def test_front_matter_that_is_not_closed(tmp_path: Path) -> None:
    assert "is not closed" in refused(f"---\nmodule: x\n\n{BODY}", tmp_path).message


def test_a_line_of_dashes_is_no_front_matter() -> None:
    assert read_spec_text(f"---\n\n{BODY}", name="s").interface.module == "thing"


@pytest.mark.parametrize(
    "text",
    [
        "Module name: case\n\nIt counts.",
        "Design a module called `module`.",
        "# Module `begin`\n\nIt counts.",
    ],
)
def test_a_reserved_word_cannot_name_a_module(text: str, tmp_path: Path) -> None:
    assert "is a reserved word" in refused(text, tmp_path).message


def test_words_reserved_in_systemverilog_alone_name_a_verilog_module() -> None:
    assert read_spec_text("Module name: checker\n", name="s").interface.module == "checker"
    with pytest.raises(SpecError, match="reserved word of systemverilog"):
        read_spec_text("---\nlanguage: sv\n---\nModule name: checker\n", name="s")


def test_a_reserved_word_cannot_name_a_port(tmp_path: Path) -> None:
    error = refused("Module: thing\n\n- input `reg`\n- output `y`\n", tmp_path)
    assert "spec.md:3: 'reg' is a reserved word" in error.message


@pytest.mark.parametrize(
    ("first", "second", "message"),
    [
        ("- input `a`", "- output `a`", "input on line 3 and output on line 5"),
        ("- input `a` (4 bits)", "- input `a` (8 bits)", "4 bits on line 3 and 8 bits on line 5"),
        ("- input `a` (4 bits)", "- input `a` (1 bit)", "4 bits on line 3 and 1 bit on line 5"),
    ],
)
def test_a_port_declared_twice_with_different_meaning(
    first: str, second: str, message: str, tmp_path: Path
) -> None:
    error = refused(f"Module: thing\n\n{first}\n- output `y`\n{second}\n", tmp_path)
    assert message in error.message


def test_header_and_table_that_disagree(tmp_path: Path) -> None:
    text = (
        "```verilog\nmodule m(input [3:0] a, output y);\n```\n\n"
        "| Port | Direction | Width |\n|-|-|-|\n| a | input | 8 |\n| y | output | 1 |\n"
    )
    assert "port a is declared twice" in refused(text, tmp_path).message


def test_a_header_with_one_name_twice(tmp_path: Path) -> None:
    error = refused("```verilog\nmodule m(input a, input b, output a);\n```\n", tmp_path)
    assert "port a is declared twice" in error.message


def test_prose_that_disagrees_with_a_list_is_no_error() -> None:
    spec = read_spec_text(f"{BODY}\nIt has outputs a and y.\n", name="s")
    assert [(str(p.direction), p.name) for p in spec.interface.ports] == [
        ("input", "a"),
        ("output", "y"),
    ]


def test_front_matter_and_header_that_disagree(tmp_path: Path) -> None:
    error = refused(
        "---\nmodule: one\n---\n```verilog\nmodule two(input a, output y);\n```\n", tmp_path
    )
    assert "spec.md:5: the header here declares 'two'" in error.message
    assert "(line 2)" in error.message


def test_a_width_of_zero(tmp_path: Path) -> None:
    text = TABLE.format(width="0")
    assert "width of 0 bits" in refused(text, tmp_path).message


def test_what_is_left_out_is_noted() -> None:
    spec = read_spec_text("A counter. When `en` is high it counts.\n", name="spec.md")
    assert spec.interface.ports == ()
    assert any("no module name" in note for note in spec.notes)
    assert any("no port could be read" in note for note in spec.notes)


def test_a_width_that_is_not_understood_is_noted_and_marked() -> None:
    text = TABLE.format(width="some")
    spec = read_spec_text(text, name="spec.md")
    port = spec.interface.port("a")
    assert port is not None and port.inferred
    assert any("'some' of a was not understood" in note for note in spec.notes)


def test_a_parameter_without_a_default_is_noted() -> None:
    spec = read_spec_text("Module: t\n\n- input `a` (W bits)\n- output `y`\n", name="spec.md")
    assert any("uses W, which has no default" in note for note in spec.notes)


def test_a_port_without_a_direction_is_noted_and_left_out() -> None:
    text = "Module: t\n\nPorts:\n\n- `clk`: clock\n- input `a`\n- output `y`\n- `mystery`: data\n"
    spec = read_spec_text(text, name="spec.md")
    assert [p.name for p in spec.interface.ports] == ["clk", "a", "y"]
    assert any("direction of mystery is not said" in note for note in spec.notes)
