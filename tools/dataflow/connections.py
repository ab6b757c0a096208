"""Processes that always run: continuous assignments, net initialisers, gates, ports."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from pyslang import ast

from .bits import bit_dependencies, paths_of
from .model import Bits, Process, ProcessKind
from .naming import sorted_bits

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ..parse.unit import SlangUnit
    from .model import BitEdge
    from .naming import Namer

__all__ = ["assignment_process", "gate_process", "net_process", "port_processes"]

_ASSIGNMENT = ast.ExpressionKind.Assignment


def assignment_process(procedure: Any, name: Namer, unit: SlangUnit) -> Process:
    """The process of an `assign`."""
    symbol = procedure.analyzedSymbol
    assignment = symbol.assignment
    place = unit.place(symbol.location)
    edges: tuple[BitEdge, ...] = ()
    if assignment.kind == _ASSIGNMENT:
        edges = _edges(_bits_of(assignment.left, symbol), _bits_of(assignment.right, symbol), name)
    reads = [r for r in procedure.readSet if r.symbol.kind != ast.SymbolKind.Parameter]
    return Process(
        ProcessKind.ASSIGN,
        place.file,
        place.line,
        writes=sorted_bits(Bits(name(d.symbol), *d.bounds) for d in procedure.drivers),
        reads=sorted_bits(Bits(name(r.symbol), *r.bitRange) for r in reads),
        bit_edges=edges,
        may_float=_has_z(assignment),
        column=place.column,
    )


def net_process(net: Any, name: Namer, unit: SlangUnit) -> Process:
    """The process of `wire w = …`."""
    place = unit.place(net.location)
    return Process(
        ProcessKind.ASSIGN,
        place.file,
        place.line,
        writes=(_whole(net, name),),
        reads=_ranges(net.initializer, net, name),
        bit_edges=_edges(_own_bits(net), _bits_of(net.initializer, net), name),
        may_float=_has_z(net.initializer),
        column=place.column,
    )


def gate_process(gate: Any, name: Namer, unit: SlangUnit) -> Iterator[Process]:
    """The process of a gate or user-defined primitive; outputs come first among its ports."""
    place = unit.place(gate.location)
    outputs: list[Bits] = []
    inputs: list[Bits] = []
    for index, expression in enumerate(gate.portConnections):
        if expression is None:
            continue
        drives = expression.kind == _ASSIGNMENT
        target = expression.left if drives else expression
        (outputs if drives or index == 0 else inputs).extend(_ranges(target, gate, name))
    if outputs:
        yield Process(
            ProcessKind.ASSIGN,
            place.file,
            place.line,
            writes=sorted_bits(outputs),
            reads=sorted_bits(inputs),
            may_float=True,
            column=place.column,
        )


def port_processes(instance: Any, name: Namer, unit: SlangUnit) -> Iterator[Process]:
    """A process for each connected port of an instance."""
    place = unit.place(instance.location)
    for connection in instance.portConnections:
        inner = getattr(connection.port, "internalSymbol", None)
        outer = connection.expression
        if inner is None or outer is None:
            continue
        target = outer.left if outer.kind == _ASSIGNMENT else outer
        into = connection.port.direction == ast.ArgumentDirection.In
        inside: tuple[Bits, ...] = (_whole(inner, name),)
        outside = _ranges(target, instance, name)
        inside_bits, outside_bits = _own_bits(inner), _bits_of(target, instance)
        if into:
            edges = _edges(inside_bits, outside_bits, name)
            writes, reads = inside, outside
        else:
            edges = _edges(outside_bits, inside_bits, name)
            writes, reads = outside, inside
        if writes:
            yield Process(
                ProcessKind.ASSIGN,
                place.file,
                place.line,
                writes=writes,
                reads=reads,
                bit_edges=edges,
                may_float=True,
                column=place.column,
            )


def _whole(symbol: Any, name: Namer) -> Bits:
    return Bits(name(symbol), 0, max(int(symbol.type.bitWidth), 1) - 1)


def _own_bits(symbol: Any) -> list[frozenset[tuple[Any, int]]]:
    return [frozenset({(symbol, i)}) for i in range(int(symbol.type.bitWidth))]


def _bits_of(expression: Any, scope: Any) -> list[frozenset[tuple[Any, int]]] | None:
    return bit_dependencies(expression, ast.EvalContext(scope))


def _ranges(expression: Any, scope: Any, name: Namer) -> tuple[Bits, ...]:
    return sorted_bits(
        Bits(name(symbol), low, high)
        for symbol, low, high in paths_of(expression, ast.EvalContext(scope))
        if symbol.kind != ast.SymbolKind.Parameter
    )


def _edges(
    targets: list[frozenset[tuple[Any, int]]] | None,
    sources: list[frozenset[tuple[Any, int]]] | None,
    name: Namer,
) -> tuple[BitEdge, ...]:
    """Target bits with the bits they depend on; empty where the two do not line up."""
    if not targets or not sources or len(targets) != len(sources):
        return ()
    return tuple(
        ((name(symbol), bit), frozenset((name(s), b) for s, b in bits))
        for target, bits in zip(targets, sources, strict=True)
        for symbol, bit in target
    )


def _has_z(expression: Any) -> bool:
    """Whether an expression has a z in it, as a tri-state driver does."""
    found: list[Any] = []

    def literal(node: Any) -> None:
        if "z" in str(node.value).lower():
            found.append(node)

    kinds = ast.ExpressionKind
    table = dict.fromkeys((kinds.IntegerLiteral, kinds.UnbasedUnsizedIntegerLiteral), literal)
    expression.visit(lookup_table=table)
    return bool(found)
