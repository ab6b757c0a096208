"""Reads a spec: front matter, interface, checks, and what was left open."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path

from rtl_agent.agent.errors import SpecError
from rtl_agent.tools.clocking import Clocking, infer_clocking
from rtl_agent.tools.interface import Direction, Interface

from .assemble import assemble
from .blocks import Block, Fence, Heading, Lines, read_blocks
from .checks import FenceCheck, fence_check, file_check, table_checks
from .findings import Findings, FoundPort, Source
from .front import FrontMatter, read_front_matter
from .headers import Header, read_headers
from .keywords import LANGUAGES, is_reserved
from .load import decode_spec, load_text
from .loose import mentioned, read_loose
from .model import Spec
from .naming import Named, find_modules
from .walk import Walker
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

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
    return _Reading(name, path, front, lines, body).spec()


@dataclass(slots=True)
class _Reading:
    name: str
    path: Path | None
    front: FrontMatter
    lines: list[str]
    body: str

    def spec(self) -> Spec:
        blocks = read_blocks(self.body, offset=self.front.lines)
        checks = [c for b in blocks if isinstance(b, Fence) and (c := fence_check(b, self.name))]
        checked = {c.fence.first for c in checks}
        blocks = [b for b in blocks if not (isinstance(b, Fence) and b.first in checked)]
        headers = self._headers(blocks)
        language = self.front.language or _language(headers, blocks)
        found = Findings()
        named = find_modules(blocks)
        top = self._top(named, headers, found.notes)
        self._refuse_reserved(top, named, language)
        modules = self._modules(top, named, headers)
        self._ports(blocks, headers, modules, top, found)
        words = mentioned(blocks) - set(modules)
        interface = assemble(found, top, top, language=language, name=self.name, mentioned=words)
        also = tuple(
            extra
            for module in modules
            if module != top
            and (extra := assemble(found, module, top, language=language, name=self.name)).ports
        )
        clocking = self._clocking(interface)
        tables, notes = table_checks(blocks, self.lines, interface, clocking.clock, self.name)
        found.notes.extend(notes)
        _note_missing(interface, found.notes)
        folder = self.path.parent if self.path else None
        files = [file_check(entry, folder, self.name) for entry in self.front.checks]
        return Spec(
            self.name if self.path is None else self.path.stem,
            self.path,
            self._text(checks),
            interface,
            language,
            (*files, *(c.source for c in checks), *tables),
            clocking,
            also,
            next((h.text for h in headers if h.interface.module == top), ""),
            tuple(dict.fromkeys(found.notes)),
            self._context(),
            self.front.timescale or "1ns/1ps",
        )

    # -- module ----------------------------------------------------------------------------

    def _headers(self, blocks: Sequence[Block]) -> list[Header]:
        headers: list[Header] = []
        for block in blocks:
            if isinstance(block, Fence):
                text, first = block.text, block.first + 1
            elif isinstance(block, Lines) and re.search(r"\bmodule\s+\S+\s*(#\s*)?\(", block.text):
                text, first = "\n".join(line.text for line in block.lines), block.lines[0].number
                if (
                    not re.search(r"^`?\s*module\s+[\w$]+\s*(#\s*)?\(", text, re.M)
                    and "`module " not in text
                ):
                    continue
                if inline := re.search(r"`(module [^`]*)`", text):
                    text = inline[1]
            else:
                continue
            for header in read_headers(text):
                headers.append(
                    Header(
                        header.interface,
                        header.text,
                        header.line + first - 1,
                        header.has_body,
                        header.problems,
                    )
                )
        return headers

    def _top(self, named: Sequence[Named], headers: Sequence[Header], notes: list[str]) -> str:
        if self.front.module:
            self._agree(headers)
            return self.front.module
        open_headers = [h for h in headers if not h.has_body and h.interface.ports]
        marked = [n.name for n in named if n.top]
        if open_headers:
            names = [h.interface.module for h in open_headers]
            return next(
                (n for n in names if n in marked), names[-1] if len(names) > 1 else names[0]
            )
        if marked:
            return marked[0]
        if named:
            best = min(n.rank for n in named)
            choice = [n.name for n in named if n.rank == best]
            choice = self._not_instantiated(choice)
            if len(choice) > 1:
                notes.append(
                    f"several modules are named ({', '.join(choice)}); {choice[0]} was taken as the top"
                )
            return choice[0]
        if headers:
            return headers[-1].interface.module
        return self._fallback(notes)

    def _agree(self, headers: Sequence[Header]) -> None:
        given = [h for h in headers if not h.has_body]
        if given and all(h.interface.module != self.front.module for h in given):
            header = given[0]
            raise SpecError(
                f"{self.name}:{header.line}: the header here declares {header.interface.module!r}, "
                f"the front matter says module {self.front.module!r} "
                f"(line {self.front.places.get('module', 1)})",
                remedy="Use one name in both places.",
            )

    def _not_instantiated(self, names: list[str]) -> list[str]:
        body = self.body
        used = [
            n
            for n in names
            if re.search(
                rf"\b(instantiat\w*|instances? of|built from|made of|uses?)\b[^.]*\b{re.escape(n)}\b",
                body,
                re.I,
            )
        ]
        return [n for n in names if n not in used] or names

    def _fallback(self, notes: list[str]) -> str:
        stem = re.sub(r"\W", "_", self.path.stem if self.path else "").strip("_")
        if stem and stem[0].isdigit():
            stem = f"m_{stem}"
        module = stem if stem and not is_reserved(stem, LANGUAGES[1]) else "top"
        notes.append(f"the spec gives no module name; {module} was taken")
        return module

    def _refuse_reserved(self, top: str, named: Sequence[Named], language: str) -> None:
        if is_reserved(top, language):
            line = next((n.line for n in named if n.name == top), 1)
            raise SpecError(
                f"{self.name}:{line}: {top!r} is a reserved word of {language} and cannot name a module",
                remedy="Choose another module name.",
            )

    @staticmethod
    def _modules(top: str, named: Sequence[Named], headers: Sequence[Header]) -> list[str]:
        names = [n.name for n in named if n.rank <= 3] + [h.interface.module for h in headers]
        return list(dict.fromkeys([top, *names]))

    # -- ports -----------------------------------------------------------------------------

    def _ports(
        self,
        blocks: Sequence[Block],
        headers: Sequence[Header],
        modules: Sequence[str],
        top: str,
        found: Findings,
    ) -> None:
        for header in headers:
            if header.has_body and header.interface.module != top:
                continue
            module = header.interface.module
            for port in header.interface.ports:
                found.ports.append(
                    FoundPort(
                        port.name,
                        port.direction,
                        port.width,
                        header.line,
                        Source.HEADER,
                        module,
                        port.signed,
                        True,
                        port.description,
                    )
                )
            for parameter in header.interface.parameters:
                found.add_parameter(parameter.name, parameter.default, module)
            found.notes.extend(
                f"line {header.line}: not understood in the header: {p}" for p in header.problems
            )
        walker = Walker(modules, found)
        walker.walk([b for b in blocks if not (isinstance(b, Lines) and self._is_header(b))])
        read_loose(walker.loose, modules, found)

    @staticmethod
    def _is_header(block: Lines) -> bool:
        return bool(
            re.search(r"^module\s+[\w$]+\s*(#\s*)?\(", "\n".join(x.text for x in block.lines), re.M)
        )

    # -- the rest --------------------------------------------------------------------------

    def _clocking(self, interface: Interface) -> Clocking:
        told = infer_clocking(interface)
        clock, reset, low = told.clock, told.reset, told.reset_active_low
        for port in interface.inputs():
            if port.width != 1:
                continue
            text = port.description.lower()
            if clock is None and re.match(r"(the |system |main )*clock\b(?! enable)", text):
                clock = port.name
            if reset is None and re.match(
                r"(the |an? |active[- ]\w+,? |a?synchronous,? |async )*reset\b", text
            ):
                reset = port.name
        told_of = interface.port(reset) if reset else None
        if told_of:
            low = _polarity(f"{told_of.description} {self._sentences_about(told_of.name)}", low)
        if self.front.clock is not None:
            clock = self._named_port(self.front.clock, "clock", interface)
        if self.front.reset is not None:
            reset = self._named_port(self.front.reset, "reset", interface)
        if self.front.reset_active_low is not None:
            low = self.front.reset_active_low
        return Clocking(clock, reset, low and reset is not None)

    def _sentences_about(self, name: str) -> str:
        return " ".join(
            s
            for s in re.split(r"(?<=[.;\n|])\s", self.body)
            if re.search(rf"\b{re.escape(name)}\b", s)
        )

    def _named_port(self, port: str, key: str, interface: Interface) -> str | None:
        if not port:
            return None
        inputs = [p.name for p in interface.inputs()]
        if inputs and port not in inputs:
            raise SpecError(
                f"{self.name}:{self.front.places[key]}: {key} {port!r} is no input of {interface.module}",
                remedy=f"Inputs: {', '.join(inputs)}.",
            )
        return port

    def _text(self, checks: Sequence[FenceCheck]) -> str:
        hidden = {n for c in checks for n in range(c.fence.first, c.fence.last + 1)}
        kept = [
            line
            for number, line in enumerate(self.lines, start=1)
            if number > self.front.lines and number not in hidden
        ]
        return re.sub(r"\n{3,}", "\n\n", "\n".join(kept)).strip() + "\n"

    def _context(self) -> tuple[Path, ...]:
        found = []
        for written, line in self.front.context:
            path = Path(written).expanduser()
            if not path.is_absolute() and self.path is not None:
                path = self.path.parent / path
            if not path.is_file():
                raise SpecError(
                    f"{self.name}:{line}: context file {written!r} does not exist",
                    remedy="Correct the path; it is taken from the spec's folder.",
                )
            found.append(path)
        return tuple(found)


def _polarity(text: str, by_name: bool) -> bool:
    if re.search(r"active[- ]low|low[- ]active|\bnegative reset", text, re.I):
        return True
    if re.search(r"active[- ]high|high[- ]active", text, re.I):
        return False
    return by_name


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


def _note_missing(interface: Interface, notes: list[str]) -> None:
    kinds = {p.direction for p in interface.ports}
    if not interface.ports:
        notes.append("no port could be read; the interface is left to the model")
    elif Direction.OUTPUT not in kinds and Direction.INOUT not in kinds:
        notes.append("no output could be read; the rest of the interface is left to the model")
