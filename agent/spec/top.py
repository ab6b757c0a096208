"""Which module is the top: front matter, a given header, a name in the text, the file's name."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from rtl_agent.agent.errors import SpecError

from .blocks import Block, Fence, Lines
from .headers import Header, read_headers
from .keywords import LANGUAGES, is_reserved

if TYPE_CHECKING:
    from collections.abc import Sequence

    from .front import FrontMatter
    from .naming import Named

__all__ = ["choose_top", "given_headers", "is_header", "refuse_reserved"]

_OPENS = re.compile(r"^\s*`?\s*module\s+[\w$]+\s*(#\s*)?\(", re.MULTILINE)
_INLINE = re.compile(r"`(module\s[^`]*)`")
_CODE = frozenset({"", "verilog", "systemverilog", "sv", "v", "vlog", "header", "text"})


def is_header(block: Block) -> bool:
    """Whether a paragraph is a module header that stands there without a fence."""
    return isinstance(block, Lines) and bool(_OPENS.search("\n".join(x.text for x in block.lines)))


def given_headers(blocks: Sequence[Block]) -> list[Header]:
    """The module headers in fences, in code spans, and in paragraphs of their own."""
    headers: list[Header] = []
    for block in blocks:
        if isinstance(block, Fence):
            words = block.info.lower().split()
            text = block.text if not words or words[0] in _CODE else ""
            first = block.first + 1
        elif isinstance(block, Lines):
            text, first = "\n".join(line.text for line in block.lines), block.lines[0].number
            inline = _INLINE.search(text)
            text = inline[1] if inline and "(" in inline[1] else text if _OPENS.search(text) else ""
        else:
            continue
        headers.extend(replace(h, line=h.line + first - 1) for h in read_headers(text))
    return headers


def choose_top(
    front: FrontMatter,
    named: Sequence[Named],
    headers: Sequence[Header],
    body: str,
    name: str,
) -> tuple[str, str]:
    """The top module and, where the text left room, a note on how it was chosen.

    Raises:
        SpecError: Front matter and the given header name different modules.
    """
    if front.module:
        _agree(front, headers, name)
        return front.module, ""
    marked = [n.name for n in named if n.top]
    given = [h.interface.module for h in headers if not h.has_body and h.interface.ports]
    if given:
        return next((n for n in given if n in marked), given[-1]), ""
    if marked:
        return marked[0], ""
    if named:
        return _surest(named, body)
    if headers:
        return headers[-1].interface.module, ""
    return _from_file(name)


def _agree(front: FrontMatter, headers: Sequence[Header], name: str) -> None:
    given = [h for h in headers if not h.has_body]
    if given and all(h.interface.module != front.module for h in given):
        raise SpecError(
            f"{name}:{given[0].line}: the header here declares {given[0].interface.module!r}, the "
            f"front matter says module {front.module!r} (line {front.places.get('module', 1)})",
            remedy="Use one name in both places.",
        )


def _surest(named: Sequence[Named], body: str) -> tuple[str, str]:
    best = min(n.rank for n in named)
    choice = [n.name for n in named if n.rank == best]
    parts = [n for n in choice if _is_part(n, body)]
    choice = [n for n in choice if n not in parts] or choice
    if len(choice) == 1:
        return choice[0], ""
    return choice[0], (
        f"several modules are named ({', '.join(choice)}); {choice[0]} was taken as the top"
    )


def _is_part(name: str, body: str) -> bool:
    """Whether the text says that another module instantiates this one."""
    uses = r"\b(instantiat\w*|instances? of|built from|made of|uses?)\b"
    return bool(re.search(rf"{uses}[^.]*\b{re.escape(name)}\b", body, re.IGNORECASE))


def _from_file(name: str) -> tuple[str, str]:
    file = Path(name)
    stem = re.sub(r"\W", "_", file.stem if file.suffix else "").strip("_")
    stem = f"m_{stem}" if stem[:1].isdigit() else stem
    usable = re.fullmatch(r"[A-Za-z_]\w*", stem) and not is_reserved(stem, LANGUAGES[1])
    module = stem if usable else "top"
    return module, f"the spec gives no module name; {module} was taken"


def refuse_reserved(top: str, named: Sequence[Named], language: str, name: str) -> None:
    """Raise a `SpecError` when the module's name is a reserved word."""
    if is_reserved(top, language):
        line = next((n.line for n in named if n.name == top), 1)
        raise SpecError(
            f"{name}:{line}: {top!r} is a reserved word of {language} and cannot name a module",
            remedy="Choose another module name.",
        )
