"""Branches and case arms that are dropped, added or exchanged."""

from __future__ import annotations

import itertools
from typing import TYPE_CHECKING, Any

from pyslang import syntax

from .processes import assignments, base_name

if TYPE_CHECKING:
    from collections.abc import Iterator

    from .source import Source
    from .types import Edit

__all__ = ["OPERATORS", "edits"]

OPERATORS = {
    "drop-arm": "an arm of a case goes",
    "drop-default": "the default arm of a case goes",
    "missing-default": "a case without default gets one that makes its signals 0",
    "swap-arms": "the bodies of two neighbouring arms change places",
    "case-kind": "`casez` becomes `case`, or the other way round",
    "drop-else": "an `else` goes",
    "missing-else": "an `if` without `else` gets one that makes its signals 0",
}

_KIND = syntax.SyntaxKind
_OTHER_CASE = {"case": "casez", "casez": "case", "casex": "case"}


def edits(source: Source) -> Iterator[Edit]:
    """Edits of case statements and of `else`."""
    for node in source.of(_KIND.CaseStatement):
        yield from _arms(source, node)
        word = node.caseKeyword.rawText
        new = _OTHER_CASE[word]
        yield source.edit("case-kind", node.caseKeyword, new, f"`{word}` becomes `{new}`")
    for node in source.of(_KIND.ConditionalStatement):
        if node.elseClause is not None:
            if source.written(node.elseClause):
                yield source.edit("drop-else", node.elseClause, "", "the `else` goes")
        else:
            yield from _missing_else(source, node)


def _arms(source: Source, node: Any) -> Iterator[Edit]:
    items = [i for i in node.items if isinstance(i, syntax.SyntaxNode) and source.written(i)]
    arms = [i for i in items if i.kind == _KIND.StandardCaseItem]
    for arm in arms:
        label = _label(source, arm)
        if len(items) > 1:
            yield source.edit("drop-arm", arm, "", f"the arm `{label}` goes")
    for one, two in itertools.pairwise(arms):
        yield from _exchange(source, one, two)
    for item in items:
        if item.kind == _KIND.DefaultCaseItem and len(items) > 1:
            yield source.edit("drop-default", item, "", "the default arm goes")
    if arms and not any(i.kind == _KIND.DefaultCaseItem for i in items):
        text = _zeros(source, node)
        place = source.offset(node.endcase.location)
        if text:
            note = "the case gets a default arm"
            yield source.edit("missing-default", (place, place), f"default: {text} ", note)


def _label(source: Source, arm: Any) -> str:
    start = source.span(arm)[0]
    return source.text[start : source.offset(arm.colon.location)].strip()


def _exchange(source: Source, one: Any, two: Any) -> Iterator[Edit]:
    (start, middle), (onward, end) = source.span(one.clause), source.span(two.clause)
    first, second = source.text[start:middle], source.text[onward:end]
    if first != second:
        text = second + source.text[middle:onward] + first
        note = f"the arms `{_label(source, one)}` and `{_label(source, two)}` change places"
        yield source.edit("swap-arms", (start, end), text, note)


def _missing_else(source: Source, node: Any) -> Iterator[Edit]:
    text = _zeros(source, node.statement)
    if not text or not source.written(node):
        return
    end = source.span(node)[1]
    yield source.edit("missing-else", (end, end), f" else {text}", "the `if` gets an `else`")


def _zeros(source: Source, node: Any) -> str:
    """A statement that gives 0 to each signal assigned below `node`; empty if there is none."""
    scope = source.scope(node)
    found: dict[str, str] = {}
    for item in assignments(node):
        name = base_name(item.left)
        known = scope.symbols.get(name) if scope else None
        if known is not None and known.kind == "array":
            continue
        if name and item.parent.kind != _KIND.ForLoopStatement:
            found.setdefault(
                name, "<=" if item.kind == _KIND.NonblockingAssignmentExpression else "="
            )
    parts = [f"{name} {sign} 0;" for name, sign in found.items()]
    if len(parts) <= 1:
        return "".join(parts)
    return f"begin {' '.join(parts)} end"
