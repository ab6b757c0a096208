"""Building an n-gram table from a folder of the user's own files."""

from __future__ import annotations

import gzip
import json
import zlib
from typing import TYPE_CHECKING, Any

from rtl_agent.decoding.drafters.table import TableHeader, tokenizer_fingerprint
from rtl_agent.decoding.drafters.table_build import build_table
from rtl_agent.decoding.errors import ModelUnusable

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path

__all__ = ["SUFFIXES", "build_from_files", "texts_of"]

SUFFIXES = (".v", ".sv", ".vh", ".svh", ".jsonl", ".jsonl.gz")
_LINES = (".jsonl", ".jsonl.gz")


def texts_of(paths: Sequence[Path]) -> Iterator[str]:
    """The texts of Verilog files and of JSON-lines files, folders searched through.

    JSON-lines files may be gzipped. A line gives its `rtl`; or its `answer` behind the last module
    header of its `prompt`, as the model sees it.

    Raises:
        ModelUnusable: a file cannot be read.
    """
    for path in paths:
        if not path.exists():
            raise ModelUnusable(f"{path}: no such file or folder", remedy="check the path")
        found = sorted(path.rglob("*")) if path.is_dir() else [path]
        for file in found:
            if not file.is_file() or (path.is_dir() and not file.name.endswith(SUFFIXES)):
                continue
            text = _read(file)
            yield from _lines(text, file) if file.name.endswith(_LINES) else (text,)


def build_from_files(
    paths: Sequence[Path], out: Path, tokenizer: Any, *, max_bytes: int = 20_000_000
) -> TableHeader:
    """Build the table of a tokenizer from files; see `table_build.build_table`."""
    documents = (
        tokenizer(text, add_special_tokens=False)["input_ids"] + _end(tokenizer, text)
        for text in texts_of(paths)
    )
    return build_table(
        documents,
        out,
        vocabulary=len(tokenizer),
        fingerprint=tokenizer_fingerprint(tokenizer),
        max_bytes=max_bytes,
    )


def _read(file: Path) -> str:
    try:
        data = file.read_bytes()
        if file.suffix == ".gz":
            data = gzip.decompress(data)
    except (OSError, EOFError, zlib.error) as error:
        raise ModelUnusable(
            f"{file}: cannot be read: {error}", remedy="check its permissions and that it is whole"
        ) from error
    return data.decode("utf-8", errors="replace").removeprefix("\ufeff")


def _end(tokenizer: Any, text: str) -> list[int]:
    """A text that ends with a module is followed by the end of text."""
    ends = text.rstrip().endswith("endmodule") and tokenizer.eos_token_id is not None
    return [tokenizer.eos_token_id] if ends else []


def _lines(text: str, file: Path) -> Iterator[str]:
    for number, line in enumerate(text.splitlines(), start=1):
        if not line.strip():
            continue
        try:
            item = json.loads(line)
            if "rtl" in item:
                yield str(item["rtl"])
            else:
                prompt = str(item["prompt"])
                yield prompt[max(prompt.rfind("\nmodule ") + 1, 0) :] + str(item["answer"])
        except (ValueError, KeyError, TypeError) as error:
            raise ModelUnusable(
                f"{file}:{number}: neither `rtl` nor `prompt` and `answer` in this line",
                remedy="give Verilog files, a design library or training pairs",
            ) from error
