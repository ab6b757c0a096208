"""What a module declares: names, widths, and what they are for."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from pyslang import ast

if TYPE_CHECKING:
    from ..parse.unit import SlangUnit

__all__ = ["Scope", "Symbol", "scopes_of"]

_SIGNALS = (ast.SymbolKind.Net, ast.SymbolKind.Variable)


@dataclass(frozen=True, slots=True)
class Symbol:
    """One declared name. `width` is in bits; `input` says that the module may only read it.

    `kind` is `net`, `variable`, `parameter` or `array`; `group` tells constants that were
    declared in one statement from others.
    """

    name: str
    width: int
    kind: str
    input: bool = False
    group: int = 0


@dataclass(frozen=True, slots=True)
class Scope:
    """The names of one module in the order of their declaration."""

    symbols: dict[str, Symbol] = field(default_factory=dict)

    def like(self, name: str) -> list[Symbol]:
        """Other signals of the width of `name` (constants for a constant)."""
        own = self.symbols.get(name)
        if own is None or own.kind == "array":
            return []
        constant = own.kind == "parameter"
        return [
            s
            for s in self.symbols.values()
            if s.name != name
            and s.width == own.width
            and s.kind != "array"
            and (s.kind == "parameter") == constant
        ]


def scopes_of(unit: SlangUnit) -> dict[str, Scope]:
    """The scope of each module, with the widths of its default parameters."""
    compilation = unit.compile_with_tops(set(unit.defined_names()))
    unit.keep(compilation)
    return {
        instance.definition.name: _scope(instance.body)
        for instance in compilation.getRoot().topInstances
    }


def _scope(body: Any) -> Scope:
    inputs = {
        p.name for p in body.portList if getattr(p, "direction", None) == ast.ArgumentDirection.In
    }
    symbols: dict[str, Symbol] = {}
    for member in body:
        kind = _kind(member)
        if kind is None or not member.name:
            continue
        width = int(member.type.bitWidth)
        statement = member.syntax.parent if member.syntax is not None else None
        group = statement.sourceRange.start.offset if statement is not None else 0
        symbols[member.name] = Symbol(member.name, width, kind, member.name in inputs, group)
    return Scope(symbols)


def _kind(member: Any) -> str | None:
    if member.kind == ast.SymbolKind.Parameter:
        return "parameter" if member.type.isIntegral else None
    if member.kind == ast.SymbolKind.TransparentMember:
        return None
    if member.kind not in _SIGNALS:
        return None
    if member.type.isIntegral:
        return "net" if member.kind == ast.SymbolKind.Net else "variable"
    return "array" if member.type.isArray else None
