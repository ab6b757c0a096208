"""Small, exact edits of Verilog text that keep everything else as it was written.

Works on a token scan that knows comments, strings, escaped identifiers and macros, so that a name
inside a comment is not mistaken for a use of it. It does not judge the text: the parser does.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping

    from rtl_agent.tools.interface import Interface

__all__ = [
    "SplitModule",
    "hoist_regs",
    "identifiers",
    "procedural_targets",
    "rename",
    "split_module",
    "top_span",
    "write_header",
]

_TOKEN = re.compile(
    r"""(?P<skip>//[^\n]*|/\*.*?\*/|"(?:\\.|[^"\\\n])*"|\\\S+|`\w+
                |\.\s*[A-Za-z_][\w$]*(?=\s*\()|[\d']+[sS]?[bodhBODH][0-9a-fA-FxXzZ_?]+)
       |(?P<name>[A-Za-z_][\w$]*)""",
    re.VERBOSE | re.DOTALL,
)
_MODULE = re.compile(r"^[ \t]*module\s+(?P<name>[A-Za-z_][\w$]*)", re.MULTILINE)
_REG_LINE = re.compile(
    r"^[ \t]*(?:output\s+)?reg\b(?P<signed>\s+signed)?\s*(?P<range>\[[^\]]*\])?"
    r"\s*(?P<names>[^;\[\]]+);[ \t]*\n",
    re.MULTILINE,
)

_COMMENT = re.compile(r"//[^\n]*|/\*.*?\*/", re.DOTALL)
# A statement starts after `;`, `)`, `:`, `begin` or `else`; `assign` and declarations do not fit.
_START = r"(?:[;):]|\bbegin\b|\belse\b|\binitial\b|\balways\b)\s*"
_PROCEDURAL = re.compile(rf"{_START}(?P<name>[A-Za-z_]\w*)\s*(?:\[[^\]]*\]\s*)?<?=(?!=)")
_PROCEDURAL_GROUP = re.compile(rf"{_START}\{{(?P<names>[^{{}}]*)\}}\s*<?=(?!=)")


def identifiers(text: str) -> set[str]:
    """Every plain identifier and keyword in `text`, comments and strings left out."""
    return {m["name"] for m in _TOKEN.finditer(text) if m["name"]}


def rename(text: str, names: Mapping[str, str]) -> str:
    """Rename identifiers in Verilog `text`; named port connections of instances are kept."""

    def swap(match: re.Match[str]) -> str:
        name = match["name"]
        return names.get(name, name) if name else match[0]

    return _TOKEN.sub(swap, text)


@dataclass(frozen=True, slots=True)
class SplitModule:
    """A source cut into what stands before the top's body, and the rest."""

    before: str
    header: str
    body: str  # from just after `);` of the header to the end of the text


def split_module(text: str, name: str) -> SplitModule | None:
    """Cut `text` after the header of module `name`; None where there is no such module."""
    start = next((m for m in _MODULE.finditer(text) if m["name"] == name), None)
    if start is None:
        return None
    depth = 0
    for position in range(start.end(), len(text)):
        char = text[position]
        depth += (char == "(") - (char == ")")
        if char == ";" and depth == 0:
            cut = position + 1
            return SplitModule(text[: start.start()], text[start.start() : cut], text[cut:])
    return None


def top_span(text: str, name: str) -> tuple[int, int]:
    """Start and end of module `name` in `text`; the whole text where it is not found."""
    start = next((m.start() for m in _MODULE.finditer(text) if m["name"] == name), None)
    if start is None:
        return 0, len(text)
    end = text.find("endmodule", start)
    return start, len(text) if end < 0 else end + len("endmodule")


def write_header(interface: Interface, *, regs: frozenset[str] = frozenset()) -> str:
    """The ANSI header of `interface`; outputs in `regs` are declared `output reg`."""
    generics = ", ".join(f"parameter {p.name} = {p.default}" for p in interface.parameters)
    hashed = f" #({generics})" if generics else ""
    lines = []
    for port in interface.ports:
        words = (
            str(port.direction),
            "reg" if port.name in regs else "",
            "signed" if port.signed else "",
            port.range,
            port.name,
        )
        lines.append("    " + " ".join(word for word in words if word))
    return f"module {interface.module}{hashed} (\n" + ",\n".join(lines) + "\n);"


def procedural_targets(body: str, names: frozenset[str]) -> frozenset[str]:
    """Those of `names` that `body`'s first module assigns in a process, so that they must be `reg`.

    `assign q = …`, declarations with a value and comparisons do not count.
    """
    top = _COMMENT.sub(" ", body.split("endmodule", 1)[0])
    found = {m["name"] for m in _PROCEDURAL.finditer(top)}
    for group in _PROCEDURAL_GROUP.finditer(top):
        found |= identifiers(group["names"])
    return names & found


def hoist_regs(body: str, outputs: frozenset[str]) -> tuple[str, frozenset[str]]:
    """Take `reg q;` lines that declare an output out of `body`.

    Returns the body without them and the names found, for the header to declare `output reg`.
    A start value (`reg q = 0;`) becomes an `initial`. Only the top module's part (up to the first
    `endmodule`) is touched.
    """
    end = body.find("endmodule")
    top, rest = (body, "") if end < 0 else (body[:end], body[end:])
    found: set[str] = set()

    def take(match: re.Match[str]) -> str:
        parts = [part.strip() for part in match["names"].split(",")]
        moved = [part for part in parts if part.split("=")[0].strip() in outputs]
        if not moved:
            return match[0]
        found.update(part.split("=")[0].strip() for part in moved)
        starts = "".join(f"    initial {part};\n" for part in moved if "=" in part)
        kept = ", ".join(part for part in parts if part not in moved)
        if not kept:
            return starts
        words = ("reg", (match["signed"] or "").strip(), match["range"] or "", kept)
        return "    " + " ".join(word for word in words if word) + ";\n" + starts

    return _REG_LINE.sub(take, top) + rest, frozenset(found)
