"""Takes RTL out of what a model answers: prose, fences, several modules, cut-off text."""

from __future__ import annotations

import re
from dataclasses import dataclass

from rtl_agent.decoding.api import FinishReason

__all__ = ["Unit", "design_text", "is_cut", "join", "split_units", "strip_fences"]

_FENCE = re.compile(
    r"^[ \t]*(`{3,}|~{3,})[ \t]*([\w.+-]*)[^\n]*\n(.*?)(?:^[ \t]*\1[ \t]*$|\Z)", re.M | re.S
)
_FENCE_LINE = re.compile(r"^[ \t]*(`{3,}|~{3,}).*$", re.M)
_SKIP = re.compile(r'"(?:\\.|[^"\\\n])*"|//[^\n]*|/\*.*?(?:\*/|\Z)', re.S)
_HDL_TAGS = {"", "v", "sv", "verilog", "systemverilog", "system-verilog", "vlog", "hdl", "rtl"}
_ENDS = {
    "module": "endmodule",
    "macromodule": "endmodule",
    "package": "endpackage",
    "interface": "endinterface",
}
# A name must be followed by what can follow one: "the module is ready" opens nothing.
_KEYWORD = re.compile(
    r"(?<![\\\w$])(?:(?P<open>(?:macro)?module|package|interface)\s+(?:(?:automatic|static)\s+)?"
    r"(?P<name>\\\S+|[A-Za-z_][\w$]*)(?=\s*(?:#|\(|;|import\b))"
    r"|(?P<end>end(?:module|package|interface))\b)"
)
_REPEATED_TAIL = re.compile(r"([^\n]*\S[^\n]*\n)\1{7,}[^\n]*\Z")
_LEAST_OVERLAP = 20  # characters that must agree before two pieces are taken to overlap


@dataclass(frozen=True, slots=True)
class Unit:
    """One top-level design element: `kind` is `module`, `package` or `interface`."""

    kind: str
    name: str
    text: str


def _blank(text: str) -> str:
    """`text` with comments and strings blanked out, every offset kept."""
    return _SKIP.sub(lambda m: re.sub(r"[^\n]", " ", m.group()), text)


def strip_fences(answer: str) -> str:
    """The code in `answer`: its HDL fences, else all fences that hold a module, else all of it."""
    fences = [(m.group(2).lower(), m.group(3)) for m in _FENCE.finditer(answer)]
    with_units = [(tag, body) for tag, body in fences if split_units(body)]
    tagged = [body for tag, body in with_units if tag in _HDL_TAGS]
    chosen = tagged or [body for _, body in with_units] or [answer]
    # An answer may close a fence that the prompt opened, or open one inside another.
    return "\n".join(_FENCE_LINE.sub("", body).strip("\n") for body in chosen) + "\n"


def split_units(code: str) -> list[Unit]:
    """The top-level elements of `code` in order; an unclosed last one runs to the end."""
    units: list[Unit] = []
    kind, name, start = "", "", -1
    for match in _KEYWORD.finditer(_blank(code)):
        if start < 0 and match["open"]:
            kind, start = match["open"], match.start()
            name = match["name"].removeprefix("\\")
        elif start >= 0 and match["end"] == _ENDS[kind]:
            units.append(Unit(_kind(kind), name, code[start : match.end()]))
            start = -1
    if start >= 0:
        units.append(Unit(_kind(kind), name, code[start:].rstrip() + "\n"))
    return units


def _kind(word: str) -> str:
    return "module" if word == "macromodule" else word


def design_text(
    answer: str,
    module: str,
    ports: frozenset[str] = frozenset(),
    also: frozenset[str] = frozenset(),
) -> str:
    """The source for `module` in `answer`, with the modules and packages it needs.

    The top is the module of that name; without one, the module whose port names agree best with
    `ports` takes the name when it has them all. Of two versions of a module the last counts.
    Modules that neither the top nor one of `also` uses (a test bench the model added) are left
    out. Empty when there is no module.
    """
    code = strip_fences(answer)
    latest = {unit.name: unit for unit in split_units(code)}
    modules = [u for u in latest.values() if u.kind == "module"]
    if not modules:
        return ""
    top = latest.get(module) or _by_ports(modules, ports)
    if top.name != module and ports and ports <= _identifiers(top.text):
        renamed = Unit(top.kind, module, _rename(top.text, top.name, module))
        latest = {module if n == top.name else n: u for n, u in latest.items()}
        latest[module] = top = renamed
    asked = [latest[name] for name in also if name in latest]
    wanted = set().union(*(_needed(unit, latest) for unit in (top, *asked)))
    head = _directives(code)
    return head + "\n\n".join(u.text.strip() for u in latest.values() if u.name in wanted) + "\n"


def _by_ports(modules: list[Unit], ports: frozenset[str]) -> Unit:
    """The module that mentions most of `ports` in its header; the last among equals."""

    def agreement(unit: Unit) -> int:
        return len(ports & _identifiers(unit.text.split(";", 1)[0]))

    return max(reversed(modules), key=agreement)


def _identifiers(text: str) -> frozenset[str]:
    return frozenset(re.findall(r"(?<=\\)\S+|[A-Za-z_][\w$]*", _blank(text)))


def _rename(text: str, old: str, new: str) -> str:
    pattern = rf"\b((?:macro)?module\s+(?:automatic\s+|static\s+)?){re.escape(old)}(?![\w$])"
    return re.sub(pattern, lambda m: m.group(1) + new, text, count=1)


def _needed(top: Unit, units: dict[str, Unit]) -> set[str]:
    """Names of the units that `top` uses, itself included."""
    wanted, queue = {top.name}, [top]
    while queue:
        used = _identifiers(queue.pop().text) & set(units)
        queue.extend(units[name] for name in used - wanted)
        wanted |= used
    return wanted


def _directives(code: str) -> str:
    """Compiler directives that stand before the first unit (`` `timescale ``, `` `define ``)."""
    first = _KEYWORD.search(_blank(code))
    before = code[: first.start()] if first else ""
    lines = [line.strip() for line in before.splitlines() if line.lstrip().startswith("`")]
    return "".join(line + "\n" for line in lines)


def is_cut(text: str, finish: FinishReason) -> bool:
    """Whether `text` ends before the design does, so that it should be gone on with.

    An answer that only repeats one line is not worth going on with, however it ended.
    """
    if finish in {FinishReason.STOP, FinishReason.CANCELLED} or _REPEATED_TAIL.search(text[-2000:]):
        return False
    marks = list(_KEYWORD.finditer(_blank(text)))
    opened: int = sum(m["open"] in {"module", "macromodule"} for m in marks)
    closed: int = sum(m["end"] == "endmodule" for m in marks)
    if finish is FinishReason.LENGTH:
        return opened > closed or closed == 0
    return opened > closed


def join(partial: str, rest: str) -> str:
    """`partial` and its continuation as one text.

    A model that was asked to go on may open a new fence, or say again what it said last; both
    are taken away.
    """
    rest = re.sub(r"\A\s*(`{3,}|~{3,})[\w.+-]*[ \t]*\n", "", rest)
    start = rest.lstrip()[:40]
    if len(start) == 40 and partial.lstrip().startswith(start):  # said all of it again
        return rest
    for size in range(min(len(partial), len(rest)), _LEAST_OVERLAP - 1, -1):
        if partial.endswith(rest[:size]):
            return partial + rest[size:]
    return partial + rest
