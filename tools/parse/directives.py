"""Compiler directives of a source text, found by the lexer (not in comments or strings)."""

from __future__ import annotations

from dataclasses import dataclass

import pyslang
from pyslang import parsing

__all__ = ["Directive", "scan_directives"]


@dataclass(frozen=True, slots=True)
class Directive:
    """A backtick word with the rest of its line.

    `name` has no backtick; `arguments` are the raw tokens on the same line; `offset` counts
    bytes of UTF-8 from the start of the text, `line` and `column` from 1.
    """

    name: str
    arguments: tuple[str, ...]
    line: int
    column: int
    offset: int


def scan_directives(text: str) -> tuple[Directive, ...]:
    """All directives and macro uses in `text`, in order, whatever `ifdef`s say."""
    if "`" not in text:
        return ()
    manager = pyslang.SourceManager()
    buffer = manager.assignText("directives", text)
    lexer = parsing.Lexer(buffer, pyslang.BumpAllocator(), pyslang.Diagnostics(), manager)
    found: list[Directive] = []
    arguments: list[str] = []
    start: parsing.Token | None = None

    def close() -> None:
        if start is not None:
            found.append(_directive(start, arguments, manager))

    while True:
        token = lexer.lex()
        if token.kind == parsing.TokenKind.EndOfFile:
            close()
            return tuple(found)
        if token.kind == parsing.TokenKind.Directive:
            close()
            start, arguments = token, []
        elif token.isOnSameLine:
            arguments.append(token.rawText)
        else:
            close()
            start = None


def _directive(
    token: parsing.Token, arguments: list[str], manager: pyslang.SourceManager
) -> Directive:
    location = token.location
    return Directive(
        name=token.rawText.removeprefix("`").removeprefix("\\"),
        arguments=tuple(arguments),
        line=manager.getLineNumber(location),
        column=manager.getColumnNumber(location),
        offset=location.offset,
    )
