"""The two ways in: files and text."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from .source import effective_language, normalise, read_source

if TYPE_CHECKING:
    from collections.abc import Sequence

    from .model import SourceModel

__all__ = ["parse_files", "parse_text"]


def parse_files(paths: Sequence[Path], *, language: str = "verilog-2005") -> SourceModel:
    """Parse a set of files, in any order, as one design.

    A `.sv` file among them makes the language SystemVerilog. Wrong source is not an error here:
    it shows in `SourceModel.diagnostics`.

    Raises:
        SourceUnreadable: a file cannot be read as text.
    """
    from .build import build_model

    texts = {str(path): read_source(Path(path)) for path in paths}
    roots = [Path(path).absolute().parent for path in paths]
    language = effective_language(list(texts), language)
    return build_model(texts, language=language, include_roots=roots)


def parse_text(text: str, *, name: str = "design.v", language: str = "verilog-2005") -> SourceModel:
    """Parse one source given as text; `name` is what diagnostics call it."""
    from .build import build_model

    return build_model({name: normalise(text)}, language=effective_language([name], language))
