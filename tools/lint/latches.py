"""Latches in plain `always @(*)` blocks, which pyslang by itself passes over.

Its analysis does look for them in `always_comb`. So each combinational `always` header is
replaced by `always_comb`, padded so that no line moves, and the analysis is run on that text.
Only its latch findings are kept. The analysis unrolls only loops whose variable belongs to the
loop, so a `for` over a module-level `integer` gets an `int` in front of its variable.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from pyslang import analysis, syntax

from ..diagnostic import Severity
from ..parse.messages import translate
from ..parse.unit import build_unit

if TYPE_CHECKING:
    from ..diagnostic import Diagnostic
    from ..parse.model import SourceModel
    from ..parse.unit import SlangUnit

__all__ = ["latch_diagnostics"]

_KIND = syntax.SyntaxKind
_LOOP_VARIABLE = b"int "
_HEADER = b"always_comb "


@dataclass(frozen=True, slots=True)
class _Edit:
    """Replace the bytes from `start` to `end`; `line` and `column` are where that begins."""

    start: int
    end: int
    line: int
    column: int


def latch_diagnostics(model: SourceModel) -> list[Diagnostic]:
    """Warnings for each signal that a combinational `always` block does not always assign."""
    edits = _edits(model.unit)
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
    found = [d for d in translate(manager.getDiagnostics(), unit) if d.code == "latch"]
    return [_move_back(d, edits.get(d.file, [])) for d in found]


def _edits(unit: SlangUnit) -> dict[str, list[_Edit]]:
    """Headers and loop variables of the `always @(*)` blocks, by file name."""
    found: dict[str, list[_Edit]] = {}

    def add(start: Any, end: Any) -> None:
        if unit.manager.isMacroLoc(start) or unit.manager.isMacroLoc(end):
            return
        place = unit.place(start)
        edit = _Edit(start.offset, end.offset, place.line, place.column)
        found.setdefault(place.file, []).append(edit)

    def loop(node: Any) -> None:
        first = node.initializers[0] if len(node.initializers) else None
        if first is not None and first.kind == _KIND.AssignmentExpression:
            spot = first.getFirstToken().location
            add(spot, spot)

    def block(node: Any) -> None:
        timed = node.statement
        if timed.kind != _KIND.TimingControlStatement:
            if node.kind == _KIND.AlwaysCombBlock:
                node.visit(lookup_table={_KIND.ForLoopStatement: loop})
            return
        if timed.timingControl.kind == _KIND.ImplicitEventControl:
            add(node.keyword.location, timed.timingControl.sourceRange.end)
            node.visit(lookup_table={_KIND.ForLoopStatement: loop})

    for tree in unit.trees:
        tree.root.visit(lookup_table={_KIND.AlwaysBlock: block, _KIND.AlwaysCombBlock: block})
    return found


def _apply(text: str, edits: list[_Edit]) -> str:
    data = bytearray(text.encode())
    for edit in sorted(edits, key=lambda e: e.start, reverse=True):
        data[edit.start : edit.end] = _new_text(edit, bytes(data[edit.start : edit.end]))
    return data.decode()


def _new_text(edit: _Edit, old: bytes) -> bytes:
    if edit.start == edit.end:
        return _LOOP_VARIABLE
    breaks = old.count(b"\n")
    return _HEADER + b" " * (len(old) - len(_HEADER) - breaks) + b"\n" * breaks


def _move_back(item: Diagnostic, edits: list[_Edit]) -> Diagnostic:
    """Undo what the edits before it on its line added to the column."""
    moved = sum(
        max(len(_LOOP_VARIABLE if e.start == e.end else _HEADER) - (e.end - e.start), 0)
        for e in edits
        if e.line == item.line and e.column < item.column
    )
    return replace(item, column=item.column - moved, severity=Severity.WARNING)
