"""Bytes on disk to text, or one message that says what is wrong with the file."""

from __future__ import annotations

import codecs
import stat
from typing import TYPE_CHECKING

from rtl_agent.agent.errors import SpecError

if TYPE_CHECKING:
    from pathlib import Path

__all__ = ["MAX_BYTES", "decode_spec", "load_text"]

_HANDED_OVER = ("/dev/fd/", "/dev/stdin", "/proc/self/fd/")
MAX_BYTES = 1 << 20  # a spec is prose; more than this is a wrong file


def decode_spec(data: bytes, name: str) -> str:
    """Decode UTF-8 (a byte order mark is dropped) and make all line ends newlines.

    Raises:
        SpecError: Too large, not UTF-8, binary, or empty; `name` is named in the message.
    """
    if len(data) > MAX_BYTES:
        raise SpecError(
            f"{name}: the spec has {len(data) / MAX_BYTES:.1f} MiB; the limit is 1 MiB",
            remedy="Put bulky material (vectors, reference code) into files beside the spec and "
            "name them under `checks:`.",
        )
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        marked = data.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE))
        coding = "UTF-16" if marked else "ISO-8859-1"
        raise SpecError(
            f"{name}:{line}: not UTF-8: byte 0x{data[error.start]:02x} at offset {error.start}",
            remedy="Save the file as UTF-8, for example with "
            f"`iconv -f {coding} -t UTF-8 {name} > spec.utf8.md`.",
        ) from error
    if "\0" in text:
        line = text.count("\n", 0, text.index("\0")) + 1
        raise SpecError(
            f"{name}:{line}: the file holds a NUL byte; a Markdown text was expected",
            remedy="Give a text file in UTF-8.",
        )
    if not text.strip():
        raise SpecError(
            f"{name}: the spec is empty",
            remedy="Write what to build: the module's name, its ports and what it does.",
        )
    return text.replace("\r\n", "\n").replace("\r", "\n")


def load_text(path: Path) -> str:
    """Read a spec file.

    Raises:
        SpecError: It does not exist, is a folder, cannot be read, or `decode_spec` refuses it.
    """
    if path.is_dir():
        raise SpecError(
            f"{path}: is a folder; a spec file was expected",
            remedy=f"Name a file, such as {path / 'spec.md'}.",
        )
    try:
        status = path.stat()
        if not stat.S_ISREG(status.st_mode):
            return decode_spec(_piped(path), str(path))
        size = status.st_size
        data = path.read_bytes() if size <= 4 * MAX_BYTES else bytes(min(size, 64 * MAX_BYTES))
    except FileNotFoundError as error:
        raise SpecError(f"{path}: no such file", remedy="Check the path of the spec.") from error
    except OSError as error:
        raise SpecError(
            f"{path}: cannot be read: {error.strerror or error}",
            remedy="Check the file's permissions.",
        ) from error
    return decode_spec(data, str(path))


def _piped(path: Path) -> bytes:
    """What comes through a pipe that the shell handed over, as `<(command)` does.

    Any other pipe or device may never come to an end.

    Raises:
        SpecError: It is another pipe or device.
    """
    if not str(path).startswith(_HANDED_OVER):
        raise SpecError(
            f"{path}: is not a regular file",
            remedy="Name a Markdown file, or `-` for standard input.",
        )
    with path.open("rb") as file:
        return file.read(MAX_BYTES + 1)
