"""Checks that the user did not write, ready to run: the model's, and examples in the prose."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from rtl_agent.agent.proposals.guard import find_fault
from rtl_agent.agent.proposals.store import Store
from rtl_agent.tools.errors import CheckUnusable

from .evidence import check_record, example_record, own_record

if TYPE_CHECKING:
    from pathlib import Path

    from rtl_agent.agent.spec.model import Spec
    from rtl_agent.tools.checks.types import Check, CheckResult

    from .context import Context
    from .evidence import Record
    from .toolbox import Toolbox

__all__ = ["InForce", "in_force", "prepare_examples"]


def prepare_examples(tools: Toolbox, spec: Spec) -> tuple[Check, ...]:
    """The examples in the prose of a spec without checks, as a check; none where they are odd."""
    if spec.examples is None or spec.checks:
        return ()
    try:
        return tools.prepare(replace(spec, checks=(spec.examples,)))
    except CheckUnusable:
        return ()


@dataclass(frozen=True, slots=True)
class InForce:
    """The checks that judge in one step; of the last two there are none where the user has any.

    `own` are the model's, each with the number of its proposal and of its form.
    """

    user: tuple[Check, ...]
    examples: tuple[Check, ...] = ()
    own: tuple[tuple[int, int, Check], ...] = ()

    @property
    def checks(self) -> tuple[Check, ...]:
        """The user's checks; where there are none, the model's own."""
        return self.user or tuple(check for _, _, check in self.own)

    def records(self, folder: Path) -> list[tuple[Check, Record[CheckResult]]]:
        """Each check, and where its result on the candidate in `folder` is kept."""
        user = [
            (check, check_record(folder, number, check.source.name))
            for number, check in enumerate(self.user)
        ]
        told = [(check, example_record(folder, n)) for n, check in enumerate(self.examples)]
        own = [(check, own_record(folder, number, form)) for number, form, check in self.own]
        return user + told + own


def in_force(context: Context) -> InForce:
    """The checks that judge now: a step asks once, and one that stores a proposal asks again."""
    if context.checks:
        return InForce(context.checks)
    return InForce((), context.examples, tuple(_own(context)))


def _own(context: Context) -> list[tuple[int, int, Check]]:
    """Every accepted check with the number of its proposal and of its form.

    None where nothing that a model wrote may run, or where the files are no longer what may run:
    evidence that is missing then is missing.
    """
    proposer, store = context.proposer, Store(context.folder.root)
    accepted = store.accepted() if proposer is not None else ()
    if proposer is None or not accepted or proposer.refusal():
        return []
    found: list[tuple[int, int, Check]] = []
    for proposal in accepted:
        sources = store.sources(proposal)
        if any(find_fault(source.text) for source in sources):
            continue
        checks = context.toolbox.prepare(replace(context.spec, checks=sources))
        found += [(proposal.number, form, check) for form, check in enumerate(checks)]
    return found
