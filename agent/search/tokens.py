"""Edits for errors of grammar: a missing or superfluous token near where the parser stumbled."""

from __future__ import annotations

import difflib
import re
from typing import TYPE_CHECKING

from rtl_agent.tools.edits import Edit

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from rtl_agent.tools.diagnostic import Diagnostic

__all__ = ["code_end", "token_edits"]

_BEFORE, _AFTER = 3, 1  # lines round an error that are looked at
_KEYWORDS = (
    "module endmodule input output inout reg wire integer parameter localparam assign always "
    "initial begin end if else case casez casex endcase default posedge negedge or for while "
    "function endfunction generate endgenerate genvar signed"
).split()
_CLOSERS = ("end", "endcase", "endfunction", "endgenerate", "endmodule")
_NEEDS = {"case": "endcase", "casez": "endcase", "function": "endfunction", "begin": "end"}
_WORD = re.compile(r"[A-Za-z_]\w*")
_COMMENT = re.compile(r"//.*$")


def token_edits(text: str, found: Sequence[Diagnostic]) -> Iterator[Edit]:
    """Edits near the lines of `found`, the likely ones first."""
    lines = text.split("\n")
    starts = [0]
    for line in lines:
        starts.append(starts[-1] + len(line) + 1)
    near: list[int] = []
    for diagnostic in found:
        at = diagnostic.line or 1
        near += [at, *range(at - 1, at - _BEFORE - 1, -1), *range(at + 1, at + _AFTER + 1)]
    numbers = [n for n in dict.fromkeys(near) if 1 <= n <= len(lines)]
    for number in numbers:
        yield from _in_line(lines[number - 1], number, starts[number - 1])
    yield from _unbalanced(text, lines, starts)


def _in_line(line: str, number: int, start: int) -> Iterator[Edit]:
    def edit(operator: str, at: int, end: int, new: str, note: str) -> Edit:
        return Edit(operator, number, at + 1, start + at, start + end, new, note)

    code = line[: code_end(line)]
    yield from _endings(code, edit)
    yield from _literals(code, edit)
    yield from _c_style(code, edit)
    yield from _misspelt(code, edit)
    yield from _brackets(code, edit)
    yield from _closers(code, edit)


def _endings(code: str, edit: _Maker) -> Iterator[Edit]:
    """What a line ends with: a separator or `begin` that is missing, or too much."""
    stop, stripped = len(code), code.strip()
    if stripped and stripped[-1] not in ";,({":
        yield edit("fix-semicolon", stop, stop, ";", "a `;` is added")
        yield edit("fix-comma", stop, stop, ",", "a `,` is added")
    if re.search(r"\b(if|else|for|always|while)\b", code) or stripped.endswith(":"):
        yield edit("fix-begin", stop, stop, " begin", "a `begin` is added")
    if stripped.endswith(("begin", ",", ";")):
        size = 5 if stripped.endswith("begin") else 1
        last = stripped[-size:]
        yield edit("fix-delete", stop - size, stop, "", f"the `{last}` at the end goes")


def _literals(code: str, edit: _Maker) -> Iterator[Edit]:
    """The `:` after a label, the `'` in a number, the `assign` before an assignment."""
    if label := re.match(r"^\s*(\d*'[bdh][0-9a-fA-FxXzZ?_]+|\d+|[A-Z_]\w*|default)(\s+)\S", code):
        yield edit("fix-colon", label.end(1), label.end(1), ":", "a `:` is added")
    for match in re.finditer(r"(?<!')\b(\d+)([bdhBDH])([0-9a-fA-F_]+)\b", code):
        new = f"{match[1]}'{match[2]}{match[3]}"
        yield edit("fix-number", match.start(), match.end(), new, f"`{new}` is a number")
    if re.match(r"^\s*[A-Za-z_]\w*(\[[^\]]*\])?\s*=[^=]", code):
        at = len(code) - len(code.lstrip())
        yield edit("fix-assign", at, at, "assign ", "`assign` is added")


def _brackets(code: str, edit: _Maker) -> Iterator[Edit]:
    for match in re.finditer(r"[()\[\]{}]", code):
        yield edit("fix-delete", match.start(), match.end(), "", f"a `{match[0]}` goes")
    if code.count("(") > code.count(")"):
        for match in re.finditer(r"(?<=[\w\])}])(?=\s|;|$)", code):
            yield edit("fix-bracket", match.start(), match.start(), ")", "a `)` is added")
    if code.count(")") > code.count("("):
        for match in re.finditer(r"(?<=[\s(=!&|~])(?=[\w({])", code):
            yield edit("fix-bracket", match.start(), match.start(), "(", "a `(` is added")


def _closers(code: str, edit: _Maker) -> Iterator[Edit]:
    stop, stripped = len(code), code.strip()
    if stripped in _CLOSERS or stripped in {"begin", "else"}:
        yield edit("fix-delete", 0, stop, "", f"the `{stripped}` goes")
    for closer in _CLOSERS:
        yield edit("fix-end", 0, 0, f"{closer}\n", f"an `{closer}` is added before")
    if stripped:
        yield edit("fix-end", stop, stop, " end", "an `end` is added")


def _c_style(code: str, edit: _Maker) -> Iterator[Edit]:
    """Increments and compound assignments, and `elsif`, as other languages have them."""
    pattern = re.compile(r"([A-Za-z_]\w*(?:\[[^\]]*\])?)\s*(\+\+|--|\+=|-=)\s*([^;]*)(;?)")
    for match in pattern.finditer(code):
        name, sign, value = match[1], match[2], match[3].strip()
        step = value if "=" in sign else "1'b1"
        for assign in ("<=", "="):
            new = f"{name} {assign} {name} {sign[0]} {step};"
            yield edit("fix-idiom", match.start(), match.end(), new, f"`{new}`")
    for match in re.finditer(r"\b(elsif|elseif|elif)\b", code):
        yield edit("fix-idiom", match.start(), match.end(), "else if", "`else if`")
    for match in re.finditer(r"=>|=<|:=", code):
        yield edit("fix-idiom", match.start(), match.end(), "<=", "`<=`")
    for match in re.finditer(r"(?<![<>=!])=(?!=)", code):
        yield edit("fix-idiom", match.start(), match.end(), "<=", "`<=` for `=`")
        yield edit("fix-idiom", match.start(), match.end(), "==", "`==` for `=`")


def _misspelt(code: str, edit: _Maker) -> Iterator[Edit]:
    for match in _WORD.finditer(code):
        if match[0] in _KEYWORDS:
            continue
        for close in difflib.get_close_matches(match[0].lower(), _KEYWORDS, n=2, cutoff=0.66):
            note = f"`{match[0]}` becomes `{close}`"
            yield edit("fix-keyword", match.start(), match.end(), close, note)


def _unbalanced(text: str, lines: list[str], starts: list[int]) -> Iterator[Edit]:
    """Where more is opened than closed: a closer at each place that could want it."""
    bare = re.sub(r"//[^\n]*|/\*.*?\*/", lambda m: " " * len(m.group()), text, flags=re.DOTALL)
    words = re.findall(r"[A-Za-z_$]\w*", bare)
    for opener, closer in (("begin", "end"), ("case", "endcase"), ("function", "endfunction"),
                           ("module", "endmodule"), ("generate", "endgenerate")):  # fmt: skip
        opened = sum(w == opener or (opener == "case" and w in {"casez", "casex"}) for w in words)
        if opened <= words.count(closer):
            continue
        for number, line in enumerate(lines, 1):
            indent = re.match(r"\s*", line)
            before = indent.group() if indent else ""
            if line.strip():
                at = starts[number - 1]
                new = f"{before}{closer}\n"
                note = f"an `{closer}` is added before this line"
                operator = "fix-end-here" if _falls(lines, number) else "fix-end"
                yield Edit(operator, number, 1, at, at, new, note)
        at = len(text)
        yield Edit("fix-end", len(lines), 1, at, at, f"\n{closer}\n", f"an `{closer}` at the end")
    if words.count("end") > words.count("begin"):
        for number, line in enumerate(lines, 1):
            if re.match(r"^\s*end\b\s*$", line):
                stop = starts[number - 1] + len(line)
                yield Edit("fix-delete", number, 1, starts[number - 1], stop, "", "this `end` goes")
            elif re.search(r"\b(if|else|for|always)\b", line):
                at = starts[number - 1] + code_end(line)
                yield Edit("fix-begin", number, 1, at, at, " begin", "a `begin` is added")


def _falls(lines: list[str], number: int) -> bool:
    """Whether the indentation falls by two levels before line `number`: there an `end` is due."""
    before = [x for x in lines[: number - 1] if x.strip()]
    if not before:
        return False
    here, above = _indent(lines[number - 1]), _indent(before[-1])
    steps = {_indent(x) for x in lines if x.strip() and _indent(x)}
    return above - here >= 2 * min(steps, default=4)


def _indent(line: str) -> int:
    return len(line) - len(line.lstrip())


def code_end(line: str) -> int:
    """Where the code of a line ends, before a comment and white space."""
    return len(_COMMENT.sub("", line).rstrip())


if TYPE_CHECKING:
    from collections.abc import Callable

    _Maker = Callable[[str, int, int, str, str], Edit]
