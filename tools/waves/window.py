"""A window of cycles: what every view of a mismatch or a recording is made from."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ..checks.types import Mismatch
    from .reader import WaveFile, WaveSignal

__all__ = ["Trace", "Window", "first_mismatch_window", "recorded_window"]


@dataclass(frozen=True, slots=True)
class Trace:
    """One signal over the cycles of a window: binary strings, `x` and `z` kept.

    `role` is `input`, `output` or `internal`. `expected` has a value for each cycle in which one
    was compared, else None; empty for a signal that is not compared.
    """

    name: str
    role: str
    values: tuple[str, ...]
    expected: tuple[str | None, ...] = ()

    def differs(self, column: int) -> bool:
        """Whether the value in a column is not the expected one; `x` in that is a don't-care."""
        want = self.expected[column] if self.expected else None
        if want is None:
            return False
        have = self.values[column]
        pairs = zip(want, have, strict=False)
        return len(want) != len(have) or any(w not in ("x", h) for w, h in pairs)


@dataclass(frozen=True, slots=True)
class Window:
    """Traces over some cycles; `mismatch` is the column where the first difference is."""

    times_ns: tuple[float, ...]
    labels: tuple[str, ...]
    traces: tuple[Trace, ...]
    mismatch: int | None = None


def first_mismatch_window(
    mismatch: Mismatch, *, waves: WaveFile | None = None, internal: Sequence[str] = ()
) -> Window:
    """The cycles around a mismatch.

    `internal` are names of further signals (the fan-in cone of what differs), read from `waves`;
    those that are not recorded are left out.
    """
    cycles = mismatch.window
    compared = {name for cycle in cycles for name in cycle.expected}
    names = list(cycles[0].values) if cycles else []
    traces = []
    for name in names:
        role = "input" if name in mismatch.inputs else "output"
        values = tuple(cycle.values.get(name, "") for cycle in cycles)
        expected = tuple(cycle.expected.get(name) for cycle in cycles) if name in compared else ()
        traces.append(Trace(name, role, values, expected))
    times = tuple(cycle.time_ns for cycle in cycles)
    if waves is not None:
        traces += [
            _sampled(waves, signal, times, "internal")
            for name in internal
            if (signal := waves.find(name)) is not None
        ]
    column = next((i for i, c in enumerate(cycles) if c.index == mismatch.cycle), None)
    return Window(times, tuple(str(c.index) for c in cycles), tuple(traces), column)


def recorded_window(
    waves: WaveFile, signals: Sequence[WaveSignal], times_ns: Sequence[float]
) -> Window:
    """Recorded signals at given times."""
    times = tuple(times_ns)
    traces = tuple(_sampled(waves, signal, times, "internal", at=True) for signal in signals)
    return Window(times, tuple(f"{time:g}" for time in times), traces)


def _sampled(
    waves: WaveFile, signal: WaveSignal, times: Sequence[float], role: str, *, at: bool = False
) -> Trace:
    values = tuple(waves.value(signal, time, before=not at) for time in times)
    return Trace(signal.name, role, values)
