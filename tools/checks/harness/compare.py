"""Compare a design with an expectation, cycle by cycle; the body of every generated test."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from .expect import Expectation, ModelExpectation, TraceExpectation
from .job import CheckBrokenError, Job, Row, write_outcome
from .pins import PinError, Pins
from .score import Score, differing, entry
from .shrink import shrink
from .stimulus import make_stimulus

if TYPE_CHECKING:
    from pathlib import Path

__all__ = ["compare"]

_RESET_CYCLES = 2


async def compare(dut: Any, folder: Path) -> None:
    """Run `folder/job.json` on `dut`, write `folder/outcome.json`, fail on a mismatch."""
    job = Job.load(folder / "job.json")
    outcome: dict[str, Any] = {"samples": 0, "mismatches": 0}
    try:
        pins = Pins(dut, job)
        comparison = _Comparison(pins, job)
        outcome = comparison.outcome
        await comparison.run()
    except CheckBrokenError as broken:
        outcome["broken"] = {"message": str(broken), "line": broken.line}
    except PinError as error:
        outcome["pin_error"] = str(error)
    finally:
        write_outcome(folder / "outcome.json", outcome)
    assert not outcome.get("broken"), outcome["broken"]["message"]
    assert not outcome.get("pin_error"), outcome["pin_error"]
    bad, samples = outcome["mismatches"], outcome["samples"]
    assert not bad, f"{bad} of {samples} samples differ, first: {outcome['first']}"
    assert samples or job.record, "nothing was compared"


class _Comparison:
    """One run over the whole stimulus."""

    def __init__(self, pins: Pins, job: Job) -> None:
        self._pins = pins
        self._job = job
        self._score = Score(pins.widths_in)
        self.outcome = self._score.outcome
        self.expectation: Expectation = (
            ModelExpectation(job, pins.widths_out)
            if job.mode == "model"
            else TraceExpectation(job.expected, pins.widths_out)
        )

    async def run(self) -> None:
        """Reset, run all rows, then shrink what failed."""
        rows = self._rows()
        trace: list[dict[str, str]] = []
        wanted: list[dict[str, str]] = []
        seen: list[dict[str, str]] = []
        await self._initial_reset()
        for index, row in enumerate(rows):
            actual = await self._pins.cycle(row)
            if self._job.record:
                trace.append(actual)
                continue
            expected = dict(self.expectation.advance(index, row))
            wanted.append(expected)
            seen.append(actual)
            self._score.add(index, self._pins.time_ns(), row, expected, actual)
            if self._job.stop_at_first and self._score.enough(index):
                break
        if self._job.record or self._job.keep:
            self.outcome["trace"] = trace
            self.outcome["expected"] = wanted
            self.outcome["seen"] = seen
            self.outcome["rows"] = [{"values": r.values, "in_reset": r.in_reset} for r in rows]
        self.outcome["complete"] = True
        if self.outcome.get("first"):
            await self._shrink(rows)

    def _rows(self) -> list[Row]:
        job = self._job
        if job.rows:
            return [Row(row["values"], bool(row.get("in_reset"))) for row in job.rows]
        own = (
            self.expectation.stimulus(job.cycles, job.seed)
            if isinstance(self.expectation, ModelExpectation)
            else None
        )
        if own is not None:
            return self._complete(own)
        widths = {n: w for n, w in self._pins.widths_in.items() if n != job.reset}
        return make_stimulus(widths, job.cycles, job.seed, self._reset_values)

    def _complete(self, own: list[dict[str, int]]) -> list[Row]:
        """Rows from the model's own stimulus: an input it leaves out keeps its value."""
        held = dict.fromkeys(self._pins.widths_in, 0) | self._reset_values(False)
        rows = []
        for given in own:
            unknown = set(given) - set(held) - {self._job.clock}
            if unknown:
                raise CheckBrokenError(f"stimulus() names {sorted(unknown)}, which are no inputs")
            held = held | {n: int(v) for n, v in given.items() if n != self._job.clock}
            asserted = self._job.reset is not None and (
                held[self._job.reset] == self._job.reset_level(asserted=True)
            )
            rows.append(Row(held, asserted))
        return rows

    def _reset_values(self, asserted: bool) -> dict[str, int]:
        if self._job.reset is None:
            return {}
        return {self._job.reset: self._job.reset_level(asserted=asserted)}

    async def _initial_reset(self) -> None:
        if self._job.reset is None or self._job.clock is None:
            return
        quiet = dict.fromkeys(self._pins.widths_in, 0) | self._reset_values(True)
        self.outcome["led_by_reset"] = True
        for _ in range(_RESET_CYCLES):
            await self._pins.cycle(Row(quiet, in_reset=True))

    async def _shrink(self, rows: list[Row]) -> None:
        """Look for a short stimulus that fails from reset; keeps nothing when there is none."""
        if self._job.clock is not None and self._job.reset is None:
            return
        if self._job.mode != "model" or self._job.stop_at_first:
            return
        prefix = rows[: self.outcome["first"]["cycle"] + 1]
        found = await shrink(prefix, self._first_failure, self._job.shrink_rows, self._job.reset)
        if found is not None:
            window: list[dict[str, Any]] = []
            await self._first_failure(found, window)
            last = window[-1]
            outputs = differing(last["expected"], last["actual"])
            self.outcome["shortest"] = {
                "cycle": len(window) - 1,
                "outputs": outputs,
                "window": window,
            }

    async def _first_failure(
        self, rows: list[Row], window: list[dict[str, Any]] | None = None
    ) -> int | None:
        """Index of the first row that fails when `rows` are run from reset."""
        self.expectation.restart()
        await self._initial_reset()
        for index, row in enumerate(rows):
            actual = await self._pins.cycle(row)
            expected = self.expectation.advance(index, row)
            if window is not None:
                inputs = self._score.bits(row)
                window.append(entry(index, self._pins.time_ns(), inputs, expected, actual))
            if expected and differing(expected, actual):
                return index
        return None
