"""Every example is read rightly, and its reference design gets the verdict the README promises."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest
from examples_kit import NAMES, PATIENT, ROOT, example
from rtl_agent.agent.cli.specs import find_specs
from rtl_agent.agent.graph.options import SolveOptions
from rtl_agent.agent.graph.run import check_design
from rtl_agent.agent.verdict import Verdict
from rtl_agent.tools.checks.types import CheckKind
from rtl_agent.tools.clocking import Clocking
from rtl_agent.tools.diagnostic import Severity

if TYPE_CHECKING:
    from pathlib import Path

# name: (ports as `direction name width`, clocking, kind of check)
EXPECTED = {
    "mux4": (
        "in sel 2, in a 8, in b 8, in c 8, in d 8, out y 8",
        Clocking(),
        CheckKind.VECTORS,
    ),
    "prio_enc8": (
        "in req 8, out index 3, out valid 1",
        Clocking(),
        CheckKind.VECTORS,
    ),
    "updown_counter": (
        "in clk 1, in rst 1, in en 1, in up 1, out count 8",
        Clocking("clk", "rst"),
        CheckKind.COCOTB,
    ),
    "edge_capture": (
        "in clk 1, in rst_n 1, in din 8, out pulse 8",
        Clocking("clk", "rst_n", reset_active_low=True),
        CheckKind.REFERENCE_MODEL,
    ),
    "seq1011": (
        "in clk 1, in rst 1, in din 1, out found 1",
        Clocking("clk", "rst"),
        CheckKind.REFERENCE_MODEL,
    ),
    "pwm8": (
        "in clk 1, in areset 1, in duty 8, out pwm_out 1",
        Clocking("clk", "areset"),
        CheckKind.REFERENCE_RTL,
    ),
    "fifo8x8": (
        "in clk 1, in rst_n 1, in wr_en 1, in wr_data 8, in rd_en 1, "
        "out rd_data 8, out full 1, out empty 1",
        Clocking("clk", "rst_n", reset_active_low=True),
        CheckKind.COCOTB,
    ),
    "uart_tx": (
        "in clk 1, in rst 1, in start 1, in data 8, out tx 1, out busy 1",
        Clocking("clk", "rst"),
        CheckKind.TESTBENCH,
    ),
    "gray4": (
        "in clk 1, in rst_n 1, in en 1, out gray 4",
        Clocking("clk", "rst_n", reset_active_low=True),
        None,
    ),
    "beyond/fp16_add": (
        "in a 16, in b 16, out sum 16",
        Clocking(),
        CheckKind.REFERENCE_MODEL,
    ),
}


@pytest.mark.parametrize("name", NAMES)
def test_the_spec_is_read_without_a_doubt(name: str) -> None:
    spec = example(name).spec
    ports, clocking, kind = EXPECTED[name]
    read = [f"{p.direction.value[:-3]} {p.name} {p.width}" for p in spec.interface.ports]
    assert ", ".join(read) == ports
    assert spec.interface.module == name.rsplit("/", maxsplit=1)[-1]
    assert not spec.interface.parameters
    assert spec.clocking == clocking
    kinds = [source.kind for source in spec.checks if source.name != "tb_reset"]
    assert kinds == ([kind] if kind else [])
    assert spec.notes == ()
    assert spec.also == ()
    assert spec.language == "verilog-2005"


@pytest.mark.parametrize("name", NAMES)
def test_the_model_does_not_see_the_check(name: str) -> None:
    """A solution must not be copied from the reference in the spec."""
    text = example(name).spec.text
    assert "```python" not in text
    assert "def step" not in text
    assert not text.startswith("---")


@pytest.mark.parametrize("name", NAMES)
def test_the_reference_is_verified(name: str, tmp_path: Path) -> None:
    shipped = example(name)
    options = SolveOptions(out=tmp_path, check_limits=PATIENT)
    result = check_design([shipped.reference], shipped.spec, options)
    assert result.verdict is (Verdict.VERIFIED if shipped.checks else Verdict.COMPILES)
    complaints = [d for d in result.diagnostics if d.severity in (Severity.ERROR, Severity.WARNING)]
    assert complaints == []


def test_a_folder_argument_finds_the_spec_and_nothing_else() -> None:
    for name in NAMES:
        assert find_specs([str(ROOT / name)]) == [ROOT / name / "spec.md"]
    everything = find_specs([str(ROOT)])
    assert sorted(everything) == sorted(ROOT / name / "spec.md" for name in NAMES)


def test_the_readme_names_every_example() -> None:
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    linked = re.findall(r"\]\(([\w/]+)/spec\.md\)", readme)
    assert sorted(linked) == sorted(NAMES)
