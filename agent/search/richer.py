"""Edits beyond the templates: replacements drawn from the design's own names and expressions.

A wrong expression can be wrong in more ways than templates foresee, but what would be right often
stands somewhere else in the same design.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from pyslang import syntax
from rtl_agent.tools.edits.source import Source

from .additions import additions
from .material import (
    ASSIGNS,
    COMPARES,
    CONDITIONALS,
    Material,
    gather_material,
    in_port,
    is_read,
    walk,
)

if TYPE_CHECKING:
    from collections.abc import Iterator

    from rtl_agent.tools.edits import Edit

__all__ = ["richer_edits"]

_K = syntax.SyntaxKind
_LEAVES = (_K.IdentifierName, _K.IdentifierSelectName)
_SMALL = 4  # bits of a constant of which every value is tried
_WINDOWS = 24


def richer_edits(text: str, *, language: str | None = None) -> list[Edit]:
    """All of them, in order of family and place."""
    source = Source(text, language=language)
    found: list[Edit] = []
    material = gather_material(source)
    for family in (_selects, _constants, _plus, _shapes, _conditions, _values, _names, _guards):
        found += family(source, material)
    found += [*_statements(source, material), *additions(source, material)]
    seen: set[tuple[int, int, str]] = set()
    unique = []
    for edit in found:
        key = (edit.start, edit.end, edit.replacement)
        if key not in seen and edit.replacement != text[edit.start : edit.end]:
            seen.add(key)
            unique.append(edit)
    return unique


def _selects(source: Source, material: Material) -> Iterator[Edit]:
    """Other bits of the same signal, or all of it."""
    for node in source.of(_K.IdentifierSelectName):
        scope = source.scope(node)
        own = scope.symbols.get(node.identifier.valueText) if scope else None
        if own is None or len(list(node.selectors)) != 1:
            continue
        name, shown = own.name, source.of_text(node)
        if own.kind != "array" and is_read(node):
            yield source.edit("try-select", node, name, f"`{shown}` becomes `{name}`")
        for bits in _windows(shown, own.width if own.kind != "array" else 0):
            new = f"{name}[{bits}]"
            yield source.edit("try-select", node, new, f"`{shown}` becomes `{new}`")
    del material


def _windows(shown: str, width: int) -> list[str]:
    inside = shown[shown.index("[") + 1 : -1]
    if inside.isdigit():
        return [str(i) for i in range(min(width, 32))]
    high, _, low = inside.partition(":")
    if not (high.strip().isdigit() and low.strip().isdigit()):
        return []
    top, bottom = int(high), int(low)
    size = top - bottom
    moved = [f"{i + size}:{i}" for i in range(max(0, width - size))]
    wider = [f"{h}:{bottom}" for h in range(bottom + 1, width)] + [
        f"{top}:{b}" for b in range(top) if b != bottom
    ]
    return (moved + wider)[:_WINDOWS]


def _constants(source: Source, material: Material) -> Iterator[Edit]:
    for node in source.of(_K.IntegerVectorExpression, _K.IntegerLiteralExpression):
        if in_port(node):
            continue
        shown = source.of_text(node)
        for new in material.constants_like(shown, _SMALL):
            yield source.edit("try-constant", node, new, f"`{shown}` becomes `{new}`")


def _plus(source: Source, material: Material) -> Iterator[Edit]:
    """One more, one less, twice and half of what is assigned or compared."""
    for node in source.of(*ASSIGNS):
        yield from _offsets(source, node.right)
    for node in source.of(*COMPARES):
        yield from _offsets(source, node.left)
        yield from _offsets(source, node.right)
    del material


def _offsets(source: Source, node: Any) -> Iterator[Edit]:
    if not source.written(node):
        return
    shown = source.of_text(node)
    for new in (f"({shown}) + 1'b1", f"({shown}) - 1'b1", f"({shown}) << 1", f"({shown}) >> 1"):
        yield source.edit("try-plus", node, f"({new})", f"`{shown}` becomes `{new}`")


def _shapes(source: Source, material: Material) -> Iterator[Edit]:
    """Concatenations turned round or opened, operands made a bit wider."""
    for node in source.of(_K.ConcatenationExpression):
        parts = [e for e in node.expressions if isinstance(e, syntax.SyntaxNode)]
        shown = [source.of_text(p) for p in parts]
        if len(parts) == 1:
            yield source.edit("try-widen", node, f"({shown[0]})", f"no braces round `{shown[0]}`")
        elif len(parts) > 2:
            new = "{" + ", ".join(reversed(shown)) + "}"
            yield source.edit("try-reverse", node, new, "the concatenation is turned round")
    for node in source.of(_K.AddExpression, _K.SubtractExpression, *COMPARES):
        left, right = source.of_text(node.left), source.of_text(node.right)
        op = node.operatorToken.valueText
        new = f"({{1'b0, {left}}} {op} {{1'b0, {right}}})"
        yield source.edit("try-widen", node, new, f"`{left} {op} {right}` with one bit more")
        bare = re.sub(r"\[[^\[\]]*\]", "", source.of_text(node))
        if source.of_text(node).count("[") > 1:
            note = f"`{source.of_text(node)}` on all bits"
            yield source.edit("try-widen", node, bare, note)
    del material


def _conditions(source: Source, material: Material) -> Iterator[Edit]:
    """A condition becomes another one of the design, or is joined with it."""
    for node in source.of(*CONDITIONALS):
        if len(node.predicate.conditions) != 1:
            continue
        expr = node.predicate.conditions[0].expr
        if not source.written(expr):
            continue
        shown = source.of_text(expr)
        for other in material.conditions(node):
            if other == shown:
                continue
            for new in (other, f"({shown}) && ({other})", f"({shown}) || ({other})"):
                yield source.edit("try-condition", expr, new, f"`{shown}` becomes `{new}`")


def _values(source: Source, material: Material) -> Iterator[Edit]:
    """The right side becomes what is assigned to the same target elsewhere, or keeps the value."""
    for node in source.of(*ASSIGNS):
        if not source.written(node.right):
            continue
        shown, target = source.of_text(node.right), source.of_text(node.left)
        held = [target] if node.parent.kind == _K.ExpressionStatement else []
        for new in [*held, *material.values(node)]:
            if new != shown:
                yield source.edit("try-value", node.right, new, f"`{shown}` becomes `{new}`")


def _names(source: Source, material: Material) -> Iterator[Edit]:
    """A name that is read, or a select, becomes another signal of any width."""
    for node in source.of(*_LEAVES):
        if not is_read(node):
            continue
        shown = source.of_text(node)
        for new in material.signals(node):
            if new != shown:
                yield source.edit("try-name", node, new, f"`{shown}` becomes `{new}`")


def _guards(source: Source, material: Material) -> Iterator[Edit]:
    """An assignment is made under a condition only, or with another value under it."""
    for node in source.of(_K.ExpressionStatement):
        if node.expr.kind not in ASSIGNS:
            continue
        shown = source.of_text(node)
        for test in material.tests(node):
            new = f"begin if ({test}) {shown} end"
            yield source.edit("try-guard", node, new, f"`{shown}` only if `{test}`")


def _statements(source: Source, material: Material) -> Iterator[Edit]:
    """A statement of the same process is made at another place of it as well."""
    for process, texts in material.assignments(source):
        for node in walk(process):
            if node.kind != _K.ExpressionStatement or not source.written(node):
                continue
            shown = source.of_text(node)
            for other in texts:
                if other != shown:
                    new = f"begin {shown} {other} end"
                    note = f"`{other}` is done with `{shown}`"
                    yield source.edit("try-statement", node, new, note)
