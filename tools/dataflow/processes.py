"""From pyslang's elaboration and analysis to processes."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from pyslang import analysis, ast

from .bits import bit_dependencies, paths_of
from .model import Bits, Process, ProcessKind

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ..parse.model import SourceModel
    from ..parse.unit import SlangUnit

__all__ = ["processes_of"]

_KIND = ast.SymbolKind
_EDGES = frozenset({ast.EdgeKind.PosEdge, ast.EdgeKind.NegEdge, ast.EdgeKind.BothEdges})


def processes_of(model: SourceModel, top: str) -> tuple[Process, ...]:
    """All processes of `top` and of everything below it; empty if there is no such module."""
    for compilation in model.unit.compilations:
        for instance in compilation.getRoot().topInstances:
            if instance.definition.name == top:
                compilation.getAllDiagnostics()  # elaborates; the analysis needs it
                manager = analysis.AnalysisManager()
                manager.analyze(compilation)
                return tuple(_Collector(model.unit, manager, instance.body).collect())
    return ()


class _Collector:
    """Walks the instances below one top."""

    def __init__(self, unit: SlangUnit, manager: Any, top: Any) -> None:
        self._unit = unit
        self._manager = manager
        self._top = top
        self._strip = len(top.hierarchicalPath) + 1

    def collect(self) -> Iterator[Process]:
        stack: list[tuple[Any, Any]] = [(self._top, None)]
        while stack:
            body, shared = stack.pop()
            yield from self._procedures(body, shared)
            yield from self._members(body, stack)

    def _procedures(self, body: Any, shared: Any) -> Iterator[Process]:
        """The processes of one body; a repeated instance shares those of the first."""
        source = body
        scope = self._manager.getAnalyzedScope(body)
        if scope is None and shared is not None:
            source, scope = shared, self._manager.getAnalyzedScope(shared)
        if scope is None:
            return
        name = _Renamer(source.hierarchicalPath, body.hierarchicalPath, self._strip)
        for procedure in scope.procedures:
            found = self._procedure(procedure, name)
            if found is not None:
                yield found

    def _procedure(self, procedure: Any, name: _Renamer) -> Process | None:
        symbol = procedure.analyzedSymbol
        if symbol.kind not in (_KIND.ProceduralBlock, _KIND.ContinuousAssign):
            return None
        writes = tuple(Bits(name(d.symbol), *d.bounds) for d in procedure.drivers)
        if not writes:
            return None
        reads = tuple(
            Bits(name(r.symbol), *r.bitRange)
            for r in procedure.readSet
            if r.symbol.kind != _KIND.Parameter
        )
        place = self._unit.place(symbol.location)
        if symbol.kind == _KIND.ContinuousAssign:
            per_bit = self._assignment_bits(symbol.assignment, name)
            kind = ProcessKind.ASSIGN
            floats = _has_z(symbol.assignment)
            return Process(
                kind,
                place.file,
                place.line,
                writes,
                reads,
                per_bit,
                may_float=floats,
                column=place.column,
            )
        kind, listed = _kind_of(procedure, name)
        delayed, blocking = _targets(symbol, name)
        return Process(
            kind,
            place.file,
            place.line,
            writes,
            reads,
            delayed=delayed,
            blocking=blocking,
            column=place.column,
            memories=frozenset(
                name(d.symbol) for d in procedure.drivers if d.symbol.type.isUnpackedArray
            ),
            listed=listed,
        )

    def _assignment_bits(
        self, assignment: Any, name: _Renamer
    ) -> tuple[frozenset[tuple[str, int]], ...]:
        if assignment.kind != ast.ExpressionKind.Assignment:
            return ()
        context = ast.EvalContext(self._top)
        found = bit_dependencies(assignment.right, context)
        if found is None:
            return ()
        return tuple(frozenset((name(s), bit) for s, bit in bits) for bits in found)

    def _members(self, scope: Any, stack: list[tuple[Any, Any]]) -> Iterator[Process]:
        """Net initialisers, gates and port connections; instances below go to the stack."""
        for member in scope:
            if member.kind == _KIND.Instance:
                if member.isModule:
                    stack.append((member.body, member.canonicalBody))
                    yield from self._ports(member)
            elif member.kind in (
                _KIND.GenerateBlock,
                _KIND.GenerateBlockArray,
                _KIND.InstanceArray,
            ):
                if not getattr(member, "isUninstantiated", False):
                    yield from self._members(member, stack)
            elif member.kind == _KIND.Net and member.initializer is not None:
                yield self._net(member)
            elif member.kind == _KIND.PrimitiveInstance:
                yield from self._gate(member)

    def _net(self, net: Any) -> Process:
        name = _Renamer("", "", self._strip)
        place = self._unit.place(net.location)
        width = max(int(net.type.bitWidth), 1)
        writes = (Bits(name(net), 0, width - 1),)
        reads = self._reads(net.initializer, name)
        context = ast.EvalContext(self._top)
        found = bit_dependencies(net.initializer, context) or []
        per_bit = tuple(frozenset((name(s), bit) for s, bit in bits) for bits in found)
        return Process(
            ProcessKind.ASSIGN, place.file, place.line, writes, reads, per_bit, column=place.column
        )

    def _gate(self, gate: Any) -> Iterator[Process]:
        name = _Renamer("", "", self._strip)
        place = self._unit.place(gate.location)
        outputs: list[Bits] = []
        inputs: list[Bits] = []
        for index, expression in enumerate(gate.portConnections):
            if expression is None:
                continue
            if expression.kind == ast.ExpressionKind.Assignment:
                outputs += self._reads(expression.left, name)
            elif index == 0:
                outputs += self._reads(expression, name)
            else:
                inputs += self._reads(expression, name)
        if outputs:
            kind = ProcessKind.ASSIGN
            yield Process(
                kind,
                place.file,
                place.line,
                tuple(outputs),
                tuple(inputs),
                may_float=True,
                column=place.column,
            )

    def _ports(self, instance: Any) -> Iterator[Process]:
        name = _Renamer("", "", self._strip)
        place = self._unit.place(instance.location)
        for connection in instance.portConnections:
            inner = getattr(connection.port, "internalSymbol", None)
            outer = connection.expression
            if inner is None or outer is None:
                continue
            width = max(int(inner.type.bitWidth), 1)
            inside = (Bits(name(inner), 0, width - 1),)
            into = connection.port.direction == ast.ArgumentDirection.In
            target = outer.left if outer.kind == ast.ExpressionKind.Assignment else outer
            outside = self._reads(target, name)
            writes, reads = (inside, outside) if into else (outside, inside)
            found = bit_dependencies(target, ast.EvalContext(self._top)) or []
            per_bit: tuple[frozenset[tuple[str, int]], ...] = ()
            if into and len(found) == width:
                per_bit = tuple(frozenset((name(s), b) for s, b in bits) for bits in found)
            elif not into and len(writes) == 1 and _size(writes[0]) == width:
                per_bit = tuple(frozenset({(inside[0].signal, i)}) for i in range(width))
            if writes:
                kind = ProcessKind.ASSIGN
                yield Process(
                    kind,
                    place.file,
                    place.line,
                    writes,
                    reads,
                    per_bit,
                    may_float=True,
                    column=place.column,
                )

    def _reads(self, expression: Any, name: _Renamer) -> tuple[Bits, ...]:
        context = ast.EvalContext(self._top)
        return tuple(
            Bits(name(symbol), low, high)
            for symbol, low, high in paths_of(expression, context)
            if symbol.kind != _KIND.Parameter
        )


class _Renamer:
    """Names a symbol below the top, moved from one instance to a repeated one."""

    def __init__(self, source: str, target: str, strip: int) -> None:
        self._source = source + "."
        self._target = target + "."
        self._strip = strip

    def __call__(self, symbol: Any) -> str:
        path = str(symbol.hierarchicalPath)
        if self._source != self._target and path.startswith(self._source):
            path = self._target + path[len(self._source) :]
        below = path[self._strip :]
        # A signal of the top itself goes by its plain name, also where that is escaped.
        return str(symbol.name) if below.strip().lstrip("\\") == symbol.name else below


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


def _size(bits: Bits) -> int:
    return bits.high - bits.low + 1


def _kind_of(procedure: Any, name: _Renamer) -> tuple[ProcessKind, tuple[Bits, ...] | None]:
    block = procedure.analyzedSymbol
    kinds = ast.ProceduralBlockKind
    if block.procedureKind in (kinds.Initial, kinds.Final):
        return ProcessKind.INITIAL, None
    if block.procedureKind in (kinds.AlwaysComb, kinds.AlwaysLatch):
        return ProcessKind.COMBINATIONAL, None
    control = getattr(block.body, "timing", None)
    if control is None or _has_edge(control):
        return ProcessKind.CLOCKED, None
    if control.kind == ast.TimingControlKind.ImplicitEvent:
        return ProcessKind.COMBINATIONAL, None
    if control.kind in (ast.TimingControlKind.SignalEvent, ast.TimingControlKind.EventList):
        listed = procedure.sensitivityList
        reads = tuple(Bits(name(r.symbol), *r.bitRange) for r in listed.reads) if listed else ()
        return ProcessKind.COMBINATIONAL, reads
    return ProcessKind.CLOCKED, None


def _has_edge(control: Any) -> bool:
    if control.kind == ast.TimingControlKind.EventList:
        return any(_has_edge(event) for event in control.events)
    return getattr(control, "edge", None) in _EDGES


def _targets(block: Any, name: _Renamer) -> tuple[frozenset[str], frozenset[str]]:
    """Signals assigned with `<=` and with `=` inside a block."""
    delayed: set[str] = set()
    blocking: set[str] = set()

    def assignment(node: Any) -> None:
        chosen = delayed if node.isNonBlocking else blocking
        target = node.left
        parts = target.operands if target.kind == ast.ExpressionKind.Concatenation else [target]
        for part in parts:
            symbol = part.getSymbolReference()
            if symbol is not None:
                chosen.add(name(symbol))

    block.visit(lookup_table={ast.ExpressionKind.Assignment: assignment})
    return frozenset(delayed), frozenset(blocking)
