"""Clock edges and sensitivity lists."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from pyslang import syntax

from .processes import base_name, processes, walk

if TYPE_CHECKING:
    from collections.abc import Iterator

    from .processes import Process
    from .source import Source
    from .types import Edit

__all__ = ["OPERATORS", "edits"]

OPERATORS = {
    "edge": "`posedge` becomes `negedge`, or the other way round",
    "sensitivity-drop": "one event is taken out of a sensitivity list (asynchronous reset removed)",
    "sensitivity-add": "the reset is added to a sensitivity list (it becomes asynchronous)",
    "sensitivity-star": "a list of signals becomes `*`",
}

_KIND = syntax.SyntaxKind
_TURNED = {"posedge": "negedge", "negedge": "posedge"}


def edits(source: Source) -> Iterator[Edit]:
    """Edits of what starts an always block."""
    for process in processes(source):
        if process.control is None or not source.written(process.control):
            continue
        for event in process.events:
            edge = event.edge.rawText
            note = f"`{source.of_text(event)}` becomes `{_TURNED[edge]}`"
            yield source.edit("edge", event.edge, _TURNED[edge], note)
        yield from _dropped(source, process)
        if process.clocked:
            yield from _added(source, process)
        elif process.control.kind == _KIND.EventControlWithExpression:
            note = "the list of signals becomes `*`"
            yield source.edit("sensitivity-star", process.control, "@(*)", note)


def _dropped(source: Source, process: Process) -> Iterator[Edit]:
    for node in walk(process.control):
        if node.kind != _KIND.BinaryEventExpression:
            continue
        for kept, gone in ((node.left, node.right), (node.right, node.left)):
            if gone.kind == _KIND.BinaryEventExpression or _is_clock(process, gone):
                continue
            note = f"`{source.of_text(gone)}` is taken out of the list"
            yield source.edit("sensitivity-drop", node, source.of_text(kept), note)


def _is_clock(process: Process, event: Any) -> bool:
    """Whether dropping `event` would leave no clock: it is an edge of no signal that is tested."""
    return process.clocked and base_name(event.expr) != process.reset_name


def _added(source: Source, process: Process) -> Iterator[Edit]:
    if not process.reset_name or len(process.events) != 1:
        return
    (event,) = process.events
    edge = "negedge" if process.reset_low else "posedge"
    place = source.span(event)[1]
    text = f" or {edge} {process.reset_name}"
    note = f"`{edge} {process.reset_name}` is added: the reset becomes asynchronous"
    yield source.edit("sensitivity-add", (place, place), text, note)
