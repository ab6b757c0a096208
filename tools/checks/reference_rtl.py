"""Reference RTL: a golden design and the DUT get the same stimulus, cycle by cycle."""

from __future__ import annotations

import threading
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

from ..errors import CheckUnusable
from ..interface import Interface
from ..parse import parse_files
from ..simulate.timescale import DEFAULT_TIMESCALE, split_timescale
from .companions import resolve_files
from .generated import GeneratedRun, run_generated
from .golden import golden_module
from .harness.job import Job
from .options import integer, own_limits, require_known
from .reference_model import DEFAULT_CYCLES
from .types import CheckResult, CheckStatus, Dut
from .verdict import result

if TYPE_CHECKING:
    from pathlib import Path

    from ..clocking import Clocking
    from ..parse import SourceModel
    from .types import CheckSource, Limits

__all__ = ["OPTIONS", "ReferenceRtlCheck"]

OPTIONS = frozenset({"cycles", "seed", "top", "files"})


@dataclass(frozen=True, slots=True)
class _Golden:
    """What the golden design did: its stimulus and the outputs in every cycle."""

    rows: list[dict[str, Any]]
    trace: list[dict[str, str]]


@dataclass(frozen=True, slots=True)
class ReferenceRtlCheck:
    """A golden design, simulated apart from the DUT, so that no name of theirs can clash.

    Where an output bit of the golden design is `x` or `z`, the DUT's is not compared. Options:
    `cycles` (default 1000), `seed`, `top` (the golden module, by default the one named like the
    DUT, else the only top module), `files` (further sources of the golden design).
    """

    source: CheckSource
    clocking: Clocking
    timescale: str = DEFAULT_TIMESCALE
    _done: dict[object, _Golden | CheckResult] = field(
        default_factory=dict, compare=False, repr=False
    )
    _lock: threading.Lock = field(default_factory=threading.Lock, compare=False, repr=False)

    def run(
        self, dut: Dut, workdir: Path, *, limits: Limits, seed: int, waves: bool = False
    ) -> CheckResult:
        """Judge `dut`; the golden design runs once and is remembered."""
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
        seed = integer(self.source, "seed", seed)
        with self._lock:
            # By the whole interface: a golden design that one design's ports do not fit is no
            # worse for the next.
            key = (seed, dut.interface)
            golden = self._done.get(key)
            if golden is None:
                golden = self._record(dut, workdir / "golden", limits, seed)
                if isinstance(golden, _Golden) or not limits.over():  # out of time is no finding
                    self._done[key] = golden
        if isinstance(golden, CheckResult):
            return golden, {}
        expected: list[dict[str, int | str]] = [
            {name: value.replace("z", "x") for name, value in outputs.items()}
            for outputs in golden.trace
        ]

        def make_job(interface: Interface, folder: Path) -> Job:  # noqa: ARG001
            names = list(golden.trace[0]) if golden.trace else []
            job = self._job(interface, seed)
            return replace(job, rows=golden.rows, expected=expected, outputs=names)

        request = GeneratedRun(self.source, self.timescale, limits, seed, waves, keep)
        return run_generated(request, dut, workdir / "dut", make_job)

    def _record(self, dut: Dut, workdir: Path, limits: Limits, seed: int) -> _Golden | CheckResult:
        """Run the golden design alone; a result if it cannot serve as a reference."""
        files = self._files(workdir)
        model = parse_files(files, language=dut.language)
        module = self._module(model, dut)
        problem = _mismatched(model, module, dut.interface)
        if problem:
            reason = f"{self.source.origin}: the golden design {problem}"
            return result(self.source, CheckStatus.BROKEN, reason)
        further = _further_inputs(model, module, dut.interface)
        if further:
            reason = f"the design has no input {', '.join(further)}, which the golden design has"
            return result(self.source, CheckStatus.FAILED, reason)
        reference = Dut(tuple(files), Interface(module), dut.language)
        request = GeneratedRun(self.source, self.timescale, limits, seed)

        def make_job(interface: Interface, folder: Path) -> Job:  # noqa: ARG001
            return replace(self._job(interface, seed), record=True)

        outcome, told = run_generated(request, reference, workdir / "run", make_job)
        if told.get("trace"):
            return _Golden(told["rows"], told["trace"])
        reason = f"{self.source.origin}: the golden design cannot be simulated: {outcome.reason}"
        return result(self.source, CheckStatus.BROKEN, reason, log=outcome.log)

    def _files(self, workdir: Path) -> list[Path]:
        workdir.mkdir(parents=True, exist_ok=True)
        if self.source.path is not None:
            return [self.source.path, *resolve_files(self.source, "files")]
        path = workdir / "golden.v"
        path.write_text(self.source.text, encoding="utf-8")
        return [path, *resolve_files(self.source, "files")]

    def _module(self, model: SourceModel, dut: Dut) -> str:
        found = golden_module(self.source, model, dut.interface.module)
        if not found:
            wanted = self.source.options.get("top", "") or dut.interface.module
            tops = [m.name for m in model.tops]
            raise CheckUnusable(
                f"{self.source.origin}: no module {wanted} in the golden design"
                f" (modules there: {', '.join(m.name for m in model.modules) or 'none'})",
                remedy=f"call the golden module {wanted}, or name one in the spec: "
                f"`top: {tops[0]}` beside `reference:`"
                if tops
                else f"the file of the golden design has to define module {wanted}",
            )
        return found

    def _job(self, interface: Interface, seed: int) -> Job:
        clocking = self.clocking
        return Job(
            mode="trace",
            inputs=[p.name for p in interface.inputs() if p.name != clocking.clock],
            outputs=[p.name for p in interface.outputs()],
            clock=clocking.clock,
            reset=clocking.reset,
            reset_active_low=clocking.reset_active_low,
            time_unit=split_timescale(self.timescale)[0],
            seed=seed,
            cycles=integer(self.source, "cycles", DEFAULT_CYCLES),
        )


def _mismatched(model: SourceModel, module: str, required: Interface) -> str:
    """Why the golden design's ports are not those the DUT must have; empty when they are.

    A port that it lacks would go unchecked, one of another width or direction cannot be compared.
    Widths that hang on parameters are left to the simulation.
    """
    found = model.module(module)
    has = {port.name: port for port in found.interface.ports} if found is not None else {}
    if not has or not required.ports:
        return ""
    lacking = [port.name for port in required.ports if port.name not in has]
    if lacking:
        return f"has no port {', '.join(lacking)} (its ports: {', '.join(has)})"
    for port in required.ports:
        golden = has[port.name]
        if golden.direction is not port.direction:
            return f"has port {port.name} as {golden.direction}; it has to be {port.direction}"
        widths = golden.width, port.width
        if all(isinstance(width, int) for width in widths) and golden.width != port.width:
            return f"has port {port.name} of {golden.width} bits; it has to have {port.width}"
    return ""


def _further_inputs(model: SourceModel, module: str, required: Interface) -> list[str]:
    """Inputs of the golden design that the DUT must not have: its stimulus cannot be applied."""
    found = model.module(module)
    known = {port.name for port in required.ports}
    inputs = found.interface.inputs() if found is not None and known else ()
    return [port.name for port in inputs if port.name not in known]
