"""Conditions of `if`, `?:` and loops."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from pyslang import syntax

from .processes import bare

if TYPE_CHECKING:
    from collections.abc import Iterator

    from .source import Source
    from .types import Edit

__all__ = ["OPERATORS", "edits"]

OPERATORS = {
    "negate-condition": "a condition becomes its opposite",
    "constant-condition": "a condition is always true, or never",
    "swap-branches": "the two branches of an `if` or `?:` change places",
    "swap-conditions": "two conditions of an `if … else if` chain change places (priority)",
    "add-term": "`&& x`, `&& !x`, `|| x` or `|| !x` is added to a condition, x a one-bit signal",
}

_KIND = syntax.SyntaxKind
_CONDITIONALS = (_KIND.ConditionalStatement, _KIND.ConditionalExpression)
_MOST_TERMS = 8
_PLAIN = (
    _KIND.IdentifierName,
    _KIND.IdentifierSelectName,
    _KIND.UnaryLogicalNotExpression,
    _KIND.ParenthesizedExpression,
)


def edits(source: Source) -> Iterator[Edit]:
    """Edits of conditions."""
    for node in source.of(*_CONDITIONALS):
        if len(node.predicate.conditions) != 1:
            continue
        condition = node.predicate.conditions[0].expr
        if not source.written(condition):
            continue
        yield _negated(source, condition)
        text = source.of_text(condition)
        for value, word in (("1'b1", "always true"), ("1'b0", "never true")):
            note = f"the condition `{text}` is {word}"
            yield source.edit("constant-condition", condition, value, note)
        if node.kind == _KIND.ConditionalExpression:
            yield from _exchange(source, "swap-branches", node.left, node.right)
        else:
            yield from _branches(source, node)
        yield from _added(source, condition)


def _negated(source: Source, condition: Any) -> Edit:
    inner = bare(condition)
    text = source.of_text(condition)
    if inner.kind == _KIND.UnaryLogicalNotExpression:
        new = source.of_text(inner.operand)
    else:
        new = f"!{text}" if condition.kind in _PLAIN else f"!({text})"
    return source.edit("negate-condition", condition, new, f"`{text}` becomes `{new}`")


def _branches(source: Source, node: Any) -> Iterator[Edit]:
    if node.elseClause is None:
        return
    other = node.elseClause.clause
    if other.kind != _KIND.ConditionalStatement:
        yield from _exchange(source, "swap-branches", node.statement, other)
    elif len(other.predicate.conditions) == 1:
        yield from _exchange(source, "swap-conditions", node.predicate, other.predicate)


def _exchange(source: Source, name: str, first: Any, second: Any) -> Iterator[Edit]:
    """One edit over all from the start of `first` to the end of `second`."""
    if not (source.written(first) and source.written(second)):
        return
    (start, middle), (onward, end) = source.span(first), source.span(second)
    one, two = source.text[start:middle], source.text[onward:end]
    if one == two:
        return
    text = two + source.text[middle:onward] + one
    what = "conditions" if name == "swap-conditions" else "branches"
    yield source.edit(name, (start, end), text, f"the two {what} change places")


def _added(source: Source, condition: Any) -> Iterator[Edit]:
    scope = source.scope(condition)
    if scope is None:
        return
    text = source.of_text(condition)
    used = set(text.replace("(", " ").replace(")", " ").replace("!", " ").split())
    bits = [
        s.name for s in scope.symbols.values() if s.width == 1 and s.kind in {"net", "variable"}
    ]
    closed = text if condition.kind in _PLAIN else f"({text})"
    for name in [b for b in bits if b not in used][:_MOST_TERMS]:
        for term in (f"&& {name}", f"&& !{name}", f"|| {name}", f"|| !{name}"):
            note = f"`{term}` is added to `{text}`"
            yield source.edit("add-term", condition, f"{closed} {term}", note)
