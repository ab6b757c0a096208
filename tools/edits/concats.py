"""The order of concatenations, and shift registers written as one."""

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
    "concat-order": "parts of a concatenation change places",
}

_KIND = syntax.SyntaxKind


def edits(source: Source) -> Iterator[Edit]:
    """Edits of concatenations."""
    for node in source.of(_KIND.ConcatenationExpression):
        parts = [p for p in node.expressions if isinstance(p, syntax.SyntaxNode)]
        texts = [source.of_text(p) for p in parts]
        yield from _orders(source, node, texts)
        if len(parts) == 2:
            yield from _shifted(source, node, parts, texts)


def _orders(source: Source, node: Any, texts: list[str]) -> Iterator[Edit]:
    seen = [texts]
    orders = [texts[::-1]]
    for place in range(len(texts) - 1):
        swapped = [*texts]
        swapped[place : place + 2] = swapped[place : place + 2][::-1]
        orders.append(swapped)
    for order in orders:
        if order in seen:
            continue
        seen.append(order)
        new = "{" + ", ".join(order) + "}"
        yield source.edit("concat-order", node, new, f"becomes `{new}`")


def _shifted(source: Source, node: Any, parts: list[Any], texts: list[str]) -> Iterator[Edit]:
    """`{q[6:0], d}` becomes `{d, q[7:1]}` and back: the register shifts the other way."""
    for place, step in ((0, 1), (1, -1)):
        ends = _ends(parts[place])
        if ends is None:
            continue
        name, high, low = ends
        if low + step < 0 or (step == -1 and low == 0):
            continue
        moved = f"{name}[{high + step}:{low + step}]"
        other = texts[1 - place]
        new = f"{{{other}, {moved}}}" if place == 0 else f"{{{moved}, {other}}}"
        yield source.edit("shift-direction", node, new, f"shifts the other way: `{new}`")


def _ends(part: Any) -> tuple[str, int, int] | None:
    """Name and ends of a part select with plain numbers."""
    if part.kind != _KIND.IdentifierSelectName or len(part.selectors) != 1:
        return None
    select = part.selectors[0].selector
    if select is None or select.kind != _KIND.SimpleRangeSelect:
        return None
    high, low = number_of(select.left), number_of(select.right)
    if high is None or low is None:
        return None
    return part.identifier.valueText, high.value, low.value
