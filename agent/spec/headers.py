"""Module headers as Verilog writes them, complete or cut off after the port list."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from rtl_agent.tools.interface import Direction, Interface, Parameter, Port

from .lexicon import DIRECTIONS
from .widths import parse_width

if TYPE_CHECKING:
    from collections.abc import Iterator

__all__ = ["Header", "read_headers"]

_MODULE = re.compile(r"\bmodule\s+(?:automatic\s+|static\s+)?(\\\S+|[A-Za-z_][\w$]*)")
_COMMENT = re.compile(r"//([^\n]*)|/\*(.*?)\*/", re.DOTALL)
_DIRECTION = re.compile(r"(input|output|inout)\b")
_TYPES = re.compile(r"\b(wire|reg|logic|tri|var|bit|unsigned|integer|int|byte)\b")
_TYPE_WIDTH = {"integer": 32, "int": 32, "byte": 8}
_STATEMENT = re.compile(r"\b((?:local)?param(?:eter)?\b[^;]*);")
_BODY = re.compile(r"\b(assign|always\w*|initial|generate|case|if)\b")


@dataclass(frozen=True, slots=True)
class Header:
    """One module header: its interface, its text, and whether the module has a body."""

    interface: Interface
    text: str
    line: int
    has_body: bool
    problems: tuple[str, ...] = ()


def _blank_comments(text: str) -> str:
    return _COMMENT.sub(lambda m: re.sub(r"[^\n]", " ", m[0]), text)


def _closing(text: str, start: int) -> int:
    """The index of the parenthesis that closes the one at `start`; -1 if there is none."""
    depth = 0
    for i in range(start, len(text)):
        depth += (text[i] == "(") - (text[i] == ")")
        if depth == 0:
            return i
    return -1


def _split(text: str, offset: int) -> Iterator[tuple[int, str]]:
    """Parts between commas outside brackets, each with its offset."""
    depth, start = 0, 0
    for i, char in enumerate(text + ","):
        if char in "([{":
            depth += 1
        elif char in ")]}":
            depth -= 1
        elif char == "," and depth == 0:
            if text[start:i].strip():
                yield offset + start, text[start:i]
            start = i + 1


def _parameters(text: str) -> tuple[list[Parameter], dict[str, str]]:
    """The parameters in a list, and the expressions of its `localparam`s by name."""
    found: list[Parameter] = []
    fixed: dict[str, str] = {}
    local = False
    for _, part in _split(text, 0):
        if re.search(r"\blocalparam\b", part):
            local = True
        elif re.search(r"\bparameter\b", part):
            local = False
        match = re.search(r"(\\\S+|[A-Za-z_][\w$]*)\s*=\s*(.+)", part, re.DOTALL)
        if match and local:
            fixed[match[1]] = _inserted(" ".join(match[2].split()), fixed)
        elif match:
            found.append(Parameter(match[1], " ".join(match[2].split())))
    return found, fixed


def _inserted(text: str, fixed: dict[str, str]) -> str:
    """`text` with the names in `fixed` replaced by what they stand for."""
    for name, value in fixed.items():
        simple = re.fullmatch(r"[\w$']+|\$?\w+\([^()]*\)", value)
        text = re.sub(
            rf"(?<![\w$]){re.escape(name)}(?![\w$])", value if simple else f"({value})", text
        )
    return text


def _port(part: str, before: Port | None) -> Port | str | None:
    """A port from one element of a port list; text where it cannot be read; None if not ANSI."""
    words = " ".join(part.split())
    direction = _DIRECTION.match(words)
    rest = words[direction.end() :] if direction else words
    signed = bool(re.search(r"\bsigned\b", rest))
    typed = _TYPES.findall(rest)
    rest = re.sub(r"\bsigned\b", " ", _TYPES.sub(" ", rest)).split("=")[0].strip()
    match = re.fullmatch(r"((?:\[[^\]]*\]\s*)*)(\\\S+|[A-Za-z_][\w$]*)", rest)
    if match is None:
        return words
    ranges = re.findall(r"\[[^\]]*\]", match[1])
    if len(ranges) > 1:
        return words
    width = parse_width(ranges[0]) if ranges else None
    if ranges and width is None:
        return words
    if direction is None and before is None:
        return None
    name = match[2].removeprefix("\\")
    if direction is None and before is not None and not ranges and not typed:
        return replace(before, name=name, description="")
    given = (
        width if width is not None else next((_TYPE_WIDTH[t] for t in typed if t in _TYPE_WIDTH), 1)
    )
    kind = (
        DIRECTIONS[direction[1]] if direction else (before or Port(Direction.INPUT, "")).direction
    )
    return Port(kind, name, given, signed)


def _ansi(text: str, offset: int, source: str) -> tuple[list[Port], list[str]]:
    ports: list[Port] = []
    problems: list[str] = []
    for start, part in _split(text, offset):
        port = _port(part, ports[-1] if ports else None)
        if isinstance(port, Port):
            ports.append(replace(port, description=_comment(source, start + len(part.rstrip()))))
        elif isinstance(port, str):
            problems.append(port)
    return ports, problems


def _comment(source: str, end: int) -> str:
    """The comment on the line on which a port ends."""
    line = source[end:].split("\n", 1)[0]
    match = _COMMENT.search(line)
    return (match[1] or match[2] or "").strip() if match else ""


def _non_ansi(names: list[str], body: str) -> tuple[list[Port], list[str]]:
    declared: dict[str, Port] = {}
    for statement in re.finditer(r"\b(input|output|inout)\b([^;]*)(;|$)", body):
        before: Port | None = None
        for _, part in _split(statement[2], 0):
            words = f"{statement[1]} {part}" if before is None else part
            port = _port(words, before)
            if isinstance(port, Port):
                declared[port.name] = before = port
    missing = [n for n in names if n not in declared]
    return [declared[n] for n in names if n in declared], missing


def _read(text: str, clean: str, match: re.Match[str], end: int) -> Header:
    position = match.end()
    parameters: list[Parameter] = []
    fixed: dict[str, str] = {}
    ports: list[Port] = []
    problems: list[str] = []
    generic = re.compile(r"\s*#\s*\(").match(clean, position)
    if generic:
        close = _closing(clean, generic.end() - 1)
        parameters, fixed = _parameters(clean[generic.end() : close if close > 0 else end])
        position = close + 1 if close > 0 else end
    listed = re.compile(r"\s*\(").match(clean, position)
    if listed:
        close = _closing(clean, listed.end() - 1)
        close = close if 0 < close <= end else end
        inside = clean[listed.end() : close]
        ports, problems = _ansi(inside, listed.end(), text)
        position = min(close + 1, end)
        if not ports and inside.strip():
            names = [part.strip() for _, part in _split(inside, 0)]
            ports, problems = _non_ansi(names, clean[position:end])
    rest = clean[position:end]
    more, local = _parameters(",".join(m[1] for m in _STATEMENT.finditer(rest)))
    parameters, fixed = parameters + more, {**fixed, **local}
    return Header(
        Interface(
            match[1].removeprefix("\\"),
            tuple(_resolved(port, fixed) for port in ports),
            tuple(parameters),
        ),
        text[match.start() : end].strip(),
        text.count("\n", 0, match.start()) + 1,
        bool(_BODY.search(rest)),
        tuple(problems),
    )


def _resolved(port: Port, fixed: dict[str, str]) -> Port:
    """`port` with local parameters in its width replaced by what they stand for."""
    if isinstance(port.width, int) or not fixed:
        return port
    width = parse_width(_inserted(port.width, fixed))
    return port if width is None else replace(port, width=width)


def read_headers(text: str) -> list[Header]:
    """Read every module header in `text`; line numbers count from 1 within it."""
    clean = _blank_comments(text)
    headers = []
    matches = list(_MODULE.finditer(clean))
    for i, match in enumerate(matches):
        end = matches[i + 1].start() if i + 1 < len(matches) else len(clean)
        close = re.compile(r"\bendmodule\b").search(clean, match.end(), end)
        headers.append(_read(text, clean, match, close.start() if close else end))
    return headers
