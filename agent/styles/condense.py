"""Makes a spec short for a small model: the same words without Markdown and without the header."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from rtl_agent.tools.interface import Interface

__all__ = ["condense"]

_FENCE = re.compile(r"^```[^\n]*\n.*?^```[ \t]*$", re.MULTILINE | re.DOTALL)
_RULE = re.compile(r"^\s*\|?[\s:|-]+\|?\s*$")
_MARKUP = re.compile(r"(\*\*|__|`)")
_LEAD = re.compile(r"^(#+\s*|[-*+]\s+)")
_NUMBER = re.compile(r"^\[?[\w:+\- ]*\]?$")


def _cells(line: str) -> list[str]:
    return [cell.strip() for cell in line.strip().strip("|").split("|")]


def _port_row(cells: list[str], names: frozenset[str]) -> str | None:
    """A table row about a port as `name: description`; empty without a description."""
    if not cells or not any(cell in names for cell in cells[:4]):
        return None
    name = next(cell for cell in cells if cell in names)
    last = cells[-1]
    wordy = last != name and " " in last and not _NUMBER.match(last.replace(",", ""))
    return f"{name}: {last}" if wordy or (last != name and len(last) > 12) else ""


def condense(text: str, interface: Interface) -> str:
    """The spec in few tokens.

    Fences that repeat a module header go (the header is given on its own), tables become
    `name: description` lines, emphasis and blank lines go. Other tables (truth tables) and other
    fences stay as they are.
    """
    names = frozenset(p.name for p in interface.ports)
    text = _FENCE.sub(
        lambda m: "" if re.search(r"^\s*module\b", m[0], re.MULTILINE) else m[0], text
    )
    out = []
    for raw in text.splitlines():
        line = _MARKUP.sub("", raw).strip()
        if not line or _RULE.match(line):
            continue
        if line.startswith("|"):
            row = _port_row(_cells(line), names)
            if row is None and names and re.search(r"(?i)\b(port|signal|width|bits|i/o|dir)", line):
                continue
            line = row if row is not None else " ".join(_cells(line))
        line = _LEAD.sub("", line)
        if line:
            out.append(line)
    return "\n".join(out)
