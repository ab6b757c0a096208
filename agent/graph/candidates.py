"""Writes a source into the run folder as a candidate."""

from __future__ import annotations

from typing import TYPE_CHECKING

from .folder import design_name, write_text
from .normalise import digest
from .state import Candidate

if TYPE_CHECKING:
    from .context import Context

__all__ = ["new_candidate"]


def new_candidate(
    context: Context, identity: str, index: int, source: str, seen: dict[str, str]
) -> Candidate:
    """Write `source` as a candidate and enter it in `seen`."""
    spec, folder = context.spec, context.folder.candidate(identity)
    files: list[str] = []
    mark = ""
    if source.strip():
        path = folder / design_name(spec.interface.module, spec.language)
        write_text(path, source)
        files, mark = [context.folder.relative(path)], digest(source)
    written = digest(source, as_written=True)  # of a given design that is to be changed
    same_as = (seen.get(mark) or seen.get(written, "")) if mark else ""
    if mark and not same_as:
        seen[mark] = identity
    return Candidate(
        id=identity,
        index=index,
        files=files,
        digest=mark,
        same_as=same_as,
        verdict="",
        failed_at="",
        reason="",
        score=[],
    )
