"""Signals that can hold up a simulation for ever, because they change without time passing."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ..dataflow.loops import find_loops
from ..dataflow.processes import processes_of
from ..parse import parse_files

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

__all__ = ["zero_delay_signals"]

_WAITS = frozenset({"SignalEvent", "ImplicitEvent", "EventList", "Delay", "Delay3", "Wait"})


def zero_delay_signals(
    files: Sequence[Path], *, top: str, language: str = "verilog-2005"
) -> tuple[str, ...]:
    """Signals of module `top`, and below, on a loop without a register or a delay.

    These are combinational loops, blocks that restart themselves, and what `always` blocks write
    that never wait. A loop that settles is among them: this explains a simulation that hangs, it
    does not say that one must.

    Returns:
        Names that start with `top`, in alphabetical order; empty when there is none.
    """
    model = parse_files(files, language=language)
    loops = find_loops(processes_of(model, top))
    names = {f"{top}.{signal}" for loop in loops for signal in loop.signals}
    for compilation in model.unit.compilations:
        for instance in compilation.getRoot().topInstances:
            if instance.definition.name == top:
                names |= _never_waiting(instance.body)
    return tuple(sorted(names))


def _never_waiting(body: Any) -> set[str]:
    """What `always` blocks without any timing control assign."""
    blocks: list[Any] = []
    body.visit(lambda item: blocks.append(item) if _kind(item) == "ProceduralBlock" else None)
    found: set[str] = set()
    for block in blocks:
        if block.procedureKind.name != "Always":
            continue
        targets: set[str] = set()
        waits: list[str] = []

        def visit(item: Any, targets: set[str] = targets, waits: list[str] = waits) -> None:
            kind = _kind(item)
            if kind == "Assignment":
                symbol = item.left.getSymbolReference()
                targets.update([symbol.hierarchicalPath] if symbol is not None else ())
            elif kind in _WAITS:
                waits.append(kind)

        block.body.visit(visit)
        if not waits:
            found |= targets
    return found


def _kind(item: Any) -> str:
    return getattr(getattr(item, "kind", None), "name", "")
