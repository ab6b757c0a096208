"""How a proposed reference may use enumerations: as classes that are written out, with members.

Called as a function (`Enum("E", {"__ne__": f})`) an enumeration without members makes a class with
any inner name, which `guard.py` refuses elsewhere: values that compare equal to everything, copies
that set attributes by name.
"""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

__all__ = ["find_enum_fault"]

_BASES = frozenset({"Enum", "Flag", "IntEnum", "IntFlag", "StrEnum"})


def find_enum_fault(nodes: Sequence[ast.AST]) -> str:
    """Why the enumerations among all `nodes` of a text may not be used, with the line."""
    enums = _Enums(nodes)
    as_bases = {
        id(base)
        for node in nodes
        if isinstance(node, ast.ClassDef) and any(map(enums.is_member, node.body))
        for base in node.bases
    }
    for node in nodes:
        base = enums.meanings(node) & _BASES
        if base and id(node) not in as_bases:
            line = getattr(node, "lineno", 0)
            return f"line {line}: `{min(base)}` may only be the base of a class with members"
    return ""


class _Enums:
    """Which nodes of a text stand for what of the module `enum`."""

    def __init__(self, nodes: Sequence[ast.AST]) -> None:
        self._names: dict[str, set[str]] = {}
        self._modules: set[str] = set()
        for node in nodes:
            if isinstance(node, ast.Import):
                self._modules |= {a.asname or a.name for a in node.names if a.name == "enum"}
            elif isinstance(node, ast.ImportFrom):
                for alias in node.names:
                    meaning = alias.name if node.module == "enum" else ""
                    self._names.setdefault(alias.asname or alias.name, set()).add(meaning)
        for node in nodes:  # a name that is defined otherwise as well may be either
            for name in _bound(node):
                if name in self._names:
                    self._names[name].add("")

    def meanings(self, node: ast.AST) -> set[str]:
        """The names of `enum` that a node may stand for; an empty one for anything else."""
        if isinstance(node, ast.Name):
            return self._names.get(node.id, set())
        if not isinstance(node, ast.Attribute) or not isinstance(node.value, ast.Name):
            return set()
        return {node.attr} if node.value.id in self._modules else set()

    def is_member(self, statement: ast.stmt) -> bool:
        """Whether a statement of an enumeration surely makes a member: a constant, or `auto()`."""
        if not isinstance(statement, ast.Assign):
            return False
        value = statement.value
        called = isinstance(value, ast.Call) and self.meanings(value.func) == {"auto"}
        return called or isinstance(value, ast.Constant)


def _bound(node: ast.AST) -> tuple[str, ...]:
    if isinstance(node, ast.Name):
        return (node.id,) if isinstance(node.ctx, ast.Store) else ()
    if isinstance(node, ast.arg):
        return (node.arg,)
    if isinstance(node, ast.FunctionDef | ast.ClassDef):
        return (node.name,)
    if isinstance(node, ast.ExceptHandler | ast.MatchAs | ast.MatchStar):
        return (node.name,) if node.name else ()
    return (node.rest,) if isinstance(node, ast.MatchMapping) and node.rest else ()
