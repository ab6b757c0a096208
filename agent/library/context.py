"""Which number of one text stands for which of another, by the words around them.

"A window of 4 to 8 clocks" here is "a window of 3 to 12 clocks" there: what two texts of one kind
say alike tells what differs. (Ports are not paired so: over 720 specs it gained nothing.)
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable

__all__ = ["likeness", "mentions"]

_TOKEN = re.compile(r"[A-Za-z_]\w*|\d+|[^\s\w`*|#-]")
_ENDS = frozenset(".;:?!")
_REACH = 6
_KIND = "0"  # what a number among the words around is written as
_SMALL = "a an the of to is are be and or in on at it its for by with".split()
_SHARE = {_KIND: 0.5, **dict.fromkeys(_SMALL, 0.4)}
# A word at distance 1, 2, … counts for less and less.
_WEIGHT = tuple(1 / (1 + distance / 3) for distance in range(_REACH))
_MOST_MENTIONS = 8

Sides = tuple[tuple[str, ...], tuple[str, ...]]


def mentions(text: str, numbers: Collection[str]) -> dict[str, tuple[Sides, ...]]:
    """For each of `numbers` the words before and behind each mention in `text`, nearest first."""
    tokens = _TOKEN.findall(text)
    plain = [_KIND if t in numbers else t.lower() for t in tokens]
    found: dict[str, list[Sides]] = {}
    for place, token in enumerate(tokens):
        if token in numbers and len(found.setdefault(token, [])) < _MOST_MENTIONS:
            found[token].append((_side(plain[:place][::-1]), _side(plain[place + 1 :])))
    return {number: tuple(sides) for number, sides in found.items()}


def _side(words: Iterable[str]) -> tuple[str, ...]:
    """The words of one side up to the end of the sentence."""
    side: list[str] = []
    for word in words:
        if word in _ENDS or len(side) == _REACH:
            break
        side.append(word)
    return tuple(side)


def likeness(mine: Iterable[Sides], other: Iterable[Sides]) -> float:
    """How alike the best two mentions are, 0 to about 1."""
    others = tuple(other)
    return max(
        ((_alike(a[0], b[0]) + _alike(a[1], b[1])) / sum(_WEIGHT) for a in mine for b in others),
        default=0.0,
    )


def _alike(mine: tuple[str, ...], other: tuple[str, ...]) -> float:
    total = 0.0
    for weight, a, b in zip(_WEIGHT, mine, other, strict=False):
        if a == b:
            total += weight * _SHARE.get(a, 1.0)
    return total
