"""Tries the checks of a spec on a design that does nothing, before any model is asked.

A design with the right ports whose outputs are always 0 tells two things for the price of one
simulation a check: a check that can never run is found before anybody waits for a draft, and a
check that *passes* such a design proves little, which the report then says.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from rtl_agent.agent.errors import SpecError
from rtl_agent.tools.checks.types import CheckStatus  # noqa: TC002 - the codec reads the types
from rtl_agent.tools.errors import CheckUnusable
from rtl_agent.tools.interface import Direction
from rtl_agent.tools.parse import written_name

from .bench import dut_for
from .evidence import check_record, fresh_folder
from .folder import design_name, write_text

if TYPE_CHECKING:
    from pathlib import Path

    from rtl_agent.agent.spec.model import Spec
    from rtl_agent.tools.checks.types import Dut
    from rtl_agent.tools.interface import Interface

    from .context import Context

__all__ = ["ProbeResult", "idle_design", "idle_dut", "probe_checks"]

_MOST_S = 10.0  # of one check on the idle design; one that waits for an output runs into it


@dataclass(frozen=True, slots=True)
class ProbeResult:
    """How one check took the idle design."""

    name: str
    status: CheckStatus
    passed: bool
    reason: str


def idle_design(interface: Interface) -> str:
    """A module with this interface whose outputs are always 0."""
    generics = ", ".join(f"parameter {p.name} = {p.default}" for p in interface.parameters)
    ports = ",\n".join(
        "    " + " ".join(w for w in (str(p.direction), p.range, written_name(p.name)) if w)
        for p in interface.ports
    )
    idle = "".join(
        f"    assign {written_name(p.name)} = 0;\n"
        for p in interface.ports
        if p.direction is Direction.OUTPUT
    )
    head = f"module {written_name(interface.module)}" + (f" #({generics})" if generics else "")
    return f"{head} (\n{ports}\n);\n{idle}endmodule\n"


def idle_dut(spec: Spec, folder: Path, mark: str = "") -> Dut:
    """The idle design of a spec, written into `folder`; `mark` ends the name of its file."""
    source = folder / design_name(spec.interface.module, spec.language, mark)
    write_text(source, idle_design(spec.interface))
    return dut_for(spec, [source])


def probe_checks(context: Context) -> tuple[ProbeResult, ...]:
    """Run every check on the idle design; nothing when the ports are not known.

    Raises:
        SpecError: a check cannot run whatever the design is.
    """
    spec = context.spec
    if not spec.interface.ports:
        return ()
    folder = context.folder.root / "probe"
    dut = idle_dut(spec, folder)
    limits = context.options.check_limits
    limits = replace(limits, wall_s=min(limits.wall_s, _MOST_S))
    results: list[ProbeResult] = []
    for number, check in enumerate(context.checks):
        record = check_record(folder, number, check.source.name)
        found = record.load()
        if found is None:
            workdir = fresh_folder(record.workdir)
            try:
                found = context.toolbox.check(
                    check, dut, workdir, limits=limits, seed=context.options.seed
                )
            except CheckUnusable as error:
                raise SpecError(error.message, remedy=error.remedy) from error
            record.save(found)
        results.append(ProbeResult(found.name, found.status, found.passed, found.reason))
    return tuple(results)
