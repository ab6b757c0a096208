"""Puts corrected modules back into the files they came from, and writes the change as a diff."""

from __future__ import annotations

import difflib
import re
from typing import TYPE_CHECKING

from rtl_agent.agent.styles.extract import Unit, split_units

if TYPE_CHECKING:
    from collections.abc import Mapping

__all__ = ["read_exact", "splice", "unified"]

_NO_NEWLINE = "\\ No newline at end of file\n"


def read_exact(data: bytes) -> str:
    """A file's text such that encoding it again (`surrogateescape`) gives the same bytes."""
    return data.decode("utf-8", "surrogateescape")


def splice(files: Mapping[str, str], source: str, module: str) -> dict[str, str]:
    """The files with the modules of `source` in place of their own; only those that change.

    What stands outside modules (licences, comments, directives) stays as it is. A module that no
    file has goes to the end of the file with the top module `module`, unless it takes the place
    of the only module there is.
    """
    home = {u.name: path for path in reversed(list(files)) for u in split_units(_lf(files[path]))}
    modules = [name for name in home if name]
    new = split_units(source)
    changed: dict[str, str] = {}

    def text_of(path: str) -> str:
        return changed.get(path, _lf(files[path]))

    top_file = home.get(module, next(iter(files)))
    for unit in new:
        old_name = unit.name
        if unit.name == module and module not in home and len(modules) == 1:
            old_name, top_file = modules[0], home[modules[0]]
        path = home.get(old_name, top_file)
        changed[path] = _put(text_of(path), old_name, unit)
    changed[top_file] = _with_directives(text_of(top_file), source, new)
    return {
        path: _like(files[path], text) for path, text in changed.items() if text != _lf(files[path])
    }


def _put(text: str, name: str, unit: Unit) -> str:
    """`text` with `unit` in place of its unit called `name`, or at its end."""
    code = unit.text.strip()
    for old in split_units(text):
        if old.name != name:
            continue
        span = old.text.rstrip()
        start = text.find(span)
        if start >= 0 and span != code:
            return text[:start] + code + text[start + len(span) :]
        return text
    return f"{text.rstrip()}\n\n{code}\n"


def _with_directives(text: str, source: str, units: list[Unit]) -> str:
    """`text` with the compiler directives at the head of `source` that it has not."""
    head = source[: source.find(units[0].text)] if units else ""
    have = {line.strip() for line in text.splitlines()}
    lines = [s for line in head.splitlines() if (s := line.strip()).startswith("`")]
    return "".join(f"{line}\n" for line in lines if line not in have) + text


def unified(before: Mapping[str, str], after: Mapping[str, str]) -> str:
    """One diff of all files, as `git apply` and `patch -p1` take it; names are relative paths."""
    parts: list[str] = []
    for name in sorted(before):
        old, new = _lines(before[name]), _lines(after[name])
        if old == new:
            continue
        tab = "\t" if " " in name else ""  # ends a name with spaces, as git itself writes it
        rows = difflib.unified_diff(old, new, f"a/{name}{tab}", f"b/{name}{tab}", n=3)
        parts += [row if row.endswith("\n") else f"{row}\n{_NO_NEWLINE}" for row in rows]
    return "".join(parts)


def _lines(text: str) -> list[str]:
    """Lines as diff programs count them: only a line feed ends one."""
    return re.findall(r"[^\n]*\n|[^\n]+", text)


def _lf(text: str) -> str:
    return text.replace("\r\n", "\n")


def _like(original: str, text: str) -> str:
    """`text` with the line ends of `original`."""
    ends = original.count("\n")
    crlf = ends and original.count("\r\n") == ends
    return text.replace("\n", "\r\n") if crlf else text
