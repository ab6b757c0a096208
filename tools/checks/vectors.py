"""Vectors from a table: inputs and expected outputs, row by row."""

from __future__ import annotations

import random
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from ..errors import CheckUnusable
from ..simulate.timescale import DEFAULT_TIMESCALE, split_timescale
from .generated import GeneratedRun, run_generated
from .harness.job import Job
from .options import own_limits, require_known
from .syntax import place
from .table import Table, TableRow, read_table
from .types import CheckStatus
from .values import parse_value

if TYPE_CHECKING:
    from pathlib import Path

    from ..clocking import Clocking
    from ..interface import Interface, Port
    from .types import CheckResult, CheckSource, Dut, Limits

__all__ = ["OPTIONS", "VectorsCheck"]

OPTIONS = frozenset({"radix"})
_MOST_FREE_BITS = 4  # don't-care input bits that are enumerated; more are sampled
_VARIANTS = 6


@dataclass(frozen=True, slots=True)
class _Vectors:
    """Rows for the harness, and for each the line of the table it came from."""

    rows: list[dict[str, Any]]
    expected: list[dict[str, int | str]]
    lines: list[int]


@dataclass(frozen=True, slots=True)
class VectorsCheck:
    """A table with a column for each port that matters and a row for each clock cycle.

    A row's inputs are applied, one rising edge follows, and the outputs just after it are
    compared; without a clock a row is applied and the outputs compared when they have settled.
    `x`, `-` or nothing is a don't-care: an output is not compared, an input is given several
    values (with a clock: a random one). Inputs without a column are zero. If the table has no
    column for the reset, the design is reset before the first row. A column for the clock is
    ignored. Options: `radix` (`bin` or `hex`) of bare numbers.
    """

    source: CheckSource
    clocking: Clocking
    timescale: str = DEFAULT_TIMESCALE

    def run(
        self, dut: Dut, workdir: Path, *, limits: Limits, seed: int, waves: bool = False
    ) -> CheckResult:
        """Judge `dut` by the table."""
        return self.execute(dut, workdir, limits=limits, seed=seed, waves=waves)[0]

    def execute(  # noqa: PLR0913
        self,
        dut: Dut,
        workdir: Path,
        *,
        limits: Limits,
        seed: int,
        waves: bool = False,
        keep: bool = False,
    ) -> tuple[CheckResult, dict[str, Any]]:
        """Judge `dut`; also the harness's outcome, with stimulus and expectation if to `keep`."""
        require_known(self.source, OPTIONS)
        limits = own_limits(self.source, limits)
        table = read_table(self.source)
        self._columns(table, dut.interface)
        built: list[_Vectors] = []

        def make_job(interface: Interface, folder: Path) -> Job:  # noqa: ARG001
            vectors = self._vectors(table, interface, seed)
            built.append(vectors)
            clocking = self.clocking
            own_reset = clocking.reset in table.columns
            return Job(
                mode="trace",
                inputs=[p.name for p in interface.inputs() if p.name != clocking.clock],
                outputs=[p.name for p in interface.outputs() if p.name in table.columns],
                clock=clocking.clock,
                reset=None if own_reset else clocking.reset,
                reset_active_low=clocking.reset_active_low,
                time_unit=split_timescale(self.timescale)[0],
                seed=seed,
                cycles=len(vectors.rows),
                rows=vectors.rows,
                expected=vectors.expected,
            )

        request = GeneratedRun(self.source, self.timescale, limits, seed, waves, keep)
        outcome, told = run_generated(request, dut, workdir, make_job)
        if outcome.status is CheckStatus.FAILED and outcome.first_mismatch is not None and built:
            line = built[0].lines[outcome.first_mismatch.cycle]
            reason = f"{outcome.reason}; first at {place(self.source, line)}"
            outcome = replace(outcome, reason=reason)
        return outcome, told

    def _columns(self, table: Table, interface: Interface) -> None:
        """Every column must be a port, and one of them an output."""
        if not interface.ports:
            return
        ports = {p.name for p in interface.ports} | {self.clocking.clock}
        unknown = [name for name in table.columns if name not in ports]
        if unknown:
            raise CheckUnusable(
                f"{place(self.source, table.line)}: no such port: {', '.join(unknown)}",
                remedy=f"columns are named after ports: {', '.join(sorted(p for p in ports if p))}",
            )
        if not {p.name for p in interface.outputs()} & set(table.columns):
            raise CheckUnusable(
                f"{place(self.source, table.line)}: no column is an output, nothing to compare",
                remedy=f"outputs: {', '.join(p.name for p in interface.outputs())}",
            )

    def _vectors(self, table: Table, interface: Interface, seed: int) -> _Vectors:
        self._columns(table, interface)
        rng = random.Random(seed)  # noqa: S311
        vectors = _Vectors([], [], [])
        for row in table.rows:
            cells = dict(zip(table.columns, row.cells, strict=True))
            inputs = self._inputs(interface)
            patterns = {
                port.name: self._value(row, port, cells[port.name])
                for port in interface.inputs()
                if port.name in cells and port.name != self.clocking.clock
            }
            expected: dict[str, int | str] = {}
            for port in interface.outputs():
                text = self._value(row, port, cells.get(port.name, ""))
                if set(text) != {"x"}:
                    expected[port.name] = text
            for chosen in _choices(patterns, rng, several=self.clocking.clock is None):
                vectors.rows.append({"values": inputs | chosen})
                vectors.expected.append(expected)
                vectors.lines.append(row.line)
        return vectors

    def _inputs(self, interface: Interface) -> dict[str, int]:
        """All inputs at rest: zero, the reset released."""
        values = {p.name: 0 for p in interface.inputs() if p.name != self.clocking.clock}
        if self.clocking.reset in values:
            values[self.clocking.reset] = int(self.clocking.reset_active_low)
        return values

    def _value(self, row: TableRow, port: Port, cell: str) -> str:
        width = port.width if isinstance(port.width, int) else 0
        text = parse_value(cell, width, self.source.options.get("radix", ""))
        if text is None:
            raise CheckUnusable(
                f"{place(self.source, row.line)}: {cell!r} is no value for {port.name} "
                f"({width} bit)",
                remedy="write 0x1f, 0b101, 8'hff, a decimal number, exactly as many bits as the "
                "port has, or x",
            )
        return text


def _choices(
    patterns: dict[str, str], rng: random.Random, *, several: bool
) -> list[dict[str, int]]:
    """Values for inputs with don't-care bits: all, if few are free; else zeros, ones, random."""
    free = sum(text.count("x") for text in patterns.values())
    if not free or not several:
        words = [rng.getrandbits(free) if free else 0]
    elif free <= _MOST_FREE_BITS:
        words = list(range(1 << free))
    else:
        words = [0, (1 << free) - 1, *(rng.getrandbits(free) for _ in range(_VARIANTS - 2))]
    return [_fill(patterns, word) for word in words]


def _fill(patterns: dict[str, str], word: int) -> dict[str, int]:
    values = {}
    for name, text in patterns.items():
        bits = ""
        for bit in text:
            if bit == "x":
                bit, word = str(word & 1), word >> 1  # noqa: PLW2901
            bits += "0" if bit == "z" else bit
        values[name] = int(bits, 2)
    return values
