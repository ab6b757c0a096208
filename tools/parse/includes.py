"""Which files a source includes, and whether all of them stand in allowed folders."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from ..errors import SourceUnreadable
from .directives import scan_directives
from .source import read_source

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from .directives import Directive

__all__ = ["Includes", "find_includes", "include_target"]


@dataclass(frozen=True, slots=True)
class Includes:
    """The texts that a file set includes, by path, through any number of steps.

    `allowed` is false as soon as one of them is outside the allowed folders, is no plain file,
    or is not named by a plain string; then nothing may be included.
    """

    texts: Mapping[str, str]
    allowed: bool


def include_target(directive: Directive, file: str) -> Path | None:
    """The file that an `include in `file` names; None unless it is a plain string."""
    argument = directive.arguments[0] if directive.arguments else ""
    if len(argument) < 3 or not (argument.startswith('"') and argument.endswith('"')):
        return None
    return (Path(file).resolve().parent / argument[1:-1]).resolve()


def find_includes(texts: Mapping[str, str], roots: Sequence[Path]) -> Includes:
    """Follow every `include of `texts`, whatever `ifdef`s say, as far as `roots` allow.

    A missing file inside the roots is left for the parser to report.
    """
    folders = [root.resolve() for root in roots]
    found: dict[str, str] = {}
    waiting = list(texts.items())
    while waiting:
        file, text = waiting.pop()
        for directive in scan_directives(text):
            if directive.name != "include":
                continue
            target = include_target(directive, file)
            if target is None or not any(target.is_relative_to(f) for f in folders):
                return Includes(found, allowed=False)
            if str(target) in found or not target.exists():
                continue
            try:
                found[str(target)] = read_source(target)
            except SourceUnreadable:
                return Includes(found, allowed=False)
            waiting.append((str(target), found[str(target)]))
    return Includes(found, allowed=True)
