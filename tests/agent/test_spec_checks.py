"""Checks come from the front matter, from fences, and from truth tables."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from rtl_agent.agent.errors import SpecError
from rtl_agent.agent.spec.front import CHECK_OPTIONS
from rtl_agent.agent.spec.read import read_spec, read_spec_text
from rtl_agent.tools.checks.types import CheckKind

if TYPE_CHECKING:
    from pathlib import Path

PORTS = "Module: thing\n\n- input `a`\n- input `b`\n- output `y`\n"
TABLE = "\n| a | b | y |\n|---|---|---|\n| 0 | 0 | 1 |\n| 1 | x | 0 |\n"


def test_files_named_in_the_front_matter(tmp_path: Path) -> None:
    for name in ("t.py", "tb.v", "golden.sv", "model.py", "table.csv"):
        (tmp_path / name).write_text(f"text of {name}\n")
    spec = tmp_path / "spec.md"
    spec.write_text(
        "---\nchecks:\n  - cocotb: t.py\n  - testbench: tb.v\n    pass: ALL GOOD\n    top: bench\n"
        "  - reference: golden.sv\n    cycles: 500\n  - reference: {path: model.py, seed: 7}\n"
        f"  - vectors: table.csv\n---\n{PORTS}"
    )
    checks = read_spec(spec).checks
    assert [c.kind for c in checks] == [
        CheckKind.COCOTB,
        CheckKind.TESTBENCH,
        CheckKind.REFERENCE_RTL,
        CheckKind.REFERENCE_MODEL,
        CheckKind.VECTORS,
    ]
    assert [dict(c.options) for c in checks] == [
        {},
        {"pass": "ALL GOOD", "top": "bench"},
        {"cycles": "500"},
        {"seed": "7"},
        {},
    ]
    assert checks[0].path == tmp_path / "t.py"
    assert checks[0].text == "text of t.py\n"


FENCES = {
    "python reference": CheckKind.REFERENCE_MODEL,
    "verilog reference": CheckKind.REFERENCE_RTL,
    "verilog testbench": CheckKind.TESTBENCH,
    "systemverilog testbench": CheckKind.TESTBENCH,
    "python cocotb": CheckKind.COCOTB,
    "csv vectors": CheckKind.VECTORS,
}


@pytest.mark.parametrize("info", FENCES)
def test_fences_carry_checks_and_are_hidden_from_the_model(info: str) -> None:
    text = f"{PORTS}\n```{info}\nSECRET = 1\n```\n\nThe end.\n"
    spec = read_spec_text(text, name="spec.md")
    (check,) = spec.checks
    assert check.kind is FENCES[info]
    assert check.text == "SECRET = 1\n"
    assert check.origin == "spec.md:8"
    assert "SECRET" not in spec.text
    assert "The end." in spec.text


def test_options_in_a_fence() -> None:
    spec = read_spec_text(f"{PORTS}\n```python reference cycles=50 seed=3\nx = 1\n```\n", name="s")
    assert dict(spec.checks[0].options) == {"cycles": "50", "seed": "3"}


@pytest.mark.parametrize(
    ("fence", "message"),
    [
        ("```python testbench\nx\n```", "cannot be written in 'python'"),
        ("```python reference colour=red\nx\n```", "unknown option 'colour'"),
        ("```python reference\n\n```", "is empty"),
    ],
)
def test_fences_that_cannot_be_checks(fence: str, message: str) -> None:
    with pytest.raises(SpecError, match=f"s.md:7: .*{message}"):
        read_spec_text(f"{PORTS}\n{fence}\n", name="s.md")


def test_a_fence_without_a_role_is_no_check() -> None:
    spec = read_spec_text(f"{PORTS}\n```python\nprint('an example')\n```\n", name="s")
    assert spec.checks == ()
    assert "an example" in spec.text


def test_a_truth_table_over_the_ports_is_a_check() -> None:
    spec = read_spec_text(PORTS + TABLE, name="spec.md")
    (check,) = spec.checks
    assert check.kind is CheckKind.VECTORS
    assert check.origin == "spec.md:7"
    assert check.text.startswith("| a | b | y |")
    assert "| 1 | x | 0 |" in spec.text  # it is part of what the design has to do


def test_a_table_without_a_column_for_an_input_is_no_check() -> None:
    spec = read_spec_text(f"{PORTS}\n| a | y |\n|-|-|\n| 0 | 1 |\n", name="s")
    assert spec.checks == ()
    assert any("no column for input b" in note for note in spec.notes)


def test_a_table_of_functions_is_no_check() -> None:
    spec = read_spec_text(f"{PORTS}\n| a | b | y |\n|-|-|-|\n| 0 | 0 | not b |\n", name="s")
    assert spec.checks == ()
    assert any("'not b' is no value" in note for note in spec.notes)


def test_rows_are_cycles_only_where_the_text_says_so() -> None:
    ports = "Module: thing\n\n- input `clk`\n- input `a`\n- output `y`\n"
    table = "\n| a | y |\n|-|-|\n| 0 | 1 |\n"
    silent = read_spec_text(ports + table, name="s")
    assert silent.checks == ()
    assert any("rows are cycles" in note for note in silent.notes)
    told = read_spec_text(f"{ports}\nClock cycle by clock cycle:\n{table}", name="s")
    assert [c.kind for c in told.checks] == [CheckKind.VECTORS]


def test_a_check_file_for_a_spec_from_standard_input() -> None:
    with pytest.raises(SpecError, match="read from standard input"):
        read_spec_text(f"---\nchecks:\n  - cocotb: t.py\n---\n{PORTS}", name="standard input")


def test_a_check_file_that_is_not_utf_8(tmp_path: Path) -> None:
    (tmp_path / "t.py").write_bytes(b"# \xe4\n")
    spec = tmp_path / "spec.md"
    spec.write_text(f"---\nchecks:\n  - cocotb: t.py\n---\n{PORTS}")
    with pytest.raises(SpecError, match=r"t\.py: not UTF-8: byte at offset 2"):
        read_spec(spec)


def test_options_are_those_that_the_checks_understand() -> None:
    from rtl_agent.tools.checks import (
        cocotb_test,
        reference_model,
        reference_rtl,
        testbench,
        vectors,
    )

    understood = {
        "cocotb": cocotb_test.OPTIONS,
        "testbench": testbench.OPTIONS,
        "reference": reference_model.OPTIONS | reference_rtl.OPTIONS,
        "vectors": vectors.OPTIONS,
    }
    assert {kind: set(names) - {"name"} for kind, names in CHECK_OPTIONS.items()} == understood


def test_a_name_for_a_check() -> None:
    spec = read_spec_text(f"{PORTS}\n```python reference name=golden\nx = 1\n```\n", name="s")
    assert spec.checks[0].name == "golden"
    assert dict(spec.checks[0].options) == {}
