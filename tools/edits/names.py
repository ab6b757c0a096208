"""Names that are read: replaced by others of the same width; states of a state machine."""

from __future__ import annotations

import itertools
from typing import TYPE_CHECKING, Any

from pyslang import syntax

from .constants import number_of
from .processes import base_name, walk

if TYPE_CHECKING:
    from collections.abc import Iterator

    from .scope import Scope
    from .source import Source
    from .types import Edit

__all__ = ["OPERATORS", "edits"]

OPERATORS = {
    "identifier-swap": "a signal that is read becomes another of the same width",
    "transition": "a state, where it is assigned, compared or a case label, becomes another",
    "connection-swap": "two neighbouring connections of an instance change places",
}

_KIND = syntax.SyntaxKind
_NAMES = (_KIND.IdentifierName, _KIND.IdentifierSelectName)
_ASSIGNMENTS = (_KIND.AssignmentExpression, _KIND.NonblockingAssignmentExpression)
_COMPARISONS = (_KIND.EqualityExpression, _KIND.InequalityExpression)
_MOST = 12


def edits(source: Source) -> Iterator[Edit]:
    """Edits of names."""
    for node in source.of(*_NAMES):
        scope = source.scope(node)
        if scope is not None and _is_read(node):
            yield from _others(source, node, scope)
    yield from _literal_states(source)
    for node in source.of(_KIND.HierarchicalInstance):
        yield from _connections(source, node)


def _others(source: Source, node: Any, scope: Scope) -> Iterator[Edit]:
    token = node.identifier
    name = token.valueText
    own = scope.symbols.get(name)
    if own is None:
        return
    if own.kind == "parameter":
        if _is_state(node):
            for other in scope.like(name)[:_MOST]:
                if other.group == own.group or _same_use(name, other.name):
                    note = f"state `{name}` becomes `{other.name}`"
                    yield source.edit("transition", token, other.name, note)
        return
    if own.kind == "array":
        return
    for other in [o for o in scope.like(name) if "clk" not in o.name.lower()][:_MOST]:
        note = f"`{name}` becomes `{other.name}`"
        yield source.edit("identifier-swap", token, other.name, note)


def _same_use(one: str, two: str) -> bool:
    """Constants named alike (`S_IDLE`, `S_RUN`; `IDLE`, `RUN`) may be states of one machine."""
    head = one.split("_", maxsplit=1)[0] if "_" in one else ""
    return ("_" not in two) if not head else two.startswith(head + "_")


def _is_read(node: Any) -> bool:
    """Whether a name stands for a value that is read (not a target, type, port or event)."""
    current, below = node.parent, node
    while current is not None:
        kind = current.kind
        if kind in _ASSIGNMENTS and below == current.left:
            return False
        if kind in {
            _KIND.SignalEventExpression,
            _KIND.VariableDimension,
            _KIND.HierarchyInstantiation,
            _KIND.ScopedName,
            _KIND.InvocationExpression,
            _KIND.NamedType,
        }:
            return False
        if kind in {_KIND.ModuleDeclaration, _KIND.ExpressionStatement, _KIND.ContinuousAssign}:
            return True
        below, current = current, current.parent
    return False


def _is_state(node: Any) -> bool:
    """Whether a constant is assigned, compared with or a case label by itself."""
    current, below = node.parent, node
    while current is not None and current.kind in {
        _KIND.ParenthesizedExpression,
        _KIND.ConditionalExpression,
    }:
        below, current = current, current.parent
    if current is None:
        return False
    if current.kind in _ASSIGNMENTS:
        return bool(below == current.right)
    return current.kind in {*_COMPARISONS, _KIND.StandardCaseItem}


def _literal_states(source: Source) -> Iterator[Edit]:
    """States written as numbers: the labels of a case are what its machine can be in."""
    for case in source.of(_KIND.CaseStatement):
        name = base_name(case.expr)
        labels: list[str] = []
        for item in case.items:
            if getattr(item, "kind", None) == _KIND.StandardCaseItem:
                labels += [
                    source.of_text(e)
                    for e in item.expressions
                    if isinstance(e, syntax.SyntaxNode) and number_of(e) is not None
                ]
        if not name or len(labels) < 2:
            continue
        for node in walk(case):
            if node.kind not in _ASSIGNMENTS or not source.written(node):
                continue
            text = source.of_text(node.right)
            if text in labels and _belongs(base_name(node.left), name):
                for other in [label for label in labels if label != text][:_MOST]:
                    note = f"state `{text}` becomes `{other}`"
                    yield source.edit("transition", node.right, other, note)


def _belongs(target: str, state: str) -> bool:
    """Whether `target` is the state itself, or its next value by name."""
    return target == state or state in target or target in {"next", "next_state", "nxt", "ns"}


def _connections(source: Source, node: Any) -> Iterator[Edit]:
    kinds = (_KIND.NamedPortConnection, _KIND.OrderedPortConnection)
    found = [
        c.expr
        for c in node.connections
        if getattr(c, "kind", None) in kinds and c.expr is not None and source.written(c)
    ]
    for one, two in itertools.pairwise(found):
        (start, middle), (onward, end) = source.span(one), source.span(two)
        first, second = source.text[start:middle], source.text[onward:end]
        if first != second:
            text = second + source.text[middle:onward] + first
            note = f"the connections `{first}` and `{second}` change places"
            yield source.edit("connection-swap", (start, end), text, note)
