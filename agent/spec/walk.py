"""Walks the blocks of a spec and reads what is laid out as lists, sections and tables."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from rtl_agent.tools.clocking import infer_clocking
from rtl_agent.tools.interface import Direction, Interface, Port

from .blocks import Block, Fence, Heading, Line, Lines, Table
from .declares import ends_section, is_explicit, is_port_item, is_sentence, looks_like_declaration
from .fences import read_columns, read_fence
from .findings import Findings, FoundPort, Source, Weight
from .naming import named_in_heading
from .parameters import read_parameter_line
from .phrase import Declared, read_phrase
from .sections import Label, Section, read_label
from .tables import read_table

if TYPE_CHECKING:
    from collections.abc import Sequence

__all__ = ["Loose", "Walker"]


def _is_clock_or_reset(name: str) -> bool:
    found = infer_clocking(Interface("", (Port(Direction.INPUT, name),)))
    return found.clock is not None or found.reset is not None


_PIPES = re.compile(r"\|\s*(in|out|input|output|inout)\s*(\||$)", re.IGNORECASE)


@dataclass(slots=True)
class Loose:
    """Lines that belong together and declared nothing by their layout."""

    module: str | None
    lines: list[Line]


class Walker:
    """Reads laid-out declarations block by block; `loose` collects the lines left for prose."""

    def __init__(self, modules: Sequence[str], found: Findings) -> None:
        self.modules = modules
        self.found = found
        self.loose: list[Loose] = []
        self.module: str | None = None
        self._sections: dict[int, Section] = {}
        self._indent: int | None = None
        self._used = ""  # how the open section lists its ports
        self._items = 0  # of the list being read, without blank lines between them
        self._last_item = 0  # line of the last one
        self._base = 0  # indent of the port lines of the open section

    def walk(self, blocks: Sequence[Block]) -> None:
        """Read all of `blocks`."""
        for block in blocks:
            if not (isinstance(block, Lines) and block.depth):
                self._items = 0
            if isinstance(block, Heading):
                self._heading(block)
            elif isinstance(block, Table):
                section = self._section(0)
                read_table(
                    block,
                    section.direction,
                    self.module,
                    self.found,
                    parameters=section is Section.PARAMETERS,
                )
            elif isinstance(block, Lines) and block.depth:
                self._item(block)
            elif isinstance(block, Lines):
                self._paragraph(block)
            elif isinstance(block, Fence):
                self._fence(block)

    def _fence(self, block: Fence) -> None:
        if re.search(r"\bmodule\b", block.text):
            return  # a header: read elsewhere
        section = self._section(9)
        for number, port in read_fence(block, section.direction):
            self._add([port], Line(number, ""), Section.PORTS)

    def _leave(self, line: Line, *, joined: bool = False) -> None:
        """Leave a line to the prose reader, as part of the group before it if `joined`."""
        if joined and self.loose:
            self.loose[-1].lines.append(line)
        else:
            self.loose.append(Loose(self.module, [line]))

    def _section(self, depth: int) -> Section:
        known = [d for d in self._sections if d <= depth]
        return self._sections[max(known)] if known else Section.OTHER

    def _heading(self, block: Heading) -> None:
        label = read_label(block.line.text, heading=True)
        name = named_in_heading(block.line.text)
        if name in self.modules and (label is None or label.section is Section.OTHER):
            self.module = name
        self._sections = {0: label.section if label else Section.OTHER}
        self._indent = None
        self._leave(block.line)

    def _names_module(self, text: str) -> bool:
        match = re.match(
            r"\W*(?:top\s+)?(?:module|entity)(?:\s+name)?\s*:?\s*`?([A-Za-z_][\w$]*)`?\W*$",
            text,
            re.I,
        )
        if match and match[1] in self.modules:
            self.module = match[1]
            return True
        match = re.fullmatch(r"`?([A-Za-z_][\w$]*)`?[\s:.]*(?:\((?:the )?top[^)]*\))?[\s:.]*", text)
        if match and match[1] in self.modules:
            self.module = match[1]
            return True
        return False

    def _item(self, block: Lines) -> None:
        depth, line = block.depth, block.lines[0]
        self._sections = {d: s for d, s in self._sections.items() if d <= depth}
        self._indent = None
        gap = self._items > 1 and line.number > self._last_item + 1
        if self._used == "lines" or gap:  # another list is another matter
            self._sections, self._used, self._items = {}, "", 0
        self._items, self._last_item = self._items + 1, block.lines[-1].number
        if self._names_module(line.text):
            return
        label = read_label(line.text)
        if label and self._label(label, line, depth):
            return
        section = self._section(depth)
        generic = section is Section.PARAMETERS or re.match(r"\W*parameter\b", line.text, re.I)
        if generic and read_parameter_line(block.text, self.module, self.found):
            return
        if not self._declare(line, block.text, section, item=True):
            for i, part in enumerate(block.lines):
                self._leave(part, joined=i > 0)

    def _label(self, label: Label, line: Line, depth: int) -> bool:
        """Act on a label; True when its line needs no further reading."""
        if label.alone:
            self._sections[depth] = label.section
            self._indent, self._used = None, ""
            return label.section is not Section.OTHER
        if label.section is Section.OTHER:
            return False
        if label.section is Section.PARAMETERS:
            return read_parameter_line(label.rest, self.module, self.found)
        if label.section is Section.PORTS:
            return False
        rest = re.split(
            r"(?<=[^.\s]{2})[.;](?:\s+|$)|(?<=`)[.;](?:\s+|$)|(?<=\s\w)[.;](?:\s+|$)",
            label.rest,
            maxsplit=1,
        )
        ports = read_phrase(rest[0], label.section.direction)
        if not ports or is_sentence(rest[0]):
            return False
        self._add(ports, line, label.section)
        if len(rest) > 1 and rest[1].strip():
            remainder = Line(line.number, rest[1], line.indent)
            following = read_label(remainder.text)
            if not (following and self._label(following, remainder, depth)):
                self._leave(remainder)
        return True

    def _paragraph(self, block: Lines) -> None:
        self._sections = {d: s for d, s in self._sections.items() if d == 0}
        self._indent = None
        joined = False
        for line in block.lines:
            if self._read_line(line):
                joined = False
            else:
                self._leave(line, joined=joined)
                joined = True

    def _read_line(self, line: Line) -> bool:
        """Read one line of a paragraph; False when it is left to the prose reader."""
        if _PIPES.search(line.text):  # a row of a table that is none
            ports = read_columns(line.text.strip("| "), None)
            self._add(ports or [], line, Section.PORTS)
            return bool(ports)
        if self._names_module(line.text):
            return True
        label = read_label(line.text)
        if label and label.alone and not label.section.direction and self._is_port_line(line):
            label = None
        if label:
            if self._label(label, line, 0):
                return True
            if label.alone:
                return False
        elif self._is_another_matter(line):
            self._sections, self._used = {}, ""
        if self._indent is not None and line.indent > self._indent + 1:
            return True  # the description of the port above goes on
        return self._declared_line(line)

    def _declared_line(self, line: Line) -> bool:
        """Read a line of a paragraph as a parameter or as ports, as its section has it."""
        section = self._section(0)
        generic = section is Section.PARAMETERS
        if generic and read_parameter_line(line.text, self.module, self.found):
            return True
        if self._declare(line, line.text, section, item=False):
            self._indent = line.indent
            if section.direction:
                self._used, self._base = "lines", line.indent
            return True
        if section is not Section.OTHER and self._ends(line):
            self._sections = {}
        return False

    def _is_another_matter(self, line: Line) -> bool:
        """Whether a line without a label no longer belongs to the open section."""
        return self._used == "items" or (self._used == "lines" and line.indent < self._base)

    def _is_port_line(self, line: Line) -> bool:
        return self._indent is not None and line.indent >= self._indent

    def _ends(self, line: Line) -> bool:
        return self._indent is None or line.indent <= self._indent

    def _declare(self, line: Line, text: str, section: Section, *, item: bool) -> bool:
        direction = section.direction
        if not item and not looks_like_declaration(text, direction):
            return False
        fits = is_port_item if section.declares else is_explicit
        if item and not fits(text):
            return False
        ports = read_phrase(text, direction)
        if not ports:
            if item and direction:
                self.found.notes.append(f"line {line.number}: not understood as a port: {text!r}")
            return False
        if ends_section(ports[0].name, text):
            return False
        if any(p.direction is None for p in ports):
            return section is Section.PORTS and self._by_role(ports, line)
        self._add(ports, line, section)
        if item and direction and self._section(0) is section:
            self._used = "items"
        return True

    def _by_role(self, ports: Sequence[Declared], line: Line) -> bool:
        """In a list of ports without directions a clock or reset is an input; others are noted."""
        for port in ports:
            if _is_clock_or_reset(port.name):
                self._found(port, Direction.INPUT, line, sure=False)
            else:
                self.found.notes.append(
                    f"line {line.number}: the direction of {port.name} is not said; it was left out"
                )
        return True

    def _add(self, ports: Sequence[Declared], line: Line, section: Section) -> None:
        for port in ports:
            direction = port.direction or section.direction
            if direction is not None:
                self._found(port, direction, line, sure=port.sure, stray=section is Section.OTHER)

    def _found(
        self, port: Declared, direction: Direction, line: Line, *, sure: bool, stray: bool = False
    ) -> None:
        self.found.ports.append(
            FoundPort(
                port.name,
                direction,
                port.width,
                line.number,
                Source.LIST,
                self.module,
                port.signed,
                sure,
                port.description,
                Weight.INTRODUCED if stray else Weight.LISTED,
            )
        )
