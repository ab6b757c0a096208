"""The checks that the model proposed and the drafts confirmed, ready to run."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from rtl_agent.agent.proposals.guard import find_fault
from rtl_agent.agent.proposals.store import Store

from .evidence import check_record, own_record

if TYPE_CHECKING:
    from pathlib import Path

    from rtl_agent.tools.checks.types import Check, CheckResult

    from .context import Context
    from .evidence import Record

__all__ = ["checks_in_force", "records_in_force"]


def checks_in_force(context: Context) -> tuple[Check, ...]:
    """The user's checks; where there are none, the model's own."""
    return context.checks or tuple(check for _, _, check in _own(context))


def records_in_force(context: Context, folder: Path) -> list[tuple[Check, Record[CheckResult]]]:
    """Each check, and where its result on the candidate in `folder` is kept."""
    if context.checks:
        return [
            (check, check_record(folder, number, check.source.name))
            for number, check in enumerate(context.checks)
        ]
    return [(check, own_record(folder, number, form)) for number, form, check in _own(context)]


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
