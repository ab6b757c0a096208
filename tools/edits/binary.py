"""Operators between two operands: exchanged, dropped, or their operands turned round."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from pyslang import syntax

if TYPE_CHECKING:
    from collections.abc import Iterator

    from .source import Source
    from .types import Edit

__all__ = ["OPERATORS", "edits"]

OPERATORS = {
    "operator-swap": "an arithmetic or bitwise operator becomes another (`+` `-`, `&` `|` `^`)",
    "logic-swap": "`&&` becomes `||`, or the other way round",
    "comparison-swap": "a comparison becomes a near one (`<` `<=`, `==` `!=`)",
    "shift-direction": "a shift, or a shift register, goes the other way",
    "shift-kind": "an arithmetic shift becomes a logical one, or the other way round",
    "swap-operands": "the operands of `-`, `/`, `%` or a shift change places",
    "drop-term": "one side of `&&`, `||`, `&`, `|`, `^` or `+` is left out",
}

_KIND = syntax.SyntaxKind
_SWAPS: dict[Any, tuple[str, tuple[str, ...]]] = {
    _KIND.AddExpression: ("operator-swap", ("-",)),
    _KIND.SubtractExpression: ("operator-swap", ("+",)),
    _KIND.MultiplyExpression: ("operator-swap", ("+",)),
    _KIND.DivideExpression: ("operator-swap", ("*", "%")),
    _KIND.ModExpression: ("operator-swap", ("/",)),
    _KIND.BinaryAndExpression: ("operator-swap", ("|", "^")),
    _KIND.BinaryOrExpression: ("operator-swap", ("&", "^")),
    _KIND.BinaryXorExpression: ("operator-swap", ("~^", "|", "&")),
    _KIND.BinaryXnorExpression: ("operator-swap", ("^",)),
    _KIND.LogicalAndExpression: ("logic-swap", ("||",)),
    _KIND.LogicalOrExpression: ("logic-swap", ("&&",)),
    _KIND.EqualityExpression: ("comparison-swap", ("!=", ">=", "<=")),
    _KIND.InequalityExpression: ("comparison-swap", ("==", "<", ">")),
    _KIND.LessThanExpression: ("comparison-swap", ("<=", ">", ">=")),
    _KIND.LessThanEqualExpression: ("comparison-swap", ("<", ">=", ">", "==")),
    _KIND.GreaterThanExpression: ("comparison-swap", (">=", "<", "<=")),
    _KIND.GreaterThanEqualExpression: ("comparison-swap", (">", "<=", "<", "==")),
    _KIND.CaseEqualityExpression: ("comparison-swap", ("!==",)),
    _KIND.CaseInequalityExpression: ("comparison-swap", ("===",)),
    _KIND.LogicalShiftLeftExpression: ("shift-direction", (">>",)),
    _KIND.LogicalShiftRightExpression: ("shift-direction", ("<<",)),
    _KIND.ArithmeticShiftLeftExpression: ("shift-direction", (">>>",)),
    _KIND.ArithmeticShiftRightExpression: ("shift-direction", ("<<<",)),
}
_KINDS_OF_SHIFT = {
    _KIND.LogicalShiftRightExpression: ">>>",
    _KIND.ArithmeticShiftRightExpression: ">>",
}
_ORDERED = (
    _KIND.SubtractExpression,
    _KIND.DivideExpression,
    _KIND.ModExpression,
    _KIND.LogicalShiftLeftExpression,
    _KIND.LogicalShiftRightExpression,
    _KIND.ArithmeticShiftRightExpression,
)
_DROPPABLE = (
    _KIND.LogicalAndExpression,
    _KIND.LogicalOrExpression,
    _KIND.BinaryAndExpression,
    _KIND.BinaryOrExpression,
    _KIND.BinaryXorExpression,
    _KIND.AddExpression,
)


def edits(source: Source) -> Iterator[Edit]:
    """Edits of the operators between two operands."""
    for node in source.of(*_SWAPS):
        if _in_range(node):
            continue
        token = node.operatorToken
        if source.unit.manager.isMacroLoc(token.location):
            continue
        name, others = _SWAPS[node.kind]
        for other in others:
            yield source.edit(name, token, other, f"`{token.rawText}` becomes `{other}`")
        if node.kind in _KINDS_OF_SHIFT:
            other = _KINDS_OF_SHIFT[node.kind]
            yield source.edit("shift-kind", token, other, f"`{token.rawText}` becomes `{other}`")
        yield from _operands(source, node)


def _operands(source: Source, node: Any) -> Iterator[Edit]:
    left, right = source.of_text(node.left), source.of_text(node.right)
    sign = node.operatorToken.rawText
    if node.kind in _ORDERED and left != right:
        parts = (_closed(node.right, right), _closed(node.left, left))
        text = f"{parts[0]} {sign} {parts[1]}"
        yield source.edit("swap-operands", node, text, f"the operands of `{sign}` change places")
    if node.kind in _DROPPABLE:
        for kept, gone in ((left, right), (right, left)):
            yield source.edit("drop-term", node, kept, f"`{gone}` is left out beside `{sign}`")


def _closed(node: Any, text: str) -> str:
    return f"({text})" if isinstance(node, syntax.BinaryExpressionSyntax) else text


def _in_range(node: Any) -> bool:
    """Whether the expression is part of a declared range."""
    current = node
    while current is not None:
        if current.kind == _KIND.VariableDimension:
            return True
        current = current.parent
    return False
