"""Edits that put something in: a case arm, an `else`, a first assignment, a test of a signal."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from pyslang import syntax

from .material import ASSIGNS, COMPARES, CONDITIONALS, in_port, walk

if TYPE_CHECKING:
    from collections.abc import Iterator

    from rtl_agent.tools.edits import Edit
    from rtl_agent.tools.edits.source import Source

    from .material import Material

__all__ = ["additions"]

_K = syntax.SyntaxKind
_LABEL_BITS = 4  # of a case expression of which every missing label is tried
_VALUE_BITS = 3  # of an assigned constant of which every value is tried in a new arm
_MOST_SIGNALS = 12
_MOST_NUMBERS = 4


def additions(source: Source, material: Material) -> Iterator[Edit]:
    """All of them."""
    yield from _tests(source, material)
    yield from _arms(source)
    yield from _elses(source, material)
    yield from _firsts(source)


def _tests(source: Source, material: Material) -> Iterator[Edit]:
    """A condition, a comparison or a one-bit value becomes a test of one signal."""
    for node in source.of(*CONDITIONALS):
        if len(node.predicate.conditions) == 1:
            yield from _as_tests(source, node.predicate.conditions[0].expr, material)
    for node in source.of(*COMPARES):
        if not in_port(node):
            yield from _as_tests(source, node, material)
    for node in source.of(*ASSIGNS):
        scope = source.scope(node)
        name = getattr(getattr(node.left, "identifier", None), "valueText", "")
        own = scope.symbols.get(name) if scope else None
        if own is not None and own.width == 1:
            yield from _as_tests(source, node.right, material)


def _as_tests(source: Source, node: Any, material: Material) -> Iterator[Edit]:
    scope = source.scope(node)
    if scope is None or not source.written(node):
        return
    shown = source.of_text(node)
    wide = [s for s in scope.symbols.values() if s.kind in {"net", "variable"} and s.width > 1]
    for symbol in wide[:_MOST_SIGNALS]:
        n, top = symbol.name, symbol.width - 1
        plain = [f"({n} == 0)", f"({n} != 0)", f"(&{n})", f"(^{n})", f"{n}[{top}]"]
        numbers = sorted(material.numbers[symbol.width])[:_MOST_NUMBERS]
        known = [f"({n} {op} {symbol.width}'d{v})" for v in numbers for op in ("==", ">", "<")]
        for new in (*plain, *known):
            if new != shown:
                yield source.edit("try-test", node, new, f"`{shown}` becomes `{new}`")


def _arms(source: Source) -> Iterator[Edit]:
    """A case gets an arm for a label that it lacks."""
    for case in source.of(_K.CaseStatement):
        items: list[Any] = [i for i in case.items if _is_node(i)]
        plain = [i for i in items if i.kind == _K.StandardCaseItem]
        if not plain or not all(source.written(i) for i in items):
            continue
        labels = [source.of_text(e) for i in plain for e in i.expressions if _is_node(e)]
        bodies = dict.fromkeys(source.of_text(i.clause) for i in items if i.clause is not None)
        at = source.span(items[0])[0]
        for label in _missing(source, case, labels):
            for body in _bodies(source, plain, list(bodies)):
                note = f"an arm `{label}: {body}` is added"
                yield source.edit("try-arm", (at, at), f"{label}: {body}\n            ", note)


def _missing(source: Source, case: Any, labels: list[str]) -> list[str]:
    scope = source.scope(case)
    if scope is not None and labels[0] in scope.symbols:
        group = scope.symbols[labels[0]].group
        names = [s.name for s in scope.symbols.values() if s.group == group]
        return [n for n in names if n not in labels]
    size, tick, digits = labels[0].partition("'")
    if not tick or not size.isdigit() or int(size) > _LABEL_BITS:
        return []
    base = {"b": 2, "d": 10, "h": 16, "o": 8}.get(digits[:1].lower())
    if base is None:
        return []
    try:
        have = {int(x.partition("'")[2][1:].replace("_", ""), base) for x in labels}
    except ValueError:
        return []
    form = f"0{size}b" if base == 2 else {10: "d", 16: "x", 8: "o"}[base]
    missing = [v for v in range(1 << int(size)) if v not in have]
    return [f"{size}'{digits[0]}{format(v, form)}" for v in missing]


def _bodies(source: Source, plain: list[Any], bodies: list[str]) -> list[str]:
    """The bodies of the other arms, and small constants where those assign one."""
    found = list(bodies)
    for item in plain[:1]:
        for node in walk(item):
            if node.kind in ASSIGNS and node.right.kind == _K.IntegerVectorExpression:
                shown, body = source.of_text(node.right), source.of_text(item.clause)
                size = shown.partition("'")[0]
                if size.isdigit() and int(size) <= _VALUE_BITS and body.count(shown) == 1:
                    found += [body.replace(shown, f"{size}'d{v}") for v in range(1 << int(size))]
    return list(dict.fromkeys(found))


def _elses(source: Source, material: Material) -> Iterator[Edit]:
    """An `if` without `else` gets one, with a statement of the same process."""
    for process, texts in material.assignments(source):
        for node in walk(process):
            if node.kind != _K.ConditionalStatement or node.elseClause is not None:
                continue
            if not source.written(node):
                continue
            shown, end = source.of_text(node), source.span(node)[1]
            for other in texts:
                new = f"begin {shown} else {other} end"
                note = f"`else {other}` is added"
                yield source.edit("try-else", (source.span(node)[0], end), new, note)


def _firsts(source: Source) -> Iterator[Edit]:
    """A process begins with setting one of its targets to 0."""
    for process in source.of(_K.AlwaysBlock, _K.AlwaysCombBlock, _K.AlwaysFFBlock):
        statement = getattr(process.statement, "statement", process.statement)
        if not source.written(statement):
            continue
        operators: dict[str, str] = {}
        for node in walk(process):
            if node.kind in ASSIGNS and source.written(node):
                operators[source.of_text(node.left)] = node.operatorToken.valueText
        at, end = source.span(statement)
        shown = source.text[at:end]
        for target, operator in operators.items():
            new = f"begin {target} {operator} 0; {shown} end"
            note = f"`{target}` is 0 first"
            yield source.edit("try-first", (at, end), new, note)


def _is_node(item: Any) -> bool:
    return isinstance(item, syntax.SyntaxNode)
