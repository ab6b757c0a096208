"""YAML front matter: split off, parsed, and checked key by key with line numbers."""

from __future__ import annotations

import re
from dataclasses import dataclass, field

import yaml
from rtl_agent.agent.errors import SpecError

from .keywords import LANGUAGES, is_reserved
from .yaml_nodes import NodeReader

__all__ = ["CheckEntry", "FrontMatter", "read_front_matter"]

KEYS = (
    "module",
    "language",
    "checks",
    "clock",
    "reset",
    "reset_active_low",
    "timescale",
    "context",
)
CHECK_KINDS = ("cocotb", "testbench", "reference", "vectors")
# What each kind understands; `tools.checks` has the last word on the values.
CHECK_OPTIONS = {
    "cocotb": ("name", "seed"),
    "testbench": ("name", "pass", "fail", "top", "golden", "files"),
    "reference": ("name", "cycles", "seed", "class", "top", "files"),
    "vectors": ("name", "radix"),
}
_ALIASES = {
    "verilog": "verilog-2005",
    "verilog-2001": "verilog-2005",
    "systemverilog": "systemverilog-2017",
    "sv": "systemverilog-2017",
    "systemverilog-2012": "systemverilog-2017",
}


@dataclass(frozen=True, slots=True)
class CheckEntry:
    """One element of `checks:`: its kind, the path as written, its options and its line."""

    kind: str
    path: str
    options: dict[str, str]
    line: int


@dataclass(slots=True)
class FrontMatter:
    """What the front matter says; `lines` is how many lines of the file it takes up."""

    module: str | None = None
    language: str | None = None
    clock: str | None = None
    reset: str | None = None
    reset_active_low: bool | None = None
    timescale: str | None = None
    context: list[tuple[str, int]] = field(default_factory=list)
    checks: list[CheckEntry] = field(default_factory=list)
    places: dict[str, int] = field(default_factory=dict)
    lines: int = 0


def _split(text: str, name: str) -> tuple[str, int]:
    """The YAML text and the number of lines up to and with the closing `---`."""
    lines = text.split("\n")
    if lines[0].rstrip() != "---":
        return "", 0
    for i, line in enumerate(lines[1:], start=1):
        if line.rstrip() in ("---", "..."):
            return "\n".join(lines[1:i]), i + 1
    if any(re.match(r"[a-z_]+:", line) for line in lines[1:8]):
        raise SpecError(
            f"{name}:1: the front matter that starts here is not closed",
            remedy="Put a line `---` after its last key.",
        )
    return "", 0  # a thematic break, not front matter


def _check(reader: NodeReader, node: yaml.Node) -> CheckEntry:
    line = reader.line(node)
    expected = f"A check is one of {', '.join(CHECK_KINDS)}, such as `- cocotb: test_it.py`."
    if not isinstance(node, yaml.MappingNode):
        raise reader.fail(line, "a check must be `kind: path`", expected)
    pairs = list(reader.pairs(node, "this check"))
    kinds = [key for key, _, _ in pairs if key in CHECK_KINDS]
    if len(kinds) > 1:
        at = next(n for key, _, n in pairs if key == kinds[1])
        raise reader.fail(at, f"one check cannot be both {kinds[0]!r} and {kinds[1]!r}", expected)
    options = [pair for pair in pairs if pair[0] not in CHECK_KINDS]
    if not kinds:
        known = {name for names in CHECK_OPTIONS.values() for name in names}
        strange = next((pair for pair in options if pair[0] not in known), None)
        if strange:
            raise reader.fail(strange[2], f"unknown key {strange[0]!r} in a check", expected)
        raise reader.fail(line, "this check has no kind", expected)
    kind = kinds[0]
    value, at = next((v, n) for key, v, n in pairs if key == kind)
    if isinstance(value, yaml.MappingNode):
        nested = list(reader.pairs(value, f"the {kind} check"))
        path = next((reader.text(v, key) for key, v, _ in nested if key == "path"), "")
        if not path:
            raise reader.fail(at, f"the {kind} check has no `path`", expected)
        options += [pair for pair in nested if pair[0] != "path"]
    else:
        path = reader.text(value, kind)
    return CheckEntry(kind, path, _options(reader, kind, options), line)


def _options(
    reader: NodeReader, kind: str, pairs: list[tuple[str, yaml.Node, int]]
) -> dict[str, str]:
    known = CHECK_OPTIONS[kind]
    found = {}
    for key, value, line in pairs:
        if key not in known:
            raise reader.fail(
                line, f"unknown key {key!r} in a {kind} check", f"Options: {', '.join(known)}."
            )
        if isinstance(value, yaml.SequenceNode):
            found[key] = " ".join(reader.text(n, key) for n in value.value)
        else:
            found[key] = reader.text(value, key)
    return found


def _sequence(reader: NodeReader, node: yaml.Node, key: str) -> list[yaml.Node]:
    if isinstance(node, yaml.SequenceNode):
        return list(node.value)
    if isinstance(node, yaml.ScalarNode) and not str(node.value).strip():
        return []
    if key == "context" and isinstance(node, yaml.ScalarNode):
        return [node]
    raise reader.fail(
        reader.line(node),
        f"{key!r} must be a list",
        f"Write one element a line, each with `- `, below `{key}:`.",
    )


def _language(reader: NodeReader, node: yaml.Node) -> str:
    given = reader.text(node, "language")
    language = _ALIASES.get(given.lower(), given.lower())
    if language not in LANGUAGES:
        raise reader.fail(
            reader.line(node),
            f"unknown language {given!r}",
            f"Known languages: {', '.join(LANGUAGES)}.",
        )
    return language


def _timescale(reader: NodeReader, node: yaml.Node) -> str:
    given = reader.text(node, "timescale").replace(" ", "")
    if not re.fullmatch(r"(1|10|100)(s|ms|us|ns|ps|fs)/(1|10|100)(s|ms|us|ns|ps|fs)", given):
        raise reader.fail(reader.line(node), f"{given!r} is no timescale", "Write it as `1ns/1ps`.")
    return given


def _identifier(reader: NodeReader, node: yaml.Node, key: str, language: str) -> str:
    name = reader.text(node, key)
    if not re.fullmatch(r"[A-Za-z_][\w$]*|\\\S+", name):
        raise reader.fail(
            reader.line(node),
            f"{name!r} is no Verilog identifier",
            f"`{key}` takes letters, digits, `_` and `$`, and does not start with a digit.",
        )
    if is_reserved(name, language):
        raise reader.fail(
            reader.line(node),
            f"{name!r} is a reserved word of {language} and cannot name a {key}",
            "Choose another name.",
        )
    return name.removeprefix("\\")


def read_front_matter(text: str, name: str) -> FrontMatter:
    """Read the front matter of a spec, if it has one.

    Raises:
        SpecError: Not closed, not YAML, an unknown or repeated key, or a value of the wrong
            form; the message names file, line and what was expected.
    """
    source, lines = _split(text, name)
    found = FrontMatter(lines=lines)
    reader = NodeReader(name, KEYS)
    root = reader.compose(source) if source.strip() else None
    if root is None:
        return found
    nodes: dict[str, yaml.Node] = {}
    for key, value, line in reader.pairs(root, "the front matter"):
        if key not in KEYS:
            raise reader.fail(
                line, f"unknown front-matter key {key!r}", f"Known keys: {', '.join(KEYS)}."
            )
        nodes[key] = value
        found.places[key] = line
    for key in sorted(nodes, key=lambda k: k != "language"):  # names depend on the language
        _take(reader, key, nodes[key], found)
    return found


def _take(reader: NodeReader, key: str, node: yaml.Node, found: FrontMatter) -> None:
    """Read the value of one known key into `found`."""
    language = found.language or LANGUAGES[0]
    match key:
        case "language":
            found.language = _language(reader, node)
        case "module":
            found.module = _identifier(reader, node, key, language)
        case "clock":
            found.clock = "" if _none(node) else _identifier(reader, node, key, language)
        case "reset":
            found.reset = "" if _none(node) else _identifier(reader, node, key, language)
        case "reset_active_low":
            found.reset_active_low = reader.flag(node, key)
        case "timescale":
            found.timescale = _timescale(reader, node)
        case "context":
            elements = _sequence(reader, node, key)
            found.context = [(reader.text(n, key), reader.line(n)) for n in elements]
        case _:
            found.checks = [_check(reader, n) for n in _sequence(reader, node, key)]


def _none(node: yaml.Node) -> bool:
    word = str(node.value).lower() if isinstance(node, yaml.ScalarNode) else "?"
    return word in ("none", "null", "~", "")
