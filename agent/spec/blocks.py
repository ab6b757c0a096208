"""Markdown as a flat list of blocks, each line with its number in the file."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from markdown_it import MarkdownIt

if TYPE_CHECKING:
    from collections.abc import Sequence

    from markdown_it.token import Token

__all__ = ["Block", "Fence", "Heading", "Line", "Lines", "Table", "first_blocks", "read_blocks"]


@dataclass(frozen=True, slots=True)
class Line:
    """One line of text: markup stripped but for backticks; `indent` in columns."""

    number: int
    text: str
    indent: int = 0


@dataclass(frozen=True, slots=True)
class Heading:
    """A heading of level 1 to 6."""

    line: Line
    level: int


@dataclass(frozen=True, slots=True)
class Lines:
    """A paragraph (`depth` 0) or a list item (`depth` from 1)."""

    lines: tuple[Line, ...]
    depth: int = 0

    @property
    def text(self) -> str:
        """All lines as one."""
        return " ".join(line.text for line in self.lines)


@dataclass(frozen=True, slots=True)
class Table:
    """A table; `rows` without the header. `first` and `last` are its line numbers."""

    header: tuple[str, ...]
    rows: tuple[tuple[int, tuple[str, ...]], ...]
    first: int
    last: int


@dataclass(frozen=True, slots=True)
class Fence:
    """A fenced code block; `first` and `last` are the line numbers of its two fences."""

    info: str
    text: str
    first: int
    last: int


Block = Heading | Lines | Table | Fence

_EMPHASIS = re.compile(r"(?<![\w*])(\*\*\*|\*\*|__|\*|_)(?=[^\s*_])(.+?)(?<=[^\s])\1(?![\w*])")
_IN_QUOTES = re.compile(r"""(?<![\w`])(["'])([A-Za-z_]\w*)\1(?![\w`])""")
_TICKED = re.compile(r"(`+[^`]*`+)")


def _parser() -> MarkdownIt:
    # Emphasis, links and references would eat `*`, `_` and `[7:0]`, which are Verilog here.
    return (
        MarkdownIt("commonmark")
        .enable("table")
        .disable(
            ["emphasis", "link", "image", "reference", "html_block", "html_inline", "autolink"]
        )
    )


def strip_markup(text: str) -> str:
    """Take emphasis marks and line-break tags out of `text`, but not out of code spans."""
    parts = _TICKED.split(text)
    for i, part in enumerate(parts):
        if not part.startswith("`"):
            parts[i] = re.sub(r"<br\s*/?>", " ", part)
    text = "".join(parts)
    for _ in range(3):
        stripped = _EMPHASIS.sub(r"\2", text)
        if stripped == text:
            break
        text = stripped
    text = text.replace("“", '"').replace("”", '"').replace("’", "'").replace("\u00a0", " ")
    return _IN_QUOTES.sub(r"`\2`", text)


def _inline(token: Token) -> str:
    """The text of an inline token; code spans keep one pair of backticks, breaks are newlines."""
    out: list[str] = []
    for child in token.children or ():
        if child.type == "code_inline":
            out.append(f"`{child.content.strip()}`")
        elif child.type in ("softbreak", "hardbreak"):
            out.append("\n")
        else:
            out.append(child.content)
    return "".join(out)


def _lines(token: Token, source: Sequence[str], offset: int) -> tuple[Line, ...]:
    first = (token.map or [0, 0])[0]
    found = []
    for i, text in enumerate(_inline(token).split("\n")):
        raw = source[first + i] if first + i < len(source) else ""
        indent = len(raw.expandtabs(4)) - len(raw.expandtabs(4).lstrip())
        if text.strip():
            found.append(Line(offset + first + i + 1, strip_markup(text.strip()), indent))
    return tuple(found)


def _code_lines(token: Token, offset: int) -> tuple[Line, ...]:
    first = (token.map or [0, 0])[0]
    return tuple(
        Line(offset + first + i + 1, strip_markup(text.strip()), 4 + len(text) - len(text.lstrip()))
        for i, text in enumerate(token.content.split("\n"))
        if text.strip()
    )


def _table(tokens: Sequence[Token], offset: int) -> Table:
    rows: list[tuple[int, list[str]]] = []
    for token in tokens:
        if token.type == "tr_open":
            rows.append((offset + (token.map or [0, 0])[0] + 1, []))
        elif token.type == "inline":
            rows[-1][1].append(strip_markup(_inline(token).replace("\n", " ").strip()))
    first, last = tokens[0].map or [0, 0]
    return Table(
        tuple(rows[0][1]),
        tuple((number, tuple(cells)) for number, cells in rows[1:]),
        offset + first + 1,
        offset + last,
    )


def read_blocks(text: str, *, offset: int = 0) -> list[Block]:
    """Parse Markdown; `offset` is the number of lines that stood before `text` in its file."""
    source = text.split("\n")
    tokens = _parser().parse(text)
    blocks: list[Block] = []
    depth = 0
    i = 0
    while i < len(tokens):
        token = tokens[i]
        if token.type == "list_item_open":
            depth += 1
        elif token.type == "list_item_close":
            depth -= 1
        elif token.type == "heading_open":
            lines = _lines(tokens[i + 1], source, offset)
            if lines:
                blocks.append(Heading(lines[0], int(token.tag[1])))
            i += 2
        elif token.type == "inline":
            blocks.append(Lines(_lines(token, source, offset), depth))
        elif token.type == "code_block":
            blocks.append(Lines(_code_lines(token, offset), depth))
        elif token.type == "fence":
            first, last = token.map or [0, 0]
            blocks.append(
                Fence(token.info.strip(), token.content, offset + first + 1, offset + last)
            )
        elif token.type == "table_open":
            end = next(j for j in range(i, len(tokens)) if tokens[j].type == "table_close")
            blocks.append(_table(tokens[i : end + 1], offset))
            i = end
        i += 1
    return [block for block in blocks if not isinstance(block, Lines) or block.lines]


def first_blocks(blocks: Sequence[Block], characters: int) -> list[Block]:
    """The blocks until their text has more than `characters`; code does not count."""
    kept: list[Block] = []
    for block in blocks:
        if isinstance(block, Lines):
            characters -= sum(len(line.text) for line in block.lines)
        elif isinstance(block, Table):
            characters -= sum(len(cell) for _, row in block.rows for cell in row)
        if characters < 0:
            break
        kept.append(block)
    return kept
