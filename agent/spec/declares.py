"""Whether a line is laid out as a declaration, or is a sentence or the start of something else."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from .lexicon import name_grade

if TYPE_CHECKING:
    from rtl_agent.tools.interface import Direction

__all__ = ["ends_section", "is_explicit", "is_port_item", "is_sentence", "looks_like_declaration"]

_ENDS = frozenset(
    """
    implementation note notes behaviour behavior function functionality description operation timing
    example examples requirements requirement details design specification constraints language
    task goal overview remark remarks features feature architecture usage summary hint hints where
    """.split()
)


_IO = r"(inputs?|outputs?|inouts?)"
_IN_OUT = r"(inputs?|outputs?|inouts?|bidirectional|in|out)"
_NAME = r"`?[\w$]+(?:\[[^\]]*\])?`?"
_RANGE = r"(\[[^\]]*\]\s*)?"
_VERILOG = rf"\s*{_IO}\s+(wire\s+|reg\s+|logic\s+|signed\s+)*{_RANGE}`?[\w$]+`?\s*"
# A list item, outside any section of ports, that clearly declares one.
_EXPLICIT = tuple(
    re.compile(pattern, re.IGNORECASE)
    for pattern in (
        rf"\W*{_IO}\b(?!-)(?!\s+(is|are|and|must|should|of|to|the)\b)",  # "input clk"
        rf"\W*(in|out)\s+{_RANGE}`?[\w$]+`?\s*([:(\[–—-]|$)",  # "in clk"
        rf"\W*{_NAME}\s*{_RANGE}[(:,–—-]+\s*[^.:]{{0,30}}\b{_IN_OUT}\b",  # "clk: clock input"
        rf"\W*(?:an?\s+)?(?:\S+-bits?\s+)?(?:\w+\s+){{0,2}}{_IO}\s+`",  # "8-bit input `d`"
        rf"\W*`[^`]+`[^.:]{{0,24}}\b{_IN_OUT}\b",  # "`d` [7:0] in"
    )
)
# "`clk`: clock", "a, b (8 bits)", "[7:0] d": a name, or several, and then a separator.
_PORT_ITEM = re.compile(
    rf"\W*(?:(?:\S+-bits?|signed|unsigned|wire|reg|logic)\s+)*{_RANGE}"
    rf"{_NAME}\s*{_RANGE}(?:\([^)]*\)\s*)?(?:(?:,|and|/)\s*{_NAME}\s*{_RANGE}"
    r"(?:\([^)]*\)\s*)?)*(?:[:=–—-]|\(|is\b|are\b|in\b\s*$|out\b\s*$|$)",
    re.IGNORECASE,
)
# A line of a paragraph, outside any section of ports, that clearly declares one.
_DECLARATION = tuple(
    re.compile(pattern)
    for pattern in (
        rf"{_VERILOG}[,;:(–—-]",
        rf"{_VERILOG}(\([^)]*\))?[,;.]?\s*(//.*)?$",
        rf"\s*`?[\w$]+`?\s*{_RANGE}[:(]\s*(\S+-bits?\s+)?{_IO}\b",
    )
)
_HEAD = re.compile(r":(?!\d)|\s[-–—]\s|\s?[—–]\s?|\.(?=\s)|=")
_NOT_WORDS = re.compile(r"`[^`]*`|\([^)]*\)|\[[^\]]*\]")


def ends_section(name: str, text: str) -> bool:
    """Whether `name`, read at the start of `text`, is a label that opens another section."""
    word = name.lower()
    if f"`{name}`" in text:
        return False
    return word in _ENDS or (word in ("reset", "clock") and name[0].isupper())


def is_sentence(text: str) -> bool:
    """Whether what follows a label is a sentence rather than a list of names."""
    head = _NOT_WORDS.sub("", text.split(":", maxsplit=1)[0])
    return len(re.findall(r"[A-Za-z]+", head)) > 12


def is_explicit(text: str) -> bool:
    """Whether a list item outside any port section clearly declares a port."""
    return any(pattern.match(text) for pattern in _EXPLICIT)


def is_port_item(text: str) -> bool:
    """Whether an item of a list of ports begins as a declaration does, not as a sentence."""
    return bool(_PORT_ITEM.match(text)) or is_explicit(text)


def looks_like_declaration(text: str, direction: Direction | None) -> bool:
    """Whether a line of a paragraph is a declaration rather than a sentence.

    `direction` is what the section says, None outside sections of ports.
    """
    if direction is None:
        return any(pattern.match(text) for pattern in _DECLARATION)
    head = _HEAD.split(text, maxsplit=1)[0]
    words = re.findall(r"[A-Za-z_]+", _NOT_WORDS.sub("", head))
    after = text[len(head) :].lstrip()[:1]
    if after in (":", "-", "–", "—") or (re.search(r"\[|\(", head) and after not in (".", "=")):
        return len(words) <= 6
    bare = not after and len(words) <= 2 and not text.endswith(".")
    return bare and all(name_grade(w) or w in ("a", "b") for w in words)
