"""The user's own designs as a library: a folder of Verilog, read once, never sent anywhere."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from rtl_agent.agent.errors import ConfigError
from rtl_agent.tools.errors import ToolError
from rtl_agent.tools.parse import ModuleInfo, parse_text, read_source

from .records import LibraryRecord

if TYPE_CHECKING:
    from pathlib import Path

__all__ = ["index_folder"]

_SUFFIXES = (".v", ".sv")
_MOST_FILES = 5_000
_MOST_CHARACTERS = 6_000  # a longer design does not fit a prompt
_COMMENT = re.compile(r"^\s*//+ ?(.*)$")


def _leading_comment(text: str, line: int) -> str:
    """The comment lines just above line `line`, which say what the module is."""
    lines = text.splitlines()[: max(line - 1, 0)]
    said: list[str] = []
    for row in reversed(lines):
        match = _COMMENT.match(row)
        if match is None:
            if row.strip():
                break
            continue
        said.insert(0, match[1].strip())
    return " ".join(said)


def _record(path: Path, text: str, module: ModuleInfo) -> LibraryRecord:
    spec = _leading_comment(text, module.line) or module.name.replace("_", " ")
    return LibraryRecord(
        name=f"{path.name}:{module.name}",
        family="user",
        spec=spec,
        rtl=text,
        interface=module.interface_as_written,
        search=f"{spec} {module.name}",
        origin=str(path),
    )


def index_folder(folder: Path) -> list[LibraryRecord]:
    """Read the Verilog files below `folder`; files that do not parse are left out.

    Raises:
        ConfigError: `folder` is not a folder, or holds no design that parses.
    """
    if not folder.is_dir():
        raise ConfigError(f"{folder}: not a folder", remedy="give --library a folder of Verilog")
    paths = sorted(p for p in folder.rglob("*") if p.suffix in _SUFFIXES and p.is_file())
    records = []
    for path in paths[:_MOST_FILES]:
        try:
            text = read_source(path)
        except ToolError:
            continue  # unreadable as source: as good as not there
        if len(text) > _MOST_CHARACTERS:
            continue
        model = parse_text(text, name=path.name)
        if model.ok:
            records += [_record(path, text, m) for m in model.modules if m.is_top]
    if not records:
        raise ConfigError(
            f"{folder}: none of its {len(paths)} Verilog files parses and fits a prompt",
            remedy="give --library a folder with .v or .sv files that compile on their own",
        )
    return records
