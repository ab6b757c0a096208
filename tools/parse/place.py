"""A place in a source file."""

from __future__ import annotations

from dataclasses import dataclass

__all__ = ["Place"]


@dataclass(frozen=True, slots=True)
class Place:
    """File name, line and column; both count from 1, 0 means unknown."""

    file: str
    line: int
    column: int = 0
