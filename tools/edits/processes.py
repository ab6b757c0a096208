"""Always blocks as the families of edits see them: clock, reset branch, assignments."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from pyslang import parsing, syntax

if TYPE_CHECKING:
    from collections.abc import Iterator

    from .source import Source

__all__ = ["Process", "assignments", "bare", "base_name", "processes", "walk"]

_KIND = syntax.SyntaxKind
_EDGES = (parsing.TokenKind.PosEdgeKeyword, parsing.TokenKind.NegEdgeKeyword)
_BLOCKS = (
    _KIND.AlwaysBlock,
    _KIND.AlwaysCombBlock,
    _KIND.AlwaysFFBlock,
    _KIND.AlwaysLatchBlock,
)
_ASSIGNMENTS = (_KIND.AssignmentExpression, _KIND.NonblockingAssignmentExpression)
_NOT = (_KIND.UnaryLogicalNotExpression, _KIND.UnaryBitwiseNotExpression)


@dataclass(frozen=True, slots=True)
class Process:
    """One always block.

    `events` are its edges (none if combinational), `control` the event expression, `body` the
    statement below. `reset` is the first `if` where that looks like a reset; its condition reads
    the one signal `reset_name`, true when low with `reset_low`.
    """

    node: Any
    clocked: bool
    control: Any
    events: tuple[Any, ...]
    body: Any
    reset: Any = None
    reset_name: str = ""
    reset_low: bool = False


def walk(node: Any) -> Iterator[Any]:
    """`node` and all nodes below it, by place."""
    yield node
    for child in node:
        if isinstance(child, syntax.SyntaxNode):
            yield from walk(child)


def bare(node: Any) -> Any:
    """An expression without the parentheses around it."""
    while node.kind == _KIND.ParenthesizedExpression:
        node = node.expression
    return node


def base_name(node: Any) -> str:
    """The signal that an assignment's left side writes; empty for a concatenation."""
    node = bare(node)
    if node.kind in {_KIND.IdentifierName, _KIND.IdentifierSelectName}:
        return str(node.identifier.valueText)
    if node.kind == _KIND.ElementSelectExpression:
        return base_name(node.left)
    return ""


def assignments(node: Any) -> list[Any]:
    """The assignments below `node`, by place."""
    return [n for n in walk(node) if n.kind in _ASSIGNMENTS]


def processes(source: Source) -> list[Process]:
    """The always blocks of a source, by place."""
    return [_process(node) for node in source.of(*_BLOCKS)]


def _process(node: Any) -> Process:
    timed = node.statement
    if timed.kind != _KIND.TimingControlStatement:
        return Process(node, False, None, (), timed)
    control = timed.timingControl
    events = tuple(
        n for n in walk(control) if n.kind == _KIND.SignalEventExpression and n.edge.kind in _EDGES
    )
    if not events:
        return Process(node, False, control, (), timed.statement)
    found = _reset(timed.statement, events)
    return Process(node, True, control, events, timed.statement, *found)


def _reset(body: Any, events: tuple[Any, ...]) -> tuple[Any, str, bool]:
    first = body
    while first.kind == _KIND.SequentialBlockStatement:
        inside = [n for n in first.items if isinstance(n, syntax.SyntaxNode)]
        first = next((n for n in inside if n.kind != _KIND.DataDeclaration), None)
        if first is None:
            return None, "", False
    if first.kind != _KIND.ConditionalStatement or len(first.predicate.conditions) != 1:
        return None, "", False
    condition = bare(first.predicate.conditions[0].expr)
    low = condition.kind in _NOT
    name = base_name(condition.operand if low else condition)
    listed = any(base_name(e.expr) == name for e in events)
    if name and (listed or (first.elseClause is not None and _only_constants(first.statement))):
        return first, name, low
    return None, "", False


def _only_constants(branch: Any) -> bool:
    """Whether a branch only gives constants (literals, or names in capitals) to signals."""
    found = assignments(branch)
    return bool(found) and all(
        n.kind != _KIND.IdentifierName or n.identifier.valueText.isupper()
        for a in found
        for n in walk(a.right)
    )
