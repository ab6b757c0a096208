"""Assignments: their kind, their value, and whether they are there."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from pyslang import syntax

from .constants import number_of
from .processes import assignments, base_name, processes, walk

if TYPE_CHECKING:
    from collections.abc import Iterator

    from .processes import Process
    from .source import Source
    from .types import Edit

__all__ = ["OPERATORS", "edits"]

OPERATORS = {
    "blocking": "`<=` becomes `=`, or the other way round, in a procedural assignment",
    "stuck": "a signal is always 0, or all ones",
    "drop-assign": "a procedural assignment goes",
    "default-assignment": "a signal gets the value 0 first, wherever it is not assigned later",
    "target-swap": "an assignment goes to another signal of the same width",
}

_KIND = syntax.SyntaxKind
_BOTH = (_KIND.AssignmentExpression, _KIND.NonblockingAssignmentExpression)
_MOST_TARGETS = 6


def edits(source: Source) -> Iterator[Edit]:
    """Edits of assignments."""
    for node in source.of(*_BOTH):
        statement = node.parent
        if statement.kind == _KIND.ForLoopStatement:
            continue
        yield from _values(source, node)
        yield from _targets(source, node)
        if statement.kind == _KIND.ExpressionStatement:
            yield from _kind(source, node)
            note = f"the assignment to `{source.of_text(node.left)}` goes"
            yield source.edit("drop-assign", statement, ";", note)
    for process in processes(source):
        yield from _defaults(source, process)


def _kind(source: Source, node: Any) -> Iterator[Edit]:
    if _scheduled(node):
        return
    old = node.operatorToken.rawText
    new = "=" if node.kind == _KIND.NonblockingAssignmentExpression else "<="
    left = source.of_text(node.left)
    yield source.edit("blocking", node.operatorToken, new, f"`{left} {old}` becomes `{left} {new}`")


def _scheduled(node: Any) -> bool:
    """Whether the assignment stands in a function, where only `=` is legal."""
    current = node.parent
    while current is not None:
        if current.kind in {_KIND.FunctionDeclaration, _KIND.TaskDeclaration}:
            return True
        current = current.parent
    return False


def _values(source: Source, node: Any) -> Iterator[Edit]:
    left, old = source.of_text(node.left), number_of(node.right)
    ones = old is not None and old.size is not None and old.value == (1 << old.size) - 1
    if old is None or old.value:
        yield source.edit("stuck", node.right, "0", f"`{left}` is 0 here")
    if not ones:
        yield source.edit("stuck", node.right, "~0", f"`{left}` is all ones here")


def _targets(source: Source, node: Any) -> Iterator[Edit]:
    scope = source.scope(node)
    left = node.left
    if scope is None or left.kind != _KIND.IdentifierName or not source.written(left):
        return
    name = left.identifier.valueText
    own = scope.symbols.get(name)
    others = [
        s.name for s in scope.like(name) if not s.input and own is not None and s.kind == own.kind
    ]
    for other in others[:_MOST_TARGETS]:
        note = f"`{other}` is assigned, not `{name}`"
        yield source.edit("target-swap", left, other, note)


def _defaults(source: Source, process: Process) -> Iterator[Edit]:
    """`x = 0;` at the start of a block, for each signal that it does not always assign."""
    body = process.body
    if process.reset is not None and process.reset.elseClause is not None:
        body = process.reset.elseClause.clause
    if body.kind != _KIND.SequentialBlockStatement or not source.written(body):
        return
    inside = assignments(body)
    sign = "<=" if any(a.kind == _BOTH[1] for a in inside) else "="
    sure = {base_name(a.left) for a in inside if a.parent.parent == body}
    sure |= {a.identifier.valueText for a in _loop_variables(body)}
    place = source.span(body)[0] + len("begin")
    scope = source.scope(process.node)
    for name in dict.fromkeys(base_name(a.left) for a in inside):
        known = scope.symbols.get(name) if scope else None
        if not name or name in sure or (known is not None and known.kind == "array"):
            continue
        text = f" {name} {sign} 0;"
        yield source.edit(
            "default-assignment", (place, place), text, f"`{name}` is 0 unless assigned later"
        )


def _loop_variables(body: Any) -> list[Any]:
    return [
        i.left
        for n in walk(body)
        if n.kind == _KIND.ForLoopStatement
        for i in n.initializers
        if getattr(i, "kind", None) == _KIND.AssignmentExpression
        and i.left.kind == _KIND.IdentifierName
    ]
