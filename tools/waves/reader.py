"""Read recorded waves (VCD, FST) as data."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from .damage import cut_off, require_recording, why_unreadable

if TYPE_CHECKING:
    from pathlib import Path

__all__ = ["Change", "WaveFile", "WaveSignal", "open_waves"]

_FEMTO_PER_NS = 1_000_000


@dataclass(frozen=True, slots=True)
class WaveSignal:
    """A recorded signal; `name` is hierarchical, escaped identifiers keep their backslash."""

    name: str
    width: int


@dataclass(frozen=True, slots=True)
class Change:
    """A value from `time_ns` on: a binary string with `x` and `z`, or a real number as text."""

    time_ns: float
    value: str


@dataclass(frozen=True, slots=True)
class WaveFile:
    """An open recording. `tick_fs` is the resolution of its times, in femtoseconds.

    `cut_off` says that a VCD file ends within a line: whoever wrote it did not come to its end,
    and what it has is true up to there.
    """

    path: Path
    format: str
    tick_fs: int
    signals: tuple[WaveSignal, ...]
    _wave: Any = field(repr=False, compare=False)
    _vars: dict[str, Any] = field(repr=False, compare=False)
    cut_off: bool = False
    _seen: dict[str, tuple[Change, ...]] = field(default_factory=dict, repr=False, compare=False)

    def find(self, name: str) -> WaveSignal | None:
        """The signal of that hierarchical name, or the only one whose name ends in `.name`."""
        exact = [s for s in self.signals if s.name == name]
        ending = [s for s in self.signals if s.name.endswith(f".{name}")]
        found = exact or ending
        return found[0] if len(found) == 1 or exact else None

    def value(self, signal: WaveSignal, time_ns: float, *, before: bool = False) -> str:
        """The value at a time; with `before`, just before what changes at that time."""
        tick = self._tick(time_ns) - before
        if tick < 0:
            return "x" * signal.width
        return _text(self._vars[signal.name].signal.value_at(tick), signal.width)

    def changes(self, signal: WaveSignal) -> tuple[Change, ...]:
        """All values of a signal, in order of time."""
        if signal.name not in self._seen:  # the reader gives the changes of a signal only once
            self._seen[signal.name] = self._streamed(signal)
        return self._seen[signal.name]

    def _streamed(self, signal: WaveSignal) -> tuple[Change, ...]:
        found: list[Change] = []

        def note(tick: int, _: object, value: object) -> None:
            found.append(Change(tick * self.tick_fs / _FEMTO_PER_NS, _text(value, signal.width)))

        self._wave.stream_changes(note, [signal.name])
        return tuple(found)

    def _tick(self, time_ns: float) -> int:
        return round(time_ns * _FEMTO_PER_NS / self.tick_fs)


def open_waves(path: Path) -> WaveFile:
    """Open a VCD or FST file.

    Raises:
        SourceUnreadable: No such file, not a recording, or one that is damaged; the remedy is
            that of the cause.
    """
    import pywellen

    require_recording(path)
    try:
        wave = pywellen.Waveform(str(path), multi_threaded=False)
    except RuntimeError as error:
        raise why_unreadable(path, str(error)) from error
    except BaseException as error:  # a panic in the reader is no `Exception`
        if type(error).__name__ != "PanicException":
            raise
        raise why_unreadable(path, str(error)) from error
    variables: dict[str, Any] = {}
    for variable in wave.all_vars():
        variables.setdefault(str(variable.full_name), variable)
    signals = tuple(WaveSignal(name, int(v.length or 1)) for name, v in variables.items())
    format_ = str(wave.file_format).lower()
    torn = format_ == "vcd" and cut_off(path)
    return WaveFile(path, format_, _tick_fs(wave), signals, wave, variables, torn)


def _tick_fs(wave: Any) -> int:
    if wave.timescale is None:
        return _FEMTO_PER_NS
    exponent = int(wave.timescale.unit.to_exponent() or -9)
    return int(wave.timescale.factor) * int(10 ** max(exponent + 15, 0))


def _text(value: object, width: int) -> str:
    if value is None:
        return "x" * width
    if isinstance(value, int):
        return format(value, f"0{width}b")
    return str(value).lower()
