"""Building an n-gram table from a folder of the user's own files."""

from __future__ import annotations

import gzip
import itertools
import json
import zlib
from typing import TYPE_CHECKING, Any

from rtl_agent.decoding.drafters.table import TableHeader, tokenizer_fingerprint
from rtl_agent.decoding.drafters.table_build import build_table
from rtl_agent.decoding.errors import InputUnreadable

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path

__all__ = ["SUFFIXES", "build_from_files", "texts_of"]

SUFFIXES = (".v", ".sv", ".vh", ".svh", ".jsonl", ".jsonl.gz")
_LINES = (".jsonl", ".jsonl.gz")


def texts_of(paths: Sequence[Path], unread: list[str] | None = None) -> Iterator[str]:
    """The texts of Verilog files and of JSON-lines files, folders searched through.

    JSON-lines files may be gzipped. A line gives its `rtl`; or its `answer` behind the last module
    header of its `prompt`, as the model sees it. Files that cannot be read are left out and
    their messages added to `unread`, where that is given.

    Raises:
        InputUnreadable: a path does not exist; or a file cannot be read, without `unread`.
    """
    for path in paths:
        if not path.exists():
            raise InputUnreadable(f"{path}: no such file or folder", remedy="check the path")
        if not path.is_dir() and not path.is_file():
            raise InputUnreadable(f"{path}: is not a regular file", remedy="name Verilog files")
        found = sorted(path.rglob("*")) if path.is_dir() else [path]
        for file in found:
            if not file.is_file() or (path.is_dir() and not file.name.endswith(SUFFIXES)):
                continue
            try:
                text = _read(file)
                texts = _lines(text, file) if file.name.endswith(_LINES) else [text]
            except InputUnreadable as error:
                if unread is None:
                    raise
                unread.append(error.message)
                continue
            yield from texts


def build_from_files(
    paths: Sequence[Path],
    out: Path,
    tokenizer: Any,
    *,
    max_bytes: int = 20_000_000,
    unread: list[str] | None = None,
) -> TableHeader:
    """Build the table of a tokenizer from files; see `table_build.build_table`.

    Raises:
        InputUnreadable: as `texts_of` does, or there is no text at all.
    """
    texts = texts_of(paths, unread)
    first = next((text for text in texts if text.strip()), None)
    if first is None:
        raise InputUnreadable(_no_text(paths, unread or []), remedy="name Verilog files")
    documents = (
        tokenizer(text, add_special_tokens=False)["input_ids"] + _end(tokenizer, text)
        for text in itertools.chain([first], texts)
    )
    return build_table(
        documents,
        out,
        vocabulary=len(tokenizer),
        fingerprint=tokenizer_fingerprint(tokenizer),
        max_bytes=max_bytes,
    )


def _no_text(paths: Sequence[Path], unread: Sequence[str]) -> str:
    """Why there is nothing to count, in one sentence."""
    names = ", ".join(map(str, paths[:5])) + (", …" if len(paths) > 5 else "")
    if not unread:
        return f"{names}: no Verilog and no JSON lines here"
    return f"{names}: none of the {len(unread)} files there can be read; the first: {unread[0]}"


def _read(file: Path) -> str:
    try:
        data = file.read_bytes()
        if file.suffix == ".gz":
            data = gzip.decompress(data)
    except (OSError, EOFError, zlib.error) as error:
        raise InputUnreadable(
            f"{file}: cannot be read: {getattr(error, 'strerror', None) or error}",
            remedy="check its permissions and that it is whole",
        ) from error
    if b"\0" in data:
        raise InputUnreadable(f"{file}: is not text", remedy="name Verilog files, as UTF-8")
    return data.decode("utf-8", errors="replace").removeprefix("\ufeff")


def _end(tokenizer: Any, text: str) -> list[int]:
    """A text that ends with a module is followed by the end of text."""
    ends = text.rstrip().endswith("endmodule") and tokenizer.eos_token_id is not None
    return [tokenizer.eos_token_id] if ends else []


def _lines(text: str, file: Path) -> list[str]:
    texts = []
    for number, line in enumerate(text.split("\n"), start=1):
        if not line.strip():
            continue
        try:
            item = json.loads(line)
            if "rtl" in item:
                texts.append(str(item["rtl"]))
            else:
                prompt = str(item["prompt"])
                code = prompt[max(prompt.rfind("\nmodule ") + 1, 0) :]
                texts.append(code + str(item["answer"]))
        except (ValueError, KeyError, TypeError) as error:
            raise InputUnreadable(
                f"{file}:{number}: neither `rtl` nor `prompt` and `answer` in this line",
                remedy="give Verilog files, a design library or training pairs",
            ) from error
    return texts
