"""Files that options name: looked at before the long work that needs them begins."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import click
from rtl_agent.agent.errors import MissingError, UsageError

__all__ = ["Folder", "require_file", "require_model", "require_writable"]


class Folder(click.Path):
    """A folder that is there; says so in the words that all messages of this kind use."""

    def __init__(self) -> None:
        super().__init__(path_type=Path)

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Path:
        """Read the path, or fail with a usage error."""
        path = Path(os.fsdecode(super().convert(value, param, ctx)))
        if not path.is_dir():
            self.fail(
                f"{path}: {'is a file, not a folder' if path.exists() else 'no such folder'}",
                param,
                ctx,
            )
        return path


def require_file(option: str, path: Path | None) -> None:
    """Raise `UsageError` where the file of an option is not there; None stands for no file."""
    if path is not None and not path.is_file():
        raise UsageError(
            f"--{option} {path}: no such file", remedy=f"name the file of the {option}"
        )


def require_model(option: str, path: Path | None) -> None:
    """Raise `MissingError` where an option names a model folder, not a hub name, without one."""
    written = str(path)
    if path is None or path.expanduser().is_dir():
        return
    if path.is_absolute() or written.startswith((".", "~")):
        raise MissingError(f"--{option} {path}: no such folder", remedy="name a model's folder")


def require_writable(out: Path) -> None:
    """Raise `click.UsageError` where a file cannot be written, as far as can be told before."""
    folder = out.absolute().parent
    if (
        out.is_dir()
        or not folder.is_dir()
        or not os.access(out if out.exists() else folder, os.W_OK)
    ):
        raise click.UsageError(f"{out}: cannot be written; name a file in an existing folder")
