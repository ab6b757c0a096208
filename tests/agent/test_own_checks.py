"""Which checks judge in a step: read once for all candidates, and never those of a step before."""

from __future__ import annotations

import json
from dataclasses import replace
from types import SimpleNamespace
from typing import TYPE_CHECKING

import pytest
from loop_kit import GOOD_INVERTER, FakeToolbox, fenced, inverter_spec
from propose_kit import FakeProposer
from rtl_agent.agent.backends.scripted import ScriptedBackend
from rtl_agent.agent.graph.folder import RunFolder
from rtl_agent.agent.graph.options import SolveOptions
from rtl_agent.agent.graph.own_checks import in_force
from rtl_agent.agent.graph.run import solve
from rtl_agent.agent.proposals.store import Store
from rtl_agent.agent.proposals.types import Proposal, ProposalStatus
from rtl_agent.agent.styles.instruct import InstructStyle
from rtl_agent.agent.verdict import Verdict

if TYPE_CHECKING:
    from pathlib import Path

MODEL = "def step(inputs):\n    return {'y': 1 - inputs['a']}\n"


class CountingToolbox(FakeToolbox):
    """Keeps the text of every check that it was asked to make ready."""

    def __init__(self) -> None:
        super().__init__()
        self.prepared: list[str] = []

    def prepare(self, spec):
        self.prepared += [source.text for source in spec.checks]
        return super().prepare(spec)


@pytest.fixture
def context(tmp_path: Path) -> SimpleNamespace:
    return SimpleNamespace(
        spec=inverter_spec(),
        checks=(),
        examples=(),
        folder=RunFolder(tmp_path),
        proposer=FakeProposer(),
        toolbox=CountingToolbox(),
    )


def accept(store: Store, number: int, text: str = MODEL) -> Proposal:
    path = store.folder(number) / "reference.py"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)
    files = (str(path.relative_to(store.root)),)
    proposal = Proposal(number, 1, ProposalStatus.ACCEPTED, files=files)
    store.save(proposal)
    return proposal


def test_a_proposal_that_is_stored_judges_from_then_on(context, tmp_path):
    store = Store(tmp_path)
    assert in_force(context).checks == ()
    accept(store, 1)
    assert len(in_force(context).checks) == 1
    second = accept(store, 2)
    force = in_force(context)
    assert [path.path.name for _, path in force.records(tmp_path / "c")] == [
        "own-01-0.json", "own-02-0.json"
    ]  # fmt: skip
    store.save(replace(second, status=ProposalStatus.UNDECIDED))
    assert len(in_force(context).checks) == 1


def test_a_proposal_whose_file_was_changed_judges_as_it_is_now(context, tmp_path):
    store = Store(tmp_path)
    accept(store, 1)
    (check,) = in_force(context).checks
    assert check.source.text == MODEL
    accept(store, 1, MODEL.replace("1 -", "2 -"))
    (check,) = in_force(context).checks
    assert "2 -" in check.source.text
    accept(store, 1, "import os\n" + MODEL)
    assert in_force(context).checks == (), "it may not run"


def test_the_users_checks_judge_alone(context, tmp_path):
    accept(Store(tmp_path), 1)
    context.checks = context.toolbox.prepare(inverter_spec("one", "two"))
    force = in_force(context)
    assert force.checks == context.checks
    assert [record.path.name for _, record in force.records(tmp_path / "c")] == [
        "check-0-one.json", "check-1-two.json"
    ]  # fmt: skip


def test_a_weak_check_gets_another_beside_it_and_both_judge_each_new_draft(tmp_path):
    """Of two attempts each has two drafts; a step makes each reference ready once for both."""
    same = ("~a", "~a & 1'b1", "~a | 1'b0", "~a ^ 1'b0")
    drafts = [fenced(GOOD_INVERTER.replace("~a", text)) for text in same]
    first, second = MODEL, MODEL.replace("1 -", "1  -")
    answers = [*drafts[:2], *(f"```python\n{m}```\n" for m in (first, second)), *drafts[2:], "", ""]
    toolbox = CountingToolbox()
    result = solve(
        inverter_spec(),
        SolveOptions(
            out=tmp_path, jobs=1, probe=False, candidates=2, attempts=2, require=Verdict.VERIFIED
        ),
        ScriptedBackend(answers, proposes=True),
        InstructStyle(),
        None,
        toolbox=toolbox,
        proposer=FakeProposer(score=0.1),
    )
    assert [p.status for p in result.proposals[:2]] == ["accepted", "accepted"]
    new = [e for e in toolbox.judged if e.startswith("check") and "attempt-02" in e]
    assert len(new) == 4
    steps = json.loads((result.run / "trajectory.json").read_text())["steps"]
    simulated = [step["step"] for step in steps].count("simulate")
    assert 1 <= toolbox.prepared.count(first) <= simulated
