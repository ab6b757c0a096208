"""Where a finding is to be shown: paths as a repository has them, and the line of a module."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING

from rtl_agent.agent.styles.extract import split_units

if TYPE_CHECKING:
    from .check import DesignReport

__all__ = ["shown_path", "top_place"]


def shown_path(path: str | Path) -> str:
    """`path` relative to the checkout, or to the working folder; else as it is."""
    full = Path(path).absolute()
    for base in (os.environ.get("GITHUB_WORKSPACE"), str(Path.cwd())):
        if base and full.is_relative_to(base):
            return full.relative_to(base).as_posix()
    return str(path)


def top_place(report: DesignReport) -> tuple[str, int]:
    """File and line of the design's top module; line 1 of its first file where there is none."""
    module = report.spec.interface.module if report.spec else ""
    for path in report.design.rtl:
        text = path.read_text(encoding="utf-8", errors="replace")
        for unit in split_units(text):
            if unit.name == module:
                at = text.find(unit.text.rstrip())
                return str(path), text.count("\n", 0, max(at, 0)) + 1
    return str(report.design.rtl[0]), 1
