"""Reads a spec: front matter, interface, checks, and what was left open."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from rtl_agent.agent.errors import SpecError
from rtl_agent.tools.interface import Direction, Interface

from .assemble import Assembly
from .blocks import Block, Fence, Heading, Lines, first_blocks, read_blocks
from .checks import FenceCheck, fence_check, file_check, table_checks
from .clocks import find_clocking
from .context import context_files
from .examples import Examples, read_examples
from .findings import Findings, FoundPort, Source
from .front import FrontMatter, read_front_matter
from .golden import golden_interface
from .keywords import LANGUAGES
from .load import decode_spec, load_text
from .loose import mentioned, read_loose
from .model import Spec
from .naming import find_modules
from .top import choose_top, given_headers, is_header, refuse_reserved
from .walk import Walker

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from rtl_agent.tools.clocking import Clocking

    from .headers import Header

__all__ = ["read_spec", "read_spec_text"]


def read_spec(path: Path) -> Spec:
    """Read the spec at `path`.

    Raises:
        SpecError: It cannot be read; the message names file, line and what was expected.
    """
    return read_spec_text(load_text(path), name=str(path), path=path)


def read_spec_text(text: str, *, name: str, path: Path | None = None) -> Spec:
    """Read a spec from its text.

    `name` stands for the file in messages; `path` is where relative paths of checks start, None
    for a spec without a file.

    Raises:
        SpecError: It cannot be read; the message names `name`, line and what was expected.
    """
    text = decode_spec(text.encode("utf-8", "surrogateescape"), name)
    front = read_front_matter(text, name)
    lines = text.split("\n")
    body = "\n".join(lines[front.lines :])
    if not body.strip():
        raise SpecError(
            f"{name}: nothing stands below the front matter",
            remedy="Write what to build: the module's ports and what it does.",
        )
    return _spec(_Source(name, path, front, lines, body))


_SEARCHED = 100_000  # characters of text that are searched for names and ports


@dataclass(frozen=True, slots=True)
class _Source:
    """A spec's text and front matter; `name` stands for the file in messages."""

    name: str
    path: Path | None
    front: FrontMatter
    lines: list[str]
    body: str


def _spec(source: _Source) -> Spec:
    name, path, front = source.name, source.path, source.front
    every = read_blocks(source.body, offset=front.lines)
    fenced = [c for b in every if isinstance(b, Fence) and (c := fence_check(b, name))]
    in_checks = {c.fence.first for c in fenced}
    every = [b for b in every if not (isinstance(b, Fence) and b.first in in_checks)]
    blocks = first_blocks(every, _SEARCHED)
    read = _interfaces(source, blocks)
    files = [file_check(entry, path.parent if path else None, name) for entry in front.checks]
    given = (*files, *(c.source for c in fenced))
    top, note = golden_interface(read.top, given, read.language)
    clocking = find_clocking(front, top, read.found.ports, source.body, name)
    tables, notes = table_checks(every, source.lines, top, clocking.clock, name)
    notes = [*read.found.notes, *notes, *([note] if note else _missing(top))]
    checks = (*given, *tables)
    examples = Examples() if checks else _examples(source, top, clocking)
    notes += examples.notes
    if len(blocks) < len(every):
        notes.append(f"names and ports were looked for in the first {_SEARCHED} characters only")
    return Spec(
        name=path.stem if path else name,
        path=path,
        text=_visible_text(source, fenced),
        interface=top,
        language=read.language,
        checks=checks,
        clocking=clocking,
        also=read.also,
        header=read.header,
        notes=tuple(dict.fromkeys(notes)),
        context=context_files(front, path, name),
        timescale=front.timescale or "1ns/1ps",
        examples=examples.check,
    )


def _examples(source: _Source, interface: Interface, clocking: Clocking) -> Examples:
    """Examples in the prose; lines keep their numbers."""
    text = "\n" * source.front.lines + source.body
    return read_examples(text[:_SEARCHED], interface, clocking, source.name)


@dataclass(frozen=True, slots=True)
class _Interfaces:
    """The interfaces that a spec describes, and what they were read from."""

    top: Interface
    also: tuple[Interface, ...]
    header: str
    language: str
    found: Findings


def _interfaces(source: _Source, blocks: Sequence[Block]) -> _Interfaces:
    headers = given_headers(blocks)
    language = source.front.language or _language(headers, blocks)
    named = find_modules(blocks)
    top, note = choose_top(source.front, named, headers, source.body, source.name)
    refuse_reserved(top, named, language, source.name)
    names = [n.name for n in named if n.rank <= 3] + [h.interface.module for h in headers]
    modules = list(dict.fromkeys([top, *names]))
    found = _find(blocks, headers, modules, top)
    if note:
        found.notes.insert(0, note)
    assembly = Assembly(found, top, language, source.name)
    interface = assembly.interface(top, mentioned=mentioned(blocks) - set(modules))
    others = (assembly.interface(module) for module in modules if module != top)
    return _Interfaces(
        interface,
        tuple(other for other in others if other.ports),
        next((h.text for h in headers if h.interface.module == top), ""),
        language,
        found,
    )


def _find(
    blocks: Sequence[Block], headers: Sequence[Header], modules: Sequence[str], top: str
) -> Findings:
    """All ports and parameters in headers, lists, tables and prose."""
    found = Findings()
    for header in headers:
        if not header.has_body or header.interface.module == top:
            _from_header(header, found)
    walker = Walker(modules, found)
    walker.walk([b for b in blocks if not is_header(b)])
    read_loose(walker.loose, modules, found)
    return found


def _from_header(header: Header, found: Findings) -> None:
    module = header.interface.module
    found.ports.extend(
        FoundPort(
            name=port.name,
            direction=port.direction,
            width=port.width,
            line=header.line,
            source=Source.HEADER,
            module=module,
            signed=port.signed,
            description=port.description,
        )
        for port in header.interface.ports
    )
    for parameter in header.interface.parameters:
        found.add_parameter(parameter.name, parameter.default, module)
    found.notes.extend(
        f"line {header.line}: not understood in the header: {part}" for part in header.problems
    )


def _visible_text(source: _Source, fenced: Sequence[FenceCheck]) -> str:
    """What a model may see: no front matter, no checks."""
    hidden = {n for c in fenced for n in range(c.fence.first, c.fence.last + 1)}
    kept = [
        line
        for number, line in enumerate(source.lines, start=1)
        if number > source.front.lines and number not in hidden
    ]
    return re.sub(r"\n{3,}", "\n\n", "\n".join(kept)).strip() + "\n"


def _language(headers: Sequence[Header], blocks: Sequence[Block]) -> str:
    """SystemVerilog where the given header needs it or the text asks for it."""
    if any(re.search(r"\b(logic|bit|int|byte)\b", h.text) for h in headers):
        return LANGUAGES[1]
    for block in blocks:
        text = block.line.text if isinstance(block, Heading) else ""
        text = block.text if isinstance(block, Lines) else text
        if re.search(r"\bSystemVerilog\b", text):
            return LANGUAGES[1]
    return LANGUAGES[0]


def _missing(interface: Interface) -> list[str]:
    if not interface.ports:
        return ["no port could be read; the interface is left to the model"]
    kinds = {p.direction for p in interface.ports}
    if not kinds & {Direction.OUTPUT, Direction.INOUT}:
        return ["no output could be read; the rest of the interface is left to the model"]
    return []
