"""The cache of a run: allocated once, filled once for each prompt, kept for the next run."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

import torch
from rtl_agent.decoding.errors import NumericalError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from rtl_agent.decoding.engine.protocols import Target, TargetCache
    from rtl_agent.decoding.engine.state import Row

    Start = tuple[torch.Tensor, torch.Tensor | None]

__all__ = ["CacheKeeper", "check_finite"]

_STEP = 256  # capacities are multiples of this, so that the next run fits, too
_LEAST_REUSE = 16  # tokens below which a common beginning is not worth a copy


class CacheKeeper:
    """Holds the target's cache between runs and knows which prompts are in it.

    A prompt that begins like one that is still there is run from where they part. In half
    precision that could change results in the last bit, and with them a sampled token; there it
    is off.

    Attributes:
        shape: rows and tokens of the cache.
    """

    def __init__(self, target: Target) -> None:
        self._target = target
        self._cache: TargetCache | None = None
        self.shape = (0, 0)
        self._held: list[tuple[int, ...]] = []
        dtype = getattr(target, "dtype", None)
        self._reuses = dtype == torch.float32 and not target.chains_only

    def open(self, rows: int, capacity: int) -> TargetCache:
        """A cache for so many rows and tokens: that of the last run, made larger where it must be.

        A repair prompt is longer than the draft's with which it begins, so growing keeps what is
        there; where nothing is reused the old cache is freed before a new one is made.
        """
        if self._cache is None or rows > self.shape[0] or capacity > self.shape[1]:
            size = max(capacity + (-capacity) % _STEP, self.shape[1])
            self.shape = (max(rows, self.shape[0]), size)
            if self._cache is not None and self._reuses and self._held:
                self._cache.grow(*self.shape)
            else:
                self._cache = None
                self._held = []
                self._cache = self._target.new_cache(*self.shape)
        return self._cache

    def moved(self, source: int, target: int) -> None:
        """Row `target` of the cache became a copy of row `source`."""
        if max(source, target) < len(self._held):
            self._held[target] = self._held[source]

    def fill(self, rows: Sequence[Row]) -> list[Start]:
        """Fill the cache with each row's prompt; equal prompts are run once and copied.

        Returns:
            Logits `[vocabulary]` and hidden state `[width]` of each row's last prompt token.
        """
        cache = self._cache
        if cache is None:
            raise AssertionError("open() comes first")
        old, self._held = self._held, []
        done: dict[tuple[tuple[int, ...], tuple[int, ...]], int] = {}
        starts: list[Start] = []
        for slot, row in enumerate(rows):
            started = time.perf_counter()
            prompt, source = row.request.prompt, row.request.source
            same = done.get((prompt, source))
            if same is not None:
                cache.copy_row(same, slot)
                starts.append(starts[same])
            else:
                shared = self._begin(cache, slot, prompt, self._held or old)
                output = self._target.prefill(cache, slot, prompt[shared:], source)
                logits = output.logits[0, -1]
                check_finite(logits)
                hidden = None if output.hidden is None else output.hidden[0, -1]
                starts.append((logits, hidden))
                done[prompt, source] = slot
            self._held.append(prompt)
            row.stats.prefill_s = time.perf_counter() - started
        return starts

    def _begin(
        self,
        cache: TargetCache,
        slot: int,
        prompt: tuple[int, ...],
        held: Sequence[tuple[int, ...]],
    ) -> int:
        """Put the longest known beginning of a prompt into `slot`; its length."""
        best, length = slot, 0
        if self._reuses:
            for place, known in enumerate(held):
                common = _common(known, prompt)
                if common > length:
                    best, length = place, common
        length = min(length, len(prompt) - 1)
        if length < _LEAST_REUSE:
            cache.rewind(slot, 0)
            return 0
        cache.rewind(best, length if best == slot else len(held[best]))
        if best != slot:
            cache.copy_row(best, slot)
            cache.rewind(slot, length)
        return length


def check_finite(values: torch.Tensor) -> None:
    """NaN and infinity must not be decoded as if they were an answer.

    Raises:
        NumericalError: there is one among them.
    """
    if not bool(torch.isfinite(values).all()):
        raise NumericalError(
            "the model produced NaN or infinite logits",
            remedy="load it with dtype float32 (fp16 overflows in some models) or check its files",
        )


def _common(one: tuple[int, ...], other: tuple[int, ...]) -> int:
    """Length of the common beginning."""
    length = min(len(one), len(other))
    if one[:length] == other[:length]:
        return length
    low, high = 0, length
    while high - low > 1:
        middle = (low + high) // 2
        if one[low:middle] == other[low:middle]:
            low = middle
        else:
            high = middle
    return low
