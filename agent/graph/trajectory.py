"""`trajectory.json`: every step of a run, with what went in, what came out and what it took.

It is written after every step and when a step dies, atomically, so that there is always a whole
one on disk. A step that is done again after a kill replaces its entry.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from rtl_agent.agent.errors import OutputError

from .codec import check_version
from .folder import write_text

if TYPE_CHECKING:
    from pathlib import Path

__all__ = ["TRAJECTORY_SCHEMA", "Trajectory"]

TRAJECTORY_SCHEMA = 1


class Trajectory:
    """The growing record of one run."""

    def __init__(self, path: Path, head: dict[str, Any]) -> None:
        self._path = path
        self._head = {"schema_version": TRAJECTORY_SCHEMA, **head}
        self._tail: dict[str, Any] = {"status": "running", "result": None}
        # Each step once as data and once as text: a long run writes its file often, and must not
        # encode all of it every time.
        self._steps: dict[str, dict[str, Any]] = {}
        self._texts: dict[str, str] = {}

    @classmethod
    def reopen(cls, path: Path, head: dict[str, Any]) -> Trajectory:
        """Go on with the trajectory of an earlier session, if it left one.

        Raises:
            OutputError: what lies there is no trajectory.
        """
        trajectory = cls(path, head)
        if path.is_file():
            try:
                found = json.loads(path.read_text(encoding="utf-8"))
                check_version(path, found, TRAJECTORY_SCHEMA)
                for step in found["steps"]:
                    trajectory._enter(step)
            except (OSError, ValueError, KeyError, TypeError, RecursionError) as error:
                raise OutputError(
                    f"{path}: not a trajectory", remedy="start a new run; this one is damaged"
                ) from error
        return trajectory

    @property
    def steps(self) -> list[dict[str, Any]]:
        """The steps so far, oldest first."""
        return list(self._steps.values())

    def add(self, step: dict[str, Any]) -> None:
        """Record a finished step (`key` tells it from all others) and write the file."""
        self._enter(step)
        self.write()

    def end(self, status: str, result: dict[str, Any] | None = None, error: str = "") -> None:
        """Record how the run (or this session of it) ended, and write the file."""
        self._tail = {"status": status, "result": result}
        if error:
            self._tail["error"] = error
        self.write()

    def write(self) -> None:
        """Write the whole record: the head, a line a step, the tail."""
        head, tail = json.dumps(self._head)[:-1], json.dumps(self._tail, default=str)[1:]
        steps = ",\n".join(self._texts.values())
        write_text(self._path, f'{head},\n"steps": [\n{steps}\n],\n{tail}\n')

    def _enter(self, step: dict[str, Any]) -> None:
        key = str(step["key"])
        self._steps.pop(key, None)
        self._texts.pop(key, None)
        self._steps[key] = step
        self._texts[key] = json.dumps(step, default=str)
