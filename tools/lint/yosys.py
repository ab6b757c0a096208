"""Yosys `proc; check; stat`: latches, loops, multiple drivers, cell counts."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import TYPE_CHECKING

from ..diagnostic import Diagnostic, Severity
from ..errors import ToolMissing
from ..toolchain import YOSYS
from ..yosys_run import run_yosys
from .result import ToolReport

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from ..process import ProcessResult
    from .result import LintInput

__all__ = [
    "TOOL",
    "lint_yosys",
    "read_messages",
]

TOOL = "yosys"

_WALL_S = 120.0
_E, _W, _N = Severity.ERROR, Severity.WARNING, Severity.NOTE
_PLACE = re.compile(r"(?P<file>s\d+\.v):(?P<line>\d+)")
_SIGNAL = re.compile(r"`[^`']*\\([^\\\s'`]+)[^\\'`]*'")
_LATCH = "assign a default value at the top of the block, so that every path assigns the signal"
_KNOWN: tuple[tuple[str, str, Severity, str], ...] = (
    (r"Latch inferred for signal", "latch", _W, _LATCH),
    (r"found logic loop", "combinational-loop", _W, "break the loop with a register"),
    (r"multiple conflicting drivers", "multiple-drivers", _W, "drive each signal from one place"),
    (r"used but has no driver", "undriven", _W, "drive the signal"),
    (r"implicitly declared", "implicit-net", _W, "declare the net with its width"),
)


def lint_yosys(given: LintInput) -> ToolReport:
    """Elaborate the design with Yosys and count its cells.

    Raises:
        ToolMissing: Yosys is not installed.
    """
    if not YOSYS.available():
        raise ToolMissing("yosys is not installed", remedy=YOSYS.install())
    folder = given.workdir.absolute() / "yosys"
    names = _stage(given, folder)
    flag = "-sv " if given.systemverilog else ""
    lines = [f"read_verilog {flag}{name}" for name in names]
    lines += [f"hierarchy -check -top {_written(given.top)}", "proc", "check"]
    lines += ["tee -q -o stat.json stat -json"]
    (folder / "lint.ys").write_text("\n".join(lines) + "\n", encoding="utf-8")
    result = run_yosys(["-Q", "-T", "-q", "-s", "lint.ys"], folder, _WALL_S)
    found = list(read_messages(result.output, names))
    if not result.ok and not any(d.severity is _E for d in found):
        found.append(_did_not_run(result, given))
    return ToolReport(TOOL, tuple(found), _cells(folder / "stat.json"))


def _stage(given: LintInput, folder: Path) -> dict[str, str]:
    """Copy the sources: the wheel sees a file system of its own, where only `folder` is sure.

    Returns:
        The user's name of each copy, in compile order.
    """
    folder.mkdir(parents=True, exist_ok=True)
    names = {}
    for index, path in enumerate(given.files):
        name = f"s{index}.v"
        (folder / name).write_text(path.read_text(encoding="utf-8"), encoding="utf-8")
        names[name] = given.names[str(path)]
    for file, text in given.model.included.items():
        for beside in given.include_dirs:
            if Path(file).is_relative_to(beside.resolve()):
                target = folder / Path(file).relative_to(beside.resolve())
                target.parent.mkdir(parents=True, exist_ok=True)
                target.write_text(text, encoding="utf-8")
    return names


def _written(name: str) -> str:
    return name if re.fullmatch(r"\w+", name) else f"\\{name}"


def _did_not_run(result: ProcessResult, given: LintInput) -> Diagnostic:
    """A note that this part of the lint is missing; the design may be right."""
    lines = result.output.strip().splitlines()
    why = str(result.stopped or (lines[-1] if lines else f"exit code {result.exit_code}"))
    file = str(given.model.order[0])
    message = f"Yosys did not finish: {why}"
    return Diagnostic(file, 0, 0, _N, "tool-crash", message, "the other tools' word stands", TOOL)


def read_messages(output: str, names: Mapping[str, str]) -> Iterator[Diagnostic]:
    """Diagnostics from what Yosys prints; `names` are the user's names of the files."""
    first = next(iter(names.values()), "")
    for where, text in _messages(output):
        known = next((k for k in _KNOWN if re.search(k[0], text)), None)
        place = _PLACE.search(f"{where} {text}")
        # Yosys reads less of the language than the others: its own refusals are no errors.
        code, severity, hint = known[1:] if known else ("yosys", _W, "")
        signal = _SIGNAL.search(text)
        message = text.partition(" from process")[0].partition(": cell")[0]
        if signal is not None:
            message = f"{message.partition('`')[0].strip()} '{signal[1]}'"
        file = names.get(place["file"], first) if place else first
        line = int(place["line"]) if place else 0
        yield Diagnostic(file, line, 0, severity, code, message, hint, TOOL)


def _messages(output: str) -> Iterator[tuple[str, str]]:
    """What stands before each warning and error, and its text with the lines that continue it."""
    where = ""
    current: list[str] = []
    for line in [*output.splitlines(), "end"]:
        if current and line.startswith(" "):
            current.append(line.strip())
            continue
        if current:
            yield where, " ".join(" ".join(current).split())
        marked = re.match(r"(.*?)(?:Warning|ERROR): (.*)", line)
        where, current = (marked[1], [marked[2]]) if marked else ("", [])


def _cells(report: Path) -> tuple[tuple[str, int], ...]:
    try:
        data = json.loads(report.read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return ()
    cells = data.get("design", {}).get("num_cells_by_type", {})
    return tuple(sorted((str(k), int(v)) for k, v in cells.items()))
