"""What a design offers to build repairs from: its signals, constants, conditions and values."""

from __future__ import annotations

import re
from collections import defaultdict
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from pyslang import syntax

if TYPE_CHECKING:
    from collections.abc import Iterator

    from rtl_agent.tools.edits.scope import Scope
    from rtl_agent.tools.edits.source import Source

__all__ = [
    "ASSIGNS",
    "COMPARES",
    "CONDITIONALS",
    "Material",
    "gather_material",
    "in_port",
    "is_read",
    "walk",
]

_K = syntax.SyntaxKind
ASSIGNS = (_K.AssignmentExpression, _K.NonblockingAssignmentExpression)
CONDITIONALS = (_K.ConditionalStatement, _K.ConditionalExpression)
COMPARES = (
    _K.EqualityExpression,
    _K.InequalityExpression,
    _K.LessThanExpression,
    _K.LessThanEqualExpression,
    _K.GreaterThanExpression,
    _K.GreaterThanEqualExpression,
)
_TESTS = (*COMPARES, _K.LogicalAndExpression, _K.LogicalOrExpression)
_NUMBER = re.compile(r"^(?P<size>\d+)?(?:'(?P<base>[bdhoBDHO]))?(?P<digits>[0-9a-fA-F_]+)$")
_BASES = {"b": 2, "o": 8, "d": 10, "h": 16}
_MOST_TESTS = 14
_MOST_SIGNALS = 14
_MOST_STATEMENTS = 10


@dataclass(slots=True)
class Material:
    """By module: texts of conditions, and of right sides by target; numbers of the whole file."""

    source: Source
    test_texts: dict[str, list[str]] = field(default_factory=lambda: defaultdict(list))
    value_texts: dict[tuple[str, str], list[str]] = field(default_factory=lambda: defaultdict(list))
    numbers: dict[int, set[int]] = field(default_factory=lambda: defaultdict(set))

    def conditions(self, node: Any) -> list[str]:
        """Conditions of the module of `node`, with their opposites."""
        plain = self._tests(node)
        return [*plain, *(f"!({t})" for t in plain)]

    def tests(self, node: Any) -> list[str]:
        """Conditions and one-bit signals, and their opposites."""
        return self.conditions(node)

    def _tests(self, node: Any) -> list[str]:
        module = _module(node)
        texts = list(self.test_texts[module])
        scope = self.source.scope(node)
        if scope is not None:
            texts += [s.name for s in scope.symbols.values() if s.width == 1 and _plain(s)]
        return list(dict.fromkeys(texts))[:_MOST_TESTS]

    def values(self, node: Any) -> list[str]:
        """What is assigned to the target of `node` in other places, then constants."""
        target = self.source.of_text(node.left)
        found = self.value_texts[(_module(node), target)]
        return list(dict.fromkeys([*found, "0", "1"]))[:_MOST_TESTS]

    def signals(self, node: Any) -> list[str]:
        """Signals that `node` could be, those of its own width last (templates try them)."""
        scope: Scope | None = self.source.scope(node)
        if scope is None:
            return []
        own = scope.symbols.get(node.identifier.valueText)
        whole = node.kind == _K.IdentifierName
        names = [
            s.name
            for s in scope.symbols.values()
            if _plain(s) and not (whole and own is not None and s.width == own.width)
        ]
        return names[:_MOST_SIGNALS]

    def constants_like(self, shown: str, small: int) -> list[str]:
        """Other numbers that could stand where `shown` does, written alike."""
        match = _NUMBER.match(shown.strip())
        if match is None or not match["digits"].replace("_", ""):
            return []
        base = (match["base"] or "d").lower()
        try:
            value = int(match["digits"].replace("_", ""), _BASES[base])
        except ValueError:
            return []
        size = int(match["size"]) if match["base"] and match["size"] else 0
        if match["base"] is None:
            size = 0
        return [_written(v, size, base) for v in self._others(value, size, small)]

    def _others(self, value: int, size: int, small: int) -> list[int]:
        top = (1 << size) - 1 if size else 64
        if 0 < size <= small:
            return [v for v in range(top + 1) if v != value]
        near = [value + 1, value - 1, value + 2, value - 2, value * 2, value // 2, 2 * value - 1]
        flips = [value ^ (1 << b) for b in range(min(size, 16))]
        found = [*near, *sorted(self.numbers[size]), *flips]
        return [v for v in dict.fromkeys(found) if 0 <= v <= top and v != value]

    def assignments(self, source: Source) -> Iterator[tuple[Any, list[str]]]:
        """Each process with the texts of its assignments."""
        kinds = (_K.AlwaysBlock, _K.AlwaysFFBlock, _K.AlwaysCombBlock)
        for process in source.of(*kinds):
            texts = [
                source.of_text(node)
                for node in walk(process)
                if node.kind == _K.ExpressionStatement and node.expr.kind in ASSIGNS
            ]
            yield process, list(dict.fromkeys(texts))[:_MOST_STATEMENTS]


def gather_material(source: Source) -> Material:
    """Collect from the whole source."""
    material = Material(source)
    for node in source.of(_K.ConditionalStatement, _K.ConditionalExpression):
        if len(node.predicate.conditions) == 1:
            text = source.of_text(node.predicate.conditions[0].expr)
            material.test_texts[_module(node)].append(text)
    for node in source.of(*_TESTS):
        material.test_texts[_module(node)].append(source.of_text(node))
    for node in source.of(*ASSIGNS):
        key = (_module(node), source.of_text(node.left))
        material.value_texts[key].append(source.of_text(node.right))
    for node in source.of(_K.IntegerVectorExpression, _K.IntegerLiteralExpression):
        match = _NUMBER.match(source.of_text(node))
        if match is not None and match["base"]:
            digits = match["digits"].replace("_", "")
            try:
                number = int(digits, _BASES[match["base"].lower()])
            except ValueError:
                continue
            material.numbers[int(match["size"] or 0)].add(number)
    return material


def is_read(node: Any) -> bool:
    """Whether a name is read where it stands (an index of what is written is)."""
    child, parent = node, node.parent
    while parent is not None:
        if parent.kind in ASSIGNS:
            left: bool = parent.left == child
            return not left
        if parent.kind in {_K.ElementSelect, _K.BitSelect, _K.SimpleRangeSelect}:
            return True
        if "Statement" in parent.kind.name or parent.kind in {
            _K.SignalEventExpression,
            _K.ModuleDeclaration,
            _K.NamedPortConnection,
            _K.ImplicitAnsiPort,
        }:
            return parent.kind not in {_K.SignalEventExpression, _K.NamedPortConnection}
        child, parent = parent, parent.parent
    return False


def in_port(node: Any) -> bool:
    """Whether a node stands in the declaration of a port, which the spec decides."""
    current = node.parent
    while current is not None:
        if current.kind in {_K.ImplicitAnsiPort, _K.PortDeclaration}:
            return True
        current = current.parent
    return False


def walk(root: Any) -> Iterator[Any]:
    """A node and all below it."""
    stack = [root]
    while stack:
        node = stack.pop()
        yield node
        stack += [child for child in node if isinstance(child, syntax.SyntaxNode)]


def _plain(symbol: Any) -> bool:
    return symbol.kind in {"net", "variable"}


def _module(node: Any) -> str:
    current = node
    while current is not None:
        if current.kind == _K.ModuleDeclaration:
            name: str = current.header.name.valueText
            return name
        current = current.parent
    return ""


def _written(value: int, size: int, base: str) -> str:
    if not size:
        return str(value)
    form = {"b": f"0{size}b", "o": "o", "d": "d", "h": f"0{-(-size // 4)}x"}[base]
    return f"{size}'{base}{format(value, form)}"
