"""Designs on the bench: what is simulated for a spec, and checks run on it one after another."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rtl_agent.tools.checks.types import Dut

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from pathlib import Path

    from rtl_agent.agent.spec.model import Spec
    from rtl_agent.tools.checks.types import Check, CheckResult

    from .options import SolveOptions
    from .toolbox import Toolbox

__all__ = ["dut_for", "run_each"]


def dut_for(spec: Spec, files: Iterable[Path]) -> Dut:
    """The design in `files`, with the modules that the spec brings along."""
    return Dut((*spec.context, *files), spec.interface, spec.language)


def run_each(
    checks: Sequence[Check], dut: Dut, tools: Toolbox, options: SolveOptions, work: Path
) -> tuple[CheckResult, ...]:
    """The result of every check on `dut`; check N has the new folder `work`-N to itself."""
    results = []
    for number, check in enumerate(checks):
        place = work.with_name(f"{work.name}-{number}")
        place.mkdir(parents=True)
        results.append(
            tools.check(check, dut, place, limits=options.check_limits, seed=options.seed)
        )
    return tuple(results)
