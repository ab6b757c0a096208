"""Cuts prose into sentences that may hold an example, and says which must be left alone."""

from __future__ import annotations

import re
from dataclasses import dataclass

__all__ = ["Sentence", "doubt", "sentences"]

_FENCE = re.compile(r"^ *(`{3,}|~{3,}).*?(?:^ *\1[^\n]*$|\Z)", re.MULTILINE | re.DOTALL)
_SKIPPED = re.compile(r"^\s*(?:\||#|---+\s*$)")
_LIST = re.compile(r"^\s*(?:[-*+]|\d+[.)])\s+")
# Not at `e.g.`, `i.e.`, nor inside a number.
_END = re.compile(r"(?<!e\.g)(?<!i\.e)(?<!\beg)[.!?;](?=\s|$)", re.IGNORECASE)
_DOUBTS = (
    (r"\b(?:not|never|no|nor|neither|cannot|without|unless|except)\b|n't\b", "it says what is not"),
    (r"\b(?:were|would|could|might|may|suppose|imagine|assume|instead)\b", "it only supposes"),
    (
        r"\b(?:between|from|range|least|most|above|below|less|more|greater|fewer|either|or|any"
        r"|through|up to|down to)\b|\.\.|<|(?<![-=])>",
        "it names a range or a choice",
    ),
    (
        r"\b(?:cycles?|clocks?|edges?|later|next|previous|before|until|unchanged|holds?|held|keeps?"
        r"|then back|delay(?:ed)?|toggles?|increments?)\b",
        "the cycle in which it holds is left open",
    ),
)


@dataclass(frozen=True, slots=True)
class Sentence:
    """A sentence without Markdown, on one line, and the line of the spec on which it begins."""

    text: str
    line: int


def sentences(text: str) -> list[Sentence]:
    """The sentences of `text` outside fences, tables and headings."""
    blank = _FENCE.sub(lambda m: re.sub(r"[^\n]", "", m.group()), text)
    found: list[Sentence] = []
    gathered, began = "", 0
    for number, raw in enumerate([*blank.split("\n"), ""], start=1):
        fresh = bool(_LIST.match(raw)) or not raw.strip() or bool(_SKIPPED.match(raw))
        if fresh and gathered:
            found += _cut(gathered, began)
            gathered = ""
        if raw.strip() and not _SKIPPED.match(raw):
            began = began if gathered else number
            gathered += " " + _plain(_LIST.sub("", raw))
    return found


def _plain(line: str) -> str:
    return re.sub(r"`|\*\*|__", "", line).strip()


def _cut(text: str, line: int) -> list[Sentence]:
    parts = (" ".join(part.split()) for part in _END.split(text))
    return [Sentence(part, line) for part in parts if part]


def doubt(sentence: str) -> str:
    """Why a sentence is left alone whatever else it says; empty when nothing speaks against it."""
    for pattern, why in _DOUBTS:
        if re.search(pattern, sentence, re.IGNORECASE):
            return why
    return ""
