"""A Python reference model, compared with the DUT cycle by cycle."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from ..simulate.timescale import DEFAULT_TIMESCALE, split_timescale
from .generated import GeneratedRun, run_generated
from .harness.job import Job
from .options import integer, own_limits, require_known
from .syntax import syntax_problem
from .types import CheckStatus
from .verdict import result

if TYPE_CHECKING:
    from pathlib import Path

    from ..clocking import Clocking
    from ..interface import Interface
    from .types import CheckResult, CheckSource, Dut, Limits

__all__ = ["DEFAULT_CYCLES", "OPTIONS", "ReferenceModelCheck"]

DEFAULT_CYCLES = 1000
OPTIONS = frozenset({"cycles", "seed", "class"})


@dataclass(frozen=True, slots=True)
class ReferenceModelCheck:
    """A class with `reset()` and `step(inputs)`, or two such functions, as the user wrote it.

    `step(inputs)` gets every input but the clock as unsigned numbers, the reset at its inactive
    level, and returns the outputs as they stand just after one rising edge with the same inputs
    still applied; without a clock, the outputs for `inputs`. Where reset is asserted the harness
    calls `reset()` and compares what it returns, if that is a dict. An output that is left out or
    None is a don't-care in that cycle; a string such as `"1x0"` leaves out single bits. A model
    may have `stimulus(rng, cycles)`, which returns a list of dicts of inputs.

    Options: `cycles` (default 1000), `seed`, `class`.
    """

    source: CheckSource
    clocking: Clocking
    timescale: str = DEFAULT_TIMESCALE

    def run(
        self, dut: Dut, workdir: Path, *, limits: Limits, seed: int, waves: bool = False
    ) -> CheckResult:
        """Judge `dut`; the model runs only inside the sandboxed child."""
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
        problem = syntax_problem(self.source)
        if problem:
            return result(self.source, CheckStatus.BROKEN, problem), {}
        seed = integer(self.source, "seed", seed)
        request = GeneratedRun(self.source, self.timescale, limits, seed, waves, keep)

        def make_job(interface: Interface, folder: Path) -> Job:
            model = folder / "reference.py"
            model.write_text(self.source.text, encoding="utf-8")
            clocking = self.clocking
            return Job(
                mode="model",
                inputs=[p.name for p in interface.inputs() if p.name != clocking.clock],
                outputs=[p.name for p in interface.outputs()],
                clock=clocking.clock,
                reset=clocking.reset,
                reset_active_low=clocking.reset_active_low,
                time_unit=split_timescale(self.timescale)[0],
                seed=seed,
                cycles=integer(self.source, "cycles", DEFAULT_CYCLES),
                model=str(model),
                model_class=self.source.options.get("class", ""),
            )

        return run_generated(request, dut, workdir, make_job)
