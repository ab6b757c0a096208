"""Compare a design with an expectation, cycle by cycle; the body of every generated test."""

from __future__ import annotations

from collections import deque
from typing import TYPE_CHECKING, Any

from .expect import Expectation, ModelExpectation, TraceExpectation
from .job import CheckBrokenError, Job, Row, write_outcome
from .pins import PinError, Pins
from .shrink import shrink
from .stimulus import make_stimulus

if TYPE_CHECKING:
    from pathlib import Path

__all__ = ["compare", "differing"]

_BEFORE = 8  # cycles kept before a mismatch
_AFTER = 3
_RESET_CYCLES = 2


def differing(expected: dict[str, str] | Any, actual: dict[str, str]) -> list[str]:
    """Names of outputs that do not match; an `x` in `expected` matches all, in `actual` none."""
    return [
        name
        for name, want in expected.items()
        if want != actual[name]
        and any(w not in ("x", a) for w, a in zip(want, actual[name], strict=True))
    ]


async def compare(dut: Any, folder: Path) -> None:
    """Run `folder/job.json` on `dut`, write `folder/outcome.json`, fail on a mismatch."""
    job = Job.load(folder / "job.json")
    outcome: dict[str, Any] = {"samples": 0, "mismatches": 0}
    try:
        comparison = _Comparison(Pins(dut, job), job, outcome)
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

    def __init__(self, pins: Pins, job: Job, outcome: dict[str, Any]) -> None:
        self._pins = pins
        self._job = job
        self._outcome = outcome
        self._recent: deque[dict[str, Any]] = deque(maxlen=_BEFORE + 1)
        self.expectation: Expectation = (
            ModelExpectation(job, pins.widths_out)
            if job.mode == "model"
            else TraceExpectation(job.expected, pins.widths_out)
        )

    async def run(self) -> None:
        """Reset, run all rows, then shrink what failed."""
        rows = self._rows()
        trace: list[dict[str, str]] = []
        await self._initial_reset()
        for index, row in enumerate(rows):
            actual = await self._pins.cycle(row)
            if self._job.record:
                trace.append(actual)
                continue
            expected = self.expectation.advance(index, row)
            self._recent.append(self._entry(index, row, expected, actual))
            if expected:
                self._outcome["samples"] += 1
            bad = differing(expected, actual) if expected else []
            if bad:
                self._note(index, bad)
            first = self._outcome.get("first")
            if first and 0 < index - first["cycle"] <= _AFTER:
                first["window"].append(self._recent[-1])
                if self._job.stop_at_first and index - first["cycle"] == _AFTER:
                    break
        if self._job.record:
            self._outcome["trace"] = trace
            self._outcome["rows"] = [{"values": r.values, "in_reset": r.in_reset} for r in rows]
        self._outcome["complete"] = True
        if self._outcome.get("first"):
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
        for _ in range(_RESET_CYCLES):
            await self._pins.cycle(Row(quiet, in_reset=True))

    def _entry(self, index: int, row: Row, expected: Any, actual: dict[str, str]) -> dict[str, Any]:
        widths = self._pins.widths_in
        inputs = {
            n: format(v & ((1 << widths[n]) - 1), f"0{widths[n]}b") for n, v in row.values.items()
        }
        return {
            "time_ns": self._pins.time_ns(),
            "index": index,
            "inputs": inputs,
            "actual": actual,
            "expected": dict(expected),
        }

    def _note(self, index: int, bad: list[str]) -> None:
        self._outcome["mismatches"] += 1
        counts = self._outcome.setdefault("by_output", {})
        for name in bad:
            counts[name] = counts.get(name, 0) + 1
        if "first" not in self._outcome:
            window = list(self._recent)
            self._outcome["first"] = {"cycle": index, "outputs": bad, "window": window}

    async def _shrink(self, rows: list[Row]) -> None:
        """Look for a short stimulus that fails from reset; keeps nothing when there is none."""
        if self._job.clock is not None and self._job.reset is None:
            return
        if self._job.mode != "model" or self._job.stop_at_first:
            return
        prefix = rows[: self._outcome["first"]["cycle"] + 1]
        found = await shrink(prefix, self._first_failure, self._job.shrink_rows, self._job.reset)
        if found is not None:
            window: list[dict[str, Any]] = []
            await self._first_failure(found, window)
            last = window[-1]
            outputs = differing(last["expected"], last["actual"])
            self._outcome["shortest"] = {
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
                window.append(self._entry(index, row, expected, actual))
            if expected and differing(expected, actual):
                return index
        return None
