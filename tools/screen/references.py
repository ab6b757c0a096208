"""Names that climb out of the design: hierarchical references, upward task calls, `disable`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from pyslang import syntax

from .finding import at_token
from .scopes import Scopes, Visibility

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ..diagnostic import Diagnostic
    from .finding import Context

__all__ = ["reference_findings"]

_KIND = syntax.SyntaxKind
_ROOTS = frozenset({_KIND.RootScope, _KIND.UnitScope})
_SELF = frozenset({"this", "super"})
_HINT = "use the module's own ports and signals; whatever is needed must come in by a port"


def reference_findings(context: Context) -> Iterator[Diagnostic]:
    """Findings for each name whose first part is not declared around it."""
    for tree in context.unit.trees:
        names = _climbing_names(tree)
        if not names:
            continue
        scopes = Scopes(tree)
        packages = _package_names(tree)
        for node in names:
            yield from _judge(context, scopes, packages, node)


def _climbing_names(tree: syntax.SyntaxTree) -> list[syntax.SyntaxNode]:
    """Name nodes that Verilog also looks for above the module."""
    found: list[syntax.SyntaxNode] = []

    def scoped(node: syntax.ScopedNameSyntax) -> None:
        if node.parent is None or node.parent.kind != _KIND.ScopedName:
            found.append(node)

    def statement(node: syntax.ExpressionStatementSyntax) -> None:
        if node.expr.kind == _KIND.IdentifierName:  # a task call without arguments
            found.append(node.expr)

    def simple(node: syntax.SyntaxNode | None) -> None:
        if node is not None and node.kind == _KIND.IdentifierName:
            found.append(node)

    tree.root.visit(
        lookup_table={
            _KIND.ScopedName: scoped,
            _KIND.ExpressionStatement: statement,
            _KIND.InvocationExpression: lambda n: simple(n.left),
            _KIND.DisableStatement: lambda n: simple(n.name),
            _KIND.BlockingEventTriggerStatement: lambda n: simple(n.name),
            _KIND.NonblockingEventTriggerStatement: lambda n: simple(n.name),
        }
    )
    return found


def _package_names(tree: syntax.SyntaxTree) -> bool:
    """Whether the tree imports a package, so that a simple name may come from there."""
    found: list[syntax.SyntaxNode] = []
    tree.root.visit(lookup_table={_KIND.PackageImportDeclaration: found.append})
    return bool(found)


def _judge(
    context: Context, scopes: Scopes, imports: bool, node: syntax.SyntaxNode
) -> Iterator[Diagnostic]:
    text = " ".join(str(node).split())
    first: Any = node
    separator = "."
    while first.kind == _KIND.ScopedName:
        separator = first.separator.valueText
        first = first.left
    if separator == "::" and first.kind != _KIND.RootScope:
        return  # a package or class member: no hierarchy
    name = first.getFirstToken().valueText
    if name in _SELF or (imports and node.kind == _KIND.IdentifierName):
        return
    if first.kind in _ROOTS:
        message = f"`{text}` starts at the root of the hierarchy, outside the design"
        yield at_token(context, node, "outside-reference", message, _HINT)
        return
    seen = scopes.look_up(name, node)
    if seen is Visibility.OUTSIDE:
        message = f"`{text}` refers to `{name}`, which is not declared in this module"
        yield at_token(context, node, "outside-reference", message, _HINT)
    elif seen is Visibility.CONDITIONAL:
        message = f"`{text}` refers into a generate branch that may not exist"
        yield at_token(context, node, "conditional-reference", message, _HINT)
