"""Retrieval of the nearest known-good designs: BM25 on words, then likeness of interfaces."""

from __future__ import annotations

import math
from collections import Counter
from dataclasses import replace
from functools import cached_property
from importlib.resources import files
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

from .align import interface_similarity
from .rank import features, nearness, prose_weights
from .records import LibraryRecord, read_records
from .traits import open_traits
from .types import Exemplar
from .user import index_folder
from .words import query_words

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from rtl_agent.agent.spec.model import Spec
    from rtl_agent.tools.interface import Interface

    from .traits import Reading, Traits

__all__ = ["Library", "open_library"]

_Judged = TypeVar("_Judged")
_K1 = 1.2
_B = 0.5
_SHORTLIST = 14
_INTERFACE_WEIGHT = 0.6
_TRAIT_WEIGHT = 0.5
_NEAR_FAMILIES = 3  # of the first hits: all their designs are looked at
_MOST_NEAR = 40


class Library:
    """An index over verified designs; built in memory in well under a second for thousands."""

    def __init__(self, records: Sequence[LibraryRecord], traits: Traits | None = None) -> None:
        self._records = list(records)
        self._traits = open_traits() if traits is None else traits
        # Words as they are kept in the shipped file, else (the user's designs) from the text.
        self._counts = [
            Counter(r.words.split() or query_words(r.search, r.interface)) for r in records
        ]
        lengths = [sum(c.values()) for c in self._counts]
        mean = sum(lengths) / len(lengths) if lengths else 1.0
        self._norm = [_K1 * (1 - _B + _B * length / mean) for length in lengths]
        self._family: dict[str, list[int]] = {}
        for i, record in enumerate(self._records):
            self._family.setdefault(record.family, []).append(i)
        self._postings: dict[str, list[int]] = {}
        for i, counts in enumerate(self._counts):
            for word in counts:
                self._postings.setdefault(word, []).append(i)

    def __len__(self) -> int:
        """Number of designs."""
        return len(self._records)

    def __iter__(self) -> Iterator[LibraryRecord]:
        """The designs, in no particular order."""
        return iter(self._records)

    def _bm25(self, words: Sequence[str]) -> dict[int, float]:
        scores: dict[int, float] = {}
        for word, times in Counter(words).items():
            hits = self._postings.get(word, ())
            if not hits:
                continue
            idf = self._idf(word)
            for i in hits:
                tf = self._counts[i][word]
                gain = idf * tf * (_K1 + 1) / (tf + self._norm[i])
                scores[i] = scores.get(i, 0.0) + gain * min(times, 2)
        return scores

    @cached_property
    def _weight(self) -> Callable[[str], float]:
        return prose_weights(record.spec for record in self._records)

    def _idf(self, word: str) -> float:
        hits = len(self._postings.get(word, ()))
        return math.log(1 + (len(self._records) - hits + 0.5) / (hits + 0.5))

    def _share(self, index: int, words: set[str]) -> float:
        """How much of the rare words a design is found by, 0 to 1."""
        whole = sum(map(self._idf, words))
        own = self._counts[index]
        return sum(self._idf(word) for word in words if word in own) / whole if whole else 0.0

    def search(
        self, text: str, interface: Interface, k: int, *, exclude: frozenset[str] = frozenset()
    ) -> list[tuple[LibraryRecord, float]]:
        """The `k` best records with scores, best first; records named in `exclude` are left out.

        The score is BM25 relative to the best hit plus the weighted likeness of the interfaces.
        """
        scores = self._bm25(query_words(text, interface))
        ranked = sorted(scores, key=lambda i: (-scores[i], i))
        short = [i for i in ranked if self._records[i].name not in exclude][:_SHORTLIST]
        if not short:
            return []
        top = scores[short[0]]
        final = {
            i: scores[i] / top
            + _INTERFACE_WEIGHT * interface_similarity(self._records[i].interface, interface)
            for i in short
        }
        order = sorted(short, key=lambda i: (-final[i], i))[:k]
        return [(self._records[i], final[i]) for i in order]

    def nearest(self, spec: Spec, k: int) -> tuple[Exemplar, ...]:
        """The `k` nearest designs as exemplars, in their own names (see `align`).

        Of the designs of the nearest families those come first that are most likely the very design
        the spec asks for, and not another one of its family (see `rank`).
        """
        exemplars, near = self._found(spec, max(k, _SHORTLIST), nearness)
        order = sorted(range(len(exemplars)), key=lambda i: (-near[i], i))[:k]
        return tuple(replace(exemplars[i], score=near[i]) for i in order)

    def ranked(self, spec: Spec, k: int) -> list[tuple[Exemplar, tuple[float, ...]]]:
        """`k` designs of the nearest families, with what speaks for each (`rank.features`)."""
        return list(zip(*self._found(spec, k, features), strict=True))

    def _found(
        self, spec: Spec, k: int, judge: Callable[..., list[_Judged]]
    ) -> tuple[list[Exemplar], list[_Judged]]:
        reading = self._traits.read(spec.text)
        near = self._near(spec, reading, k)
        words = set(query_words(spec.text))
        found = [self._records[i] for i in near]
        exemplars = [
            Exemplar(r.name, r.origin, r.spec, r.rtl, r.interface, near[i][0])
            for i, r in zip(near, found, strict=True)
        ]
        shares = [self._share(i, words) for i in near]
        traits = [said for _, said in near.values()]
        return exemplars, judge(exemplars, spec, shares, traits, self._weight)

    def _near(self, spec: Spec, reading: Reading, k: int) -> dict[int, tuple[float, float]]:
        """The `k` best of all designs of the families that `search` finds first, and its hits.

        With each its score as in `search`, and how well its traits agree with the text, the best
        of its family having 0: traits choose within a family, not between families.
        """
        scores = self._bm25(query_words(spec.text, spec.interface))
        hits = sorted(scores, key=lambda i: (-scores[i], i))[:_SHORTLIST]
        if not hits:
            return {}
        families = dict.fromkeys(self._records[i].family for i in hits[:_NEAR_FAMILIES])
        pool = dict.fromkeys([*hits, *(i for f in families for i in self._family[f])])
        said = self._said(pool, reading)
        score = {i: scores.get(i, 0.0) / scores[hits[0]] for i in pool}

        def first(among: Iterable[int], count: int) -> list[int]:
            return sorted(among, key=lambda i: (-score[i] - _TRAIT_WEIGHT * said[i], i))[:count]

        likely = first(pool, max(k, _MOST_NEAR))  # comparing ports is what costs time here
        for i in likely:
            alike = interface_similarity(self._records[i].interface, spec.interface)
            score[i] += _INTERFACE_WEIGHT * alike
        return {i: (score[i], said[i]) for i in first(likely, k)}

    def _said(self, places: Iterable[int], reading: Reading) -> dict[int, float]:
        """How well traits agree with what is read, relative to the best of the family."""
        known = {i: reading.nearness(self._records[i]) for i in places}
        best: dict[str, float] = {}
        for i, value in known.items():
            family = self._records[i].family
            best[family] = max(value, best.get(family, value))
        return {i: value - best[self._records[i].family] for i, value in known.items()}


def open_library(folder: Path | None = None) -> Library:
    """The library that ships with the package, with the user's designs in `folder` before it.

    Raises:
        OutputError, ConfigError: see `rtl_agent.agent.library.user.index_folder`.
    """
    path = Path(str(files("rtl_agent.agent.library") / "shipped.jsonl.gz"))
    records = list(read_records(path)) if path.is_file() else []
    return Library([*(index_folder(folder) if folder else ()), *records])
