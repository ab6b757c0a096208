"""The paper's explicit fragment marker (arXiv 2503.14153): put behind significant tokens.

Significant are the keywords, identifiers and literals of the syntax tree; what stands between two
of them (operators, punctuation, white space) belongs to the fragment of the second.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from rtl_agent.tools.parse import parse_text

if TYPE_CHECKING:
    from collections.abc import Sequence

__all__ = ["mark", "marked_answer", "significant_ends"]

_KINDS = ("Identifier", "IntegerLiteral", "IntegerBase", "RealLiteral", "StringLiteral")


def significant_ends(rtl: str) -> list[int] | None:
    """Where the significant tokens of `rtl` end, in characters; None where it does not parse."""
    model = parse_text(rtl)
    if not model.ok:
        return None
    text = next(iter(model.texts.values()))
    ends: list[int] = []

    def see(node: Any) -> None:
        raw = getattr(node, "rawText", "")
        if raw and (node.kind.name.endswith("Keyword") or node.kind.name in _KINDS):
            ends.append(node.location.offset + len(raw.encode()))

    for tree in model.unit.trees:
        tree.root.visit(see)
    # Places are in bytes.
    data = text.encode()
    return sorted({len(data[:end].decode(errors="replace")) for end in ends})


def mark(text: str, ends: Sequence[int], marker: str) -> str:
    """`text` with `marker` put at every place of `ends`; equal to `text` without its markers."""
    parts, last = [], 0
    for end in ends:
        parts += [text[last:end], marker]
        last = end
    return "".join([*parts, text[last:]])


def marked_answer(header: str, answer: str, marker: str) -> str | None:
    """`answer` with markers, parsed behind the `header` it goes on from; None where it is broken.

    The sized literal `4'd9` is one fragment: no marker is put inside it.
    """
    whole = header + answer
    ends = significant_ends(whole)
    if ends is None:
        return None
    places = [end - len(header) for end in ends if end > len(header)]
    inside = [p for p in places if p < len(answer) and _in_literal(answer, p)]
    return mark(answer, [p for p in places if p not in set(inside)], marker)


def _in_literal(text: str, place: int) -> bool:
    """Whether a sized literal goes on at `place`: before its base, or between base and digits."""
    before, after = text[:place], text[place:]
    if after.startswith("'"):
        return True
    base = before.rstrip("bodhBODHsS")
    return base != before and base.endswith("'")
