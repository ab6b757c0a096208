"""Latches in plain `always @(*)` blocks, which pyslang by itself passes over.

Its analysis does look for them in `always_comb`. So each combinational `always` header is
replaced by `always_comb`, padded so that no line or column moves, and the analysis is run on
that text. Only its latch findings are kept.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from pyslang import analysis, syntax

from ..parse.messages import translate
from ..parse.unit import build_unit

if TYPE_CHECKING:
    from ..diagnostic import Diagnostic
    from ..parse.model import SourceModel

__all__ = ["latch_diagnostics"]

_KIND = syntax.SyntaxKind


def latch_diagnostics(model: SourceModel) -> list[Diagnostic]:
    """Warnings for each signal that a combinational `always` block does not always assign."""
    edits = _headers(model)
    if not edits:
        return []
    texts = {name: _apply(text, edits.get(name, [])) for name, text in model.texts.items()}
    unit = build_unit(
        texts,
        language="systemverilog-2017",
        shared_macros=len(model.unit.trees) < len(texts),
        includes=model.unit.includes,
    )
    unit.compilation.getAllDiagnostics()  # elaborates; the analysis needs it
    manager = analysis.AnalysisManager()
    manager.analyze(unit.compilation)
    found = translate(manager.getDiagnostics(), unit)
    return [d for d in found if d.code == "latch"]


def _headers(model: SourceModel) -> dict[str, list[tuple[int, int]]]:
    """Byte ranges of `always @(*)` headers, by file name."""
    unit = model.unit
    found: dict[str, list[tuple[int, int]]] = {}

    def block(node: syntax.ProceduralBlockSyntax) -> None:
        statement = node.statement
        if statement.kind != _KIND.TimingControlStatement:
            return
        control = statement.timingControl
        if control.kind != _KIND.ImplicitEventControl:
            return
        start, end = node.keyword.location, control.sourceRange.end
        if unit.manager.isMacroLoc(start) or unit.manager.isMacroLoc(end):
            return
        name = unit.manager.getFileName(start)
        found.setdefault(name, []).append((start.offset, end.offset))

    for tree in unit.trees:
        tree.root.visit(lookup_table={_KIND.AlwaysBlock: block})
    return found


def _apply(text: str, ranges: list[tuple[int, int]]) -> str:
    data = bytearray(text.encode())
    for start, end in sorted(ranges, reverse=True):
        word = b"always_comb"
        old = bytes(data[start:end])
        breaks = old.count(b"\n")
        data[start:end] = word + b" " * max(len(old) - len(word) - breaks, 0) + b"\n" * breaks
    return data.decode()
