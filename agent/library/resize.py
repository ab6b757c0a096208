"""Puts a retrieved design into the widths of the task.

The known-good design that is nearest often differs in nothing but its widths: an 8-bit counter for
a 4-bit one. Where the paired ports say unmistakably that W bits here are V bits there, ranges,
sized literals, replications and selects that hang on W are rewritten for V. It is a guess that
costs quality and never correctness: the checks judge the result.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from rtl_agent.tools.interface import Port

__all__ = ["resize", "resize_prose", "width_map"]

_DECLARED = re.compile(
    r"\b(?:input|output|inout|reg|wire|logic)\b(?:\s+(?:reg|wire|logic|signed))*\s*"
    r"\[\s*(?P<msb>\d+)\s*:\s*0\s*\]\s*"
    r"(?P<names>[A-Za-z_][\w$]*(?:\s*,\s*(?!(?:input|output|inout)\b)[A-Za-z_][\w$]*)*)"
)
_NAME = re.compile(r"[A-Za-z_][\w$]*")
_RANGE = re.compile(
    r"(?P<kind>\b(?:input|output|inout|reg|wire|logic|signed)\s*)\[\s*(?P<msb>\d+)\s*:\s*0\s*\]"
)
_SELECT = re.compile(r"\b(?P<name>[A-Za-z_][\w$]*)\[\s*(?P<high>\d+)\s*(?::\s*(?P<low>\d+)\s*)?\]")
_LITERAL = re.compile(
    r"\b(?P<width>\d+)'(?P<base>[bdhBDH])(?P<digits>[0-9a-fA-F_]+)\b(?P<label>\s*:(?!:))?"
)
_LOOP = re.compile(r"\bfor\s*\([^()]*\)")
_BOUND = re.compile(r"(?P<op>(?<![<>!=])(?:<=|>=|=|<|>)\s*)(?P<value>\d+)\b")
_REPEATED = re.compile(r"\{\s*(?P<count>\d+)\s*(?=\{)")
_CONSTANT = re.compile(
    r"\b(?P<lead>(?:parameter|localparam)\s+(?:\w*(?:WIDTH|width|BITS|bits)\w*|W|N|DW)\s*=\s*)"
    r"(?P<value>\d+)\b"
)
_SPOKEN = re.compile(r"\b(?P<width>\d+)(?=[- ]?bits?\b)")
_FLAG = 1
_RADIX = {"b": 2, "d": 10, "h": 16}


def width_map(pairs: Iterable[tuple[Port, Port]]) -> dict[int, int]:
    """What each width of a design becomes, from its ports and their partners.

    A width that several pairs disagree on is left out, and so are single bits: they are flags.
    Widths that go with a mapped one (W+1 for a carry, 2W for a product) follow it where no port
    says otherwise.
    """
    seen: dict[int, set[int]] = {}
    for mine, other in pairs:
        if isinstance(mine.width, int) and isinstance(other.width, int) and mine.width > 1:
            seen.setdefault(mine.width, set()).add(other.width)
    certain = {w: next(iter(v)) for w, v in seen.items() if len(v) == 1 and min(v) > 1}
    changed = {w: v for w, v in certain.items() if w != v}
    implied: dict[int, set[int]] = {}
    for width, new in changed.items():
        for there, here in ((width + 1, new + 1), (2 * width, 2 * new)):
            if there > 1 and here > 1 and there not in seen:
                implied.setdefault(there, set()).add(here)
    return changed | {w: next(iter(v)) for w, v in implied.items() if len(v) == 1}


def _value(value: int, width: int, new: int, *, binary: bool) -> int | None:
    """A constant of `width` bits in `new` bits: all ones and, in binary, the top bit follow it."""
    top = (1 << width) - 1
    for distance in (0, 1):
        if value == top - distance and value > 1:
            return (1 << new) - 1 - distance
    if binary and value == 1 << (width - 1) and value > 1:
        return int(1 << (new - 1))
    return value if value < 1 << new else None


def _literal(match: re.Match[str], widths: Mapping[int, int]) -> str:
    width, base = int(match["width"]), match["base"].lower()
    new = widths.get(width)
    if new is None:
        return match[0]
    try:
        value: int | None = int(match["digits"].replace("_", ""), _RADIX[base])
    except ValueError:  # a digit that the base does not have: not ours to judge
        return match[0]
    assert value is not None
    if not match["label"]:  # a label of a case says a place, which stays
        value = _value(value, width, new, binary=base == "b")
    if value is None or value >= 1 << new:
        return match[0]
    digits = {"b": format(value, f"0{new}b"), "d": str(value), "h": format(value, "x")}[base]
    return f"{new}'{match['base']}{digits}{match['label'] or ''}"


def _declared(rtl: str, widths: Mapping[int, int]) -> dict[str, tuple[int, int]]:
    """Names whose declared width changes, with the old and the new width."""
    found = {}
    for match in _DECLARED.finditer(rtl):
        width = int(match["msb"]) + 1
        if width in widths:
            names = _NAME.findall(match["names"])
            found.update(dict.fromkeys(names, (width, widths[width])))
    return found


def _listed(rtl: str) -> set[str]:
    """Names whose bits are picked out one by one, above the lowest: each index is a place then."""
    found: dict[str, set[int]] = {}
    for match in _SELECT.finditer(rtl):
        if not match["low"] and match["high"] != "0":
            found.setdefault(match["name"], set()).add(int(match["high"]))
    return {name for name, places in found.items() if len(places) > 1}


def _loop(match: re.Match[str], widths: Mapping[int, int]) -> str:
    """The head of a loop over the bits of a width: W and W-1 follow it."""
    bounds = {w - 1: v - 1 for w, v in widths.items() if w > _FLAG + 1} | dict(widths)

    def bound(found: re.Match[str]) -> str:
        value = int(found["value"])
        return f"{found['op']}{bounds.get(value, value)}"

    return _BOUND.sub(bound, match[0])


def _select(match: re.Match[str], declared: Mapping[str, tuple[int, int]], listed: set[str]) -> str:
    sizes = declared.get(match["name"])
    if sizes is None or (match["name"] in listed and not match["low"]):
        return match[0]
    old, new = sizes
    high, low = int(match["high"]), match["low"]
    # The two top bits move with the width; anything lower is a place of its own.
    moved = high - old + new if high in (old - 1, old - 2) and (low or high == old - 1) else high
    if moved < 0 or moved >= new or (low and int(low) > moved):
        return match[0]
    return f"{match['name']}[{moved}{':' + low if low else ''}]"


def resize(rtl: str, widths: Mapping[int, int]) -> str:
    """`rtl` with the widths in `widths` replaced, as far as they can be told."""
    if not widths:
        return rtl
    declared, listed = _declared(rtl, widths), _listed(rtl)
    rtl = _SELECT.sub(lambda m: _select(m, declared, listed), rtl)
    rtl = _LOOP.sub(lambda m: _loop(m, widths), rtl)
    rtl = _RANGE.sub(
        lambda m: f"{m['kind']}[{widths.get(int(m['msb']) + 1, int(m['msb']) + 1) - 1}:0]", rtl
    )
    rtl = _LITERAL.sub(lambda m: _literal(m, widths), rtl)
    rtl = _REPEATED.sub(lambda m: "{" + str(widths.get(int(m["count"]), int(m["count"]))), rtl)
    return _CONSTANT.sub(
        lambda m: m["lead"] + str(widths.get(int(m["value"]), int(m["value"]))), rtl
    )


def resize_prose(text: str, widths: Mapping[int, int]) -> str:
    """`text` with "8-bit" said of the new widths."""
    return _SPOKEN.sub(lambda m: str(widths.get(int(m["width"]), int(m["width"]))), text)
