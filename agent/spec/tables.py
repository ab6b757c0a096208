"""Markdown tables that list ports or parameters, their columns in any order."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from rtl_agent.tools.interface import Direction

from .findings import Findings, FoundPort, Source
from .lexicon import DIRECTIONS, SHORT_DIRECTIONS, name_grade
from .phrase import Declared, read_phrase
from .widths import parse_width

if TYPE_CHECKING:
    from .blocks import Table

__all__ = ["read_table"]

_COLUMNS = {
    "name": r"(port|signal|pin|net|i/o|io)?s?\s*names?|ports?|signals?|pins?|identifier|"
    r"declaration",
    "direction": r"(port\s+)?(dir(ection)?\.?|i/?o|in\s?/\s?out|mode|type|kind)|input/output|"
    r"direction and (width|size)",
    "width": r"(bit\s*)?(width|size|bits|range|dimension)(\s*\(?(in\s+)?bits?\)?)?|#\s*bits|type",
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
            others = [k for k in kinds if k != "direction"]
            kinds = ["direction"] if said * 2 > len(cells) else others
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
        _read_row(line, row, _Where(columns, section, module), found)
    return True


@dataclass(frozen=True, slots=True)
class _Where:
    """What holds for every row of one table."""

    columns: dict[str, int]
    section: Direction | None
    module: str | None


_BLANK = ("", "-", "–", "—")


def _names(cell: str, direction: Direction | None) -> list[Declared]:
    bare = re.fullmatch(r"`?(\\\S+|[A-Za-z_][\w$]*)`?", cell)
    if bare:  # whatever word it is, in this column it is a name
        return [Declared(bare[1].removeprefix("\\"), direction)]
    return (read_phrase(cell, direction) or []) if cell else []


def _is_parameter(row: tuple[str, ...], name: str, where: _Where, found: Findings) -> bool:
    """Take a row whose direction column says `parameter`."""
    if not re.match(r"param|generic|const", _cell(row, where.columns, "direction"), re.IGNORECASE):
        return False
    value = _cell(row, where.columns, "default") or _cell(row, where.columns, "description")
    match = re.search(r"\d+", value)
    if match:
        found.add_parameter(name, match[0], where.module)
    return True


def _read_row(line: int, row: tuple[str, ...], where: _Where, found: Findings) -> None:
    name, stated = _cell(row, where.columns, "name"), _cell(row, where.columns, "direction")
    direction, beside = _direction(stated)
    ports = _names(name, direction or where.section)
    if ports and _is_parameter(row, ports[0].name, where, found):
        return
    if not ports or (direction is None and where.section is None):
        if name:
            found.notes.append(
                f"line {line}: the table row for {name} was not understood as a port"
            )
        return
    said = _cell(row, where.columns, "width")
    width = parse_width(said) if said not in _BLANK else beside
    unclear = said not in _BLANK and width is None
    if unclear:
        found.notes.append(f"line {line}: the width {said!r} of {name} was not understood")
    for port in ports:
        found.ports.append(
            FoundPort(
                name=port.name,
                direction=direction or port.direction or where.section or Direction.INPUT,
                width=width if width is not None else port.width,
                line=line,
                source=Source.TABLE,
                module=where.module,
                signed=port.signed or bool(re.search(r"\bsigned\b", f"{stated} {said}")),
                sure=not unclear,
                description=_cell(row, where.columns, "description"),
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
        _read_row(line, row, _Where({**columns, "name": 0}, direction, module), found)
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
