"""All edits of a source, from all families, in order of place."""

from __future__ import annotations

from types import MappingProxyType
from typing import TYPE_CHECKING

from . import (
    assignments,
    binary,
    branches,
    concats,
    conditions,
    constants,
    declarations,
    events,
    names,
    ranges,
    resets,
    unary,
)
from .source import Source

if TYPE_CHECKING:
    from collections.abc import Mapping

    from .types import Edit

__all__ = ["OPERATORS", "find_edits"]

# An edit that two families find counts for the first: the more telling ones come first.
_FAMILIES = (
    resets,
    events,
    names,
    conditions,
    binary,
    unary,
    constants,
    ranges,
    declarations,
    assignments,
    branches,
    concats,
)

OPERATORS: Mapping[str, str] = MappingProxyType(
    {name: text for family in _FAMILIES for name, text in family.OPERATORS.items()}
)


def find_edits(
    source: str, operators: frozenset[str] | None = None, *, language: str | None = None
) -> tuple[Edit, ...]:
    """The edits of `source`, by place; the same source gives the same edits.

    An edit keeps the syntax valid, but what comes out need not compile (a width or a name may
    be wrong then), and may mean the same as before. Nothing is found inside macros or in what
    is conditionally left out. `operators` (keys of `OPERATORS`) chooses the kinds of edit, None
    means all. `language` is found out if it is not given.

    Raises:
        ValueError: an operator is unknown.
    """
    wanted = frozenset(OPERATORS) if operators is None else operators
    unknown = sorted(wanted - set(OPERATORS))
    if unknown:
        raise ValueError(f"unknown operator {unknown[0]!r}; known: {', '.join(sorted(OPERATORS))}")
    parsed = Source(source, language=language)
    found: dict[tuple[int, int, str], Edit] = {}
    for family in _FAMILIES:
        for edit in family.edits(parsed):
            if edit.replacement != source[edit.start : edit.end]:
                found.setdefault((edit.start, edit.end, edit.replacement), edit)
    return tuple(sorted((e for e in found.values() if e.operator in wanted), key=_order))


def _order(edit: Edit) -> tuple[int, int, str, str]:
    return edit.start, edit.end, edit.operator, edit.replacement
