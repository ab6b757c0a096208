"""The folder of one run: where things lie, and how they are written."""

from __future__ import annotations

import os
import re
import secrets
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from rtl_agent.agent.errors import OutputError, UsageError

__all__ = [
    "BLOCK_NOTE",
    "RunFolder",
    "create_run",
    "design_name",
    "file_stem",
    "open_run",
    "write_text",
]

BLOCK_NOTE = "blocks.txt"  # beside an answer whose search-and-replace blocks do not apply


def file_stem(module: str) -> str:
    """`module` as a file name; escaped identifiers may hold any character, `/` too."""
    return re.sub(r"[^\w.$-]", "_", module).lstrip(".") or "design"


def design_name(module: str, language: str, mark: str = "") -> str:
    """The file that a design of the top `module` is written to; `mark` ends its stem."""
    suffix = "sv" if language.startswith("system") else "v"
    return f"{file_stem(module)}{mark}.{suffix}"


def write_text(path: Path, text: str) -> None:
    """Write a file so that a reader, or a later run after a kill, sees all of it or none."""
    partial = path.with_name(f".{path.name}.{os.getpid()}.tmp")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        # A server may send half a surrogate pair; a file holds whole characters.
        partial.write_bytes(text.encode("utf-8", errors="replace"))
        partial.replace(path)
    except OSError as error:
        raise OutputError(
            f"{path}: cannot be written ({error.strerror or error})",
            remedy="choose another folder with --out, or free space on the disk",
        ) from error


@dataclass(frozen=True, slots=True)
class RunFolder:
    """Paths below `out/runs/<run-id>/`."""

    root: Path

    @property
    def run_id(self) -> str:
        """Name of the run."""
        return self.root.name

    @property
    def request(self) -> Path:
        """What was asked for: spec, options, names of backend and style."""
        return self.root / "request.json"

    @property
    def checkpoints(self) -> Path:
        """The graph's checkpoints."""
        return self.root / "checkpoints.sqlite"

    @property
    def trajectory(self) -> Path:
        """Every step with what went in and came out."""
        return self.root / "trajectory.json"

    @property
    def report(self) -> Path:
        """The report for readers."""
        return self.root / "report.md"

    @property
    def retrieved(self) -> Path:
        """The designs that retrieval found."""
        return self.root / "retrieved.json"

    @property
    def reused(self) -> Path:
        """Which candidates are designs of the library, and where those came from."""
        return self.root / "reused.json"

    @property
    def probed(self) -> Path:
        """How the checks took a design that does nothing."""
        return self.root / "probe" / "probe.json"

    def attempt(self, number: int) -> Path:
        """Folder of an attempt; attempts count from 1."""
        return self.root / f"attempt-{number:02d}"

    def candidate(self, identity: str) -> Path:
        """Folder of a candidate, by its id `attempt-NN/candidate-N`."""
        return self.root / identity

    def relative(self, path: Path) -> str:
        """`path` as state holds it: relative to the run folder where it lies inside."""
        return str(path.relative_to(self.root)) if path.is_relative_to(self.root) else str(path)

    def absolute(self, path: str) -> Path:
        """The path that `relative` wrote."""
        return self.root / path


def create_run(out: Path) -> RunFolder:
    """Make a new, empty run folder below `out/runs`.

    Raises:
        OutputError: `out` cannot be written.
    """
    stamp = datetime.now(UTC).strftime("%Y%m%d-%H%M%S")
    root = out.absolute() / "runs" / f"{stamp}-{secrets.token_hex(3)}"
    try:
        root.mkdir(parents=True)
        probe = root / ".probe"
        probe.write_text("")
        probe.unlink()
    except OSError as error:
        raise OutputError(
            f"{out}: cannot be written ({error.strerror or error})",
            remedy="choose another folder with --out",
        ) from error
    return RunFolder(root)


def open_run(out: Path, run_id: str) -> RunFolder:
    """The folder of an earlier run.

    Raises:
        UsageError: there is no such run below `out`.
    """
    runs = out.absolute() / "runs"
    folder = RunFolder(runs / run_id)
    if Path(run_id).name != run_id or not folder.request.is_file():
        known = sorted(p.parent.name for p in runs.glob("*/request.json"))
        shown = f"known runs: {', '.join(known[-5:])}" if known else "there are no runs there"
        raise UsageError(f"no run {run_id!r} below {runs}", remedy=f"{shown}; see --out")
    return folder
