"""The exit code over several results, and a result in words."""

from __future__ import annotations

import textwrap
from typing import TYPE_CHECKING

from rtl_agent.agent.errors import ExitCode
from rtl_agent.agent.verdict import Verdict

if TYPE_CHECKING:
    from collections.abc import Sequence

    from rtl_agent.agent.report.result import SolveResult

__all__ = ["effort", "exit_code", "summary_line"]

# The code that says most comes first: a broken check or missing tool before a mere shortfall.
_ORDER = (ExitCode.MISSING, ExitCode.USAGE, ExitCode.NOT_REACHED, ExitCode.BUDGET)


def exit_code(results: Sequence[SolveResult]) -> ExitCode:
    """0 when every result reached what was required, else the code that says most."""
    codes = {result.exit_code for result in results}
    return next((code for code in _ORDER if code in codes), ExitCode.REACHED)


def effort(result: SolveResult) -> str:
    """How the design came about, and in which time."""
    return ", ".join(filter(None, (result.tries, f"{result.timing.total_s:.1f} s")))


def summary_line(result: SolveResult) -> str:
    """One line for people who read results as text."""
    where = str(result.rtl) if result.rtl else "no design"
    spent = effort(result)
    if result.verdict is Verdict.SELF_CHECKED and result.mutation and result.mutation.score:
        spent = f"mutation score {result.mutation.score:.0%}, {spent}"
    line = f"{result.verdict:<12} {result.module}  {where}  ({spent})"
    if result.reached:
        return line
    return f"{line}\n{textwrap.indent(result.reason, '  ')}"
