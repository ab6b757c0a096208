"""Compiler directives of a source text, found by the lexer (not in comments or strings)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import pyslang
from pyslang import parsing

from .place import Place

if TYPE_CHECKING:
    from collections.abc import Iterator

__all__ = ["Directive", "defined_macros", "escaped_macros", "scan_directives"]


@dataclass(frozen=True, slots=True)
class Directive:
    """A backtick word with the rest of its line.

    `name` has no backtick; `arguments` are the raw tokens on the same line; `line` and `column`
    count from 1.
    """

    name: str
    arguments: tuple[str, ...]
    line: int
    column: int


def scan_directives(text: str) -> tuple[Directive, ...]:
    """All directives and macro uses in `text`, in order, whatever `ifdef`s say."""
    if "`" not in text:
        return ()
    found: list[Directive] = []
    arguments: list[str] = []
    start: tuple[str, Place] | None = None
    for token, place in _tokens(text):
        directive = token.kind == parsing.TokenKind.Directive
        if start is not None and (directive or not token.isOnSameLine):
            found.append(_directive(start, arguments))
            start = None
        if directive:
            start, arguments = (token.rawText, place()), []
        elif start is not None:
            arguments.append(token.rawText)
    if start is not None:
        found.append(_directive(start, arguments))
    return tuple(found)


def defined_macros(text: str) -> tuple[str, ...]:
    """The names that `text` defines with `define, in order, whatever `ifdef`s say."""
    names = [
        d.arguments[0].removeprefix("\\")
        for d in scan_directives(text)
        if d.name == "define" and d.arguments
    ]
    return tuple(dict.fromkeys(names))


def escaped_macros(text: str) -> tuple[Place, ...]:
    r"""Places of escaped identifiers with a backtick in them (``\a`b``).

    The standard reads one name; the preprocessor of Icarus expands the macro inside it.
    """
    if "`" not in text or "\\" not in text:
        return ()
    return tuple(
        place()
        for token, place in _tokens(text)
        if token.kind == parsing.TokenKind.Identifier
        and token.rawText.startswith("\\")
        and "`" in token.rawText
    )


class _Here:
    """Tells a token's place when asked: most callers never do."""

    def __init__(self, manager: pyslang.SourceManager, location: pyslang.SourceLocation) -> None:
        self._manager = manager
        self._location = location

    def __call__(self) -> Place:
        line = self._manager.getLineNumber(self._location)
        return Place("", line, self._manager.getColumnNumber(self._location))


def _tokens(text: str) -> Iterator[tuple[parsing.Token, _Here]]:
    manager = pyslang.SourceManager()
    buffer = manager.assignText("directives", text)
    lexer = parsing.Lexer(buffer, pyslang.BumpAllocator(), pyslang.Diagnostics(), manager)
    while True:
        token = lexer.lex()
        yield token, _Here(manager, token.location)
        if token.kind == parsing.TokenKind.EndOfFile:
            return


def _directive(start: tuple[str, Place], arguments: list[str]) -> Directive:
    word, place = start
    name = word.removeprefix("`").removeprefix("\\")
    return Directive(name, tuple(arguments), place.line, place.column)
