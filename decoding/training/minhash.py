"""Near-duplicates of source texts by MinHash: small, seeded, no dependency but numpy."""

from __future__ import annotations

import re
import zlib
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

__all__ = ["Deduplicator", "signature"]

_PRIME = (1 << 31) - 1
_HASHES = 128
_BANDS = 32  # of four values: texts alike to 0.8 meet in some band with probability 0.9999
_SHINGLE = 4  # tokens
_TOKEN = re.compile(r"[A-Za-z_]\w*|\d+|[^\s\w]")
_COMMENT = re.compile(r"//[^\n]*|/\*.*?\*/", re.DOTALL)
_RNG = np.random.default_rng(20250314)
_FACTORS = _RNG.integers(1, _PRIME, _HASHES, dtype=np.int64)
_OFFSETS = _RNG.integers(0, _PRIME, _HASHES, dtype=np.int64)


def signature(text: str) -> NDArray[np.int64]:
    """The MinHash signature `[128]` of a text's token shingles, comments left out.

    The share of equal places of two signatures estimates the Jaccard likeness of the texts.
    """
    tokens = _TOKEN.findall(_COMMENT.sub(" ", text))
    count = max(1, len(tokens) - _SHINGLE + 1)
    shingles = {" ".join(tokens[i : i + _SHINGLE]) for i in range(count)}
    values = np.fromiter(
        (zlib.crc32(shingle.encode()) % _PRIME for shingle in sorted(shingles)), np.int64
    )
    mixed = (values[:, None] * _FACTORS + _OFFSETS) % _PRIME  # below 2**62: no overflow
    lowest: NDArray[np.int64] = mixed.min(axis=0)
    return lowest


class Deduplicator:
    """Remembers texts and tells which were near-duplicates of earlier ones.

    Args:
        threshold: estimated Jaccard likeness from which a text is a duplicate.
    """

    def __init__(self, threshold: float = 0.85) -> None:
        self.threshold = threshold
        self._known: list[NDArray[np.int64]] = []
        self._buckets: dict[tuple[int, bytes], list[int]] = {}

    def add(self, text: str) -> int | None:
        """The number of the earlier text that `text` duplicates; None keeps it as a new one."""
        sign = signature(text)
        keys = [(band, part.tobytes()) for band, part in enumerate(np.split(sign, _BANDS))]
        near = {index for key in keys for index in self._buckets.get(key, ())}
        for index in sorted(near):
            if float((self._known[index] == sign).mean()) >= self.threshold:
                return index
        for key in keys:
            self._buckets.setdefault(key, []).append(len(self._known))
        self._known.append(sign)
        return None
