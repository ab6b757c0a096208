"""One small change of a source text, and how changes are applied."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

__all__ = ["Edit", "apply"]


@dataclass(frozen=True, slots=True)
class Edit:
    """Put `replacement` in the place of `source[start:end]`.

    `operator` is the kind of edit (a key of `OPERATORS`), `line` and `column` (from 1) the place
    of `start`, `note` what happens in plain words. `start == end` inserts.
    """

    operator: str
    line: int
    column: int
    start: int
    end: int
    replacement: str
    note: str


def apply(source: str, edits: Sequence[Edit]) -> str:
    """The source with all `edits` made at once.

    Raises:
        ValueError: two edits touch the same text (or insert at the same place), or an edit lies
            outside the source.
    """
    parts: list[str] = []
    done = 0
    previous: Edit | None = None
    for edit in sorted(edits, key=lambda e: (e.start, e.end)):
        if not 0 <= edit.start <= edit.end <= len(source):
            raise ValueError(f"edit {edit.start}:{edit.end} lies outside the source")
        if previous is not None and (edit.start < done or edit.start == previous.start):
            raise ValueError(
                f"edits overlap: {previous.operator} at {previous.line}:{previous.column} and "
                f"{edit.operator} at {edit.line}:{edit.column}"
            )
        parts += [source[done : edit.start], edit.replacement]
        done = edit.end
        previous = edit
    return "".join([*parts, source[done:]])
