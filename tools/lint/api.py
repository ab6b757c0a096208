"""Lint a design with the tools that are there."""

from __future__ import annotations

import time
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING

from ..errors import ToolMissing
from .result import LintResult, ToolReport

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from pathlib import Path

    from .result import LintInput

__all__ = ["lint"]


def lint(  # noqa: PLR0913
    files: Sequence[Path],
    workdir: Path,
    *,
    top: str,
    language: str = "verilog-2005",
    use_verilator: bool = True,
    use_yosys: bool = False,
    use_verible: bool = False,
) -> LintResult:
    """Lint `files` as one design with `top` as its top module.

    pyslang and Icarus always run; the others where asked for. A tool that is not installed
    shows in `tools_missing`, and what it would have found is missing from the result.

    Args:
        files: Source files in any order.
        workdir: An existing folder that tools may write to.
        top: Name of the top module.
        language: `verilog-2005` or `systemverilog-2017`; a `.sv` file means the latter.
        use_verilator: Also `verilator --lint-only -Wall`.
        use_yosys: Also `yosys proc; check; stat` (latches, loops, drivers, cell counts).
        use_verible: Also Verible's style rules.

    Raises:
        SourceUnreadable: a file cannot be read as text.
    """
    from ..parse import parse_files
    from .merge import merge
    from .prepare import prepare
    from .semantic import lint_semantic

    started = time.monotonic()
    model = parse_files(files, language=language)
    given = prepare(model, workdir, top=top)
    chosen = _external(given, use_verilator, use_yosys, use_verible)
    missing: list[str] = []
    # The programs are children of their own: they run beside each other and beside our reading.
    with ThreadPoolExecutor(max_workers=max(len(chosen), 1)) as pool:
        running = [(name, pool.submit(linter, given)) for name, linter in chosen]
        reports = [lint_semantic(given)]
        for name, job in running:
            try:
                reports.append(job.result())
            except ToolMissing:
                missing.append(name)
    found = [d for report in reports for d in report.diagnostics]
    return LintResult(
        diagnostics=merge(found, model.order),
        tools_used=tuple(report.tool for report in reports),
        tools_missing=tuple(missing),
        seconds=time.monotonic() - started,
        cells=next((r.cells for r in reports if r.cells), ()),
    )


def _external(
    given: LintInput, use_verilator: bool, use_yosys: bool, use_verible: bool
) -> list[tuple[str, Callable[[LintInput], ToolReport]]]:
    """The child programs to run. None reads a source that is cut off or reaches outside."""
    from .icarus import lint_icarus

    if given.model.truncated or not given.model.unit.includes:
        return []
    chosen: list[tuple[str, Callable[[LintInput], ToolReport]]] = [("iverilog", lint_icarus)]
    if use_verilator:
        from .verilator import lint_verilator

        chosen.append(("verilator", lint_verilator))
    if use_yosys:
        from .yosys import lint_yosys

        chosen.append(("yosys", lint_yosys))
    if use_verible:
        from .verible import lint_verible

        chosen.append(("verible", lint_verible))
    return chosen
