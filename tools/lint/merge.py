"""One list from many: each fact once, the worst first."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from ..diagnostic import Severity

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from pathlib import Path

    from ..diagnostic import Diagnostic

__all__ = ["merge"]

_RANK = {Severity.ERROR: 0, Severity.WARNING: 1, Severity.NOTE: 2}
# Within one severity: what explains other messages comes first.
_FIRST = ("truncated", "needs-systemverilog", "tool-crash", "syntax", "undeclared", "implicit-net")
# Codes that say the same thing in other words, as far as one place is concerned.
_ALIKE = {
    "expected-token": "syntax",
    "undriven": "undriven",
    "not-assignable": "assign-to-wire",
    "unused-port": "unused",
}
_QUOTED = re.compile(r"[`'‘]+\\?([^`'’]+)[`'’]+")


def merge(found: Iterable[Diagnostic], order: Sequence[Path]) -> tuple[Diagnostic, ...]:
    """Drop repetitions and consequences, then sort by severity, weight, and place.

    Two diagnostics are the same fact when file, line and code agree and they do not name
    different things; the one that gives a column, or came first, is kept.
    """
    kept: list[Diagnostic] = []
    for item in found:
        twin = next((i for i, other in enumerate(kept) if _same(item, other)), None)
        if twin is None:
            kept.append(item)
        elif item.column and not kept[twin].column:
            kept[twin] = item
    kept = _without_consequences(kept)
    files = {str(path): index for index, path in enumerate(order)}
    return tuple(sorted(kept, key=lambda d: _key(d, files)))


def _same(one: Diagnostic, other: Diagnostic) -> bool:
    if (one.file, one.line) != (other.file, other.line):
        return False
    if _ALIKE.get(one.code, one.code) != _ALIKE.get(other.code, other.code):
        return False
    if one.tool == other.tool:
        return (one.column, one.message) == (other.column, other.message)
    mine, theirs = subjects(one.message), subjects(other.message)
    return not mine or not theirs or bool(mine & theirs)


def subjects(message: str) -> frozenset[str]:
    """The names a message quotes, without selects and hierarchy."""
    names = (match.split("[")[0].rpartition(".")[2].strip() for match in _QUOTED.findall(message))
    return frozenset(name for name in names if name)


def _without_consequences(found: list[Diagnostic]) -> list[Diagnostic]:
    """Leave out messages that only repeat that an error stands on their line."""
    wrong = {(d.file, d.line) for d in found if d.severity is Severity.ERROR}
    return [d for d in found if d.code != "consequence" or (d.file, d.line) not in wrong]


def _key(item: Diagnostic, files: dict[str, int]) -> tuple[int, int, int, int, int]:
    weight = _FIRST.index(item.code) if item.code in _FIRST else len(_FIRST)
    return (
        _RANK[item.severity],
        weight,
        files.get(item.file, len(files)),
        item.line,
        item.column,
    )
