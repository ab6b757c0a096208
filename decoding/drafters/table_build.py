"""Builds an n-gram table from tokenised documents."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
from rtl_agent.decoding.drafters.table import (
    ALIGN,
    BASE,
    MASK,
    ORDERS,
    PROBES,
    WIDTH,
    TableHeader,
    header_bytes,
)
from rtl_agent.decoding.errors import ModelUnusable

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from numpy.typing import NDArray

    U64 = NDArray[np.uint64]

__all__ = ["build_table"]

_BYTES_A_SLOT = 4 + 2 * WIDTH + WIDTH + 1
_LOAD = 0.6


def build_table(  # noqa: PLR0913 (all but two by name)
    documents: Iterable[Sequence[int]],
    out: Path | str,
    *,
    vocabulary: int,
    fingerprint: str,
    max_bytes: int = 20_000_000,
    min_count: int = 1,
) -> TableHeader:
    """Count contexts of one to six tokens and write the most useful ones.

    When not all fit into `max_bytes`, the contexts seen least often are dropped, long ones first.

    Args:
        documents: token ids; no context crosses from one into the next.
        out: the file to write (replaced at once, never half-written).
        vocabulary: tokens of the model.
        fingerprint: of its tokenizer, see `table.tokenizer_fingerprint`.
        max_bytes: size limit of the file.
        min_count: contexts seen less often are dropped.

    Raises:
        ModelUnusable: there is no text to count.
    """
    parts: list[int] = []
    starts: list[int] = []
    for document in documents:
        starts.append(len(parts))
        parts.extend(document)
    tokens = np.asarray(parts, dtype=np.uint64)
    if tokens.size < 2:
        raise ModelUnusable(
            "there is no text to build a table from",
            remedy="give a folder with Verilog files (*.v, *.sv, *.vh, *.svh)",
        )
    position = np.arange(tokens.size)
    begin = np.zeros(tokens.size, dtype=np.int64)
    begin[starts] = starts
    inside = position - np.maximum.accumulate(begin)  # tokens before this one in its document
    entries = [_contexts(tokens, inside, order) for order in range(1, ORDERS + 1)]
    wide = vocabulary > 1 << 16
    room = int(max_bytes / (_BYTES_A_SLOT + 2 * WIDTH * wide))
    chosen = _choose(entries, room=int(room * _LOAD), min_count=min_count)
    slots = max(64, min(room, int(sum(len(rows) for rows in chosen) / _LOAD)))
    header = TableHeader(slots, vocabulary, fingerprint, int(tokens.size), wide)
    _write(Path(out), header, entries, chosen)
    return header


class _Entries:
    """The contexts of one order: hash, occurrences, and the tokens that follow them most."""

    def __init__(self, order: int, keys: U64, totals: U64, tokens: U64, shares: U64) -> None:
        self.order, self.keys, self.totals = order, keys, totals
        self.tokens, self.shares = tokens, shares  # both [contexts, WIDTH]


def _contexts(tokens: U64, inside: NDArray[np.int64], order: int) -> _Entries:
    where = np.nonzero(inside >= order)[0]
    with np.errstate(over="ignore"):
        value = np.zeros(where.size, dtype=np.uint64)
        power = 1
        for back in range(1, order + 1):
            value += (tokens[where - back] + np.uint64(1)) * np.uint64(power)
            power = (power * BASE) & MASK
        keys = _mix(value, order)
    following = tokens[where]
    by_pair = np.lexsort((following, keys))
    keys, following = keys[by_pair], following[by_pair]
    fresh = np.ones(keys.size, dtype=bool)
    fresh[1:] = (keys[1:] != keys[:-1]) | (following[1:] != following[:-1])
    first = np.nonzero(fresh)[0]
    counts = np.diff(np.append(first, keys.size))
    keys, following = keys[first], following[first]
    by_count = np.lexsort((following, -counts, keys))
    keys, following, counts = keys[by_count], following[by_count], counts[by_count]
    unique, begin = np.unique(keys, return_index=True)
    totals = np.add.reduceat(counts, begin) if unique.size else counts
    sizes = np.diff(np.append(begin, keys.size))
    top = np.zeros((unique.size, WIDTH), dtype=np.uint64)
    shares = np.zeros((unique.size, WIDTH), dtype=np.uint64)
    for rank in range(WIDTH):
        has = sizes > rank
        at = begin[has] + rank
        top[has, rank] = following[at]
        shares[has, rank] = np.maximum(1, counts[at] * 255 // totals[has])
    return _Entries(order, unique, totals.astype(np.uint64), top, shares)


def _mix(value: U64, order: int) -> U64:
    """The vectorised twin of `table.mix`."""
    half, factor = np.uint64(32), np.uint64(0xD6E8FEB86659FD93)
    value = value ^ np.uint64((order * 0xC2B2AE3D27D4EB4F) & MASK)
    value = (value ^ (value >> half)) * factor
    value = (value ^ (value >> half)) * factor
    return value ^ (value >> half)


def _choose(entries: Sequence[_Entries], *, room: int, min_count: int) -> list[NDArray[np.int64]]:
    """Rows of each order to keep: the lowest count that still fits, longer contexts first out."""
    floors = [min_count] * len(entries)
    while True:
        rows = [
            np.nonzero(entry.totals >= floor)[0]
            for entry, floor in zip(entries, floors, strict=True)
        ]
        if sum(len(kept) for kept in rows) <= room:
            return rows
        lowest = min(floors)
        longest = max(index for index, floor in enumerate(floors) if floor == lowest)
        floors[longest] += 1


def _write(
    out: Path,
    header: TableHeader,
    entries: Sequence[_Entries],
    chosen: Sequence[NDArray[np.int64]],
) -> None:
    slots = header.slots
    check = np.zeros(slots, dtype="<u4")
    tokens = np.zeros((slots, WIDTH), dtype="<u4" if header.wide else "<u2")
    shares = np.zeros((slots, WIDTH), dtype="<u1")
    orders = np.zeros(slots, dtype="<u1")
    for entry, rows in zip(entries, chosen, strict=True):
        ranked = rows[np.argsort(-entry.totals[rows].astype(np.int64), kind="stable")]
        homes = (entry.keys[ranked] % np.uint64(slots)).tolist()
        for row, home in zip(ranked.tolist(), homes, strict=True):
            for probe in range(PROBES):
                slot = (home + probe) % slots
                if not orders[slot]:
                    orders[slot] = entry.order
                    check[slot] = entry.keys[row] >> np.uint64(32)
                    tokens[slot], shares[slot] = entry.tokens[row], entry.shares[row]
                    break
    partial = out.with_name(f"{out.name}.{os.getpid()}.part")
    with partial.open("wb") as file:
        file.write(header_bytes(header))
        for array in (check, tokens, shares, orders):
            data = array.tobytes()
            file.write(data + b"\0" * (-len(data) % ALIGN))
    partial.replace(out)
