"""Eight styles in which people write down an interface, four specs of each."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from rtl_agent.agent.spec.read import read_spec, read_spec_text

FOLDER = Path(__file__).parent / "spec_styles"
EXPECTED = json.loads((FOLDER / "expected.json").read_text(encoding="utf-8"))


def rows(ports) -> list[list[object]]:
    return [[str(p.direction), p.name, p.width] for p in ports]


def test_every_style_has_three_siblings() -> None:
    stems = {name.removesuffix(".md") for name in EXPECTED}
    first = {s for s in stems if not s[-1].isdigit()}
    assert len(first) == 8
    assert all({f"{s}_2", f"{s}_3", f"{s}_4"} <= stems for s in first)


@pytest.mark.parametrize("name", sorted(EXPECTED))
def test_interface_comes_out_as_expected(name: str) -> None:
    spec = read_spec(FOLDER / name)
    want = EXPECTED[name]
    assert spec.interface.module == want["module"]
    assert rows(spec.interface.ports) == want["ports"]
    parameters = {p.name: p.default for p in spec.interface.parameters}
    assert parameters == want.get("parameters", {})
    assert {i.module: rows(i.ports) for i in spec.also} == want.get("also", {})


@pytest.mark.parametrize("name", sorted(n for n in EXPECTED if n.startswith(("d_", "g_"))))
def test_ports_from_prose_are_marked_as_inferred(name: str) -> None:
    assert all(p.inferred for p in read_spec(FOLDER / name).interface.ports)


@pytest.mark.parametrize(
    "name", sorted(n for n in EXPECTED if n.startswith(("a_", "b_", "c_", "e_", "f_")))
)
def test_laid_out_ports_are_not_marked(name: str) -> None:
    assert not any(p.inferred for p in read_spec(FOLDER / name).interface.ports)


@pytest.mark.parametrize(
    ("name", "clock", "reset", "low"),
    [
        ("a_bullets.md", "clk", "areset", False),
        ("a_bullets_4.md", "clk", "arst_n", True),
        ("c_table_params.md", "clk_i", "rst_ni", True),
        ("d_prose.md", "clk", "n_rst", True),
        ("g_ranges.md", "PCLK", "PRESETn", True),
        ("b_sections.md", None, None, False),
    ],
)
def test_clock_and_reset(name: str, clock: str | None, reset: str | None, low: bool) -> None:
    clocking = read_spec(FOLDER / name).clocking
    assert (clocking.clock, clocking.reset, clocking.reset_active_low) == (clock, reset, low)


def test_header_is_kept_as_written() -> None:
    spec = read_spec(FOLDER / "e_header_fence.md")
    assert spec.header.startswith("module swap2 #(")
    assert spec.header.endswith(");")


def test_signed_ports_and_comments_of_a_header() -> None:
    spec = read_spec(FOLDER / "e_header_fence_4.md")
    sample = spec.interface.port("sample")
    held = spec.interface.port("held")
    assert sample is not None and sample.signed
    assert held is not None and held.description == "last sample taken"
    assert spec.language == "systemverilog-2017"


def test_local_parameters_of_a_header_are_resolved() -> None:
    text = (
        "```systemverilog\nmodule pick #(parameter N = 4, localparam LW = $clog2(N), "
        "localparam K = 3)\n(input [N-1:0] d, input [LW-1:0] i, input [K:0] k, output y);\n```\n"
    )
    spec = read_spec_text(text, name="s.md")
    assert rows(spec.interface.ports) == [
        ["input", "d", "[N-1:0]"],
        ["input", "i", "[$clog2(N)-1:0]"],
        ["input", "k", 4],
        ["output", "y", 1],
    ]
    assert [p.name for p in spec.interface.parameters] == ["N"]
