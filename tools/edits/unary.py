"""Inversions, reductions and signs."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from pyslang import syntax

if TYPE_CHECKING:
    from collections.abc import Iterator

    from .source import Source
    from .types import Edit

__all__ = ["OPERATORS", "edits"]

OPERATORS = {
    "reduction-swap": "a reduction becomes another (`&x`, `|x`, `^x`)",
    "drop-inversion": "`~x`, `!x` or `-x` becomes `x`",
    "add-inversion": "a signal that is read becomes its inverse",
    "invert-result": "the right side of an assignment is inverted",
}

_KIND = syntax.SyntaxKind
_REDUCTIONS = {
    _KIND.UnaryBitwiseAndExpression: ("|", "^", "~&"),
    _KIND.UnaryBitwiseOrExpression: ("&", "^", "~|"),
    _KIND.UnaryBitwiseXorExpression: ("|", "&", "~^"),
    _KIND.UnaryBitwiseNandExpression: ("&",),
    _KIND.UnaryBitwiseNorExpression: ("|",),
    _KIND.UnaryBitwiseXnorExpression: ("^",),
}
_INVERSIONS = (
    _KIND.UnaryBitwiseNotExpression,
    _KIND.UnaryLogicalNotExpression,
    _KIND.UnaryMinusExpression,
)
_READERS = (
    _KIND.BinaryAndExpression,
    _KIND.BinaryOrExpression,
    _KIND.BinaryXorExpression,
    _KIND.BinaryXnorExpression,
    _KIND.LogicalAndExpression,
    _KIND.LogicalOrExpression,
)
_ASSIGNMENTS = (_KIND.AssignmentExpression, _KIND.NonblockingAssignmentExpression)
_SIMPLE = (_KIND.IdentifierName, _KIND.IdentifierSelectName)


def edits(source: Source) -> Iterator[Edit]:
    """Edits of operators with one operand, and of operands that have none."""
    for node in source.of(*_REDUCTIONS):
        sign = node.operatorToken.rawText
        for other in _REDUCTIONS[node.kind]:
            note = f"the reduction `{sign}` becomes `{other}`"
            yield source.edit("reduction-swap", node.operatorToken, other, note)
    for node in source.of(*_INVERSIONS):
        sign, inner = node.operatorToken.rawText, source.of_text(node.operand)
        yield source.edit("drop-inversion", node, inner, f"`{sign}` before `{inner}` goes")
    for node in source.of(*_READERS):
        logical = node.kind in {_KIND.LogicalAndExpression, _KIND.LogicalOrExpression}
        for side in (node.left, node.right):
            if side.kind in _SIMPLE and source.written(side):
                yield _inverted(source, side, "!" if logical else "~")
    yield from _results(source)


def _inverted(source: Source, node: Any, sign: str) -> Edit:
    text = source.of_text(node)
    return source.edit("add-inversion", node, f"{sign}{text}", f"`{text}` becomes `{sign}{text}`")


def _results(source: Source) -> Iterator[Edit]:
    for node in source.of(*_ASSIGNMENTS):
        right = node.right
        if right.kind == _KIND.TimingControlExpression:
            right = right.expr
        if not source.written(right) or _in_loop_head(node):
            continue
        text = source.of_text(right)
        simple = right.kind in (*_SIMPLE, _KIND.ParenthesizedExpression)
        inverted = f"~{text}" if simple else f"~({text})"
        if right.kind == _KIND.UnaryBitwiseNotExpression:
            continue
        note = f"the value of `{source.of_text(node.left)}` is inverted"
        yield source.edit("invert-result", right, inverted, note)


def _in_loop_head(node: Any) -> bool:
    return node.parent is not None and node.parent.kind == _KIND.ForLoopStatement
