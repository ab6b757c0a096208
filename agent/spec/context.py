"""RTL files that the design may instantiate, as the front matter names them."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from rtl_agent.agent.errors import SpecError

if TYPE_CHECKING:
    from .front import FrontMatter

__all__ = ["context_files"]


def context_files(front: FrontMatter, path: Path | None, name: str) -> tuple[Path, ...]:
    """The paths under `context:`, relative ones taken from the spec's folder.

    Raises:
        SpecError: One of them is no file.
    """
    found = []
    for written, line in front.context:
        file = Path(written).expanduser()
        if not file.is_absolute() and path is not None:
            file = path.parent / file
        if not file.is_file():
            raise SpecError(
                f"{name}:{line}: no such context file: {written!r}",
                remedy="Correct the path; it is taken from the spec's folder.",
            )
        found.append(file)
    return tuple(found)
