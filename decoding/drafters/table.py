"""A table of n-grams on disk: for a context of one to six tokens, what usually follows.

File: a magic line, a JSON header line padded to 64 bytes, then four arrays of `slots` entries:
check bits (uint32), tokens (uint16 or uint32, `WIDTH` a slot, most likely first), their counts'
share in 255ths (uint8, `WIDTH` a slot), orders (uint8; 0 marks an empty slot). The file is
memory-mapped, so opening costs nothing and processes share its pages.
"""

from __future__ import annotations

import hashlib
import json
import mmap
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from rtl_agent.decoding.errors import HeadsMismatch, ModelUnusable

if TYPE_CHECKING:
    from collections.abc import Sequence

__all__ = ["ORDERS", "WIDTH", "NgramTable", "TableHeader", "mix", "tokenizer_fingerprint"]

MAGIC = b"rtl-agent-ngrams 1\n"
ORDERS = 6
WIDTH = 3
PROBES = 48
ALIGN = 64
MASK = (1 << 64) - 1
BASE = 0x9E3779B97F4A7C15


@dataclass(frozen=True, slots=True)
class TableHeader:
    """What a table was built for. `wide` tables hold 32-bit tokens."""

    slots: int
    vocabulary: int
    fingerprint: str
    tokens_seen: int
    wide: bool = False


def mix(value: int, order: int) -> int:
    """Spread the bits of a context's polynomial hash; 64 bits."""
    value = (value ^ (order * 0xC2B2AE3D27D4EB4F)) & MASK
    value = ((value ^ (value >> 32)) * 0xD6E8FEB86659FD93) & MASK
    value = ((value ^ (value >> 32)) * 0xD6E8FEB86659FD93) & MASK
    return value ^ (value >> 32)


def tokenizer_fingerprint(tokenizer: Any) -> str:
    """Sixteen hex digits that change with the vocabulary or the order of its tokens."""
    digest = hashlib.sha256()
    for token, index in sorted(tokenizer.get_vocab().items(), key=lambda item: item[1]):
        digest.update(f"{index} {token}\n".encode())
    return digest.hexdigest()[:16]


class NgramTable:
    """A table opened for reading.

    Args:
        path: the file.
        fingerprint: of the tokenizer in use, to be compared with the table's; empty skips it.

    Raises:
        ModelUnusable: the file cannot be read or is no table.
        HeadsMismatch: the table was built for another tokenizer.
    """

    def __init__(self, path: Path | str, *, fingerprint: str = "") -> None:
        self.path = Path(path)
        try:
            with self.path.open("rb") as file:
                self._map = mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)
        except (OSError, ValueError) as error:
            raise ModelUnusable(
                f"{path}: the n-gram table cannot be read: {error}",
                remedy="build it with `rtl-agent decode table build`",
            ) from error
        self.header, start = _read_header(self.path, self._map)
        if fingerprint and fingerprint != self.header.fingerprint:
            raise HeadsMismatch(
                f"{path}: the n-gram table was built for another tokenizer",
                remedy="build it again for this model with `rtl-agent decode table build`",
            )
        view, slots = memoryview(self._map), self.header.slots
        size = 4 if self.header.wide else 2
        sections: list[tuple[Literal["B", "H", "I"], int]] = [
            ("I", 4 * slots),
            ("I" if self.header.wide else "H", size * WIDTH * slots),
            ("B", WIDTH * slots),
            ("B", slots),
        ]
        arrays = []
        for code, length in sections:
            if start + length > len(view):
                raise ModelUnusable(
                    f"{path}: the n-gram table is cut short",
                    remedy="build it again with `rtl-agent decode table build`",
                )
            arrays.append(view[start : start + length].cast(code))
            start += length + (-length) % ALIGN
        self._check, self._tokens, self._shares, self._orders = arrays

    def lookup(self, context: Sequence[int]) -> tuple[int, list[tuple[int, float]]]:
        """What follows the longest known suffix of `context` (its last six tokens count).

        Returns:
            The suffix's length (0: nothing known) and `(token, probability)` pairs.
        """
        hashes = []
        value, power = 0, 1
        for order, token in enumerate(reversed(context[-ORDERS:]), start=1):
            value = (value + (token + 1) * power) & MASK
            power = (power * BASE) & MASK
            hashes.append(mix(value, order))
        for order in range(len(hashes), 0, -1):
            slot = self._find(hashes[order - 1], order)
            if slot >= 0:
                first = slot * WIDTH
                shares = self._shares[first : first + WIDTH]
                tokens = self._tokens[first : first + WIDTH]
                pairs = [(t, s / 255.0) for t, s in zip(tokens, shares, strict=True) if s]
                return order, pairs
        return 0, []

    def _find(self, key: int, order: int) -> int:
        slots, check = self.header.slots, key >> 32
        slot = key % slots
        for _ in range(PROBES):
            found = self._orders[slot]
            if not found:
                return -1
            if found == order and self._check[slot] == check:
                return int(slot)
            slot = slot + 1 if slot + 1 < slots else 0
        return -1


def header_bytes(header: TableHeader) -> bytes:
    """The start of a table file, padded so that the arrays are aligned."""
    text = MAGIC + json.dumps(asdict(header)).encode()
    return text + b" " * ((-len(text) - 1) % ALIGN) + b"\n"


def _read_header(path: Path, data: mmap.mmap) -> tuple[TableHeader, int]:
    end = data.find(b"\n", len(MAGIC))
    if data[: len(MAGIC)] != MAGIC or end < 0:
        raise ModelUnusable(
            f"{path}: no n-gram table of this version",
            remedy="build it with `rtl-agent decode table build`",
        )
    try:
        header = TableHeader(**json.loads(data[len(MAGIC) : end]))
    except (ValueError, TypeError) as error:
        raise ModelUnusable(
            f"{path}: the n-gram table has an unreadable header",
            remedy="build it again with `rtl-agent decode table build`",
        ) from error
    return header, end + 1
