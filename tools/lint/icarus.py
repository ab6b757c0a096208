"""`iverilog -Wall`: compile without code, and read what it says."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from ..diagnostic import Diagnostic, Severity
from ..process import Limits, run
from ..toolchain import ICARUS
from .icarus_messages import classify
from .result import ToolReport
from .support import explain_unsupported

if TYPE_CHECKING:
    from collections.abc import Iterable

    from ..process import ProcessResult
    from .result import LintInput

__all__ = ["TOOL", "lint_icarus", "read_messages"]

TOOL = "iverilog"

_LIMITS = Limits(wall_s=120.0, memory_mib=1024, output_mib=4, processes=16)
# Killed, or out of CPU time; as a signal, or as a shell reports one.
_KILLED = frozenset({-9, -24, 137, 152})
_PLACED = re.compile(r"^(?P<file>.+?):(?P<line>\d+)(?::(?P<column>\d+))?: (?P<text>.*)$")
_NOISE = re.compile(r"^(I give up\.|\d+ error\(s\) during elaboration\.|Elaboration failed.*)$")


def lint_icarus(given: LintInput) -> ToolReport:
    """Compile the design with all warnings and no output.

    Raises:
        ToolMissing: Icarus is not installed.
    """
    language = "2012" if given.systemverilog else "2005"
    argv = [str(ICARUS.require()), f"-g{language}", "-Wall", "-t", "null", "-s", given.top]
    argv += [f"-I{folder}" for folder in given.include_dirs]
    argv += [str(path) for path in given.files]
    result = run(argv, cwd=given.workdir, limits=_LIMITS)
    said = list(read_messages(result.output.splitlines(), given.names))
    if not result.ok and not any(d.severity is Severity.ERROR for d in said):
        said += _unexplained(result, given)
    return ToolReport(TOOL, explain_unsupported(said, given.model))


def read_messages(lines: Iterable[str], names: dict[str, str]) -> Iterable[Diagnostic]:
    """Diagnostics from the lines Icarus prints, continuation lines and noise left out."""
    for line in lines:
        placed = _PLACED.match(line)
        if placed is None:
            if line.strip() and not _NOISE.match(line):
                yield from _unplaced(line)
            continue
        text = placed["text"]
        if text.startswith(" "):
            continue  # continues the message before
        known = classify(text)
        if known is None:
            continue
        code, severity, message, hint = known
        file = names.get(placed["file"], placed["file"])
        line_number, column = int(placed["line"]), int(placed["column"] or 0)
        yield Diagnostic(file, line_number, column, severity, code, message, hint, TOOL)


def _unplaced(line: str) -> Iterable[Diagnostic]:
    if not line.startswith(("error:", "sorry:", "warning:", "No top level", "assert:")):
        return
    known = classify(line)
    if known is not None:
        code, severity, message, hint = known
        yield Diagnostic("", 0, 0, severity, code, message, hint, TOOL)


def _unexplained(result: ProcessResult, given: LintInput) -> Iterable[Diagnostic]:
    """A failure without a message: a crash, a limit."""
    file = str(given.model.order[0])
    if result.stopped is not None or result.exit_code in _KILLED:
        limit = result.stopped or "CPU or memory limit"
        code, message = "tool-limit", f"Icarus was stopped: {limit}"
        hint = "look for a very large generate loop or constant expression"
    else:
        code, message = "tool-crash", f"Icarus died with exit code {result.exit_code}"
        hint = "the tool failed, not necessarily the design; simplify the construct it died on"
    yield Diagnostic(file, 0, 0, Severity.ERROR, code, message, hint, TOOL)
