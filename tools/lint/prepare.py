"""Files as the tools need them: in order, and without what they cannot read."""

from __future__ import annotations

from typing import TYPE_CHECKING

from .result import LintInput

if TYPE_CHECKING:
    from pathlib import Path

    from ..parse.model import SourceModel

__all__ = ["prepare"]


def prepare(model: SourceModel, workdir: Path, *, top: str) -> LintInput:
    """Name the files in compile order; copy those with a byte order mark or CR line ends.

    The copies go to `workdir/sources`. Icarus takes a byte order mark for a syntax error.
    """
    files: list[Path] = []
    names: dict[str, str] = {}
    folders: dict[Path, None] = {}
    for index, path in enumerate(model.order):
        original = path.absolute()
        text = model.texts[str(path)]
        folders.setdefault(original.parent)
        if original.is_file() and original.read_bytes() == text.encode():
            used = original
        else:
            used = workdir.absolute() / "sources" / f"{index:02d}_{path.name}"
            used.parent.mkdir(parents=True, exist_ok=True)
            used.write_text(text, encoding="utf-8", newline="\n")
        files.append(used)
        names[str(used)] = str(path)
    return LintInput(
        files=tuple(files),
        names=names,
        include_dirs=tuple(folders),
        workdir=workdir,
        top=top,
        language=model.language,
        model=model,
    )
