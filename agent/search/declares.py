"""Edits for names and kinds: undeclared or misspelt names, `reg` and `wire`, ports."""

from __future__ import annotations

import difflib
import re
from typing import TYPE_CHECKING

from rtl_agent.tools.edits import Edit

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from rtl_agent.tools.diagnostic import Diagnostic
    from rtl_agent.tools.interface import Interface, Port

__all__ = ["declaration_edits"]

_QUOTED = re.compile(r"[`'‘\"]([A-Za-z_]\w*)[`'’\"]")
_NAME = re.compile(r"[A-Za-z_]\w*")
_DECLARED = re.compile(
    r"\b(?:input|output|inout|reg|wire|integer|logic|localparam|parameter|genvar)\b"
    r"(?:\s+(?:reg|wire|signed|logic))*\s*(?:\[[^\]]*\]\s*)?([^;)]*)"
)
_MODULE = re.compile(r"\bmodule\s+([A-Za-z_]\w*)")
_HEADER_END = re.compile(r"\bmodule\b[^;]*;", re.DOTALL)
_BLANK = re.compile(r'"(?:\\.|[^"\\\n])*"|//[^\n]*|/\*.*?\*/', re.DOTALL)
_MOST_NAMES = 8
_OF_THE_TOP = {"top-lacks-port", "top-invents-port", "top-port-differs", "no-top"}


def declaration_edits(
    text: str, found: Sequence[Diagnostic], interface: Interface
) -> Iterator[Edit]:
    """Edits for the names that `found` speaks of."""
    bare = _BLANK.sub(lambda m: re.sub(r"[^\n]", " ", m.group()), text)
    here = _Text(text, bare)
    for diagnostic in found:
        if diagnostic.code in _OF_THE_TOP:
            continue
        named = _QUOTED.findall(diagnostic.message)
        line = here.line_text(diagnostic.line)
        for name in dict.fromkeys([*named, *(_NAME.findall(line) if not named else ())]):
            yield from _kinds(here, name)
            if diagnostic.line:
                yield from _names(here, name, diagnostic.line)
        yield from _ports_of_instances(here, diagnostic)
    yield from _top(here, found, interface)


class _Text:
    """The source, its blanked twin, and its lines."""

    def __init__(self, text: str, bare: str) -> None:
        self.text, self.bare = text, bare
        self.lines = bare.split("\n")
        self.starts = [0]
        for line in self.lines:
            self.starts.append(self.starts[-1] + len(line) + 1)

    def line_text(self, number: int) -> str:
        return self.lines[number - 1] if 0 < number <= len(self.lines) else ""

    def number(self, offset: int) -> int:
        return self.bare.count("\n", 0, offset) + 1

    def edit(self, operator: str, start: int, end: int, new: str, note: str) -> Edit:
        number = self.number(start)
        return Edit(operator, number, start - self.starts[number - 1] + 1, start, end, new, note)

    def declared(self) -> list[str]:
        names: list[str] = []
        for match in _DECLARED.finditer(self.bare):
            names += _NAME.findall(re.sub(r"\[[^\]]*\]|=[^,]*", " ", match[1]))
        return [n for n in dict.fromkeys(names) if n not in {"input", "output", "reg", "wire"}]


def _kinds(here: _Text, name: str) -> Iterator[Edit]:
    """`output` becomes `output reg`, `wire` becomes `reg`, and the other way round."""
    for match in re.finditer(
        rf"\boutput\b(?!\s+reg)(\s+wire)?(?=\s*(?:signed\s*)?(?:\[[^\]]*\]\s*)?{name}\b)", here.bare
    ):
        note = f"`{name}` becomes a reg"
        yield here.edit("fix-kind", match.start(), match.end(), "output reg", note)
    for old, new in (("wire", "reg"), ("reg", "wire")):
        for match in re.finditer(rf"\b{old}\b(?=[^;=]*\b{name}\b)", here.bare):
            note = f"`{name}` becomes a {new}"
            yield here.edit("fix-kind", match.start(), match.end(), new, note)
    for match in re.finditer(rf"\boutput\s+reg\b(?=\s*(?:\[[^\]]*\]\s*)?{name}\b)", here.bare):
        yield here.edit("fix-kind", match.start(), match.end(), "output", f"`{name}` becomes a net")
    for match in re.finditer(rf"\bassign\s+(?={name}\b)", here.bare):
        yield here.edit("fix-assign", match.start(), match.end(), "", "`assign` goes")


def _names(here: _Text, name: str, line: int) -> Iterator[Edit]:
    """An undeclared name is misspelt, or its declaration is missing or misspelt."""
    declared = here.declared()
    if name in declared:
        return
    close = difflib.get_close_matches(name, declared, n=4, cutoff=0.4)
    uses = list(re.finditer(rf"(?<![\w.$]){name}\b", here.bare))
    on_line = [m for m in uses if here.number(m.start()) == line]
    for other in [*close, *declared[:_MOST_NAMES]]:
        for match in on_line:
            note = f"`{name}` becomes `{other}`"
            yield here.edit("fix-rename", match.start(), match.end(), other, note)
    for other in close:  # the declaration has the wrong name
        for match in re.finditer(rf"\b{other}\b", here.bare):
            note = f"`{other}` becomes `{name}`"
            yield here.edit("fix-rename", match.start(), match.end(), name, note)
            break
    modules = _MODULE.findall(here.bare)
    for other in difflib.get_close_matches(name, modules, n=2, cutoff=0.4):
        for match in uses:
            note = f"`{name}` becomes `{other}`"
            yield here.edit("fix-rename", match.start(), match.end(), other, note)
    yield from _declarations(here, name, line)


def _declarations(here: _Text, name: str, line: int) -> Iterator[Edit]:
    """Declare `name` beside another signal, or by itself after the header."""
    for match in re.finditer(r"\b(reg|wire)\b[^;=]*(?=;)", here.bare):
        note = f"`{name}` is declared like its neighbours"
        yield here.edit("fix-declare", match.end(), match.end(), f", {name}", note)
    limit = here.starts[line] if 0 < line < len(here.starts) else len(here.bare)
    headers = [m for m in _HEADER_END.finditer(here.bare) if m.start() < limit]
    if not headers:
        return
    at = headers[-1].end()
    ranges = dict.fromkeys(["", *re.findall(r"\[[^\]]*\]", here.bare)])
    for kind in ("reg", "wire", "integer"):
        for span in [""] if kind == "integer" else list(ranges)[:10]:
            words = " ".join(w for w in (kind, span, name) if w)
            yield here.edit("fix-declare", at, at, f"\n    {words};", f"`{words}` is declared")


def _ports_of_instances(here: _Text, diagnostic: Diagnostic) -> Iterator[Edit]:
    """A connection to a port that the module has not: another port, or a port for the module."""
    line = diagnostic.line
    if not line:
        return
    heads = {m[1]: _header_names(here, m) for m in _MODULE.finditer(here.bare)}
    ports = list(dict.fromkeys(n for names in heads.values() for n in names))
    start, end = here.starts[line - 1], here.starts[min(line, len(here.lines))]
    for match in re.finditer(r"\.([A-Za-z_]\w*)\s*\(", here.bare[start:end]):
        name = match[1]
        for other in difflib.get_close_matches(name, ports, n=6, cutoff=0.0):
            at = start + match.start(1)
            note = f"port `{name}` becomes `{other}`"
            yield here.edit("fix-rename", at, at + len(name), other, note)
        for module in _MODULE.finditer(here.bare):
            close = here.bare.find(");", module.end())
            if name in heads[module[1]] or close < 0:
                continue
            for words in _port_words(here, name):
                at = len(here.bare[:close].rstrip())
                note = f"`{module[1]}` gets the port `{words}`"
                yield here.edit("fix-port", at, at, f",\n    {words}", note)


def _port_words(here: _Text, name: str) -> list[str]:
    ranges = list(dict.fromkeys(["", *re.findall(r"\[[^\]]*\]", here.bare)]))[:6]
    kinds = ("input", "output", "output reg")
    return [" ".join(w for w in (kind, span, name) if w) for kind in kinds for span in ranges]


def _header_names(here: _Text, module: re.Match[str]) -> list[str]:
    end = here.bare.find(");", module.end())
    header = here.bare[module.end() : end if end >= 0 else module.end()]
    skip = {"input", "output", "inout", "reg", "wire", "signed", "parameter", "logic", "integer"}
    return [n for n in _NAME.findall(re.sub(r"\[[^\]]*\]", " ", header)) if n not in skip]


def _top(here: _Text, found: Sequence[Diagnostic], interface: Interface) -> Iterator[Edit]:
    """The top module and its ports get the names, kinds and widths that are asked for."""
    missing = [d.message for d in found if d.code == "top-lacks-port"]
    unknown = [d.message for d in found if d.code == "top-invents-port"]
    if any(d.code == "no-top" for d in found):
        for match in _MODULE.finditer(here.bare):
            note = f"the module is called `{interface.module}`"
            yield here.edit("fix-rename", match.start(1), match.end(1), interface.module, note)
    for name in missing:
        for other in difflib.get_close_matches(name, unknown, n=4, cutoff=0.0):
            yield from _everywhere(here, other, name)
        port = interface.port(name)
        head = re.search(rf"\bmodule\s+{interface.module}\b[^;]*?(?=\n?\s*\)\s*;)", here.bare)
        if port is not None and head is not None:
            words = _as_written(port)
            at = len(here.bare[: head.end()].rstrip())
            yield here.edit("fix-port", at, at, f",\n    {words}", f"the port `{words}` is added")
    for diagnostic in found:
        port = interface.port(diagnostic.message) if diagnostic.code == "top-port-differs" else None
        if port is not None:
            yield from _restated(here, port)


def _restated(here: _Text, port: Port) -> Iterator[Edit]:
    pattern = rf"\b(?:input|output|inout)\b(\s+reg)?[^,;()]*?\b{port.name}\b"
    for match in re.finditer(pattern, here.bare):
        words = _as_written(port, reg=bool(match[1]))
        yield here.edit("fix-port", match.start(), match.end(), words, f"`{words}`")


def _as_written(port: Port, *, reg: bool = False) -> str:
    parts = (str(port.direction), "reg" if reg else "", port.range, port.name)
    return " ".join(p for p in parts if p)


def _everywhere(here: _Text, old: str, new: str) -> Iterator[Edit]:
    """One edit that renames a signal in the whole text."""
    places = [m.start() for m in re.finditer(rf"(?<![\w.$]){old}\b", here.bare)]
    if not places:
        return
    start, end = places[0], places[-1] + len(old)
    out, done = [], start
    for at in places:
        out += [here.text[done:at], new]
        done = at + len(old)
    yield here.edit("fix-rename", start, end, "".join(out), f"`{old}` becomes `{new}` throughout")
