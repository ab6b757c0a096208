"""Verible's style rules; every finding is a note."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from ..diagnostic import Diagnostic, Severity
from ..process import Limits, run
from ..toolchain import VERIBLE
from .result import ToolReport

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from .result import LintInput

__all__ = ["TOOL", "lint_verible", "read_messages"]

TOOL = "verible"

_LIMITS = Limits(wall_s=20.0, memory_mib=2048, output_mib=4, processes=16)
_MESSAGE = re.compile(
    r"^(?P<file>.+?):(?P<line>\d+):(?P<column>\d+)(?:-\d+)?(?::\d+)?(?:-\d+)?:\s*"
    r"(?P<text>.*?)(?:\s*\[Style:[^\]]*\])?\s*(?:\[(?P<rule>[\w-]+)\])?$"
)
# About file names, or advice that Verilog-2005 cannot follow.
_DROPPED = frozenset({"module-filename", "package-filename"})
_SYSTEMVERILOG_ONLY = frozenset(
    {
        "always-comb",
        "always-ff-non-blocking",
        "explicit-task-lifetime",
        "explicit-function-lifetime",
        "case-missing-default",
    }
)


def lint_verible(given: LintInput) -> ToolReport:
    """Check style.

    Raises:
        ToolMissing: Verible is not installed.
    """
    argv = [str(VERIBLE.require()), *(str(path) for path in given.files)]
    result = run(argv, cwd=given.workdir, limits=_LIMITS)
    dropped = _DROPPED if given.systemverilog else _DROPPED | _SYSTEMVERILOG_ONLY
    found = read_messages(result.output.splitlines(), given.names)
    return ToolReport(TOOL, tuple(d for d in found if d.code.removeprefix("style-") not in dropped))


def read_messages(lines: Iterable[str], names: dict[str, str]) -> Iterator[Diagnostic]:
    """Diagnostics from the lines Verible prints; its syntax errors are left to the parser."""
    for line in lines:
        match = _MESSAGE.match(line)
        if match is None or match["rule"] is None:
            continue
        yield Diagnostic(
            names.get(match["file"], match["file"]),
            int(match["line"]),
            int(match["column"]),
            Severity.NOTE,
            f"style-{match['rule']}",
            match["text"],
            "",
            TOOL,
        )
