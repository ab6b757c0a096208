"""A window as a table of text."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from .window import Trace, Window

__all__ = ["format_value", "render_table"]

_SHORT = 4  # values of up to this many bits are written in binary


def render_table(window: Window, *, head: str = "cycle") -> str:
    """Lay a window out in columns, one a cycle; `^` marks what differs.

    A signal that is compared has a second line with what was expected where it differs. Values
    of up to four bits are binary, longer ones hexadecimal. `head` is the title of the labels.
    """
    if not window.labels:
        return ""
    rows = [[head, *window.labels]]
    for trace in window.traces:
        rows.append([trace.name, *(format_value(value) for value in trace.values)])
        columns = [i for i in range(len(trace.values)) if trace.differs(i)]
        if columns:
            rows.append(["  expected", *_expected(trace, columns)])
            marks = ["^" if i in columns else "" for i in range(len(trace.values))]
            rows.append(["", *marks])
    widths = [max(len(row[i]) for row in rows) for i in range(len(rows[0]))]
    lines = [
        "  ".join(
            [
                row[0].ljust(widths[0]),
                *(c.rjust(w) for c, w in zip(row[1:], widths[1:], strict=True)),
            ]
        ).rstrip()
        for row in rows
    ]
    return "\n".join(lines) + "\n"


def _expected(trace: Trace, columns: list[int]) -> list[str]:
    return [
        format_value(trace.expected[i] or "") if i in columns else ""
        for i in range(len(trace.values))
    ]


def format_value(value: str) -> str:
    """A binary string for people: short ones as they are, long ones in hexadecimal.

    A hexadecimal digit with unknown bits is `x` (or `z`) if all four are, else `X`.
    """
    if len(value) <= _SHORT or set(value) - set("01xz"):
        return value
    digits = []
    padded = value.rjust(-(-len(value) // 4) * 4, value[0] if value[0] in "xz" else "0")
    for start in range(0, len(padded), 4):
        nibble = padded[start : start + 4]
        if set(nibble) <= set("01"):
            digits.append(format(int(nibble, 2), "x"))
        else:
            digits.append(nibble[0] if len(set(nibble)) == 1 else "X")
    return "h" + "".join(digits)
