"""What pyslang finds: parse diagnostics, analysis, and latches in plain `always` blocks."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pyslang import analysis

from ..parse.messages import translate
from .latches import latch_diagnostics
from .result import ToolReport
from .structure import structure_diagnostics

if TYPE_CHECKING:
    from .result import LintInput

__all__ = ["TOOL", "lint_semantic"]

TOOL = "pyslang"


def lint_semantic(given: LintInput) -> ToolReport:
    """Diagnostics of the parser and of the analysis that follows it."""
    model = given.model
    found = list(model.diagnostics)
    if not model.truncated:
        options = analysis.AnalysisOptions()
        options.flags = analysis.AnalysisFlags.CheckUnused
        manager = analysis.AnalysisManager(options)
        manager.analyze(model.unit.compilation)
        found += translate(manager.getDiagnostics(), model.unit)
        found += latch_diagnostics(model)
        found += structure_diagnostics(model, given.top)
    return ToolReport(TOOL, tuple(found))
