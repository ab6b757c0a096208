"""The reset branch of clocked blocks."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from pyslang import syntax

from .constants import number_of
from .processes import assignments, base_name, processes

if TYPE_CHECKING:
    from collections.abc import Iterator

    from .processes import Process
    from .source import Source
    from .types import Edit

__all__ = ["OPERATORS", "edits"]

OPERATORS = {
    "reset-polarity": "the reset acts at the other level (with its edge, if it has one)",
    "reset-value": "a register gets another value at reset",
    "reset-drop": "the reset branch goes",
    "reset-drop-assign": "one register is no longer reset",
    "reset-add-assign": "a register that was not reset becomes 0 at reset",
}

_KIND = syntax.SyntaxKind
_TURNED = {"posedge": "negedge", "negedge": "posedge"}


def edits(source: Source) -> Iterator[Edit]:
    """Edits of resets."""
    for process in processes(source):
        if process.reset is None or not source.written(process.reset):
            continue
        yield from _polarity(source, process)
        yield from _values(source, process)
        yield from _missing(source, process)
        if process.reset.elseClause is not None:
            rest = source.of_text(process.reset.elseClause.clause)
            note = f"the branch of `{process.reset_name}` goes"
            yield source.edit("reset-drop", process.reset, rest, note)


def _polarity(source: Source, process: Process) -> Iterator[Edit]:
    condition = process.reset.predicate
    name = process.reset_name
    new = name if process.reset_low else f"!{name}"
    note = f"`{source.of_text(condition)}` becomes `{new}`"
    yield source.edit("reset-polarity", condition, new, note)
    listed = next((e for e in process.events if base_name(e.expr) == name), None)
    if listed is None:
        return
    (start, _), (onward, end) = source.span(listed), source.span(condition)
    edge = listed.edge.rawText
    text = source.text[start:onward].replace(edge, _TURNED[edge], 1) + new
    note = f"reset on `{_TURNED[edge]} {name}`, tested as `{new}`"
    yield source.edit("reset-polarity", (start, end), text, note)


def _values(source: Source, process: Process) -> Iterator[Edit]:
    for node in assignments(process.reset.statement):
        right, left = node.right, source.of_text(node.left)
        if not source.written(node):
            continue
        for new in _others(source, right):
            note = f"`{left}` is reset to `{new}`"
            yield source.edit("reset-value", right, new, note)
        if node.parent.kind == _KIND.ExpressionStatement:
            note = f"`{left}` is no longer reset"
            yield source.edit("reset-drop-assign", node.parent, ";", note)


def _others(source: Source, right: Any) -> list[str]:
    """Other values of the same size."""
    number = number_of(right)
    if number is None:
        return [f"~({source.of_text(right)})"]
    if number.size is None:
        return [str(v) for v in (number.value + 1, number.value - 1) if v >= 0] + ["~0"]
    top = (1 << number.size) - 1
    wanted = [number.value + 1, number.value - 1, 0, top, top >> 1, (top >> 1) + 1]
    kept = [v for v in dict.fromkeys(wanted) if 0 <= v <= top and v != number.value]
    return [number.written(v) for v in kept]


def _missing(source: Source, process: Process) -> Iterator[Edit]:
    branch, after = process.reset.statement, process.reset.elseClause
    if after is None or branch.kind != _KIND.SequentialBlockStatement:
        return
    known = {base_name(a.left) for a in assignments(branch)}
    later = [
        base_name(a.left)
        for a in assignments(after)
        if a.kind == _KIND.NonblockingAssignmentExpression
    ]
    scope = source.scope(process.node)
    arrays = {s.name for s in scope.symbols.values() if s.kind == "array"} if scope else set()
    place = source.offset(branch.end.location)
    for name in dict.fromkeys(later):
        if name and name not in known and name not in arrays:
            text = f"{name} <= 0; "
            note = f"`{name}` becomes 0 at reset"
            yield source.edit("reset-add-assign", (place, place), text, note)
