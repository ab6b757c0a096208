"""No sandbox: limits alone."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pathlib import Path

__all__ = ["LimitsOnly"]


@dataclass(frozen=True, slots=True)
class LimitsOnly:
    """Starts programs as they are; time, memory and output are limited, nothing is hidden."""

    name: str = "limits only"
    isolates: bool = False

    def available(self) -> bool:
        """Always."""
        return True

    def with_readable(self, *paths: Path) -> LimitsOnly:  # noqa: ARG002
        """The same, with these paths readable too."""
        return self

    def wrap(self, argv: list[str], *, cwd: Path) -> list[str]:  # noqa: ARG002
        """Return `argv` unchanged."""
        return argv
