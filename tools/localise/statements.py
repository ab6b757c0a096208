"""The statements of a source with what they read and write, for coverage and for ranking."""

from __future__ import annotations

from bisect import bisect_right
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from pyslang import syntax

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ..edits.source import Source

__all__ = ["Statement", "statements_of"]

_K = syntax.SyntaxKind
_ASSIGNS = frozenset({_K.AssignmentExpression, _K.NonblockingAssignmentExpression})
_COVERED = frozenset({_K.ExpressionStatement, _K.ConditionalStatement, _K.CaseStatement})
_LOOPS = frozenset({_K.ForLoopStatement, _K.LoopStatement})
_ALWAYS = frozenset(
    {_K.AlwaysBlock, _K.AlwaysFFBlock, _K.AlwaysCombBlock, _K.AlwaysLatchBlock, _K.InitialBlock}
)
_DECLARES = frozenset(
    {_K.DataDeclaration, _K.NetDeclaration, _K.ParameterDeclarationStatement, _K.PortDeclaration}
)


@dataclass(frozen=True, slots=True)
class Statement:
    """One place that can be at fault.

    `kind` is `assign`, `branch`, `case`, `label`, `process`, `continuous`, `declaration` or
    `instance`. `start` and `end` are characters of the whole statement; `line` and `last` the
    lines of its own text (of a branch: its condition). `writes` of a branch is what is written
    below it. `covered` says that it can be seen to run; `owner` is the number of the statement
    whose running it shares otherwise.
    """

    number: int
    kind: str
    module: str
    line: int
    last: int
    start: int
    end: int
    writes: frozenset[str]
    reads: frozenset[str]
    covered: bool = False
    owner: int | None = None


def statements_of(source: Source) -> tuple[Statement, ...]:
    """All statements, in the order of the text."""
    return tuple(_Collector(source).collect())


class _Collector:
    def __init__(self, source: Source) -> None:
        self._source = source
        self._starts = [0, *(i + 1 for i, c in enumerate(source.text) if c == "\n")]
        self._found: list[Statement] = []

    def collect(self) -> list[Statement]:
        for module in self._source.of(_K.ModuleDeclaration):
            name = module.header.name.valueText
            for node in _walk(module):
                if node is not module and self._source.written(node):
                    self._take(node, name)
        self._found.sort(key=lambda s: (s.start, -s.end))
        return [
            Statement(
                i, s.kind, s.module, s.line, s.last, s.start, s.end, s.writes, s.reads, s.covered
            )
            for i, s in enumerate(self._found)
        ]

    def _take(self, node: Any, module: str) -> None:
        kind = node.kind
        if kind in _COVERED:
            self._statement(node, module)
        elif kind == _K.ContinuousAssign:
            for part in node.assignments:
                if isinstance(part, syntax.SyntaxNode):
                    self._add("continuous", module, part, part, *_flow(part))
        elif kind in {_K.StandardCaseItem, _K.DefaultCaseItem}:
            self._label(node, module)
        elif kind in _ALWAYS or kind in _LOOPS:
            self._process(node, module)
        elif kind in _DECLARES:
            self._declaration(node, module)
        elif kind == _K.HierarchyInstantiation:
            self._instance(node, module)
        elif kind == _K.ImplicitAnsiPort:
            self._port(node, module)

    def _statement(self, node: Any, module: str) -> None:
        if node.kind == _K.ExpressionStatement:
            self._add("assign", module, node, node, *_flow(node), covered=True)
            return
        branch = node.kind == _K.ConditionalStatement
        head = node.predicate if branch else node.expr
        name = "branch" if branch else "case"
        self._add(name, module, node, head, _writes_below(node), _names(head), covered=True)

    def _process(self, node: Any, module: str) -> None:
        head = getattr(node.statement, "timingControl", None) or node.getFirstToken()
        reads = _names(head) if isinstance(head, syntax.SyntaxNode) else frozenset()
        kind = "process" if node.kind in _ALWAYS else "branch"
        self._add(kind, module, node, head, _writes_below(node), reads)

    def _label(self, node: Any, module: str) -> None:
        head = node.getFirstToken()
        reads: frozenset[str] = frozenset()
        if node.kind == _K.StandardCaseItem:
            reads = frozenset().union(*(_names(e) for e in node.expressions if _is_node(e)))
        self._add("label", module, node, head, _writes_below(node), reads)

    def _declaration(self, node: Any, module: str) -> None:
        for part in _walk(node):
            if part.kind == _K.Declarator:
                names = frozenset({part.name.valueText})
                reads = _names(part.initializer) if part.initializer is not None else frozenset()
                kind = "continuous" if reads and node.kind == _K.NetDeclaration else "declaration"
                self._add(kind, module, node, part, names, reads)

    def _instance(self, node: Any, module: str) -> None:
        self._add("instance", module, node, node.getFirstToken(), _names(node), frozenset())
        for part in _walk(node):
            if part.kind in {_K.NamedPortConnection, _K.OrderedPortConnection}:
                names = _names(part)
                self._add("instance", module, part, part, names, names)

    def _port(self, node: Any, module: str) -> None:
        names = frozenset({node.declarator.name.valueText})
        self._add("declaration", module, node, node, names, frozenset())

    def _add(  # noqa: PLR0913
        self,
        kind: str,
        module: str,
        node: Any,
        head: Any,
        writes: frozenset[str],
        reads: frozenset[str],
        *,
        covered: bool = False,
    ) -> None:
        start, end = self._source.span(node)
        first, last = self._span(head)
        if kind in {"assign", "continuous"}:
            first, last = start, end
        line, last_line = self._line(first), self._line(max(first, last - 1))
        self._found.append(
            Statement(0, kind, module, line, last_line, start, end, writes, reads, covered)
        )

    def _span(self, head: Any) -> tuple[int, int]:
        if _is_node(head):
            return self._source.span(head)
        return self._source.offset(head.location), self._source.offset(head.range.end)

    def _line(self, offset: int) -> int:
        return bisect_right(self._starts, offset)


def _is_node(item: Any) -> bool:
    return isinstance(item, syntax.SyntaxNode)


def _walk(root: Any) -> Iterator[Any]:
    stack = [root]
    while stack:
        node = stack.pop()
        yield node
        stack += [child for child in node if _is_node(child)]


def _names(node: Any) -> frozenset[str]:
    """Names of signals and constants that a piece of syntax mentions."""
    found: set[str] = set()
    for part in _walk(node):
        if part.kind in {_K.IdentifierName, _K.IdentifierSelectName}:
            found.add(part.identifier.valueText)
    return frozenset(found)


def _targets(left: Any) -> frozenset[str]:
    """What an assignment to `left` writes; an index is only read."""
    if left.kind in {_K.IdentifierName, _K.IdentifierSelectName}:
        return frozenset({left.identifier.valueText})
    if left.kind == _K.ConcatenationExpression:
        return frozenset().union(*(_targets(e) for e in left.expressions if _is_node(e)))
    return _names(left)


def _flow(node: Any) -> tuple[frozenset[str], frozenset[str]]:
    """What an assignment writes and what it reads."""
    for part in _walk(node):
        if part.kind in _ASSIGNS or "Assignment" in part.kind.name:
            left = getattr(part, "left", None)
            if left is not None:
                return _targets(left), _names(part.right) | (_names(left) - _targets(left))
    names = _names(node)
    return names, names


def _writes_below(node: Any) -> frozenset[str]:
    found: set[str] = set()
    for part in _walk(node):
        if part.kind == _K.ExpressionStatement:
            found |= _flow(part)[0]
    return frozenset(found)
