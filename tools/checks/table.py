"""Read a table of vectors: CSV or Markdown, a column a port, a row a clock cycle."""

from __future__ import annotations

import csv
import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from ..errors import CheckUnusable
from .syntax import place

if TYPE_CHECKING:
    from .types import CheckSource

__all__ = ["Table", "TableRow", "read_table"]

_RULE = re.compile(r"^:?-+:?$")
_WIDTH = re.compile(r"\s*\[[^\]]*:[^\]]*\]$")


@dataclass(frozen=True, slots=True)
class TableRow:
    """The cells of one row, in column order, and its line in the text (from 1)."""

    line: int
    cells: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Table:
    """A table as text: column names without width, backticks and emphasis."""

    columns: tuple[str, ...]
    rows: tuple[TableRow, ...]
    line: int


def read_table(source: CheckSource) -> Table:
    """Read the table in `source.text`.

    Raises:
        CheckUnusable: No table, no row, a column twice, or a row with another number of cells.
    """
    lines = source.text.lstrip("\ufeff").splitlines()
    found = (
        _markdown(lines) if any(line.lstrip().startswith("|") for line in lines) else _csv(lines)
    )
    if not found:
        raise CheckUnusable(
            f"{place(source, 1)}: no table in it",
            remedy="write CSV with a header line of port names, or a Markdown table",
        )
    header, *body = found
    columns = tuple(_WIDTH.sub("", cell) for cell in header.cells)
    twice = sorted({name for name in columns if columns.count(name) > 1})
    if twice:
        raise CheckUnusable(f"{place(source, header.line)}: column {twice[0]!r} occurs twice")
    if not body:
        raise CheckUnusable(f"{place(source, header.line)}: the table has no row")
    for row in body:
        if len(row.cells) != len(columns):
            raise CheckUnusable(
                f"{place(source, row.line)}: {len(row.cells)} cells, "
                f"expected {len(columns)} ({', '.join(columns)})"
            )
    return Table(columns, tuple(body), header.line)


def _csv(lines: list[str]) -> list[TableRow]:
    """Rows of comma, semicolon or tab separated text; `#` and `//` start a comment line."""
    kept = [
        (number, line)
        for number, line in enumerate(lines, 1)
        if line.strip() and not line.lstrip().startswith(("#", "//"))
    ]
    if not kept:
        return []
    delimiter = max(",;\t", key=kept[0][1].count)
    rows = []
    for number, line in kept:
        cells = next(csv.reader([line], delimiter=delimiter))
        rows.append(TableRow(number, tuple(cell.strip() for cell in cells)))
    return rows


def _markdown(lines: list[str]) -> list[TableRow]:
    """Rows of the first Markdown table, without the rule below its header."""
    rows: list[TableRow] = []
    for number, line in enumerate(lines, 1):
        text = line.strip()
        if not text.startswith("|"):
            if rows:
                break
            continue
        body = text[1:].removesuffix("|")
        cells = tuple(_plain(cell) for cell in re.split(r"(?<!\\)\|", body))
        if not all(_RULE.match(cell) for cell in cells) or len(rows) != 1:
            rows.append(TableRow(number, cells))
    return rows


def _plain(cell: str) -> str:
    """A cell without the marks of code and emphasis around it."""
    text = cell.strip()
    for mark in ("**", "`", "*", "__"):
        if text.startswith(mark) and text.endswith(mark) and len(text) > 2 * len(mark):
            text = text[len(mark) : -len(mark)].strip()
    return text.replace("\\|", "|")
