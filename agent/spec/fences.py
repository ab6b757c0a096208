"""Port lists in fences that hold no module: declarations, or columns of plain text."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from .phrase import Declared, read_phrase

if TYPE_CHECKING:
    from rtl_agent.tools.interface import Direction

    from .blocks import Fence

__all__ = ["read_columns", "read_fence"]

_LANGUAGES = frozenset({"", "text", "txt", "verilog", "systemverilog", "sv", "v", "ports", "plain"})
_DECLARATION = re.compile(r"\s*(input|output|inout|in|out)\b(?!\s*=)", re.IGNORECASE)
# "clk  in  1  clock": a name, a direction, perhaps a width, perhaps words.
_COLUMNS = re.compile(
    r"\s*(?P<name>[A-Za-z_]\w*)\s*(?P<range>\[[^\]]*\])?\s*[|,:]?\s+"
    r"(?P<direction>input|output|inout|in|out|i|o)\b\s*[|,:]?\s*"
    r"(?P<width>\d+(?:\s*bits?)?\b|\[[^\]]*\]|\d+:0)?\s*[|,:]?\s*(?P<text>.*)",
    re.IGNORECASE,
)


def read_columns(text: str, direction: Direction | None) -> list[Declared] | None:
    """Read one line as columns or as a declaration; None when it is neither."""
    code, _, comment = text.partition("//")
    code = code.strip().rstrip(";,").strip()
    columns = _COLUMNS.fullmatch(code)
    if columns and not _DECLARATION.match(code):
        width = columns["width"] or columns["range"] or ""
        said = f"({columns['direction']}{', ' + width if width else ''})"
        return read_phrase(f"{columns['name']} {said}: {columns['text'] or comment}", direction)
    if _DECLARATION.match(code) or direction is not None:
        return read_phrase(f"{code}: {comment.strip()}" if comment else code, direction)
    return None


def read_fence(fence: Fence, direction: Direction | None) -> list[tuple[int, Declared]]:
    """The ports that the lines of `fence` declare, each with its line; empty when it is no list.

    At least two lines must be declarations, and no more than a quarter anything else.
    """
    words = fence.info.lower().split()
    if words and words[0] not in _LANGUAGES:
        return []
    found: list[tuple[int, Declared]] = []
    read = total = 0
    for number, text in enumerate(fence.text.splitlines(), start=fence.first + 1):
        if not text.strip() or text.strip().startswith("//"):
            continue
        total += 1
        ports = read_columns(text, direction)
        if ports and all(p.direction for p in ports):
            read += 1
            found.extend((number, port) for port in ports)
    return found if read >= 2 and (total - read) * 4 <= total else []
