"""Fan-in cones: what a signal depends on."""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING

from .model import Bits, Cone

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from ..parse.model import SourceModel
    from .model import Process

__all__ = ["cone_from_edges", "fan_in_cone", "pyslang_cone"]


def fan_in_cone(model: SourceModel, signal: str, *, top: str, prefer: str = "pyslang") -> Cone:
    """The signals that `signal` of module `top` depends on, through registers too.

    pyslang tells it in about a millisecond, bit range by bit range. With `prefer="pyverilog"`
    pyverilog is asked first (a second for its tables, once a process), and pyslang where it
    cannot read the design; `Cone.note` then has the reason. An unknown signal has an empty cone.

    Args:
        model: The parsed design.
        signal: Path below the top (`q`, `u0.state`).
        top: Name of the top module.
        prefer: `pyslang` or `pyverilog`.
    """
    note = ""
    if prefer == "pyverilog":
        from .pyverilog_cone import pyverilog_cone

        cone, note = pyverilog_cone(model, signal, top=top)
        if cone is not None:
            return cone
    return pyslang_cone(model, signal, top=top, note=note)


def pyslang_cone(model: SourceModel, signal: str, *, top: str, note: str = "") -> Cone:
    """The cone from pyslang's elaboration; works for all of SystemVerilog."""
    from .processes import processes_of

    return _cone(processes_of(model, top), signal, note)


def _cone(processes: Sequence[Process], signal: str, note: str) -> Cone:
    """Follow the drivers bit range by bit range, so that `y[0]` does not bring in `y[1]`'s."""
    drivers: dict[str, list[Process]] = defaultdict(list)
    for process in processes:
        for name in {bits.signal for bits in process.writes}:
            drivers[name].append(process)
    distance: dict[str, int] = {}
    seen: set[Bits] = set()
    front = [bits for p in drivers.get(signal, ()) for bits in p.writes if bits.signal == signal]
    level = 0
    while front:
        level += 1
        following: list[Bits] = []
        for wanted in front:
            if wanted in seen:
                continue
            seen.add(wanted)
            for process in drivers.get(wanted.signal, ()):
                if any(wanted.overlaps(written) for written in process.writes):
                    following += [*process.reads, *process.clocks]
        for bits in following:
            if bits.signal != signal:
                distance.setdefault(bits.signal, level)
        front = following
    return Cone(signal, tuple(distance), tuple(distance.values()), "pyslang", note)


def cone_from_edges(edges: Mapping[str, Sequence[str]], signal: str, engine: str) -> Cone:
    """A cone from "depends directly on" lists of whole signals."""
    distance = {signal: 0}
    front = [signal]
    while front:
        following = [source for name in front for source in edges.get(name, ())]
        level = distance[front[0]] + 1
        front = []
        for name in following:
            if name not in distance:
                distance[name] = level
                front.append(name)
    del distance[signal]
    return Cone(signal, tuple(distance), tuple(distance.values()), engine)
