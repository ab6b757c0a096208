"""Read a check's options, and say where they are wrong."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from ..errors import CheckUnusable

if TYPE_CHECKING:
    from collections.abc import Collection

    from .types import CheckSource, Limits

__all__ = ["integer", "own_limits", "require_known"]

_COMMON = ("name", "timeout")  # options of every kind


def integer(source: CheckSource, key: str, default: int) -> int:
    """The positive number in option `key`."""
    text = source.options.get(key)
    if text is None:
        return default
    try:
        value = int(text)
    except (TypeError, ValueError):
        value = -1
    if value < 0:
        raise CheckUnusable(
            f"{source.origin}: {key} is {text!r}", remedy="give a whole number, 0 or more"
        )
    return value


def own_limits(source: CheckSource, limits: Limits) -> Limits:
    """`limits` with the wall time of the check's own option `timeout` (seconds), if it has one."""
    wall_s = integer(source, "timeout", 0)
    return replace(limits, wall_s=float(wall_s)) if wall_s else limits


def require_known(source: CheckSource, known: Collection[str]) -> None:
    """Raise `CheckUnusable` for an option that this kind of check does not have."""
    known = {*known, *_COMMON}
    unknown = sorted(set(source.options) - known)
    if unknown:
        raise CheckUnusable(
            f"{source.origin}: unknown option {unknown[0]!r} of a {source.kind} check",
            remedy=f"known options: {', '.join(sorted(known))}",
        )
