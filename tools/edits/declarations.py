"""Widths and signs of internal signals; ports are left as they are."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from pyslang import syntax

from .constants import number_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from .source import Source
    from .types import Edit

__all__ = ["OPERATORS", "edits"]

OPERATORS = {
    "width": "an internal signal is one bit wider, or as wide as another",
    "narrow": "an internal signal is one bit narrower",
    "signedness": "an internal signal becomes signed, or loses its sign",
    "signed-cast": "`$signed` is put round an operand, or taken away",
}

_KIND = syntax.SyntaxKind
_DECLARATIONS = (_KIND.NetDeclaration, _KIND.DataDeclaration)
_SENSITIVE = (
    _KIND.LessThanExpression,
    _KIND.LessThanEqualExpression,
    _KIND.GreaterThanExpression,
    _KIND.GreaterThanEqualExpression,
    _KIND.ArithmeticShiftRightExpression,
    _KIND.MultiplyExpression,
)
_SIMPLE = (_KIND.IdentifierName, _KIND.IdentifierSelectName)
_CASTS = ("$signed", "$unsigned")


def edits(source: Source) -> Iterator[Edit]:
    """Edits of declarations inside modules, and of sign casts."""
    kept = [n for n in source.of(*_DECLARATIONS) if hasattr(n.type, "dimensions")]
    kept = [n for n in kept if not _redeclares_port(source, n)]
    ranges = list(dict.fromkeys(source.of_text(d) for n in kept for d in n.type.dimensions))
    for node in kept:
        yield from _width(source, node, ranges)
        yield from _sign(source, node)
    yield from _casts(source)


def _redeclares_port(source: Source, node: Any) -> bool:
    """Whether a declaration repeats a port of a header without types (`output q; reg q;`)."""
    listed = {name for port in source.of(_KIND.PortDeclaration) for name in _names(port)}
    return any(name in listed for name in _names(node))


def _names(node: Any) -> list[str]:
    return [d.name.valueText for d in node.declarators if d.kind == _KIND.Declarator]


def _width(source: Source, node: Any, ranges: list[str]) -> Iterator[Edit]:
    names = ", ".join(_names(node))
    dimensions = list(node.type.dimensions)
    if len(dimensions) != 1:
        if not dimensions and node.type.kind != _KIND.IntegerType:
            first = node.declarators[0]
            place = source.offset(first.getFirstToken().location)
            for text in ranges:
                note = f"`{names}` becomes `{text}` wide"
                yield source.edit("width", (place, place), f"{text} ", note)
        return
    (dimension,) = dimensions
    if not source.written(dimension):
        return
    text = source.of_text(dimension)
    wanted = {new: operator for operator, new in _neighbours(source, dimension)}
    for new in ranges:
        wanted.setdefault(new, "width")
    wanted.pop(text, None)
    for new, operator in wanted.items():
        yield source.edit(operator, dimension, new, f"`{names}` becomes `{new}`, not `{text}`")


def _neighbours(source: Source, dimension: Any) -> Iterator[tuple[str, str]]:
    """The range with its left end one more and one less, and what that is called."""
    select = getattr(dimension.specifier, "selector", None)
    if select is None or select.kind != _KIND.SimpleRangeSelect:
        return
    left, right = source.of_text(select.left), source.of_text(select.right)
    number = number_of(select.left)
    if number is None:
        yield "width", f"[{left}+1:{right}]"
        yield "narrow", f"[{left}-1:{right}]"
        return
    yield "width", f"[{number.value + 1}:{right}]"
    if number.value > 0:
        yield "narrow", f"[{number.value - 1}:{right}]"


def _sign(source: Source, node: Any) -> Iterator[Edit]:
    signing = node.type.signing
    names = ", ".join(_names(node))
    if signing.rawText == "signed":
        start = source.offset(signing.location)
        after = start + len("signed")
        while after < len(source.text) and source.text[after] in " \t":
            after += 1
        yield source.edit("signedness", (start, after), "", f"`{names}` loses its sign")
    elif not signing.rawText and len(node.type.dimensions):
        place = source.offset(node.type.dimensions[0].getFirstToken().location)
        yield source.edit("signedness", (place, place), "signed ", f"`{names}` becomes signed")


def _casts(source: Source) -> Iterator[Edit]:
    for node in source.of(_KIND.InvocationExpression):
        if node.left.kind == _KIND.SystemName and source.of_text(node.left) in _CASTS:
            inner = source.of_text(node.arguments)
            yield source.edit("signed-cast", node, inner, f"`{source.of_text(node.left)}` goes")
    for node in source.of(*_SENSITIVE):
        for side in (node.left, node.right):
            if side.kind in _SIMPLE and source.written(side):
                text = source.of_text(side)
                new = f"$signed({text})"
                yield source.edit("signed-cast", side, new, f"`{text}` becomes `{new}`")
