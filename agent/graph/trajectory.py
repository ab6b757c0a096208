"""`trajectory.json`: every step of a run, with what went in, what came out and what it took.

It is written after every step and when a step dies, atomically, so that there is always a whole
one on disk. A step that is done again after a kill replaces its entry.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from rtl_agent.agent.errors import OutputError

from .folder import write_text

if TYPE_CHECKING:
    from pathlib import Path

__all__ = ["TRAJECTORY_SCHEMA", "Trajectory"]

TRAJECTORY_SCHEMA = 1


class Trajectory:
    """The growing record of one run."""

    def __init__(self, path: Path, head: dict[str, Any]) -> None:
        self._path = path
        self._doc: dict[str, Any] = {
            "schema_version": TRAJECTORY_SCHEMA,
            **head,
            "status": "running",
            "steps": [],
            "result": None,
        }

    @classmethod
    def reopen(cls, path: Path, head: dict[str, Any]) -> Trajectory:
        """Go on with the trajectory of an earlier session, if it left one."""
        trajectory = cls(path, head)
        if path.is_file():
            try:
                old = json.loads(path.read_text(encoding="utf-8"))
                trajectory._doc["steps"] = list(old["steps"])
            except (OSError, ValueError, KeyError, TypeError) as error:
                raise OutputError(
                    f"{path}: not a trajectory", remedy="start a new run; this one is damaged"
                ) from error
        return trajectory

    @property
    def steps(self) -> list[dict[str, Any]]:
        """The steps so far, oldest first."""
        return list(self._doc["steps"])

    def add(self, step: dict[str, Any]) -> None:
        """Record a finished step (`key` tells it from all others) and write the file."""
        kept = [s for s in self._doc["steps"] if s["key"] != step["key"]]
        self._doc["steps"] = [*kept, step]
        self.write()

    def end(self, status: str, result: dict[str, Any] | None = None, error: str = "") -> None:
        """Record how the run (or this session of it) ended, and write the file."""
        self._doc["status"] = status
        self._doc["result"] = result
        if error:
            self._doc["error"] = error
        self.write()

    def write(self) -> None:
        """Write the whole record."""
        write_text(self._path, json.dumps(self._doc, indent=1, default=str) + "\n")
