"""Look at a failure again: with waves, and with the signals that the wrong outputs depend on."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from ..dataflow import pyslang_cone
from ..parse import parse_files
from ..waves import first_mismatch_window, open_waves

if TYPE_CHECKING:
    from pathlib import Path

    from ..waves import Window
    from .types import Check, CheckResult, Dut, Limits

__all__ = ["failure_window", "record_failure"]

_MOST_INTERNAL = 12


def record_failure(  # noqa: PLR0913
    check: Check, dut: Dut, workdir: Path, result: CheckResult, *, limits: Limits, seed: int
) -> CheckResult:
    """Run a failed check once more, now with waves; `result` with the recording added.

    Passing runs are never recorded, which keeps them fast. What cannot be recorded (it does not
    compile, or hangs) comes back as it was.
    """
    again = check.run(dut, workdir, limits=limits, seed=seed, waves=True)
    return replace(result, wave=again.wave) if again.wave is not None else result


def failure_window(result: CheckResult, dut: Dut) -> Window | None:
    """The cycles around the first mismatch, None if there is none.

    If waves were recorded, the internal signals nearest to the wrong outputs in their fan-in
    cone are added (at most twelve).
    """
    if result.first_mismatch is None:
        return None
    if result.wave is None:
        return first_mismatch_window(result.first_mismatch)
    model = parse_files(dut.files, language=dut.language)
    top = dut.interface.module
    ports = {port.name for port in dut.interface.ports}
    nearest: dict[str, int] = {}
    for output in result.first_mismatch.expected:
        cone = pyslang_cone(model, output, top=top)
        for name, distance in zip(cone.signals, cone.distances, strict=True):
            if name not in ports:
                nearest[name] = min(distance, nearest.get(name, distance))
    internal = sorted(nearest, key=lambda name: (nearest[name], name))[:_MOST_INTERNAL]
    return first_mismatch_window(
        result.first_mismatch, waves=open_waves(result.wave), internal=internal
    )
