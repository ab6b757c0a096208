"""The design's pins: drive a row of inputs through one cycle, sample the outputs."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from cocotb.triggers import Timer
from cocotb.utils import get_sim_time

if TYPE_CHECKING:
    from .job import Job, Row

__all__ = ["PinError", "Pins"]


class PinError(Exception):
    """The design does not have a pin that it must have, or one of another width."""


class Pins:
    """Cycle-level access to a design.

    A cycle is ten time units. It starts with the falling edge; one unit later the inputs change;
    the clock rises at five; the outputs are sampled at ten, just before the clock falls. Without
    a clock the inputs change, and the outputs are sampled when they have had the same time to
    settle.
    """

    def __init__(self, dut: Any, job: Job) -> None:
        self._inputs = {name: _pin(dut, name) for name in job.inputs}
        self._outputs = {name: _pin(dut, name) for name in job.outputs}
        self._clock = _pin(dut, job.clock) if job.clock else None
        digits = len(job.time_unit) - len(job.time_unit.lstrip("0123456789"))
        self._scale = int(job.time_unit[:digits] or 1)
        unit = job.time_unit[digits:]
        self._unit: Any = "sec" if unit == "s" else unit
        self._driven: dict[str, int] = {}
        self.widths_in = {name: len(pin) for name, pin in self._inputs.items()}
        self.widths_out = {name: len(pin) for name, pin in self._outputs.items()}
        for name, width in (self.widths_in | self.widths_out).items():
            wanted = job.widths.get(name, width)
            if width != wanted:
                raise PinError(f"port {name} has {width} bit(s), expected {wanted}")

    async def cycle(self, row: Row) -> dict[str, str]:
        """Apply `row`, one rising edge, and return the outputs as binary strings."""
        if self._clock is None:
            self._drive(row)
            await self._wait(10)
            return self._sample()
        self._clock.value = 0
        await self._wait(1)
        self._drive(row)
        await self._wait(4)
        self._clock.value = 1
        await self._wait(5)
        return self._sample()

    @staticmethod
    def time_ns() -> float:
        """Simulated time."""
        return float(get_sim_time("ns"))

    def _wait(self, units: int) -> Timer:
        return Timer(units * self._scale, self._unit)

    def _drive(self, row: Row) -> None:
        for name, value in row.values.items():
            if self._driven.get(name) != value:
                self._driven[name] = value
                self._inputs[name].value = value & ((1 << self.widths_in[name]) - 1)

    def _sample(self) -> dict[str, str]:
        return {name: str(pin.value).lower() for name, pin in self._outputs.items()}


def _pin(dut: Any, name: str) -> Any:
    """Find a pin by its name; that of an escaped identifier has no backslash.

    A name with a dot in it is looked for among all children, since a look-up would take it for
    a path.
    """
    try:
        return dut[name]
    except (KeyError, AttributeError, IndexError):
        for child in dut:
            if child._name in {name, f"\\{name}"}:  # noqa: SLF001
                return child
    raise PinError(f"the design has no port {name}")
