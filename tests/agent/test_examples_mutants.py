"""Every example's check is strict: designs that are plausibly wrong are told from the right one."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest
from examples_kit import example
from examples_mutants import MUTANTS
from rtl_agent.agent.graph.options import SolveOptions
from rtl_agent.agent.graph.run import check_design
from rtl_agent.agent.verdict import Verdict
from rtl_agent.tools.checks.factory import make_check
from rtl_agent.tools.checks.run import run_checks
from rtl_agent.tools.checks.types import CheckKind, CheckSource, CheckStatus, Dut

if TYPE_CHECKING:
    from pathlib import Path

    from rtl_agent.tools.checks.types import CheckResult

CASES = [(name, fault) for name, faults in MUTANTS.items() for fault in faults]
FAST = {(name, fault) for name, faults in MUTANTS.items() for fault in list(faults)[:3]}

GRAY_MODEL = """
CODES = [n ^ (n >> 1) for n in range(16)]

class Gray4:
    def reset(self):
        self.place = 0
        return {"gray": 0}

    def step(self, inputs):
        self.place = (self.place + inputs["en"]) % 16
        return {"gray": CODES[self.place]}
"""


def mutant(name: str, fault: str) -> str:
    """The reference design with one fault in it."""
    rtl = example(name).reference.read_text(encoding="utf-8")
    changes = dict(MUTANTS[name][fault])
    for right in changes:
        assert rtl.count(right) == 1, f"{right!r} does not stand once in {name}'s reference"
    parts = "|".join(re.escape(right) for right in changes)
    return re.sub(parts, lambda match: changes[match[0]], rtl)


def judge(name: str, rtl: str, workdir: Path) -> CheckResult:
    """The result of the first of the example's checks that fails, else of the last."""
    if name == "gray4":
        return judge_gray(rtl, workdir)
    results = example(name).judge(rtl, workdir)
    return next((r for r in results if not r.passed), results[-1])


def judge_gray(rtl: str, workdir: Path) -> CheckResult:
    """gray4 has no check of its own: this one stands in for it."""
    spec = example("gray4").spec
    source = CheckSource(CheckKind.REFERENCE_MODEL, "gray", GRAY_MODEL, "gray:1")
    design = workdir / "gray4.v"
    design.write_text(rtl, encoding="utf-8")
    check = make_check(source, clocking=spec.clocking)
    return run_checks([check], Dut((design,), spec.interface), workdir / "run")[0]


@pytest.mark.parametrize(
    ("name", "fault"),
    [
        pytest.param(*case, marks=() if case in FAST else pytest.mark.slow, id=":".join(case))
        for case in CASES
    ],
)
def test_a_wrong_design_fails(name: str, fault: str, tmp_path: Path) -> None:
    result = judge(name, mutant(name, fault), tmp_path)
    assert result.status is CheckStatus.FAILED, result.reason
    assert result.mismatches > 0, result.reason


def test_every_example_has_mutants() -> None:
    assert all(len(faults) >= 3 for faults in MUTANTS.values())


def test_the_gray_reference_is_right(tmp_path: Path) -> None:
    rtl = example("gray4").reference.read_text(encoding="utf-8")
    assert judge_gray(rtl, tmp_path).passed


def test_without_a_check_a_wrong_design_only_compiles(tmp_path: Path) -> None:
    """What a spec without checks cannot give: nothing higher than `compiles` is claimed."""
    design = tmp_path / "gray4.v"
    design.write_text(mutant("gray4", "counts in binary"), encoding="utf-8")
    result = check_design([design], example("gray4").spec, SolveOptions(out=tmp_path / "out"))
    assert result.verdict is Verdict.COMPILES
