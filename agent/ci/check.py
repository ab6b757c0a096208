"""Judges the designs of a manifest, one after the other, whatever becomes of each."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from rtl_agent.agent.errors import ExitCode, SpecError, UsageError
from rtl_agent.agent.graph.run import check_design
from rtl_agent.agent.spec.read import read_spec
from rtl_agent.tools.errors import ToolError, ToolMissing

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from pathlib import Path

    from rtl_agent.agent.graph.options import SolveOptions
    from rtl_agent.agent.report.result import SolveResult
    from rtl_agent.agent.spec.model import Spec

    from .manifest import Design

__all__ = ["DesignReport", "exit_code", "judge", "options_of"]

_ORDER = (ExitCode.MISSING, ExitCode.USAGE, ExitCode.NOT_REACHED, ExitCode.BUDGET)


@dataclass(frozen=True, slots=True)
class DesignReport:
    """How one design came out: a result, or why there is none."""

    design: Design
    spec: Spec | None = None
    result: SolveResult | None = None
    problem: str = ""
    remedy: str = ""

    @property
    def ok(self) -> bool:
        """Whether the design has the verdict that is required of it."""
        return self.result is not None and self.result.reached

    @property
    def exit_code(self) -> ExitCode:
        """Exit code of a program that checked this one design."""
        return ExitCode.USAGE if self.result is None else self.result.exit_code


def judge(
    design: Design,
    options: SolveOptions,
    check: Callable[[Sequence[Path], Spec, SolveOptions], SolveResult] = check_design,
) -> DesignReport:
    """Check one design; a spec or check that cannot be used is its result, not the end.

    Raises:
        ToolMissing, MissingError: nothing can be judged on this machine.
        OutputError: the run folder cannot be written.
    """
    spec: Spec | None = None
    try:
        spec = read_spec(design.spec)
        result = check(design.rtl, spec, options_of(design, options))
    except ToolMissing:
        raise
    except (SpecError, UsageError, ToolError) as error:
        return DesignReport(design, spec, None, error.message, error.remedy)
    return DesignReport(design, spec, result)


def options_of(design: Design, options: SolveOptions) -> SolveOptions:
    """The options for one design: its own folder for runs, its own required verdict."""
    return replace(
        options, out=options.out / "ci" / design.name, require=design.require or options.require
    )


def exit_code(reports: Sequence[DesignReport]) -> ExitCode:
    """0 when every design has its required verdict, else the code that says most."""
    codes = {report.exit_code for report in reports}
    return next((code for code in _ORDER if code in codes), ExitCode.REACHED)
