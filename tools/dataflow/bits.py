"""Which bits an expression depends on, bit by bit where its operators allow."""

from __future__ import annotations

from typing import Any

from pyslang import ast

__all__ = ["bit_dependencies", "paths_of"]

_KIND = ast.ExpressionKind
_BITWISE = frozenset(
    {
        ast.BinaryOperator.BinaryAnd,
        ast.BinaryOperator.BinaryOr,
        ast.BinaryOperator.BinaryXor,
        ast.BinaryOperator.BinaryXnor,
    }
)
_CARRY = frozenset({ast.BinaryOperator.Add, ast.BinaryOperator.Subtract})
# Wider than this, all bits count as depending on all: the work would grow with the square.
_MAX_WIDTH = 256

_Bit = tuple[Any, int]
_PerBit = list[frozenset[_Bit]]


def paths_of(expression: Any, context: Any) -> list[tuple[Any, int, int]]:
    """Symbol, low and high bit of every signal an expression reads."""
    found: list[tuple[Any, int, int]] = []

    def path(item: Any) -> None:
        if not item.empty and item.rootSymbol is not None:
            low, high = item.lspBounds
            found.append((item.rootSymbol, low, high))

    ast.ValuePath.visitPaths(expression, context, path)
    return found


def bit_dependencies(expression: Any, context: Any) -> _PerBit | None:
    """For each bit, least significant first, the (symbol, bit) pairs it depends on.

    None where the expression is too wide to tell.
    """
    if not 0 < expression.type.bitWidth <= _MAX_WIDTH:
        return None
    return _per_bit(expression, context)


def _per_bit(expression: Any, context: Any) -> _PerBit:
    width = int(expression.type.bitWidth)
    if width > _MAX_WIDTH:
        return _all(expression, context, width)
    rule = _RULES.get(expression.kind)
    found = rule(expression, context, width) if rule is not None else None
    if found is None or len(found) != width:
        return _all(expression, context, width)
    return found


def _all(expression: Any, context: Any, width: int) -> _PerBit:
    every = frozenset(
        (symbol, bit)
        for symbol, low, high in paths_of(expression, context)
        for bit in range(low, high + 1)
    )
    return [every] * width


def _literal(_expression: Any, _context: Any, width: int) -> _PerBit:
    return [frozenset()] * width


def _select(expression: Any, context: Any, width: int) -> _PerBit | None:
    path = ast.ValuePath(expression, context)
    if path.empty or not path.isFullyStatic or path.rootSymbol is None:
        return None
    low, high = path.lspBounds
    if high - low + 1 != width:
        return None
    return [frozenset({(path.rootSymbol, low + i)}) for i in range(width)]


def _conversion(expression: Any, context: Any, width: int) -> _PerBit:
    inner = _per_bit(expression.operand, context)
    fill = inner[-1] if expression.operand.type.isSigned and inner else frozenset()
    return (inner + [fill] * width)[:width]


def _binary(expression: Any, context: Any, width: int) -> _PerBit | None:
    if expression.op not in _BITWISE and expression.op not in _CARRY:
        return None
    left, right = _per_bit(expression.left, context), _per_bit(expression.right, context)
    if len(left) != width or len(right) != width:
        return None
    joined = [a | b for a, b in zip(left, right, strict=True)]
    if expression.op in _CARRY:
        for i in range(1, width):
            joined[i] |= joined[i - 1]
    return joined


def _unary(expression: Any, context: Any, _width: int) -> _PerBit | None:
    if expression.op != ast.UnaryOperator.BitwiseNot:
        return None
    return _per_bit(expression.operand, context)


def _conditional(expression: Any, context: Any, width: int) -> _PerBit | None:
    condition: frozenset[_Bit] = frozenset().union(
        *(bits for part in expression.conditions for bits in _per_bit(part.expr, context))
    )
    left, right = _per_bit(expression.left, context), _per_bit(expression.right, context)
    if len(left) != width or len(right) != width:
        return None
    return [a | b | condition for a, b in zip(left, right, strict=True)]


def _concatenation(expression: Any, context: Any, _width: int) -> _PerBit:
    return [
        bits for part in reversed(list(expression.operands)) for bits in _per_bit(part, context)
    ]


_RULES = {
    _KIND.IntegerLiteral: _literal,
    _KIND.UnbasedUnsizedIntegerLiteral: _literal,
    _KIND.NamedValue: _select,
    _KIND.HierarchicalValue: _select,
    _KIND.ElementSelect: _select,
    _KIND.RangeSelect: _select,
    _KIND.MemberAccess: _select,
    _KIND.Conversion: _conversion,
    _KIND.BinaryOp: _binary,
    _KIND.UnaryOp: _unary,
    _KIND.ConditionalOp: _conditional,
    _KIND.Concatenation: _concatenation,
}
