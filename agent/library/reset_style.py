"""Puts a design's reset into the style a spec asks for: active level, and sync or async.

House styles differ in little else, and a small model that copies a reset copies its polarity too.
Only the usual forms are rewritten (`if (rst)`, `if (!rst_n)`, `negedge rst_n` in an event list);
anything else stays, and the checks judge the result as always.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from rtl_agent.tools.clocking import Clocking

__all__ = ["ResetStyle", "in_style", "prose_in_style", "style_of"]

_ASYNC = re.compile(r"\basync|\basynchron|\bareset", re.IGNORECASE)
_SYNC = re.compile(r"(?<!a)\bsync(hronous)?(ly)?\b", re.IGNORECASE)
_SENTENCE = re.compile(
    r"\b(?P<kind>(?:As|S)ynchronous) reset: (?P<name>\w+), active (?:high|low)\b"
)
_RESET_NEAR = re.compile(r"[^.\n]*\b(?:reset|rst)\w*[^.\n]*", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class ResetStyle:
    """How a spec wants its reset; `asynchronous` is None where the text does not say."""

    name: str
    active_low: bool
    asynchronous: bool | None


def style_of(text: str, clocking: Clocking) -> ResetStyle | None:
    """The reset style that a spec text asks for; None without a reset.

    Only sentences about the reset are looked at: "synchronous FIFO" says nothing of it.
    """
    if clocking.reset is None:
        return None
    near = " ".join(
        sentence
        for sentence in _RESET_NEAR.findall(text)
        if clocking.reset in sentence or "reset" in sentence.lower()
    )
    wants_async, wants_sync = bool(_ASYNC.search(near)), bool(_SYNC.search(near))
    kind = None if wants_async == wants_sync else wants_async
    return ResetStyle(clocking.reset, clocking.reset_active_low, kind)


def in_style(rtl: str, style: ResetStyle) -> str:
    """`rtl` (whose reset is already called `style.name`) with its reset in `style`."""
    name = re.escape(style.name)
    edge = "negedge" if style.active_low else "posedge"
    asserted = f"if (!{style.name})" if style.active_low else f"if ({style.name})"
    rtl = re.sub(rf"\bif \((?:[!~] ?)?{name}\)", asserted, rtl)
    level = "0" if style.active_low else "1"
    rtl = re.sub(rf"\bif \({name} == 1'b[01]\)", f"if ({style.name} == 1'b{level})", rtl)
    rtl = re.sub(rf"\bor (?:posedge|negedge) {name}\b", f"or {edge} {style.name}", rtl)
    if style.asynchronous is False:
        return re.sub(rf" or (?:posedge|negedge) {name}\b", "", rtl)
    if style.asynchronous:
        follows = rf"(?=\)\s*(?:begin\s*)?if \(!?{name}\))"
        return re.sub(rf"(always @\(posedge \w+){follows}", rf"\1 or {edge} {style.name}", rtl)
    return rtl


def prose_in_style(text: str, style: ResetStyle) -> str:
    """`text` with the library's own sentence about the reset made true of `in_style`'s result."""

    def say(match: re.Match[str]) -> str:
        kinds = {True: "Asynchronous", False: "Synchronous", None: match["kind"]}
        level = "low" if style.active_low else "high"
        return f"{kinds[style.asynchronous]} reset: {match['name']}, active {level}"

    return _SENTENCE.sub(say, text)
