"""Reading a source file the way every tool here wants it: text, LF, no byte order mark."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..errors import SourceUnreadable

if TYPE_CHECKING:
    from pathlib import Path

__all__ = ["MAX_SOURCE_BYTES", "effective_language", "normalise", "read_source"]

MAX_SOURCE_BYTES = 64 * 1024 * 1024

_SYSTEMVERILOG_SUFFIXES = (".sv", ".svh")


def read_source(path: Path) -> str:
    """Read one RTL file as UTF-8 with LF line ends and without a byte order mark.

    Raises:
        SourceUnreadable: it is missing, a folder, not permitted, too large, or not UTF-8 text;
            the message names the file, and the line where the text stops being text.
    """
    try:
        size = path.stat().st_size
        if path.is_dir():
            raise SourceUnreadable(f"{path} is a folder", remedy="name the RTL files inside it")
        if not path.is_file():
            raise SourceUnreadable(f"{path} is not a regular file", remedy="name an RTL file")
        if size > MAX_SOURCE_BYTES:
            raise SourceUnreadable(
                f"{path} has {size} bytes; the limit is {MAX_SOURCE_BYTES}",
                remedy="split the netlist, or leave out generated files",
            )
        data = path.read_bytes()
    except FileNotFoundError as error:
        raise SourceUnreadable(f"{path}: no such file", remedy="check the path") from error
    except OSError as error:
        raise SourceUnreadable(
            f"{path} cannot be read: {error.strerror}", remedy="check the path and its permissions"
        ) from error
    return normalise(_decode(path, data))


def _decode(path: Path, data: bytes) -> str:
    if b"\0" in data:
        line = data.count(b"\n", 0, data.index(b"\0")) + 1
        raise SourceUnreadable(
            f"{path}:{line}: not text (a zero byte)",
            remedy="name an RTL source file; if it is UTF-16 text, save it as UTF-8",
        )
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        raise SourceUnreadable(
            f"{path}:{line}: not UTF-8 text (byte 0x{data[error.start]:02x})",
            remedy=f"convert it: iconv -f LATIN1 -t UTF-8 {path.name}",
        ) from error


def normalise(text: str) -> str:
    """Drop a byte order mark and turn CRLF and lone CR into LF."""
    return text.removeprefix("\ufeff").replace("\r\n", "\n").replace("\r", "\n")


def effective_language(names: list[str], language: str) -> str:
    """The language to compile in: SystemVerilog as soon as one file's suffix says so.

    Icarus 11 compiles all files in one language and does not look at suffixes.
    """
    if any(name.lower().endswith(_SYSTEMVERILOG_SUFFIXES) for name in names):
        return language if language.startswith("systemverilog") else "systemverilog-2017"
    return language
