"""A source with its syntax tree, the way the families of edits look at it."""

from __future__ import annotations

from bisect import bisect_right
from functools import cached_property
from typing import TYPE_CHECKING, Any

from pyslang import syntax

from ..parse.unit import build_unit
from .types import Edit

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ..parse.unit import SlangUnit
    from .scope import Scope

__all__ = ["Source"]

_KIND = syntax.SyntaxKind
_NAME = "design.v"


class Source:
    """Text, nodes in order of place, and the signals of each module.

    pyslang counts bytes; everything handed out here counts characters.
    """

    def __init__(self, text: str, *, language: str | None = None) -> None:
        self.text = text
        self.unit = _parse(text, language)
        self._bytes = None if text.isascii() else _byte_offsets(text)
        self._lines = [0, *(i + 1 for i, c in enumerate(text) if c == "\n")]
        self._by_kind: dict[Any, list[Any]] = {}
        for node in _walk(self.unit.trees[0].root):
            self._by_kind.setdefault(node.kind, []).append(node)

    def of(self, *kinds: Any) -> list[Any]:
        """The nodes of these kinds that stand in the text itself, by place."""
        found = [n for kind in kinds for n in self._by_kind.get(kind, ()) if self._written(n)]
        return sorted(found, key=lambda n: n.sourceRange.start.offset)

    @cached_property
    def scopes(self) -> dict[str, Scope]:
        """What each module declares, by module name."""
        from .scope import scopes_of

        return scopes_of(self.unit)

    def scope(self, node: Any) -> Scope | None:
        """The scope of the module that `node` stands in; None inside functions and packages."""
        current = node.parent
        while current is not None:
            if current.kind in {_KIND.FunctionDeclaration, _KIND.TaskDeclaration}:
                return None
            if current.kind == _KIND.ModuleDeclaration:
                return self.scopes.get(current.header.name.valueText)
            current = current.parent
        return None

    def _written(self, node: Any) -> bool:
        """Whether neither end of the node comes out of a macro or an included file."""
        first, last = node.getFirstToken(), node.getLastToken()
        return all(
            not self.unit.manager.isMacroLoc(t.location)
            and self.unit.manager.getFileName(t.location) == _NAME
            for t in (first, last)
        )

    def written(self, node: Any) -> bool:
        """Whether `node` stands in the text itself, not in a macro."""
        return self._written(node)

    def span(self, node: Any) -> tuple[int, int]:
        """Start and end of a node in characters, without the white space around it."""
        start = self.offset(node.getFirstToken().location)
        last = node.getLastToken()
        end = self.offset(last.range.end)
        return start, end

    def offset(self, location: Any) -> int:
        """Character offset of a pyslang location."""
        if self._bytes is None:
            return int(location.offset)
        return bisect_right(self._bytes, location.offset) - 1

    def of_text(self, node: Any) -> str:
        """The text of a node."""
        start, end = self.span(node)
        return self.text[start:end]

    def edit(self, operator: str, target: Any, replacement: str, note: str) -> Edit:
        """An edit that replaces a node, a token, or a span of characters."""
        if isinstance(target, tuple):
            start, end = target
        elif isinstance(target, syntax.SyntaxNode):
            start, end = self.span(target)
        else:
            start, end = self.offset(target.location), self.offset(target.range.end)
        line = bisect_right(self._lines, start)
        column = start - self._lines[line - 1] + 1
        return Edit(operator, line, column, start, end, replacement, note)


def _walk(root: Any) -> Iterator[Any]:
    stack = [root]
    while stack:
        node = stack.pop()
        yield node
        stack += [child for child in node if isinstance(child, syntax.SyntaxNode)]


def _byte_offsets(text: str) -> list[int]:
    """The byte at which each character begins."""
    offsets, here = [], 0
    for character in text:
        offsets.append(here)
        here += len(character.encode())
    return [*offsets, here]


def _parse(text: str, language: str | None) -> SlangUnit:
    """In the language named, else in the first of the two in which it parses."""
    if language is not None:
        return build_unit({_NAME: text}, language=language)
    unit = build_unit({_NAME: text}, language="verilog-2005")
    if not any(d.isError() for d in unit.trees[0].diagnostics):
        return unit
    later = build_unit({_NAME: text}, language="systemverilog-2017")
    return unit if any(d.isError() for d in later.trees[0].diagnostics) else later
