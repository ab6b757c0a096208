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

    @property
    def name(self) -> str:
        """What reports call it."""
        ...

    @property
    def isolates(self) -> bool:
        """Whether it encloses more than by limits."""
        ...

    def available(self) -> bool:
        """Whether it works here; found out by trying it."""
        ...

    def with_readable(self, *paths: Path) -> Sandbox:
        """The same sandbox in which `paths` can be read as well."""
        ...

    def wrap(self, argv: list[str], *, cwd: Path) -> list[str]:
        """The command that runs `argv` enclosed, with `cwd` as its only writable folder."""
        ...
