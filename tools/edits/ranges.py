"""Selects of bits and parts, and the counts of repetitions."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from pyslang import syntax

from .constants import number_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from .source import Source
    from .types import Edit

__all__ = ["OPERATORS", "edits"]

OPERATORS = {
    "range": "one end of a part select, or both, moves by one bit",
    "index": "the index of a bit or element select moves by one",
    "replication": "the count of a repeated concatenation is one more or less",
}

_KIND = syntax.SyntaxKind
_STEPS = (1, -1)


def edits(source: Source) -> Iterator[Edit]:
    """Edits of selects and repetition counts."""
    selects = (
        _KIND.SimpleRangeSelect,
        _KIND.AscendingRangeSelect,
        _KIND.DescendingRangeSelect,
    )
    for node in source.of(*selects):
        if not _declared(node):
            yield from _part(source, node)
    for node in source.of(_KIND.BitSelect):
        text = source.of_text(node.expr)
        for step in _STEPS:
            new = _moved(source, node.expr, step)
            if new is not None:
                yield source.edit("index", node.expr, new, f"index `{text}` becomes `{new}`")
    for node in source.of(_KIND.MultipleConcatenationExpression):
        text = source.of_text(node.expression)
        for step in _STEPS:
            new = _moved(source, node.expression, step)
            if new not in {None, "0"}:
                note = f"repeated `{new}` times, not `{text}`"
                yield source.edit("replication", node.expression, str(new), note)


def _part(source: Source, node: Any) -> Iterator[Edit]:
    text, sign = source.of_text(node), node.range.rawText
    left, right = source.of_text(node.left), source.of_text(node.right)
    seen = {text.replace(" ", "")}
    plain = sign == ":"
    moves = ((1, 0), (-1, 0), (0, 1), (0, -1), *(((1, 1), (-1, -1)) if plain else ()))
    for one, two in moves:
        first = _moved(source, node.left, one) if one else left
        second = _moved(source, node.right, two) if two else right
        if first is None or second is None:
            continue
        new = f"{first}{sign}{second}"
        if new in seen or (not plain and second == "0"):
            continue
        seen.add(new)
        yield source.edit("range", node, new, f"`[{text}]` becomes `[{new}]`")


def _moved(source: Source, node: Any, step: int) -> str | None:
    """An expression plus `step`; None below zero."""
    number = number_of(node)
    if number is not None:
        value = number.value + step
        return number.written(value) if value >= 0 else None
    text = source.of_text(node)
    for sign, other in (("-", 1), ("+", -1)):
        tail = f"{sign}1"
        if (
            text.replace(" ", "").endswith(tail)
            and step == other
            and text[:-1].rstrip()[-1] == sign
        ):
            return text[:-1].rstrip()[:-1].rstrip()
    return f"{text} {'+' if step > 0 else '-'} 1"


def _declared(node: Any) -> bool:
    """Whether a range is that of a declaration."""
    return node.parent is not None and node.parent.kind == _KIND.RangeDimensionSpecifier
