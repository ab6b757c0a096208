"""Dataflow of an elaborated design: processes that read and write ranges of signals."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

__all__ = ["BitEdge", "Bits", "Cone", "Process", "ProcessKind"]

# A bit, and the bits it depends on.
BitEdge = tuple[tuple[str, int], frozenset[tuple[str, int]]]


class ProcessKind(StrEnum):
    """When a process runs."""

    ASSIGN = "assign"  # continuously: assign, gate, port connection
    COMBINATIONAL = "combinational"  # when what it reads changes
    CLOCKED = "clocked"  # on an edge
    INITIAL = "initial"


@dataclass(frozen=True, slots=True, order=True)
class Bits:
    """A range of a signal, `low` to `high` inclusive, counted from its least significant bit.

    `signal` is the path below the top module (`u0.state`).
    """

    signal: str
    low: int
    high: int

    def overlaps(self, other: Bits) -> bool:
        """Whether the two share a bit."""
        return self.signal == other.signal and self.low <= other.high and other.low <= self.high


@dataclass(frozen=True, slots=True)
class Process:
    """One place that drives signals.

    `bit_edges` has, for an assignment, what each written bit depends on, where that could be
    told; it is empty otherwise. `delayed` and `blocking` name what
    is written with `<=` and with `=`, `memories` those of them that are arrays. `listed` is
    what an explicit sensitivity list has (None: no list). `may_float` says that the process can
    let go of what it drives. `clocks` are the signals that a clocked block waits for and does
    not otherwise read.
    """

    kind: ProcessKind
    file: str
    line: int
    writes: tuple[Bits, ...]
    reads: tuple[Bits, ...]
    bit_edges: tuple[BitEdge, ...] = ()
    delayed: frozenset[str] = frozenset()
    blocking: frozenset[str] = frozenset()
    memories: frozenset[str] = frozenset()
    listed: tuple[Bits, ...] | None = None
    may_float: bool = False
    column: int = 0
    clocks: tuple[Bits, ...] = ()


@dataclass(frozen=True, slots=True)
class Cone:
    """The signals that a signal depends on, the nearest first.

    `distance` of each entry of `signals` counts the registers and assignments between.
    `engine` is `pyverilog` or `pyslang`; `note` says why the first was not used.
    """

    signal: str
    signals: tuple[str, ...]
    distances: tuple[int, ...]
    engine: str
    note: str = ""

    def within(self, levels: int) -> tuple[str, ...]:
        """Signals at most `levels` steps away."""
        pairs = zip(self.signals, self.distances, strict=True)
        return tuple(name for name, distance in pairs if distance <= levels)
