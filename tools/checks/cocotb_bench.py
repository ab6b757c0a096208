"""Simulate a prepared DUT under cocotb, with patience."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from ..simulate.cocotb_run import CocotbJob, CocotbOutcome, run_cocotb
from ..simulate.heartbeat import HEARTBEAT_SILENCE, HEARTBEAT_TOP, write_heartbeat
from .timeouts import Patience

if TYPE_CHECKING:
    from ..process import Limits, ProcessResult
    from .prepared import Bench
    from .types import Dut

__all__ = ["patient_cocotb"]


def patient_cocotb(
    bench: Bench, dut: Dut, job: CocotbJob, limits: Limits
) -> Patience[CocotbOutcome]:
    """How to run `job` in `bench`, and how to find out why it hangs."""

    def simulate(bounds: Limits) -> CocotbOutcome:
        return run_cocotb(job, workdir=bench.folder, limits=bounds, sandbox=bench.sandbox)

    def probe(bounds: Limits) -> ProcessResult | None:
        folder = bench.folder / "probe"
        folder.mkdir(exist_ok=True)
        beat = write_heartbeat(folder)
        compiled = bench.compile_with(
            [beat], tops=[HEARTBEAT_TOP], image="probe/sim.vvp", limits=bounds
        )
        if compiled.image is None:
            return None
        probing = replace(job, image=compiled.image)
        return run_cocotb(
            probing,
            workdir=bench.folder,
            limits=bounds,
            sandbox=bench.sandbox,
            silence=HEARTBEAT_SILENCE,
        ).process

    return Patience(dut, limits, simulate, probe, lambda outcome: outcome.process)
