"""Search for the edits that make a design compile.

Candidates come from what the parser complains about and the lines around it; how good one is, is
the number of complaints that are left. Icarus has the last word.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from rtl_agent.tools.diagnostic import Severity
from rtl_agent.tools.edits import Edit, apply
from rtl_agent.tools.parse import parse_text

from .declares import declaration_edits
from .tokens import token_edits

if TYPE_CHECKING:
    from collections.abc import Sequence

    from rtl_agent.tools.diagnostic import Diagnostic
    from rtl_agent.tools.interface import Interface

    from .types import Budget

__all__ = ["Compiled", "complaints", "search_syntax"]

_DEPTH = 4
_BEAM = 3
_KEPT = 24  # texts without complaints that are handed to the simulator


@dataclass(frozen=True, slots=True)
class Compiled:
    """A text that the parser takes, and the edits that led to it."""

    text: str
    edits: tuple[Edit, ...]


def complaints(text: str, interface: Interface, language: str) -> list[Diagnostic]:
    """What keeps `text` from compiling as a design with `interface`."""
    model = parse_text(text, language=language)
    found = [d for d in model.diagnostics if d.severity is Severity.ERROR]
    if model.truncated:
        line = text.count("\n") + 1
        found.append(_complaint(line, "truncated", "the source ends inside a module"))
    own = model.module(interface.module)
    if own is None:
        found.append(_complaint(1, "no-top", f"there is no module {interface.module}"))
    elif interface.ports:
        have = {p.name: p for p in own.interface.ports}
        want = {p.name: p for p in interface.ports}
        for name in sorted(set(have) ^ set(want)):
            word = "top-lacks-port" if name in want else "top-invents-port"
            found.append(_complaint(own.line, word, name))
        found += [
            _complaint(own.line, "top-port-differs", name)
            for name in sorted(set(have) & set(want))
            if have[name].direction != want[name].direction
            or (isinstance(want[name].width, int) and have[name].width != want[name].width)
        ]
    return found


def search_syntax(text: str, interface: Interface, language: str, budget: Budget) -> list[Compiled]:
    """Texts without complaints, those with the fewest and likeliest edits first.

    `text` itself is the only one when the parser has no complaint.
    """
    start = complaints(text, interface, language)
    if not start:
        return [Compiled(text, ())]
    level = [(_weight(start), Compiled(text, ()), start)]
    seen = {text}
    for _ in range(_DEPTH):
        following: list[tuple[float, Compiled, list[Diagnostic]]] = []
        for weight, done, found in level:
            for edit in _candidates(done.text, found, interface):
                if budget.over():
                    break
                new = apply(done.text, [edit])
                if new in seen:
                    continue
                seen.add(new)
                budget.tried += 1
                left = complaints(new, interface, language)
                if _weight(left) < weight:
                    made = Compiled(new, (*done.edits, edit))
                    following.append((_weight(left), made, left))
        following.sort(key=lambda item: (item[0], _cost(item[1])))
        clean = [made for _, made, left in following if not left]
        if clean:
            return clean[:_KEPT]
        level = following[:_BEAM]
        if not level:
            break
    return []


def _candidates(text: str, found: Sequence[Diagnostic], interface: Interface) -> list[Edit]:
    edits = [*token_edits(text, found), *declaration_edits(text, found, interface)]
    unique: dict[tuple[int, int, str], Edit] = {}
    for edit in edits:
        if edit.replacement != text[edit.start : edit.end]:
            unique.setdefault((edit.start, edit.end, edit.replacement), edit)
    return list(unique.values())


def _weight(found: Sequence[Diagnostic]) -> float:
    """Complaints that are left; those of the grammar hide others, so they weigh more."""
    return sum(3.0 if d.code in {"syntax", "truncated", "no-top"} else 1.0 for d in found)


def _cost(made: Compiled) -> float:
    return sum(_COSTS.get(e.operator, 1.0) + 0.01 * len(e.replacement) for e in made.edits)


_COSTS = {
    "fix-delete": 3.0,
    "fix-declare": 1.2,
    "fix-rename": 0.9,
    "fix-semicolon": 0.5,
    "fix-end": 0.8,
    "fix-end-here": 0.45,
    "fix-begin": 0.7,
}


def _complaint(line: int, code: str, message: str) -> Diagnostic:
    from rtl_agent.tools.diagnostic import Diagnostic

    return Diagnostic("design.v", line, 0, Severity.ERROR, code, message, "", "search")
