"""Every chat prompt, rendered, against the text kept beside this file.

A wanted change is written with RTL_AGENT_UPDATE_SNAPSHOTS=1 and reviewed in the diff.
"""

from __future__ import annotations

import os
from dataclasses import replace
from pathlib import Path

import pytest
from rtl_agent.agent.library.types import Exemplar
from rtl_agent.agent.spec.model import Spec
from rtl_agent.agent.styles.instruct import InstructStyle
from rtl_agent.tools.clocking import Clocking
from rtl_agent.tools.interface import Direction, Interface, Parameter, Port

SNAPSHOTS = Path(__file__).parent / "snapshots"
INTERFACE = Interface(
    "gray",
    (
        Port(Direction.INPUT, "clk"),
        Port(Direction.INPUT, "rst_n"),
        Port(Direction.OUTPUT, "code", "[W-1:0]"),
    ),
    (Parameter("W", "4"),),
)
SPEC = Spec(
    "gray",
    None,
    "# Gray counter\n\nCounts in Gray code. `rst_n` is an asynchronous reset, active low.\n",
    INTERFACE,
    also=(Interface("bin2gray"),),
)
SYSTEMVERILOG = Spec("gray", None, SPEC.text, INTERFACE, language="systemverilog-2017")
TIMED = replace(SPEC, clocking=Clocking("clk", "rst_n", reset_active_low=True))
ADDER = Spec(
    "inc",
    None,
    "y is a plus one.",
    Interface("inc", (Port(Direction.INPUT, "a", 4), Port(Direction.OUTPUT, "y", 4))),
)
KNOWN = Exemplar(
    "johnson",
    "shipped",
    "A Johnson counter.",
    "module johnson(input clk, output reg [3:0] q);\nendmodule\n",
    INTERFACE,
)
SOURCE = "module gray #(parameter W = 4) (\n    input clk\n);\nendmodule\n"
TOOLS = "line 2: error: port `rst_n` is missing\n    2 | input clk"
WRONG = "first mismatch in cycle 3:\n  code: expected 0010, got 0011"

PROMPTS = {
    "draft": lambda: InstructStyle().draft(SPEC, ()),
    "draft_with_exemplar": lambda: InstructStyle().draft(SPEC, (KNOWN,)),
    "draft_prefilled": lambda: InstructStyle(prefill=True).draft(SPEC, ()),
    "draft_systemverilog": lambda: InstructStyle(prefill=True).draft(SYSTEMVERILOG, ()),
    "repair_compile": lambda: InstructStyle().repair(SPEC, SOURCE, TOOLS, (), compiled=False),
    "repair_mismatch": lambda: InstructStyle().repair(SPEC, SOURCE, WRONG, (), compiled=True),
    "propose": lambda: InstructStyle().propose(TIMED),
    "propose_prefilled_after_a_fault": lambda: InstructStyle(prefill=True).propose(
        ADDER, "line 1: `import os` is not allowed"
    ),
    "continue": lambda: InstructStyle().resume(InstructStyle().draft(SPEC, ()), SOURCE[:40]),
}


def shown(prompt) -> str:
    parts = [f"[{role}]\n{text}" for role, text in prompt.messages]
    return "\n".join([f"purpose: {prompt.purpose}", *parts, f"[answer begins]\n{prompt.prefill}"])


@pytest.mark.parametrize("name", PROMPTS)
def test_prompt_is_as_kept(name):
    text = shown(PROMPTS[name]()) + "\n"
    path = SNAPSHOTS / f"{name}.txt"
    if os.environ.get("RTL_AGENT_UPDATE_SNAPSHOTS"):
        path.write_text(text)
    assert path.read_text() == text


def test_no_snapshot_without_a_prompt():
    assert {p.stem for p in SNAPSHOTS.glob("*.txt")} == set(PROMPTS)
