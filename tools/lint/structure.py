"""What the dataflow shows: loops, several drivers, forgotten sensitivities, mixed assignments."""

from __future__ import annotations

from collections import defaultdict
from itertools import pairwise
from typing import TYPE_CHECKING

from ..dataflow.loops import find_loops
from ..dataflow.model import ProcessKind
from ..dataflow.processes import processes_of
from ..diagnostic import Diagnostic, Severity

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from ..dataflow.model import Process
    from ..parse.model import SourceModel

__all__ = ["structure_diagnostics"]

TOOL = "pyslang"

# Past this many processes a design is a netlist, and the analysis would take seconds.
_MAX_PROCESSES = 20_000
_E, _W = Severity.ERROR, Severity.WARNING


def structure_diagnostics(model: SourceModel, top: str) -> list[Diagnostic]:
    """Findings about the design below `top`."""
    processes = processes_of(model, top)
    if len(processes) > _MAX_PROCESSES:
        return []
    found = [
        *_loops(processes),
        *_drivers(processes),
        *_gaps(processes),
        *_sensitivity(processes),
        *_assignments(processes),
    ]
    return list(dict.fromkeys(found))


def _say(process: Process, severity: Severity, code: str, message: str, *, hint: str) -> Diagnostic:
    return Diagnostic(
        process.file, process.line, process.column, severity, code, message, hint, TOOL
    )


def _loops(processes: Sequence[Process]) -> Iterator[Diagnostic]:
    for loop in find_loops(processes):
        names = _list(loop.signals)
        code, message = "combinational-loop", f"combinational loop through {names}"
        hint = "break the loop with a register, or compute the value from inputs alone"
        if loop.retriggers:
            code = "zero-delay-loop"
            message = f"the block is started by {names}, which it writes with `<=`"
            hint = "use `=` in combinational blocks; with `<=` the block can start itself for ever"
        yield Diagnostic(loop.file, loop.line, loop.column, _W, code, message, hint, TOOL)


def _drivers(processes: Sequence[Process]) -> Iterator[Diagnostic]:
    """Bits that two processes write. An array may have a writer for each of its ports."""
    writers: dict[str, list[tuple[Process, int, int]]] = defaultdict(list)
    for process in processes:
        if process.kind is ProcessKind.INITIAL:
            continue
        for bits in process.writes:
            if bits.signal not in process.memories:
                writers[bits.signal].append((process, bits.low, bits.high))
    for signal, places in writers.items():
        clash = _clash(places)
        if clash is None:
            continue
        first, second = clash
        # Two blocks that write a variable race, but the simulators accept it.
        plain = all(p.kind is ProcessKind.ASSIGN and not p.may_float for p in (first, second))
        severity = _E if plain else _W
        message = f"`{_leaf(signal)}` is also driven on line {first.line}"
        hint = "drive each signal from one place"
        yield _say(second, severity, "multiple-drivers", message, hint=hint)


def _clash(places: list[tuple[Process, int, int]]) -> tuple[Process, Process] | None:
    """The first two processes that write the same bit, unless all of them can let go."""
    ordered = sorted(places, key=lambda place: (place[1], place[0].line))
    for (one, _, high), (other, low, _) in pairwise(ordered):
        if low <= high and one is not other and not (one.may_float and other.may_float):
            return (one, other) if one.line <= other.line else (other, one)
    return None


def _gaps(processes: Sequence[Process]) -> Iterator[Diagnostic]:
    """Bits that are read, of signals of which only other bits are ever written."""
    written: dict[str, set[int]] = defaultdict(set)
    first: dict[str, Process] = {}
    for process in processes:
        for bits in process.writes:
            written[bits.signal].update(range(bits.low, bits.high + 1))
            first.setdefault(bits.signal, process)
    arrays = {name for process in processes for name in process.memories}
    seen: dict[str, set[int]] = defaultdict(set)
    for process in processes:
        for bits in process.reads:
            if bits.signal in first and bits.signal not in arrays:
                seen[bits.signal].update(range(bits.low, bits.high + 1))
    for signal, read in seen.items():
        open_bits = sorted(read - written[signal])
        if open_bits:
            message = f"{_range(open_bits)} of `{_leaf(signal)}` are read but never driven"
            hint = "drive every bit that is read"
            yield _say(first[signal], _W, "partly-driven", message, hint=hint)


def _range(bits: list[int]) -> str:
    if bits == list(range(bits[0], bits[-1] + 1)):
        return f"bits {bits[-1]}:{bits[0]}"
    return "bits " + ", ".join(str(bit) for bit in reversed(bits[:8]))


def _sensitivity(processes: Sequence[Process]) -> Iterator[Diagnostic]:
    for process in processes:
        if process.listed is None:
            continue
        own = {bits.signal for bits in process.writes}
        seen = {bits.signal for bits in process.listed}
        missing = {b.signal for b in process.reads} - seen - own
        if missing:
            message = f"the block reads {_list(missing)}, but does not run when it changes"
            hint = "write always @(*)"
            yield _say(process, _W, "incomplete-sensitivity", message, hint=hint)


def _assignments(processes: Sequence[Process]) -> Iterator[Diagnostic]:
    readers: dict[str, list[Process]] = defaultdict(list)
    for process in processes:
        for bits in process.reads:
            readers[bits.signal].append(process)
    for process in processes:
        if process.kind is ProcessKind.COMBINATIONAL and process.delayed:
            message = f"{_list(process.delayed)} assigned with `<=` in a combinational block"
            hint = "use `=` in combinational blocks; `<=` delays the value by a step"
            yield _say(process, _W, "nonblocking-in-combinational", message, hint=hint)
        if process.kind is ProcessKind.CLOCKED:
            shared = {
                name
                for name in process.blocking
                if any(other is not process for other in readers.get(name, ()))
            }
            if shared:
                message = f"{_list(shared)} assigned with `=` in a clocked block"
                hint = "use `<=`, or other blocks may see the new value too early"
                yield _say(process, _W, "blocking-in-sequential", message, hint=hint)


def _list(names: Iterable[str]) -> str:
    return ", ".join(f"`{_leaf(name)}`" for name in sorted(names))


def _leaf(path: str) -> str:
    return path.rpartition(".")[2]
