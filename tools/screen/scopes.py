"""Lexical scopes of a module, so that a name can be told to climb out of it.

A reference such as `a.b`, a task call or a `disable` first looks for its leftmost name in the
scopes around it, and then, in Verilog, in the modules *above* the design. Only the first is
allowed. The search works on the syntax, so it also covers branches that are not elaborated.
"""

from __future__ import annotations

from enum import Enum
from typing import TYPE_CHECKING, Any

from pyslang import syntax

if TYPE_CHECKING:
    from collections.abc import Callable

__all__ = ["Scopes", "Visibility"]

_KIND = syntax.SyntaxKind
_MODULES = frozenset(
    {
        _KIND.ModuleDeclaration,
        _KIND.InterfaceDeclaration,
        _KIND.ProgramDeclaration,
        _KIND.PackageDeclaration,
    }
)
_SCOPES = _MODULES | frozenset(
    {
        _KIND.GenerateBlock,
        _KIND.LoopGenerate,
        _KIND.SequentialBlockStatement,
        _KIND.ParallelBlockStatement,
        _KIND.ForLoopStatement,
        _KIND.ForeachLoopStatement,
        _KIND.FunctionDeclaration,
        _KIND.TaskDeclaration,
        _KIND.CompilationUnit,
    }
)
_CONDITIONAL = frozenset(
    {_KIND.IfGenerate, _KIND.ElseClause, _KIND.StandardCaseItem, _KIND.DefaultCaseItem}
)


class Visibility(Enum):
    """What a leftmost name refers to."""

    LOCAL = "local"
    CONDITIONAL = "conditional"  # only the label of a generate branch that may be absent
    OUTSIDE = "outside"


class Scopes:
    """The names that each scope of one syntax tree declares."""

    def __init__(self, tree: syntax.SyntaxTree) -> None:
        self._names: dict[tuple[object, ...], dict[str, bool]] = {}
        table: dict[syntax.SyntaxKind, Callable[[Any], None]] = {
            _KIND.Declarator: self._declarator,
            _KIND.InstanceName: self._declarator,
            _KIND.NamedBlockClause: self._block_label,
            _KIND.NamedLabel: self._label,
            _KIND.FunctionPrototype: self._function,
            _KIND.TypedefDeclaration: self._named,
            _KIND.ModportItem: self._named,
            _KIND.ClockingDeclaration: self._block_name,
            _KIND.ImplicitNonAnsiPort: self._non_ansi,
            _KIND.GenvarDeclaration: self._genvar,
            _KIND.LoopGenerate: self._loop,
            _KIND.ModuleDeclaration: self._module,
            _KIND.InterfaceDeclaration: self._module,
        }
        tree.root.visit(lookup_table=table)

    def look_up(self, name: str, node: syntax.SyntaxNode) -> Visibility:
        """Where `name`, used at `node`, is declared."""
        inside_labels = set()
        scope: syntax.SyntaxNode | None = node.parent
        while scope is not None:
            if scope.kind in _SCOPES:
                label = _label_of(scope)
                if label:
                    inside_labels.add(label)
                conditional = self._names.get(_key(scope), {}).get(name)
                if conditional is not None:
                    if conditional and name not in inside_labels:
                        return Visibility.CONDITIONAL
                    return Visibility.LOCAL
            scope = scope.parent
        return Visibility.OUTSIDE

    def _add(self, node: syntax.SyntaxNode | None, name: str, *, conditional: bool = False) -> None:
        scope = node
        while scope is not None and scope.kind not in _SCOPES:
            scope = scope.parent
        if scope is None:
            return
        known = self._names.setdefault(_key(scope), {})
        known[name] = known.get(name, True) and conditional

    def _declarator(self, node: syntax.DeclaratorSyntax) -> None:
        if node.parent is not None and node.parent.kind == _KIND.StructUnionMember:
            return
        self._add(node.parent, node.name.valueText)

    def _named(self, node: syntax.TypedefDeclarationSyntax) -> None:
        self._add(node.parent, node.name.valueText)

    def _genvar(self, node: syntax.GenvarDeclarationSyntax) -> None:
        for name in node.identifiers:
            self._add(node.parent, name.getFirstToken().valueText)

    def _loop(self, node: syntax.LoopGenerateSyntax) -> None:
        self._add(node, node.identifier.valueText)

    def _non_ansi(self, node: syntax.ImplicitNonAnsiPortSyntax) -> None:
        self._add(node.parent, node.getFirstToken().valueText)

    def _module(self, node: syntax.ModuleDeclarationSyntax) -> None:
        self._add(node, node.header.name.valueText)

    def _function(self, node: syntax.FunctionPrototypeSyntax) -> None:
        scope = node.parent
        self._add(scope, node.name.getLastToken().valueText)
        if scope is not None and scope.kind in _SCOPES:
            self._add(scope.parent, node.name.getLastToken().valueText)

    def _block_name(self, node: syntax.ClockingDeclarationSyntax) -> None:
        if node.blockName:
            self._add(node.parent, node.blockName.valueText)

    def _label(self, node: syntax.NamedLabelSyntax) -> None:
        owner = node.parent
        if owner is not None:
            self._add(owner.parent, node.name.valueText, conditional=_is_conditional(owner))

    def _block_label(self, node: syntax.NamedBlockClauseSyntax) -> None:
        block = node.parent
        if block is None or block.kind not in _SCOPES or block.kind in _MODULES:
            return
        owner = block.parent
        if owner is not None and owner.kind == _KIND.LoopGenerate:
            owner = owner.parent
        self._add(owner, node.name.valueText, conditional=_is_conditional(block))


def _is_conditional(block: syntax.SyntaxNode) -> bool:
    return (
        block.kind == _KIND.GenerateBlock
        and block.parent is not None
        and block.parent.kind in _CONDITIONAL
    )


def _label_of(scope: syntax.SyntaxNode) -> str:
    for attribute in ("beginName", "blockName"):
        clause = getattr(scope, attribute, None)
        if clause is not None and hasattr(clause, "name"):
            return str(clause.name.valueText)
    return ""


def _key(scope: syntax.SyntaxNode) -> tuple[object, ...]:
    """A scope's identity: pyslang makes a new Python object each time one is visited."""
    extent = scope.sourceRange
    return (extent.start.buffer.id, extent.start.offset, extent.end.offset, scope.kind)
