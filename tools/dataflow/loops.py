"""Combinational loops: signals that depend on themselves without a register between."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from typing import TYPE_CHECKING

from .model import ProcessKind

if TYPE_CHECKING:
    from collections.abc import Hashable, Iterable, Sequence

    from .model import Process

__all__ = ["Loop", "find_loops"]

_COMBINATIONAL = (ProcessKind.ASSIGN, ProcessKind.COMBINATIONAL)


@dataclass(frozen=True, slots=True)
class Loop:
    """Signals on one loop, with the place of a process on it.

    `retriggers` marks a block that reads what it writes with `<=`: in simulation it starts
    itself again.
    """

    signals: tuple[str, ...]
    file: str
    line: int
    column: int
    retriggers: bool = False


def find_loops(processes: Sequence[Process]) -> tuple[Loop, ...]:
    """Loops through continuous assignments and combinational blocks, told bit by bit.

    A block that reads a signal after it assigned it with `=` is no loop.
    """
    graph: dict[Hashable, set[Hashable]] = defaultdict(set)
    found: list[Loop] = []
    for index, process in enumerate(processes):
        if process.kind not in _COMBINATIONAL:
            continue
        again = _retriggers(process)
        if again:
            found.append(
                Loop(
                    tuple(sorted(again)),
                    process.file,
                    process.line,
                    process.column,
                    retriggers=True,
                )
            )
        _add_edges(graph, index, process)
    for group in _components(graph):
        signals = tuple(sorted({str(node[0]) for node in group if isinstance(node, tuple)}))
        place = _place(processes, group, signals)
        if signals and not any(set(loop.signals) <= set(signals) for loop in found):
            found.append(Loop(signals, place.file, place.line, place.column))
    return tuple(found)


def _retriggers(process: Process) -> set[str]:
    """Signals that a block writes with `<=` and is sensitive to."""
    seen = process.reads if process.listed is None else process.listed
    return {bits.signal for bits in seen} & process.delayed


def _add_edges(graph: dict[Hashable, set[Hashable]], index: int, process: Process) -> None:
    if process.bit_edges:
        for target, sources in process.bit_edges:
            for source in sources:
                graph[source].add(target)
        return
    written = {(b.signal, bit) for b in process.writes for bit in range(b.low, b.high + 1)}
    own = written if process.kind is ProcessKind.COMBINATIONAL else set()
    node = index  # one node a process: edges grow with its bits, not with their product
    graph[node].update(written)
    for bits in process.reads:
        for bit in range(bits.low, bits.high + 1):
            if (bits.signal, bit) not in own:
                graph[bits.signal, bit].add(node)


def _place(processes: Sequence[Process], group: Iterable[Hashable], signals: object) -> Process:
    chosen = set(group)
    for process in processes:
        if process.kind in _COMBINATIONAL and any(
            (b.signal, bit) in chosen for b in process.writes for bit in range(b.low, b.high + 1)
        ):
            return process
    raise LookupError(f"no process drives {signals}")


def _components(graph: dict[Hashable, set[Hashable]]) -> list[list[Hashable]]:
    """Strongly connected components with an edge inside (Tarjan, without recursion)."""
    order: dict[Hashable, int] = {}
    low: dict[Hashable, int] = {}
    path: list[Hashable] = []
    on_path: set[Hashable] = set()
    found: list[list[Hashable]] = []
    for start in list(graph):
        if start in order:
            continue
        work = [(start, iter(graph.get(start, ())))]
        order[start] = low[start] = len(order)
        path.append(start)
        on_path.add(start)
        while work:
            node, rest = work[-1]
            following = next(rest, None)
            if following is None:
                work.pop()
                if work:
                    parent = work[-1][0]
                    low[parent] = min(low[parent], low[node])
                if low[node] == order[node]:
                    _close(graph, node, path, on_path, found)
            elif following not in order:
                order[following] = low[following] = len(order)
                path.append(following)
                on_path.add(following)
                work.append((following, iter(graph.get(following, ()))))
            elif following in on_path:
                low[node] = min(low[node], order[following])
    return found


def _close(
    graph: dict[Hashable, set[Hashable]],
    node: Hashable,
    path: list[Hashable],
    on_path: set[Hashable],
    found: list[list[Hashable]],
) -> None:
    group: list[Hashable] = []
    while True:
        member = path.pop()
        on_path.discard(member)
        group.append(member)
        if member == node:
            break
    if len(group) > 1 or node in graph.get(node, ()):
        found.append(group)
