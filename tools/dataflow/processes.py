"""From pyslang's elaboration and analysis to processes."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from pyslang import analysis, ast

from .connections import assignment_process, gate_process, net_process, port_processes
from .model import Bits, Process, ProcessKind
from .naming import Namer, sorted_bits

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ..parse.model import SourceModel
    from ..parse.unit import SlangUnit

__all__ = ["processes_of"]

_KIND = ast.SymbolKind
_EDGES = frozenset({ast.EdgeKind.PosEdge, ast.EdgeKind.NegEdge, ast.EdgeKind.BothEdges})
_NESTED = frozenset({_KIND.GenerateBlock, _KIND.GenerateBlockArray, _KIND.InstanceArray})


def processes_of(model: SourceModel, top: str) -> tuple[Process, ...]:
    """All processes of `top` and of everything below it; empty if there is no such module.

    They come in the order of the source, and their ranges in the order of the names: pyslang's
    own order changes from run to run.
    """
    for compilation in model.unit.compilations:
        for instance in compilation.getRoot().topInstances:
            if instance.definition.name == top:
                compilation.getAllDiagnostics()  # elaborates; the analysis needs it
                manager = analysis.AnalysisManager()
                manager.analyze(compilation)
                found = _Collector(model.unit, manager, instance.body).collect()
                return tuple(sorted(found, key=lambda p: (p.file, p.line, p.column, p.writes)))
    return ()


class _Collector:
    """Walks the instances below one top."""

    def __init__(self, unit: SlangUnit, manager: Any, top: Any) -> None:
        self._unit = unit
        self._manager = manager
        self._top = top
        self._name = Namer(top)

    def collect(self) -> Iterator[Process]:
        stack: list[tuple[Any, Any]] = [(self._top, None)]
        while stack:
            body, shared = stack.pop()
            yield from self._procedures(body, shared)
            yield from self._members(body, stack)

    def _procedures(self, body: Any, shared: Any) -> Iterator[Process]:
        """The processes of one body; a repeated instance shares those of the first."""
        name = self._name
        scope = self._manager.getAnalyzedScope(body)
        if scope is None and shared is not None:
            scope = self._manager.getAnalyzedScope(shared)
            name = Namer(self._top, moved_from=shared, moved_to=body)
        for procedure in scope.procedures if scope is not None else ():
            symbol = procedure.analyzedSymbol
            if symbol.kind == _KIND.ContinuousAssign:
                yield assignment_process(procedure, name, self._unit)
            elif symbol.kind == _KIND.ProceduralBlock and len(procedure.drivers):
                yield _block_process(procedure, name, self._unit)

    def _members(self, scope: Any, stack: list[tuple[Any, Any]]) -> Iterator[Process]:
        """Net initialisers, gates and port connections; instances below go to the stack."""
        for member in scope:
            if member.kind == _KIND.Instance:
                if member.isModule:
                    stack.append((member.body, member.canonicalBody))
                    yield from port_processes(member, self._name, self._unit)
            elif member.kind in _NESTED:
                if not getattr(member, "isUninstantiated", False):
                    yield from self._members(member, stack)
            elif member.kind == _KIND.Net and member.initializer is not None:
                yield net_process(member, self._name, self._unit)
            elif member.kind == _KIND.PrimitiveInstance:
                yield from gate_process(member, self._name, self._unit)


def _block_process(procedure: Any, name: Namer, unit: SlangUnit) -> Process:
    """The process of an `always` or `initial` block."""
    block = procedure.analyzedSymbol
    place = unit.place(block.location)
    kind, listed = _kind_of(procedure, name)
    delayed, blocking = _targets(block, name)
    reads = sorted_bits(
        Bits(name(r.symbol), *r.bitRange)
        for r in procedure.readSet
        if r.symbol.kind != _KIND.Parameter
    )
    return Process(
        kind,
        place.file,
        place.line,
        writes=sorted_bits(Bits(name(d.symbol), *d.bounds) for d in procedure.drivers),
        reads=reads,
        clocks=_clocks(procedure, name, reads) if kind is ProcessKind.CLOCKED else (),
        delayed=delayed,
        blocking=blocking,
        memories=frozenset(
            name(d.symbol) for d in procedure.drivers if d.symbol.type.isUnpackedArray
        ),
        listed=listed,
        column=place.column,
    )


def _clocks(procedure: Any, name: Namer, reads: tuple[Bits, ...]) -> tuple[Bits, ...]:
    """What a clocked block waits for and does not read."""
    listed = procedure.sensitivityList
    known = {bits.signal for bits in reads}
    waited = [Bits(name(r.symbol), *r.bitRange) for r in listed.reads] if listed else []
    return sorted_bits(bits for bits in waited if bits.signal not in known)


def _kind_of(procedure: Any, name: Namer) -> tuple[ProcessKind, tuple[Bits, ...] | None]:
    """When a block runs, and what its sensitivity list has if it is written out."""
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
        reads = listed.reads if listed is not None else ()
        return ProcessKind.COMBINATIONAL, sorted_bits(
            Bits(name(r.symbol), *r.bitRange) for r in reads
        )
    return ProcessKind.CLOCKED, None


def _has_edge(control: Any) -> bool:
    if control.kind == ast.TimingControlKind.EventList:
        return any(_has_edge(event) for event in control.events)
    return getattr(control, "edge", None) in _EDGES


def _targets(block: Any, name: Namer) -> tuple[frozenset[str], frozenset[str]]:
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
