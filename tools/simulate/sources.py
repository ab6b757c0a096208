"""Copy sources into a run's own folder, in a form every simulator reads."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from ..parse import read_source
from ..parse.directives import defined_macros
from .timescale import DEFAULT_TIMESCALE

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence

__all__ = ["HEADER_SUFFIXES", "Staged", "stage"]

HEADER_SUFFIXES = (".vh", ".svh")
_SET_BACK = "`nounconnected_drive\n`endcelldefine\n"
_INCLUDE = re.compile(r'^[ \t]*`include[ \t]+"([^"\n]+)"', re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Staged:
    """Copies of sources: `files` to compile, in order, and where each copy came from."""

    folder: Path
    files: tuple[Path, ...]
    origins: dict[str, str] = field(default_factory=dict)

    def origin(self, name: str) -> str:
        """The path the user knows for a file name that a tool printed."""
        return self.origins.get(Path(name).name, name)


def stage(
    paths: Sequence[Path],
    folder: Path,
    *,
    timescale: str = DEFAULT_TIMESCALE,
    origins: dict[str, str] | None = None,
    forget: Collection[str] | None = None,
) -> Staged:
    """Copy `paths`, and what they include from beside themselves, into `folder`.

    Copies carry plain ASCII names (`<name>.v`, made unique), so that no tool stumbles over a
    path; a header keeps its name, because sources ask for it by name. After each file the
    directives that would leak into the next are set back. With `forget` the macros that the files
    define, other than those it names, end with the last file. With `origins` of an earlier call,
    the new copies join those of that call.

    Raises:
        SourceUnreadable: A file is missing, a folder, or not text.
    """
    folder.mkdir(parents=True, exist_ok=True)
    files: list[Path] = []
    origins = {} if origins is None else origins
    after = f"\n`default_nettype wire\n`timescale {timescale}\n"
    for path in paths:
        text = read_source(path)
        header = path.suffix in HEADER_SUFFIXES
        name = path.name if header else _unique(path, origins)
        (folder / name).write_text(text if header else text + after, encoding="utf-8")
        origins[name] = str(path)
        _stage_includes(text, path.parent, folder, origins)
        if not header:
            files.append(folder / name)
    if forget is not None and files:
        _forget_macros(files[-1], folder, forget)
    return Staged(folder, tuple(files), origins)


def _forget_macros(last: Path, folder: Path, keep: Collection[str]) -> None:
    """Undefine after `last` whatever the copies in `folder` define, or may have switched on."""
    found: dict[str, None] = {}
    for path in sorted(p for p in folder.rglob("*") if p.is_file()):
        found |= dict.fromkeys(defined_macros(path.read_text(encoding="utf-8")))
    lines = "".join(f"`undef {name}\n" for name in found if name not in keep)
    text = last.read_text(encoding="utf-8")
    last.write_text(f"{text}{lines}{_SET_BACK}", encoding="utf-8")


def _unique(path: Path, taken: dict[str, str]) -> str:
    stem = re.sub(r"[^A-Za-z0-9_.-]", "_", path.stem).lstrip(".-") or "source"
    suffix = ".sv" if path.suffix == ".sv" else ".v"
    name, count = f"{stem}{suffix}", 1
    while name in taken:
        count += 1
        name = f"{stem}_{count}{suffix}"
    return name


def _stage_includes(text: str, beside: Path, folder: Path, origins: dict[str, str]) -> None:
    """Copy included files that lie in the source's own folder or below; others stay missing."""
    for name in _INCLUDE.findall(text):
        source = (beside / name).resolve()
        target = folder / name
        if target.exists() or not source.is_relative_to(beside.resolve()) or not source.is_file():
            continue
        body = read_source(source)
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text(body, encoding="utf-8")
        origins[Path(name).name] = str(source)
        _stage_includes(body, source.parent, folder, origins)
