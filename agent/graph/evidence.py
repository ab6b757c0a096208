"""What was found out about a candidate, as files beside its source.

Each finding is written the moment it exists and read back before a tool is started: a run that
was killed half-way through a step judges nothing twice.
"""

from __future__ import annotations

import re
import shutil
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Generic, TypeVar

from rtl_agent.agent.errors import RtlAgentError
from rtl_agent.agent.proposals.store import Store, result_path
from rtl_agent.agent.verdict import Evidence
from rtl_agent.tools.checks.types import CheckResult
from rtl_agent.tools.diagnostic import Diagnostic
from rtl_agent.tools.errors import ToolError

from .codec import dump, load_if_there
from .folder import write_text
from .toolbox import Linted

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from .context import Context
    from .state import Candidate

__all__ = [
    "Record",
    "check_record",
    "example_record",
    "fresh_folder",
    "gather",
    "lint_record",
    "own_record",
    "screen_record",
    "sources",
]

T = TypeVar("T")

_STARTS = 4  # a user may well interrupt a step once or twice


@dataclass(frozen=True, slots=True)
class Record(Generic[T]):
    """One finding on disk, and the folder in which the tool that makes it may work."""

    path: Path
    kind: Any  # T, or a generic alias of it

    @property
    def workdir(self) -> Path:
        """The tool's own folder, beside the record."""
        return self.path.with_suffix("")

    def load(self) -> T | None:
        """The finding, or None while the tool has not finished."""
        found: T | None = load_if_there(self.path, self.kind)
        return found

    def save(self, value: T) -> None:
        """Keep the finding."""
        dump(self.path, value)

    def find(self, work: Callable[[], T], crashed: Callable[[str], T]) -> T:
        """The finding on disk, or what `work` finds; kept at once.

        A tool that dies of a candidate is a finding against that candidate (`crashed` makes it)
        and not the end of the run. So is one that takes this whole process with it: a finding
        that was begun `_STARTS` times and never kept is not begun again.
        """
        found = self.load()
        if found is not None:
            return found
        begun = self.path.with_suffix(".begun")
        starts = len(begun.read_text(encoding="utf-8")) if begun.is_file() else 0
        if starts >= _STARTS:
            found = crashed("the program died of this design, more than once")
        else:
            write_text(begun, "." * (starts + 1))
            try:
                found = work()
            except (ToolError, RtlAgentError):
                raise  # nothing to do with the candidate: a missing tool, an unusable check
            except Exception as error:  # noqa: BLE001 - whatever a tool may raise
                found = crashed(f"{type(error).__name__}: {error}")
        self.save(found)
        begun.unlink(missing_ok=True)
        return found


def screen_record(folder: Path) -> Record[tuple[Diagnostic, ...]]:
    """What the screen found."""
    return Record(folder / "screen.json", tuple[Diagnostic, ...])


def lint_record(folder: Path) -> Record[Linted]:
    """What compiling and linting found."""
    return Record(folder / "lint.json", Linted)


def check_record(folder: Path, number: int, name: str) -> Record[CheckResult]:
    """What one check found; `number` is its place in the spec."""
    slug = re.sub(r"[^A-Za-z0-9]+", "-", name).strip("-")[:40] or "check"
    return Record(folder / f"check-{number}-{slug}.json", CheckResult)


def example_record(folder: Path, number: int) -> Record[CheckResult]:
    """What the examples in the prose of a spec found."""
    return Record(folder / f"examples-{number}.json", CheckResult)


def own_record(folder: Path, proposal: int, form: int) -> Record[CheckResult]:
    """What one form of a check that the model proposed found."""
    return Record(result_path(folder, proposal, form), CheckResult)


def fresh_folder(folder: Path) -> Path:
    """Make `folder` anew: what a killed run left in it must not be read as a result."""
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    return folder


def sources(context: Context, candidate: Candidate) -> tuple[Path, ...]:
    """A candidate's source files."""
    return tuple(context.folder.absolute(name) for name in candidate["files"])


def gather(context: Context, candidate: Candidate) -> Evidence:
    """All that is known of a candidate so far."""
    folder = context.folder.candidate(candidate["id"])
    linted = lint_record(folder).load()
    results = [
        check_record(folder, number, check.source.name).load()
        for number, check in enumerate(context.checks)
    ]
    found = Evidence(
        has_source=bool(candidate["files"]),
        screen=screen_record(folder).load(),
        compiled=linted.compiled if linted else None,
        lint=linted.diagnostics if linted else None,
        user_checks=len(context.checks),
        user=tuple(r for r in results if r is not None),
    )
    if context.checks:
        return found
    told = [example_record(folder, number).load() for number in range(len(context.examples))]
    found = replace(
        found,
        examples=tuple(r for r in told if r is not None),
        example_checks=len(context.examples),
    )
    return _with_own(found, Store(context.folder.root), folder)


def _with_own(evidence: Evidence, store: Store, folder: Path) -> Evidence:
    """The evidence with that of a check that the model proposed, where one judges."""
    accepted = store.accepted()
    if not accepted:
        tried = store.all()
        note = f"the model's own check does not count: {tried[-1].reason}" if tried else ""
        return replace(evidence, own_note=note)
    weight = store.weight(folder, accepted[-1].number)
    return replace(
        evidence,
        own_checks=sum(len(p.files) for p in accepted),
        own=tuple(result for p in accepted for result in store.results(folder, p)),
        weighed=weight is not None,
        mutation_score=weight.score if weight else None,
    )
