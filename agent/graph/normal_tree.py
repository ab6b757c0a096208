"""A design in a form in which only what it does is left, read off its syntax tree.

Gone are layout, comments, `begin`/`end` and parentheses around a single thing, the base in which
a number is written, and the names of signals inside a module. The rest stays in its order: two
designs with one form behave alike; two that behave alike may well have two forms.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import Any

import pyslang
from pyslang import syntax

__all__ = ["normal_form"]

_DIRECTIVE = re.compile(r"^[ \t]*`(?!define\b)[^\n]*", re.MULTILINE)
_MODULE = re.compile(r"^[ \t]*(?:macro)?module\b", re.MULTILINE)
_LONGEST = 200_000  # characters
_WIDEST = 1024  # digits of a number, or bits of it
_BASES = {"b": 2, "o": 8, "d": 10, "h": 16}
_DECLARES = (
    syntax.NetDeclarationSyntax,
    syntax.DataDeclarationSyntax,
    syntax.GenvarDeclarationSyntax,
)
_PORTS = (
    syntax.ImplicitAnsiPortSyntax,
    syntax.ExplicitAnsiPortSyntax,
    syntax.PortDeclarationSyntax,
    syntax.NonAnsiPortListSyntax,
)
_CONNECTIONS = (syntax.NamedPortConnectionSyntax, syntax.NamedParamAssignmentSyntax)
# Where a name may mean something of another module, no name is changed.
_BY_NAME = (syntax.ScopedNameSyntax, syntax.WildcardPortConnectionSyntax)


@dataclass(slots=True)
class _Names:
    """Names of signals that nobody outside their module sees, each with its number."""

    ports: set[str] = field(default_factory=set)
    inner: dict[str, str] = field(default_factory=dict)
    fixed: bool = False

    def of(self, name: str) -> str:
        return name if self.fixed or name in self.ports else self.inner.get(name, name)


def normal_form(source: str) -> str | None:
    """The normal form of `source`; None where there is none that is safe.

    That is so of what does not parse, of one that is very long or deep, and where a directive
    stands after the first module, for its place may matter.
    """
    directives = list(_DIRECTIVE.finditer(source))
    first = _MODULE.search(source)
    if (
        len(source) > _LONGEST
        or first is None
        or any(d.start() > first.start() for d in directives)
    ):
        return None
    try:
        tree = syntax.SyntaxTree.fromText(source)
    except RuntimeError:  # nested too deeply for the parser
        return None
    if any(d.isError() for d in tree.diagnostics):
        return None
    out = [" ".join(directive.group().split()) for directive in directives]
    try:
        _write(tree.root, _Names(), out)
    except RecursionError:
        return None
    return " ".join(out)


def _write(node: Any, names: _Names, out: list[str]) -> None:
    if isinstance(node, pyslang.parsing.Token):
        text = node.rawText
        if text:
            out.append(names.of(text))
        return
    if isinstance(node, syntax.ModuleDeclarationSyntax):
        names = _declared(node)
    inner = _only(node)
    if inner is not None:
        _write(inner, names, out)
        return
    if isinstance(node, syntax.IntegerVectorExpressionSyntax):
        out.append(_number(node))
        return
    out.append("(" + node.kind.name)
    for place, child in enumerate(node):
        if place == 1 and isinstance(node, _CONNECTIONS):
            out.append(child.rawText)  # a name of the other module
        else:
            _write(child, names, out)
    out.append(")")


def _only(node: Any) -> Any | None:
    """What a block or parentheses hold, where they add nothing to it."""
    block: Any = node  # the stubs know of no parts that may be missing
    if isinstance(node, syntax.ParenthesizedExpressionSyntax):
        return node.expression
    if not isinstance(node, syntax.BlockStatementSyntax):
        return None
    if node.kind is not syntax.SyntaxKind.SequentialBlockStatement or block.blockName is not None:
        return None
    items = list(node.items)
    if len(items) != 1 or not isinstance(items[0], syntax.StatementSyntax):
        return None
    return items[0] if block.label is None else None


def _number(node: Any) -> str:
    """Width, sign and value; as it is written where a digit is unknown."""
    size, base, value = node.size.rawText, node.base.rawText.lower(), node.value.rawText
    size, digits = size.replace("_", ""), value.replace("_", "").lower()
    known = digits.isalnum() and not set(digits) & set("xz")
    if not known or len(digits) > _WIDEST or int(size or 0) > _WIDEST:
        return f"{size}{base}{digits}"
    number = int(digits, _BASES[base[-1]])
    if size:
        number %= 1 << int(size)
    return f"{size}'{'s' if 's' in base else ''}{number}"


def _declared(module: Any) -> _Names:
    names = _Names()

    def visit(node: Any) -> None:
        item: Any = node
        if isinstance(node, _PORTS):
            names.ports |= set(_identifiers(node))
        elif isinstance(node, _DECLARES):
            for declarator in getattr(node, "declarators", getattr(node, "identifiers", ())):
                found = getattr(declarator, "name", None) or getattr(declarator, "identifier", None)
                if found is not None:
                    names.inner.setdefault(found.rawText, f"%{len(names.inner)}")
        elif isinstance(node, _BY_NAME):
            names.fixed = True
        elif isinstance(node, syntax.NamedPortConnectionSyntax):
            names.fixed |= item.expr is None and not item.openParen.rawText

    module.visit(visit)
    return names


def _identifiers(node: Any) -> list[str]:
    found: list[str] = []
    node.visit(
        lambda item: (
            found.append(item.rawText)
            if isinstance(item, pyslang.parsing.Token)
            and item.kind is pyslang.parsing.TokenKind.Identifier
            else None
        )
    )
    return found
