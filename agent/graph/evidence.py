"""What was found out about a candidate, as files beside its source.

Each finding is written the moment it exists and read back before a tool is started: a run that
was killed half-way through a step judges nothing twice.
"""

from __future__ import annotations

import re
import shutil
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Generic, TypeVar

from rtl_agent.agent.verdict import Evidence
from rtl_agent.tools.checks.types import CheckResult
from rtl_agent.tools.diagnostic import Diagnostic

from .codec import dump, load_if_there
from .toolbox import Linted

if TYPE_CHECKING:
    from pathlib import Path

    from .context import Context
    from .state import Candidate

__all__ = [
    "Record",
    "check_record",
    "fresh_folder",
    "gather",
    "lint_record",
    "screen_record",
    "sources",
]

T = TypeVar("T")


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
    return Evidence(
        has_source=bool(candidate["files"]),
        screen=screen_record(folder).load(),
        compiled=linted.compiled if linted else None,
        lint=linted.diagnostics if linted else None,
        user_checks=len(context.checks),
        user=tuple(r for r in results if r is not None),
    )
