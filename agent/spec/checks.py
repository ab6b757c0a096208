"""Checks of a spec: files named in the front matter, fences, and truth tables."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from rtl_agent.agent.errors import SpecError
from rtl_agent.tools.checks.types import CheckKind, CheckSource

from .blocks import Block, Fence, Heading, Lines, Table
from .front import CHECK_OPTIONS, CheckEntry

if TYPE_CHECKING:
    from collections.abc import Sequence

    from rtl_agent.tools.interface import Interface

__all__ = ["FenceCheck", "fence_check", "file_check", "table_checks"]

_SUFFIXES = {
    "cocotb": (".py",),
    "testbench": (".v", ".sv"),
    "reference": (".py", ".v", ".sv"),
    "vectors": (".csv", ".md"),
}
_KINDS = {
    ("cocotb", "py"): CheckKind.COCOTB,
    ("testbench", "v"): CheckKind.TESTBENCH,
    ("reference", "py"): CheckKind.REFERENCE_MODEL,
    ("reference", "v"): CheckKind.REFERENCE_RTL,
    ("vectors", "csv"): CheckKind.VECTORS,
}
_LANGUAGES = {
    "python": "py",
    "py": "py",
    "python3": "py",
    "verilog": "v",
    "systemverilog": "v",
    "sv": "v",
    "v": "v",
    "csv": "csv",
    "text": "csv",
    "": "csv",
}
_ROLES = {
    "reference": "reference",
    "model": "reference",
    "golden": "reference",
    "testbench": "testbench",
    "bench": "testbench",
    "tb": "testbench",
    "cocotb": "cocotb",
    "vectors": "vectors",
}


@dataclass(frozen=True, slots=True)
class FenceCheck:
    """A check in a fence, with the fence it came from."""

    source: CheckSource
    fence: Fence


def file_check(entry: CheckEntry, folder: Path | None, name: str) -> CheckSource:
    """Load the file that an element of `checks:` names.

    Raises:
        SpecError: No such file, a wrong suffix for its kind, or not readable as UTF-8.
    """
    place = f"{name}:{entry.line}"
    path = Path(entry.path).expanduser()
    if not path.is_absolute():
        if folder is None:
            raise SpecError(
                f"{place}: check file {entry.path!r} has no folder to be found in: the spec was "
                "read from standard input",
                remedy="Give an absolute path, or put the check into a fence of the spec.",
            )
        path = folder / path
    suffixes = _SUFFIXES[entry.kind]
    if path.suffix.lower() not in suffixes:
        raise SpecError(
            f"{place}: a {entry.kind} check must be a {' or '.join(suffixes)} file, "
            f"not {entry.path!r}",
            remedy="Name the right file, or the right kind.",
        )
    if not path.is_file():
        raise SpecError(
            f"{place}: no such check file: {entry.path!r}",
            remedy=f"Put it beside the spec ({path.parent}) or correct the path.",
        )
    try:
        text = path.read_text(encoding="utf-8-sig")
    except UnicodeDecodeError as error:
        raise SpecError(
            f"{path}: not UTF-8: byte at offset {error.start}", remedy="Save the file as UTF-8."
        ) from error
    except OSError as error:
        raise SpecError(
            f"{path}: cannot be read: {error.strerror}", remedy="Check its permissions."
        ) from error
    group = "py" if path.suffix.lower() == ".py" else "v"
    kind = _KINDS[entry.kind, "csv" if entry.kind == "vectors" else group]
    options = dict(entry.options)
    title = options.pop("name", path.stem)
    return CheckSource(kind, title, text, f"{path}:1", path, options)


def fence_check(fence: Fence, name: str) -> FenceCheck | None:
    """The check that a fence carries, told by its info string (`python reference`).

    Raises:
        SpecError: The fence is marked as a check, but language and role do not fit together or
            an option is unknown.
    """
    words = fence.info.split()
    roles = [w for w in words[1:] if w.lower() in _ROLES] or (
        words[:1] if words and words[0].lower() in ("cocotb", "testbench", "vectors") else []
    )
    if not roles:
        return None
    place = f"{name}:{fence.first}"
    role = _ROLES[roles[0].lower()]
    language = words[0].lower() if words[0] != roles[0] else _default_language(role)
    kind = _KINDS.get((role, _LANGUAGES.get(language, language)))
    if kind is None:
        raise SpecError(
            f"{place}: a {role} check cannot be written in {language!r}",
            remedy="Checks in fences: `python reference`, `verilog reference`, `python cocotb`, "
            "`verilog testbench`, `csv vectors`.",
        )
    if not fence.text.strip():
        raise SpecError(
            f"{place}: the {role} check in this fence is empty",
            remedy="Write it, or remove the fence.",
        )
    options = {}
    for word in words[1:]:
        key, equals, value = word.partition("=")
        if equals:
            if key not in CHECK_OPTIONS[role]:
                raise SpecError(
                    f"{place}: unknown option {key!r} of a {role} check",
                    remedy=f"Known options: {', '.join(CHECK_OPTIONS[role])}.",
                )
            options[key] = value
    title = options.pop("name", f"{role} in {Path(name).name}:{fence.first}")
    source = CheckSource(kind, title, fence.text, f"{name}:{fence.first + 1}", None, options)
    return FenceCheck(source, fence)


def _default_language(role: str) -> str:
    return {"cocotb": "python", "testbench": "verilog", "vectors": "csv"}.get(role, "python")


_VALUE = re.compile(
    r"[01xX?_-]+|\d+|0x[0-9a-fA-FxX?_]+|0b[01xX?_]+|\d+'[sS]?[bdhoBDHO][0-9a-fA-FxX?_]+|-?\d+|[xX*?-]"
)


def _plain(cell: str) -> str:
    return cell.replace("`", "").strip()


def _is_vectors(table: Table, interface: Interface) -> str | None:
    """Why a table of port columns is not a check; empty when it is; None if it is no such table."""
    columns = [re.sub(r"\s*\[[^\]]*\]$", "", _plain(title)) for title in table.header]
    columns = [c for c in columns if c]
    ports = {p.name for p in interface.ports}
    if len(columns) < 2 or not set(columns) <= ports or not table.rows:
        return None
    outputs = {p.name for p in interface.outputs()}
    inputs = {p.name for p in interface.inputs()}
    if not outputs & set(columns) or not inputs & set(columns):
        return None
    cells = [_plain(cell) for _, row in table.rows for cell in row[: len(table.header)]]
    bad = next((c for c in cells if not _VALUE.fullmatch(c)), None)
    if bad is not None:
        return f"the cell {bad!r} is no value"
    return ""


def _introduced_as_cycles(block: Block | None) -> bool:
    text = (
        block.line.text
        if isinstance(block, Heading)
        else block.text
        if isinstance(block, Lines)
        else ""
    )
    return bool(re.search(r"\b(cycle|cycles|vectors|waveform|clock by clock)\b", text, re.I))


def table_checks(
    blocks: Sequence[Block],
    lines: Sequence[str],
    interface: Interface,
    clock: str | None,
    name: str,
) -> tuple[list[CheckSource], list[str]]:
    """Truth tables among `blocks` as checks, and notes on tables that look like one.

    `lines` are the lines of the whole file. In a design with a clock a table counts only where
    the text before it says that its rows are cycles.
    """
    checks: list[CheckSource] = []
    notes: list[str] = []
    for i, block in enumerate(blocks):
        if not isinstance(block, Table):
            continue
        why = _is_vectors(block, interface)
        if why is None:
            continue
        columns = {re.sub(r"\s*\[[^\]]*\]$", "", _plain(title)) for title in block.header}
        missing = [p.name for p in interface.inputs() if p.name not in columns and p.name != clock]
        if not why and clock and not _introduced_as_cycles(blocks[i - 1] if i else None):
            why = "the design has a clock and the text does not say that its rows are cycles"
        elif not why and not clock and missing:
            why = f"it has no column for input {missing[0]}"
        if why:
            notes.append(f"line {block.first}: the table was not taken as a check: {why}")
            continue
        text = "\n".join(lines[block.first - 1 : block.last]) + "\n"
        title = f"truth table in {Path(name).name}:{block.first}"
        checks.append(CheckSource(CheckKind.VECTORS, title, text, f"{name}:{block.first}"))
    return checks, notes
