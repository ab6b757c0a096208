"""Markdown tables that list ports or parameters, their columns in any order."""

from __future__ import annotations

import re

from rtl_agent.tools.interface import Direction

from .findings import Findings, FoundPort, Source
from .lexicon import DIRECTIONS, SHORT_DIRECTIONS, name_grade
from .phrase import Declared, read_phrase
from .widths import parse_width
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from .blocks import Table

__all__ = ["read_table"]

_COLUMNS = {
    "name": r"(port|signal|pin|net|i/o|io)?s?\s*names?|ports?|signals?|pins?|identifier|declaration",
    "direction": r"direction and (width|size)|(port\s+)?(dir(ection)?\.?|i/?o|in\s?/\s?out|mode|type|kind)|input/output",
    "width": r"(bit\s*)?(width|size|bits|range|dimension)(\s*\(?(in\s+)?bits?\)?)?|#\s*bits|bit\s*width|type",
    "default": r"default(\s+value)?|value|initial(\s+value)?",
    "parameter": r"param(eter)?s?(\s*names?)?|generics?(\s*name)?",
    "description": r"descr(iption)?\.?|function|meaning|purpose|comment|notes?|use|remarks?|role",
}


def _classify(table: Table) -> dict[str, int]:
    """Which column is which; a column called `Type` is decided by what stands in it."""
    columns: dict[str, int] = {}
    for i, title in enumerate(table.header):
        plain = title.replace("`", "").strip().lower()
        kinds = [k for k, pattern in _COLUMNS.items() if re.fullmatch(pattern, plain)]
        if len(kinds) > 1 or kinds == ["direction"]:
            cells = [row[i].replace("`", "") for _, row in table.rows if i < len(row)]
            said = sum(_direction(cell)[0] is not None for cell in cells)
            kinds = (
                ["direction"] if said * 2 > len(cells) else [k for k in kinds if k != "direction"]
            )
            if not said and plain in ("i/o", "io"):
                kinds = ["name"]
        if kinds and kinds[0] not in columns:
            columns[kinds[0]] = i
    return columns


def _direction(cell: str) -> tuple[Direction | None, int | str | None]:
    """The direction in a cell, and the width if it holds one too (`input [7:0]`)."""
    words = cell.replace("`", "").strip()
    first = re.match(r"[A-Za-z/]+", words)
    if first is None:
        return None, None
    lower = first[0].lower()
    direction = DIRECTIONS.get(lower) or SHORT_DIRECTIONS.get(lower)
    rest = re.sub(
        r"\b(wire|reg|logic|signed|unsigned|std_logic(_vector)?)\b", "", words[first.end() :]
    )
    rest = rest.strip(" ,;()")
    return direction, parse_width(rest) if rest else None


def _cell(row: tuple[str, ...], columns: dict[str, int], kind: str) -> str:
    index = columns.get(kind)
    return row[index].strip() if index is not None and index < len(row) else ""


def read_table(
    table: Table,
    section: Direction | None,
    module: str | None,
    found: Findings,
    *,
    parameters: bool,
) -> bool:
    """Read a port or parameter table into `found`; False when it is neither.

    `section` is the direction of the section it stands in (a table below "Inputs" needs no
    direction column); `parameters` says that the section is about parameters.
    """
    columns = _classify(table)
    if "parameter" in columns or (parameters and "direction" not in columns):
        return _read_parameters(table, columns, module, found)
    if "name" not in columns or ("direction" not in columns and section is None):
        return _titled_by_direction(table, columns, module, found)
    for line, row in table.rows:
        _read_row(line, row, columns, section, module, found)
    return True


def _read_row(
    line: int,
    row: tuple[str, ...],
    columns: dict[str, int],
    section: Direction | None,
    module: str | None,
    found: Findings,
) -> None:
    name, stated = _cell(row, columns, "name"), _cell(row, columns, "direction")
    direction, beside = _direction(stated)
    bare = re.fullmatch(r"`?(\\\S+|[A-Za-z_][\w$]*)`?", name)
    if bare:  # whatever word it is, in this column it is a name
        ports = [Declared(bare[1].removeprefix("\\"), direction or section)]
    else:
        ports = (read_phrase(name, direction or section) or []) if name else []
    said = _cell(row, columns, "width")
    width = parse_width(said) if said else beside
    if re.match(r"param|generic|const", stated, re.IGNORECASE):
        match = re.search(
            r"\d+", _cell(row, columns, "default") or _cell(row, columns, "description")
        )
        if ports and match:
            found.add_parameter(ports[0].name, match[0], module)
            return
    if not ports or (direction is None and section is None):
        if name:
            found.notes.append(
                f"line {line}: the table row for {name} was not understood as a port"
            )
        return
    if said and width is None and said not in ("-", "–", "—"):
        found.notes.append(f"line {line}: the width {said!r} of {name} was not understood")
    text = _cell(row, columns, "description")
    for port in ports:
        found.ports.append(
            FoundPort(
                port.name,
                direction or port.direction or section or Direction.INPUT,
                width if width is not None else port.width,
                line,
                Source.TABLE,
                module,
                port.signed or bool(re.search(r"\bsigned\b", f"{stated} {said}")),
                not (said and width is None and said not in ("-", "–", "—")),
                text,
            )
        )


def _titled_by_direction(
    table: Table, columns: dict[str, int], module: str | None, found: Findings
) -> bool:
    """A table whose first column is titled `Input` or `Output`: the names stand below it."""
    title = table.header[0].replace("`", "").strip().lower() if table.header else ""
    direction = DIRECTIONS.get(title.split(" ")[0]) if title else None
    if direction is None or len(title.split(" ")) > 2 or len(columns) < 1:
        return False
    for line, row in table.rows:
        _read_row(line, row, {**columns, "name": 0}, direction, module, found)
    return True


def _read_parameters(
    table: Table, columns: dict[str, int], module: str | None, found: Findings
) -> bool:
    at = columns.get("parameter", columns.get("name", 0))
    for line, row in table.rows:
        name = row[at].replace("`", "").strip() if at < len(row) else ""
        default = _cell(row, columns, "default").replace("`", "")
        if not default:
            match = re.search(
                r"default\w*\W+(?:is\s+|to\s+|of\s+)?(\S+?)[.;,)]*(?:\s|$)", " ".join(row)
            )
            default = match[1].strip("`") if match else ""
        if name_grade(name) == 0:
            continue
        if default:
            found.add_parameter(name, default, module)
        else:
            found.notes.append(f"line {line}: parameter {name} has no default; it was left out")
    return True
