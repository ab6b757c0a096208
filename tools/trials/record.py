"""Stimulus and expectation of a check, taken down once for any number of variants."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Protocol, runtime_checkable

from ..simulate.timescale import DEFAULT_TIMESCALE

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from ..checks.types import Check, CheckResult, Dut, Limits
    from ..clocking import Clocking

__all__ = ["Recording", "record"]

_LEAD = 2  # cycles of reset with which the harness begins


@runtime_checkable
class _Recordable(Protocol):
    """A check whose stimulus and expectation do not depend on the design."""

    @property
    def clocking(self) -> Clocking:
        """Clock and reset."""
        ...

    def execute(  # noqa: PLR0913
        self, dut: Dut, workdir: Path, *, limits: Limits, seed: int, waves: bool, keep: bool
    ) -> tuple[CheckResult, dict[str, Any]]:
        """Judge and keep stimulus and expectation."""
        ...


@dataclass(frozen=True, slots=True)
class Recording:
    """What a check applied and what it wanted, cycle by cycle.

    `rows` has a value for every input but the clock; `expected` the outputs as patterns of `0`,
    `1` and `x` (don't care), empty where nothing is compared. Row 0 is the first cycle of reset
    where the check begins with one; `lead` says how many rows the check itself does not count.
    """

    check: str
    clocking: Clocking
    rows: tuple[Mapping[str, int], ...]
    expected: tuple[Mapping[str, str], ...]
    lead: int = 0
    timescale: str = DEFAULT_TIMESCALE

    def shortened(self, rows: int) -> Recording:
        """The recording up to row `rows`."""
        if rows >= len(self.rows):
            return self
        return Recording(
            self.check,
            self.clocking,
            self.rows[:rows],
            self.expected[:rows],
            self.lead,
            self.timescale,
        )


def record(
    check: Check, dut: Dut, workdir: Path, *, limits: Limits, seed: int
) -> tuple[CheckResult, Recording | None]:
    """Run `check` on any design with the right ports; the result and what it recorded.

    There is a recording for a reference model, reference RTL and vectors. A cocotb test and a
    bench, which may react to the design, have none.
    """
    if not isinstance(check, _Recordable):
        return check.run(dut, workdir, limits=limits, seed=seed), None
    judged, told = check.execute(dut, workdir, limits=limits, seed=seed, waves=False, keep=True)
    if not told.get("rows") or "expected" not in told:
        return judged, None
    expected = [dict(row) for row in told["expected"]]
    if any("z" in value for row in expected for value in row.values()):
        return judged, None  # comparing with a floating value takes the check itself
    clocking = check.clocking
    rows = [dict(row["values"]) for row in told["rows"]]
    if len(expected) < len(rows):
        rows = rows[: len(expected)]
    lead = _LEAD if told.get("led_by_reset") else 0
    if lead and clocking.reset is not None:
        quiet = dict.fromkeys(rows[0], 0) | {clocking.reset: int(not clocking.reset_active_low)}
        rows = [quiet] * lead + rows
        expected = [{}] * lead + expected
    timescale = getattr(check, "timescale", DEFAULT_TIMESCALE)
    return judged, Recording(
        check.source.name, clocking, tuple(rows), tuple(expected), lead, timescale
    )
