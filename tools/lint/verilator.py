"""`verilator --lint-only -Wall` as a second opinion."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from ..diagnostic import Diagnostic, Severity
from ..process import Limits, run
from ..toolchain import VERILATOR
from .result import ToolReport

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from .result import LintInput

__all__ = ["TOOL", "lint_verilator", "read_messages"]

TOOL = "verilator"

_LIMITS = Limits(wall_s=30.0, memory_mib=2048, output_mib=4, processes=16)
_E, _W, _N = Severity.ERROR, Severity.WARNING, Severity.NOTE
_MESSAGE = re.compile(
    r"^%(?P<level>Warning|Error)(?:-(?P<code>\w+))?: "
    r"(?:(?P<file>.+?):(?P<line>\d+):(?:(?P<column>\d+):)? )?(?P<text>.*)$"
)

# Verilator's code: our code, severity, hint. Codes that are not here become notes.
_KNOWN: dict[str, tuple[str, Severity, str]] = {
    "LATCH": (
        "latch",
        _W,
        "assign a default value at the top of the block, so that every path assigns the signal",
    ),
    "IMPLICIT": (
        "implicit-net",
        _E,
        "declare the net with its width; without a declaration it is one bit wide",
    ),
    "MULTIDRIVEN": ("multiple-drivers", _E, "drive each signal from one place"),
    "WIDTHTRUNC": ("width-truncation", _N, "widen the target, or select the bits you mean"),
    "WIDTHEXPAND": ("width-extension", _N, ""),
    "WIDTH": ("width-truncation", _N, "make both sides equally wide"),
    "PINMISSING": ("port-unconnected", _W, "connect the port, or write `.port()`"),
    "PINNOTFOUND": ("unknown-port", _E, "use the port names of the module's declaration"),
    "UNDRIVEN": ("undriven", _W, "drive the signal"),
    "UNUSEDSIGNAL": ("unused", _N, "remove it, or use it"),
    "UNUSEDPARAM": ("unused", _N, "remove it, or use it"),
    "BLKSEQ": (
        "blocking-in-sequential",
        _N,
        "use `<=` in clocked blocks, or other flip-flops may see the new value too early",
    ),
    "COMBDLY": (
        "nonblocking-in-combinational",
        _W,
        "use `=` in combinational blocks; `<=` delays the value by a step and can loop",
    ),
    "BLKANDNBLK": ("mixed-assignments", _E, "assign the signal with `<=` or with `=`, not both"),
    "UNOPTFLAT": (
        "circular-logic",
        _N,
        "the signal depends on itself; break the loop with a register",
    ),
    "CASEINCOMPLETE": ("case-incomplete", _N, "add the missing arms or a default"),
    "CASEOVERLAP": ("case-overlap", _N, "the first arm that matches wins"),
    "CASEX": ("case-x", _N, "use casez with ? where bits do not matter"),
    "SELRANGE": ("index-out-of-range", _W, "the index is outside the declared range"),
    "ASSIGNIN": ("drives-input", _E, "an input is driven from outside; do not assign it"),
    "PROCASSWIRE": ("assign-to-wire", _E, "declare the signal as `reg`"),
    "INFINITELOOP": ("zero-delay-loop", _W, "let the loop end"),
    "SYNCASYNCNET": ("mixed-reset", _N, "use the reset either synchronously or asynchronously"),
    "MODMISSING": ("unknown-module", _E, "define the module in the same files"),
}
# About file names, generated code or timing: nothing to learn about the design.
_DROPPED = frozenset(
    [
        "DECLFILENAME",
        "EOFNEWLINE",
        "TIMESCALEMOD",
        "STMTDLY",
        "MULTITOP",
        "GENUNNAMED",
        "VARHIDDEN",
        "ASSIGNDLY",
        "PINCONNECTEMPTY",
        "UNUSEDGENVAR",
        "NOTIMING",
        "NEWERSTD",
        "WIDTHEXPAND",
    ]
)


def lint_verilator(given: LintInput) -> ToolReport:
    """Lint the design with Verilator.

    Raises:
        ToolMissing: Verilator is not installed.
    """
    program = VERILATOR.require()
    language = "1800-2017" if given.systemverilog else "1364-2005"
    argv = [str(program), "--lint-only", "-Wall", "-Wno-fatal", "--no-timing"]
    argv += ["--language", language, "--top-module", given.top]
    argv += [f"-I{folder}" for folder in given.include_dirs]
    argv += [str(path) for path in given.files]
    env = {"VERILATOR_ROOT": str(program.parent.parent)}
    result = run(argv, cwd=given.workdir, limits=_LIMITS, env=env)
    return ToolReport(TOOL, tuple(read_messages(result.stderr.splitlines(), given.names)))


def read_messages(lines: Iterable[str], names: dict[str, str]) -> Iterator[Diagnostic]:
    """Diagnostics from the lines Verilator prints."""
    for line in lines:
        match = _MESSAGE.match(line)
        if match is None or match["file"] is None or match["code"] in _DROPPED:
            continue
        code, severity, hint = _classify(match["level"], match["code"])
        file = names.get(match["file"], match["file"])
        column = int(match["column"] or 0)
        yield Diagnostic(
            file, int(match["line"]), column, severity, code, match["text"], hint, TOOL
        )


def _classify(level: str, code: str | None) -> tuple[str, Severity, str]:
    """Verilator is a second opinion: an error only it reports is a warning here."""
    if code in _KNOWN:
        return _KNOWN[code]
    if level == "Error":
        return (f"verilator-{(code or 'error').lower()}", _W, "Verilator does not accept this")
    return (f"verilator-{(code or 'warning').lower()}", _N, "")
