"""Which faults to inject: evenly over their kinds, by seed, and only such as compile."""

from __future__ import annotations

import random
from typing import TYPE_CHECKING

from ..diagnostic import Severity
from ..edits import OPERATORS, apply, find_edits
from ..parse import effective_language, read_source
from ..parse.build import build_model
from .types import Mutant

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path

    from ..edits import Edit

__all__ = ["FAULTS", "choose_mutants"]

# Edits that are fixes to try more than faults that people make, or that change nothing as a rule.
_NO_FAULTS = frozenset(
    {
        "add-term",
        "case-kind",
        "constant-extreme",
        "constant-width",
        "default-assignment",
        "missing-default",
        "missing-else",
        "reset-add-assign",
        "sensitivity-star",
        "shift-kind",
        "signed-cast",
        "signedness",
        "width",
    }
)
FAULTS: frozenset[str] = frozenset(OPERATORS) - _NO_FAULTS


def choose_mutants(
    files: Sequence[Path],
    *,
    count: int,
    seed: int,
    language: str = "verilog-2005",
    operators: frozenset[str] = FAULTS,
) -> list[Mutant]:
    """Up to `count` mutants of the design in `files` that parse and elaborate.

    Every operator gets its turn before any gets a second one; which of its edits, the seed says.
    Fewer come back when the design has no more. No two have the same source.

    Raises:
        SourceUnreadable: a file cannot be read.
        ValueError: an operator is unknown.
    """
    texts = {path: read_source(path) for path in files}
    language = effective_language([str(path) for path in files], language)
    allowed = _errors({str(p): t for p, t in texts.items()}, language)
    chosen: list[Mutant] = []
    seen: set[tuple[Path, str]] = set()
    for path, edit in _in_turn(texts, language, seed, operators):
        if len(chosen) >= count:
            break
        source = apply(texts[path], [edit])
        if (path, source) in seen:
            continue
        seen.add((path, source))
        changed = {str(p): source if p == path else t for p, t in texts.items()}
        if _errors(changed, language) <= allowed:
            chosen.append(Mutant(path, edit, source, texts[path]))
    return chosen


def _in_turn(
    texts: dict[Path, str], language: str, seed: int, operators: frozenset[str]
) -> Iterator[tuple[Path, Edit]]:
    """All edits: one of each operator, then a second one of each, and so on."""
    rng = random.Random(seed)  # noqa: S311 - a repeatable choice, no secret
    kinds: dict[str, list[tuple[Path, Edit]]] = {name: [] for name in sorted(operators)}
    for path, text in texts.items():
        for edit in find_edits(text, operators, language=language):
            kinds[edit.operator].append((path, edit))
    for found in kinds.values():
        rng.shuffle(found)
    while any(kinds.values()):
        for found in kinds.values():
            if found:
                yield found.pop()


def _errors(texts: dict[str, str], language: str) -> frozenset[str]:
    """Codes of the errors in a design; a mutant may only have those that were there before."""
    model = build_model(texts, language=language)
    found = {d.code for d in model.diagnostics if d.severity is Severity.ERROR}
    return frozenset(found | ({"truncated"} if model.truncated else set()))
