"""What a spec says of the traits by which designs of one kind differ.

Even or odd, with an enable or without, matches that overlap or not: words find the kind of a
design, and mostly not which one of its kind is asked for, because every one of them is described
in the same words. For each trait of a family a softmax regression over the words and word pairs of
the text tells how likely each value is (`agent/corpus/traits.py` learns them from training
wordings; the file ships).
"""

from __future__ import annotations

import gzip
import json
import math
import re
from dataclasses import dataclass
from importlib.resources import files
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from .records import LibraryRecord

__all__ = ["Reading", "Trait", "Traits", "open_traits", "trait_words", "write_traits"]

_SCHEMA = 1
_WORD = re.compile(r"[a-z_]\w*|\d+|[<>=!&|^~]+")
_LEAST = -4.0  # log likelihood: one trait read wrongly must not outweigh all others


def trait_words(text: str) -> frozenset[str]:
    """The words of `text` and the pairs of neighbours, where all numbers but 0 and 1 are alike."""
    found = _WORD.findall(text.lower())
    alike = ["#" if word.isdigit() and word not in ("0", "1") else word for word in found]
    pairs = (f"{a} {b}" for a, b in pairwise(alike))
    return frozenset((*found, *alike, *pairs))


@dataclass(frozen=True, slots=True)
class Trait:
    """A softmax regression from words to the values of one trait.

    Attributes:
        values: what the trait can be.
        bias: of each value.
        weights: of each word for each value.
    """

    values: tuple[str, ...]
    bias: tuple[float, ...]
    weights: Mapping[str, tuple[float, ...]]

    def likelihoods(self, words: Iterable[str]) -> dict[str, float]:
        """Log likelihood of each value, that of the likeliest being 0."""
        scores = list(self.bias)
        for word in words:
            for i, weight in enumerate(self.weights.get(word, ())):
                scores[i] += weight
        top = max(scores)
        return {v: max(s - top, _LEAST) for v, s in zip(self.values, scores, strict=True)}


class Reading:
    """What one text says of the traits of every family; each is worked out when first asked for."""

    def __init__(self, families: Mapping[str, Mapping[str, Trait]], text: str) -> None:
        self._families = families
        self._words = trait_words(text)
        self._known: dict[str, dict[str, dict[str, float]]] = {}

    def nearness(self, record: LibraryRecord) -> float:
        """How well the traits of `record` agree with the text: 0 at best, less where they do not.

        A design whose traits are not known (one of the user's own) is not held against it.
        """
        if record.family not in self._known:
            traits = self._families.get(record.family, {})
            self._known[record.family] = {
                name: trait.likelihoods(self._words) for name, trait in traits.items()
            }
        known = self._known[record.family]
        told = ((known.get(name, {}), value) for name, value in record.traits.items())
        return math.fsum(values.get(value, 0.0) for values, value in told)


class Traits:
    """The trained traits of all families."""

    def __init__(self, families: Mapping[str, Mapping[str, Trait]]) -> None:
        self._families = families

    def read(self, text: str) -> Reading:
        """What `text` says."""
        return Reading(self._families, text)


def write_traits(path: Path, families: Mapping[str, Mapping[str, Trait]]) -> None:
    """Write trained traits (gzip JSON, no time stamp: equal input, equal bytes)."""
    told = {
        family: {
            name: {"values": t.values, "bias": t.bias, "weights": t.weights}
            for name, t in traits.items()
        }
        for family, traits in families.items()
    }
    text = json.dumps({"schema_version": _SCHEMA, "families": told}, separators=(",", ":"))
    path.write_bytes(gzip.compress(text.encode(), mtime=0))


def open_traits(path: Path | None = None) -> Traits:
    """Those in `path`, or those that ship; none where there is no such file."""
    path = path or Path(str(files("rtl_agent.agent.library") / "traits.json.gz"))
    if not path.is_file():
        return Traits({})
    data: dict[str, Any] = json.loads(gzip.decompress(path.read_bytes()))
    return Traits(
        {
            family: {
                name: Trait(
                    tuple(t["values"]),
                    tuple(t["bias"]),
                    {word: tuple(weights) for word, weights in t["weights"].items()},
                )
                for name, t in traits.items()
            }
            for family, traits in data["families"].items()
        }
    )
