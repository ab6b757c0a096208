"""Judge many variants of one design quickly: by what a check did on the design itself."""

from __future__ import annotations

import time
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Protocol, runtime_checkable

from ..sandbox import best_sandbox
from ..simulate.heartbeat import HEARTBEAT_SILENCE, HEARTBEAT_TOP, write_heartbeat
from ..simulate.icarus import compile_icarus, run_vvp
from ..simulate.player import CYCLE_UNITS, PLAYER_TOP, Player, read_outputs, write_player
from ..simulate.timescale import nanoseconds
from .dut_sources import PreparedDut, prepare_dut
from .harness.job import Row
from .harness.score import Score
from .timeouts import Patience
from .verdict import from_compile, from_outcome

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from pathlib import Path

    from ..clocking import Clocking
    from ..interface import Interface
    from ..process import ProcessResult, Silence
    from ..simulate.icarus import CompileResult
    from .types import Check, CheckResult, CheckSource, Dut, Limits

__all__ = ["Replay", "replayable"]

_RESET_CYCLES = 2


@runtime_checkable
class _Recordable(Protocol):
    """A check that compares with expected values which do not depend on the DUT."""

    @property
    def clocking(self) -> Clocking:
        """Clock and reset."""
        ...

    @property
    def timescale(self) -> str:
        """Time unit and precision."""
        ...

    def execute(  # noqa: PLR0913
        self, dut: Dut, workdir: Path, *, limits: Limits, seed: int, waves: bool, keep: bool
    ) -> tuple[CheckResult, dict[str, Any]]:
        """Judge and keep stimulus and expectation."""
        ...


@dataclass(frozen=True, slots=True)
class Replay:
    """A check that plays recorded stimulus and compares with recorded expectations.

    It judges as the check that it was made from does, in a fraction of the time: no Python runs
    inside the simulation. It does not shrink failures.
    """

    source: CheckSource
    clocking: Clocking
    timescale: str
    rows: tuple[Row, ...]
    expected: tuple[Mapping[str, str], ...]
    lead: int

    def run(
        self,
        dut: Dut,
        workdir: Path,
        *,
        limits: Limits,
        seed: int,  # noqa: ARG002  (the stimulus is recorded)
        waves: bool = False,
    ) -> CheckResult:
        """Judge `dut`; `waves` is refused, the check itself can record."""
        if waves:
            raise ValueError("a replay records no waves")
        run = _Run(self, dut, workdir.resolve(), limits)
        compiled = run.compile()
        common = {"diagnostics": compiled.diagnostics, "sandboxed": run.sandbox.isolates}
        if compiled.image is None:
            return from_compile(self.source, compiled, seconds=run.seconds, **common)
        patience = Patience(dut, limits, run.simulate, run.probe, lambda process: process)
        process = patience.run()
        if process.stopped is not None:
            return patience.explain(self.source, process, seconds=run.seconds, **common)
        outcome = self._outcome(run.required, read_outputs(run.player, process.stdout))
        return from_outcome(self.source, outcome, seconds=run.seconds, **common)

    def _outcome(self, required: Interface, seen: Sequence[Mapping[str, str]]) -> dict[str, Any]:
        widths = {p.name: int(p.width) for p in required.inputs()}
        score = Score(widths)
        cycle_ns = CYCLE_UNITS * nanoseconds(self.timescale)
        for index, (row, expected) in enumerate(zip(self.rows, self.expected, strict=True)):
            if index + self.lead >= len(seen):
                return score.outcome
            actual = seen[index + self.lead]
            score.add(index, (index + self.lead + 1) * cycle_ns, row, expected, actual)
        score.outcome["complete"] = True
        return score.outcome


def replayable(
    check: Check, dut: Dut, workdir: Path, *, limits: Limits, seed: int
) -> tuple[CheckResult, Check]:
    """Run `check` on a right design; the result, and a check that judges variants of it.

    For a reference model, reference RTL and vectors that is a `Replay`; a cocotb test and a
    bench, which may react to the design, stay as they are. So does a check that does not pass.
    """
    if not isinstance(check, _Recordable):
        return check.run(dut, workdir, limits=limits, seed=seed), check
    judged, told = check.execute(dut, workdir, limits=limits, seed=seed, waves=False, keep=True)
    if not judged.passed or "expected" not in told:
        return judged, check
    rows = tuple(Row(row["values"], row["in_reset"]) for row in told["rows"])
    lead = _RESET_CYCLES if told.get("led_by_reset") else 0
    expected = tuple(told["expected"])
    return judged, Replay(check.source, check.clocking, check.timescale, rows, expected, lead)


class _Run:
    """One replay on one DUT."""

    def __init__(self, replay: Replay, dut: Dut, folder: Path, limits: Limits) -> None:
        folder.mkdir(parents=True, exist_ok=True)
        self._started = time.monotonic()
        self._replay = replay
        self._folder = folder
        self._limits = limits
        self.sandbox = best_sandbox(off=limits.unsandboxed)
        self._dut: PreparedDut = prepare_dut(dut, folder / "src", timescale=replay.timescale)
        self.required = self._dut.required
        self.player: Player = write_player(
            replace(self.required, module=self._dut.top),
            self._values(),
            clock=replay.clocking.clock,
            outputs=[p.name for p in self.required.outputs()],
            timescale=replay.timescale,
            folder=folder,
        )

    @property
    def seconds(self) -> float:
        """Wall time since the start."""
        return time.monotonic() - self._started

    def _values(self) -> list[dict[str, int]]:
        """The rows, led by the cycles of reset with which the harness begins."""
        clocking = self._replay.clocking
        quiet = {p.name: 0 for p in self.required.inputs() if p.name != clocking.clock}
        if clocking.reset is not None:
            quiet[clocking.reset] = int(not clocking.reset_active_low)
        return [quiet] * self._replay.lead + [quiet | row.values for row in self._replay.rows]

    def compile(self) -> CompileResult:
        """Compile the DUT with the player."""
        return self._compile([], [], "sim.vvp")

    def simulate(self, limits: Limits) -> ProcessResult:
        """Play."""
        return self._vvp("sim.vvp", limits)

    def probe(self, limits: Limits) -> ProcessResult | None:
        """Play with the heartbeat beside it."""
        beat = write_heartbeat(self._folder)
        if self._compile([beat], [HEARTBEAT_TOP], "probe.vvp").image is None:
            return None
        return self._vvp("probe.vvp", limits, HEARTBEAT_SILENCE)

    def _compile(self, extra: list[Path], tops: list[str], image: str) -> CompileResult:
        return compile_icarus(
            [*self._dut.staged.files, self.player.path, *extra],
            tops=[PLAYER_TOP, *tops],
            workdir=self._folder,
            limits=self._limits,
            sandbox=self.sandbox,
            timescale=self._replay.timescale,
            includes=[self._folder / "src"],
            image=image,
            origin=self._dut.staged.origin,
        )

    def _vvp(self, image: str, limits: Limits, silence: Silence | None = None) -> ProcessResult:
        return run_vvp(
            self._folder / image,
            workdir=self._folder,
            limits=limits,
            sandbox=self.sandbox,
            silence=silence,
        )
