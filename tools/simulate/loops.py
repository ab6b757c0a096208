"""Find signals that can drive themselves without any time passing."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from ..parse import parse_files

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path

__all__ = ["zero_delay_signals"]


@dataclass(slots=True)
class _Graph:
    """Which signal follows from which, without a clock edge in between."""

    edges: dict[str, set[str]] = field(default_factory=dict)

    def connect(self, sources: set[str], targets: set[str]) -> None:
        for source in sources:
            self.edges.setdefault(source, set()).update(targets)

    def cycles(self) -> set[str]:
        """Signals that reach themselves."""
        return {name for name in self.edges if name in self._reached(name)}

    def _reached(self, start: str) -> set[str]:
        seen: set[str] = set()
        todo = list(self.edges.get(start, ()))
        while todo:
            name = todo.pop()
            if name not in seen:
                seen.add(name)
                todo += self.edges.get(name, ())
        return seen


def zero_delay_signals(files: Sequence[Path], *, language: str = "verilog-2005") -> tuple[str, ...]:
    """Signals of a design that lie on a loop of assignments without a clock edge.

    Levels are followed through continuous assignments, level-sensitive processes, gates and the
    ports of instances; processes without any timing control count as loops of what they write.
    Over-approximates: a loop that settles, or that no value can close, is reported as well. It
    explains a simulation that hangs; it is no lint.

    Returns:
        Hierarchical names, in alphabetical order; empty when there is none.
    """
    model = parse_files(files, language=language)
    graph = _Graph()
    for symbol in _symbols(model.unit.compilation.getRoot()):
        _note(symbol, graph)
    return tuple(sorted(graph.cycles()))


def _symbols(root: Any) -> Iterator[Any]:
    found: list[Any] = []
    wanted = {"ContinuousAssign", "ProceduralBlock", "Instance", "PrimitiveInstance"}
    root.visit(
        lambda item: found.append(item) if _kind(item) in wanted else None,
    )
    yield from found


def _kind(item: Any) -> str:
    return getattr(getattr(item, "kind", None), "name", "")


def _note(symbol: Any, graph: _Graph) -> None:
    kind = _kind(symbol)
    if kind == "ContinuousAssign":
        assignment = symbol.assignment
        graph.connect(_values(assignment.right), set(_targets(assignment.left)))
    elif kind == "ProceduralBlock":
        _note_process(symbol, graph)
    elif kind == "PrimitiveInstance":
        first, *rest = symbol.portConnections
        graph.connect(set().union(*map(_values, rest)), _values(first))
    elif kind == "Instance" and symbol.isModule:
        for connection in symbol.portConnections:
            _note_port(connection, graph)


def _note_process(symbol: Any, graph: _Graph) -> None:
    if symbol.procedureKind.name in {"Initial", "Final", "AlwaysFF"}:
        return
    reads, writes, timed, edge = _accesses(symbol.body)
    if edge:
        return
    level = symbol.procedureKind.name in {"AlwaysComb", "AlwaysLatch"} or timed
    graph.connect(reads if level else writes, writes)


def _note_port(connection: Any, graph: _Graph) -> None:
    inside = getattr(connection.port, "internalSymbol", None)
    if connection.expression is None or inside is None:
        return
    outside, name = _values(connection.expression), {inside.hierarchicalPath}
    if connection.port.direction.name == "In":
        graph.connect(outside, name)
    else:
        graph.connect(name, outside)


def _accesses(body: Any) -> tuple[set[str], set[str], bool, bool]:
    """What a process reads and writes, whether it waits at all, and whether for an edge."""
    named: Counter[str] = Counter()
    written: Counter[str] = Counter()
    timing: set[str] = set()

    def visit(item: Any) -> None:
        kind = _kind(item)
        if kind == "Assignment":
            targets = _targets(item.left)
            written.update(targets)
            named.update(targets if item.isCompound else ())
        elif kind in {"SignalEvent", "ImplicitEvent", "Delay", "Wait", "EventList"}:
            timing.add(kind)
            if getattr(getattr(item, "edge", None), "name", "None") != "None" or kind == "Delay":
                timing.add("edge")
        elif kind in {"NamedValue", "HierarchicalValue"}:
            named[item.symbol.hierarchicalPath] += 1

    body.visit(visit)
    # A target is named once by being assigned; only what is named more often is also read.
    return set(named - written), set(written), bool(timing), "edge" in timing


def _targets(expression: Any) -> list[str]:
    """Signals that an assignment to `expression` writes; not those that index it."""
    kind = _kind(expression)
    if kind in {"NamedValue", "HierarchicalValue"}:
        return [expression.symbol.hierarchicalPath]
    if kind in {"ElementSelect", "RangeSelect", "MemberAccess"}:
        return _targets(expression.value)
    if kind == "Concatenation":
        return [name for part in expression.operands for name in _targets(part)]
    return []


def _values(expression: Any) -> set[str]:
    """Signals named in an expression."""
    found: set[str] = set()

    def visit(item: Any) -> None:
        if _kind(item) in {"NamedValue", "HierarchicalValue"}:
            found.add(item.symbol.hierarchicalPath)

    expression.visit(visit)
    return found
