"""Retrieval of the nearest known-good designs: BM25 on words, then likeness of interfaces."""

from __future__ import annotations

import math
from collections import Counter
from importlib.resources import files
from pathlib import Path
from typing import TYPE_CHECKING

from .align import interface_similarity
from .records import LibraryRecord, read_records
from .types import Exemplar
from .user import index_folder
from .words import port_words, search_words

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from rtl_agent.agent.spec.model import Spec
    from rtl_agent.tools.interface import Interface

__all__ = ["Library", "open_library", "query_words"]

_K1 = 1.2
_B = 0.5
_SHORTLIST = 24
_INTERFACE_WEIGHT = 0.6


def query_words(text: str, interface: Interface) -> list[str]:
    """The search words of a spec: its text, module name, and the subwords of its port names."""
    names = [interface.module, *(p.name for p in interface.ports)]
    return search_words(text) + [word for name in names for word in port_words(name)]


class Library:
    """An index over verified designs; built in memory in well under a second for thousands."""

    def __init__(self, records: Sequence[LibraryRecord]) -> None:
        self._records = list(records)
        self._counts = [Counter(query_words(r.search, r.interface)) for r in self._records]
        lengths = [sum(c.values()) for c in self._counts]
        mean = sum(lengths) / len(lengths) if lengths else 1.0
        self._norm = [_K1 * (1 - _B + _B * length / mean) for length in lengths]
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
            idf = math.log(1 + (len(self._records) - len(hits) + 0.5) / (len(hits) + 0.5))
            for i in hits:
                tf = self._counts[i][word]
                gain = idf * tf * (_K1 + 1) / (tf + self._norm[i])
                scores[i] = scores.get(i, 0.0) + gain * min(times, 2)
        return scores

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
        """The `k` nearest designs as exemplars, in their own names (see `align`)."""
        return tuple(
            Exemplar(r.name, r.origin, r.spec, r.rtl, r.interface, score)
            for r, score in self.search(spec.text, spec.interface, k)
        )


def open_library(folder: Path | None = None) -> Library:
    """The library that ships with the package, with the user's designs in `folder` before it.

    Raises:
        OutputError, ConfigError: see `rtl_agent.agent.library.user.index_folder`.
    """
    path = Path(str(files("rtl_agent.agent.library") / "shipped.jsonl.gz"))
    records = list(read_records(path)) if path.is_file() else []
    return Library([*(index_folder(folder) if folder else ()), *records])
