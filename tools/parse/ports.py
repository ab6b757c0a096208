"""From elaborated modules to `Interface`: ports with directions, widths and parameters."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pyslang import ast, syntax

from ..interface import Direction, Interface, Parameter, Port

if TYPE_CHECKING:
    from collections.abc import Iterator

__all__ = ["interface_of"]

_DIRECTIONS = {
    ast.ArgumentDirection.In: Direction.INPUT,
    ast.ArgumentDirection.Out: Direction.OUTPUT,
    ast.ArgumentDirection.InOut: Direction.INOUT,
    ast.ArgumentDirection.Ref: Direction.INOUT,
}


def interface_of(body: ast.InstanceBodySymbol, *, as_written: bool) -> Interface:
    """The interface of an elaborated instance body.

    With `as_written` a width that depends on a parameter is the range of the source; without,
    it is the number of bits under the body's parameter values.
    """
    return Interface(
        module=body.definition.name,
        ports=tuple(_ports(body, as_written=as_written)),
        parameters=tuple(_parameters(body)),
    )


def _ports(body: ast.InstanceBodySymbol, *, as_written: bool) -> Iterator[Port]:
    for port in body.portList:
        if port.kind == ast.SymbolKind.InterfacePort:
            yield Port(Direction.INOUT, port.name, str(port.syntax.parent.header).strip())
            continue
        symbol = getattr(port, "internalSymbol", None)
        width: int | str = _bits(port.type)
        if as_written and symbol is not None:
            width = _range_as_written(symbol) or width
        signed = bool(port.type.isSigned)
        yield Port(_DIRECTIONS[port.direction], port.name or _unnamed(port), width, signed)


def _unnamed(port: ast.PortSymbol) -> str:
    parts = getattr(port, "ports", ())
    return "{" + ", ".join(part.name for part in parts) + "}"


def _bits(kind: ast.Type) -> int:
    width = int(kind.bitWidth) or int(getattr(kind, "bitstreamWidth", 0))
    return max(width, 1)


def _range_as_written(symbol: ast.ValueSymbol) -> str:
    """The packed range of a declaration where it names something; empty otherwise."""
    written = symbol.declaredType.typeSyntax
    dimensions = getattr(written, "dimensions", None)
    if dimensions is None:
        return ""
    text = "".join(str(part).strip() for part in dimensions)
    named: list[syntax.SyntaxNode] = []
    names = dict.fromkeys((syntax.SyntaxKind.IdentifierName, syntax.SyntaxKind.ScopedName))
    for part in dimensions:
        part.visit(lookup_table=dict.fromkeys(names, named.append))
    return " ".join(text.split()) if named else ""


def _parameters(body: ast.InstanceBodySymbol) -> Iterator[Parameter]:
    for parameter in body.parameters:
        if parameter.isLocalParam:
            continue
        if parameter.kind == ast.SymbolKind.TypeParameter:
            yield Parameter(parameter.name, str(parameter.syntax).partition("=")[2].strip())
            continue
        written = parameter.declaredType.initializerSyntax
        yield Parameter(parameter.name, str(written).strip() if written is not None else "")
