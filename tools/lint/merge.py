"""One list from many: each fact once, the worst first."""

from __future__ import annotations

import re
from collections import defaultdict
from typing import TYPE_CHECKING

from ..diagnostic import Severity

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from pathlib import Path

    from ..diagnostic import Diagnostic

__all__ = ["MAX_DIAGNOSTICS", "merge"]

# A netlist can have a warning a line; nobody reads more, and the rest says the same.
MAX_DIAGNOSTICS = 1000

_RANK = {Severity.ERROR: 0, Severity.WARNING: 1, Severity.NOTE: 2}
# Within one severity: what explains other messages comes first.
_FIRST = ("truncated", "needs-systemverilog", "tool-crash", "syntax", "undeclared", "implicit-net")
# Codes that say the same thing in other words, as far as one place is concerned.
_ALIKE = {
    "unused-port": "unused",
    "unused-implicit-net": "unused",
    "used-before-declared": "undeclared",
}
# Facts about a signal or a block that tools place on different lines of it.
_ANYWHERE = frozenset(
    {"latch", "nonblocking-in-combinational", "blocking-in-sequential", "undriven", "unused"}
)
_NAMELESS, _ANY = "", "*"
_QUOTED = re.compile(r"[`'‘]+\\?([^`'’]+)[`'’]+")


def merge(found: Iterable[Diagnostic], order: Sequence[Path]) -> tuple[Diagnostic, ...]:
    """Drop repetitions and consequences, then sort by severity, weight, and place.

    Two diagnostics of different tools are the same fact when file, line and code agree and they
    do not name different things; for some codes the line need not agree. The one that came
    first is kept, unless only another gives a column. At most `MAX_DIAGNOSTICS` are returned.
    """
    kept: dict[int, Diagnostic] = {}
    by_name: dict[tuple[tuple[str, int, str], str], list[int]] = defaultdict(list)
    for number, item in enumerate(dict.fromkeys(found)):
        group, names = _group(item), subjects(item.message)
        # One that names nothing may be any of its group, and any of its group may be it.
        lookups = ([*names, _NAMELESS]) if names else [_NAMELESS, _ANY]
        near = (i for name in lookups for i in by_name[group, name])
        twin = next((i for i in near if kept[i].tool != item.tool), None)
        if twin is None:
            kept[number] = item
            for name in [*(names or [_NAMELESS]), _ANY]:
                by_name[group, name].append(number)
        elif item.column and not kept[twin].column:
            kept[twin] = item
    files = {str(path): index for index, path in enumerate(order)}
    rest = _without_echoes(_without_consequences(list(kept.values())))
    return tuple(sorted(rest, key=lambda d: _key(d, files))[:MAX_DIAGNOSTICS])


def _group(item: Diagnostic) -> tuple[str, int, str]:
    code = _ALIKE.get(item.code, item.code)
    return (item.file, 0 if code in _ANYWHERE else item.line, code)


def subjects(message: str) -> frozenset[str]:
    """The names a message quotes, without selects and hierarchy."""
    names = (match.split("[")[0].rpartition(".")[2].strip() for match in _QUOTED.findall(message))
    return frozenset(name for name in names if name and name not in {"=", "<="})


def _without_consequences(found: list[Diagnostic]) -> list[Diagnostic]:
    """Leave out messages that only repeat that an error stands on their line."""
    wrong = {
        (d.file, d.line) for d in found if d.severity is Severity.ERROR and d.code != "elaboration"
    }
    return [d for d in found if d.code != "elaboration" or (d.file, d.line) not in wrong]


def _without_echoes(found: list[Diagnostic]) -> list[Diagnostic]:
    """Leave out what Yosys says where another tool found the same kind of fault in the file.

    Yosys names nets of its own making, and often no line.
    """
    said = {(d.file, d.code) for d in found if d.tool != "yosys"}
    return [d for d in found if d.tool != "yosys" or (d.file, d.code) not in said]


def _key(item: Diagnostic, files: dict[str, int]) -> tuple[int, int, int, int, int, str]:
    weight = _FIRST.index(item.code) if item.code in _FIRST else len(_FIRST)
    return (
        _RANK[item.severity],
        weight,
        files.get(item.file, len(files)),
        item.line,
        item.column,
        item.message,
    )
