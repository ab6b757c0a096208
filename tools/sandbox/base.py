"""The seam to whatever encloses a program."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from pathlib import Path

__all__ = ["Sandbox"]


class Sandbox(Protocol):
    """Something that encloses a program.

    `isolates` says whether it really keeps the program from the network, from private files and
    from leaving processes behind; resource limits alone do not.
    """

    name: str
    isolates: bool

    def available(self) -> bool:
        """Whether it works here; found out by trying it."""
        ...

    def wrap(self, argv: list[str], *, cwd: Path) -> list[str]:
        """The command that runs `argv` enclosed, with `cwd` as its only writable folder."""
        ...
