"""Where proposed references and what was found out about them lie in a run folder.

proposals/01/answer.json      what the model said
proposals/01/reference.py     the reference, on the harness's stimulus
proposals/01/directed.py      the same, on its own stimulus, where it has some
proposals/01/proposal.json    what became of it
attempt-NN/candidate-N/own-01-0.json        its result on a design
attempt-NN/candidate-N/own-01-weight.json   the mutation score on a design of all up to this one
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from rtl_agent.agent.graph.codec import dump, load_if_there
from rtl_agent.tools.checks.types import CheckKind, CheckResult, CheckSource

from .types import Proposal, ProposalStatus, Weight

if TYPE_CHECKING:
    from pathlib import Path

__all__ = ["Store", "result_path", "weight_path"]

FORMS = ("reference.py", "directed.py")


@dataclass(frozen=True, slots=True)
class Store:
    """The proposals of the run in `root`."""

    root: Path

    def folder(self, number: int) -> Path:
        """Where proposal `number` lies; they count from 1."""
        return self.root / "proposals" / f"{number:02d}"

    def load(self, number: int) -> Proposal | None:
        """Proposal `number`, or None while it is not there."""
        return load_if_there(self.folder(number) / "proposal.json", Proposal)

    def save(self, proposal: Proposal) -> None:
        """Keep what is known of a proposal."""
        dump(self.folder(proposal.number) / "proposal.json", proposal)

    def all(self) -> tuple[Proposal, ...]:
        """All proposals of the run, in order."""
        paths = sorted((self.root / "proposals").glob("*/proposal.json"))
        return tuple(p for path in paths if (p := load_if_there(path, Proposal)) is not None)

    def accepted(self, last: int | None = None) -> tuple[Proposal, ...]:
        """The proposals that judge designs; those up to number `last`, if that is given.

        What was accepted stays: another one may come beside it and nothing can take its place.
        """
        return tuple(
            p
            for p in self.all()
            if p.status is ProposalStatus.ACCEPTED and (last is None or p.number <= last)
        )

    def sources(self, proposal: Proposal) -> tuple[CheckSource, ...]:
        """The proposal as checks; empty when its files are gone."""
        paths = [self.root / name for name in proposal.files]
        if not all(path.is_file() for path in paths):
            return ()
        names = ("proposed reference", "proposed reference, own stimulus")
        return tuple(
            CheckSource(
                CheckKind.REFERENCE_MODEL, name, path.read_text(encoding="utf-8"), f"{file}:1"
            )
            for name, path, file in zip(names, paths, proposal.files, strict=False)
        )

    def results(self, candidate: Path, proposal: Proposal) -> tuple[CheckResult, ...]:
        """What the proposal's checks found of the candidate in that folder, so far."""
        found = [
            load_if_there(result_path(candidate, proposal.number, form), CheckResult)
            for form in range(len(proposal.files))
        ]
        return tuple(r for r in found if r is not None)

    def weight(self, candidate: Path, number: int) -> Weight | None:
        """The mutation score of all up to proposal `number` on a candidate, if it was measured."""
        return load_if_there(weight_path(candidate, number), Weight)


def result_path(candidate: Path, number: int, form: int) -> Path:
    """The result of one form of proposal `number` on a candidate."""
    return candidate / f"own-{number:02d}-{form}.json"


def weight_path(candidate: Path, number: int) -> Path:
    """The mutation score of all proposals up to `number` on a candidate."""
    return candidate / f"own-{number:02d}-weight.json"
