"""Why a file cannot be read as a recording, and what to do about it."""

from __future__ import annotations

import os
import stat
from typing import TYPE_CHECKING

from ..errors import SourceUnreadable

if TYPE_CHECKING:
    from pathlib import Path

__all__ = ["cut_off", "require_recording", "why_unreadable"]

_HEAD = 4096  # bytes that tell what a file is
_FST = b"\x00\x00\x00\x00\x00\x00\x00\x01\x49"  # the header block of FST, 329 bytes long
_NAME = "name a VCD or FST file, as `$dumpfile` in the bench names it"
_AGAIN = "record it again, and let the simulation come to its `$finish`"


def require_recording(path: Path) -> None:
    """See that there is a file with something in it that may be read.

    Raises:
        SourceUnreadable: there is none.
    """
    try:
        status = path.stat()
        if stat.S_ISDIR(status.st_mode):
            raise SourceUnreadable(f"{path}: is a folder", remedy=_inside(path))
        if not stat.S_ISREG(status.st_mode):
            raise SourceUnreadable(f"{path}: is not a regular file", remedy=_NAME)
        if not status.st_size:
            raise SourceUnreadable(
                f"{path}: is empty, nothing was recorded",
                remedy="see that the bench calls `$dumpvars`, and that the simulation was not "
                "killed",
            )
        with path.open("rb"):
            pass
    except FileNotFoundError as error:
        raise SourceUnreadable(f"{path}: no such file", remedy="check the path") from error
    except OSError as error:
        raise SourceUnreadable(
            f"{path}: cannot be read: {error.strerror}", remedy="check the path and its permissions"
        ) from error


def _inside(folder: Path) -> str:
    """Which recordings lie in a folder, as a remedy."""
    names = sorted(p.name for p in folder.iterdir() if p.suffix.lower() in {".vcd", ".fst"})
    return f"name a file in it: {', '.join(names[:5])}" if names else "name a VCD or FST file"


def why_unreadable(path: Path, said: str) -> SourceUnreadable:
    """The error for a file that the reader refused, where `said` are the reader's own words."""
    with path.open("rb") as file:
        head = file.read(_HEAD)
    if head.startswith(_FST[: len(head)]) and head[:1] == b"\x00":
        return SourceUnreadable(
            f"{path}: the FST recording is cut off or damaged",
            remedy=f"{_AGAIN}; a VCD file can be read up to where it was cut off",
        )
    if head.lstrip().startswith(b"$"):
        if not _header_ends(path):
            return _without_values(path)
        return SourceUnreadable(f"{path}: the VCD recording is damaged", remedy=_AGAIN)
    if "unknown file format" in said:
        kind = "a binary file" if _binary(head) else "text"
        return SourceUnreadable(f"{path}: is {kind}, no recording", remedy=_NAME)
    words = " ".join(said.split())
    return SourceUnreadable(f"{path}: the recording is damaged: {words}", remedy=_AGAIN)


def _binary(head: bytes) -> bool:
    """Whether this can be no text; a character that the end of `head` cuts apart is one."""
    try:
        head.decode("utf-8")
    except UnicodeDecodeError as error:
        return error.start < len(head) - 3
    return b"\0" in head


def cut_off(path: Path) -> bool:
    """Whether a VCD file ends within a line, as one does whose writer was killed.

    Raises:
        SourceUnreadable: it ends before the first value.
    """
    with path.open("rb") as file:
        file.seek(-1, os.SEEK_END)
        ended = file.read(1) == b"\n"
    if not _header_ends(path):
        raise _without_values(path)
    return not ended


def _header_ends(path: Path) -> bool:
    """Whether the declarations of a VCD file are complete."""
    with path.open("rb") as file:
        return any(b"$enddefinitions" in line for line in file)


def _without_values(path: Path) -> SourceUnreadable:
    message = f"{path}: the VCD recording is cut off in its header, before any value"
    return SourceUnreadable(message, remedy=_AGAIN)
