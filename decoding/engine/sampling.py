"""Turning logits into tokens, repeatably.

Every random choice comes from one uniform number that depends on the seed, the sample and the
position alone. A token drawn at a position is therefore the same whether the position was reached
by plain decoding or inside an accepted draft, and whatever else is in the batch.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import torch

if TYPE_CHECKING:
    from torch import Tensor

__all__ = ["GREEDY", "Sampler", "uniform", "warp"]

_MASK = (1 << 64) - 1
_FIRST_SORTED = 128


def uniform(seed: int, sample: int, position: int) -> float:
    """A number in [0, 1) that depends on its three arguments alone (SplitMix64)."""
    state = (seed * 0x9E3779B97F4A7C15 + sample * 0xD1B54A32D192ED03 + position + 1) & _MASK
    for _ in range(2):
        state = (state + 0x9E3779B97F4A7C15) & _MASK
        state = ((state ^ (state >> 30)) * 0xBF58476D1CE4E5B9) & _MASK
        state = ((state ^ (state >> 27)) * 0x94D049BB133111EB) & _MASK
        state ^= state >> 31
    return (state >> 11) / float(1 << 53)


def warp(
    logits: Tensor, *, temperature: float, top_k: int = 0, top_p: float = 1.0
) -> tuple[Tensor, Tensor]:
    """The distribution that is sampled: temperature, then top-k, then top-p.

    Args:
        logits: `[vocabulary]`.
        temperature: above 0.
        top_k: keep the most likely k; 0 keeps all.
        top_p: keep the smallest most-likely set whose mass reaches this; 1 keeps all.

    Returns:
        Token ids `[kept]`, most likely first, and their probabilities `[kept]`, summing to one.
        Without top-k and top-p the ids are in vocabulary order.
    """
    scaled = logits.float() / temperature
    vocabulary = scaled.shape[-1]
    if top_k <= 0 and top_p >= 1.0:
        return torch.arange(vocabulary, device=logits.device), torch.softmax(scaled, dim=-1)
    count = min(top_k, vocabulary) if top_k > 0 else min(_FIRST_SORTED, vocabulary)
    total = torch.logsumexp(scaled, dim=-1)
    while True:
        best, ids = torch.topk(scaled, count)
        kept = torch.softmax(best, dim=-1) if top_k > 0 else torch.exp(best - total)
        if top_p >= 1.0:
            break
        before = torch.cumsum(kept, dim=-1) - kept
        inside = int((before < top_p).sum())
        if inside < count or count == vocabulary or top_k > 0:
            kept, ids = kept[: max(inside, 1)], ids[: max(inside, 1)]
            break
        count = min(count * 8, vocabulary)
    return ids, kept / kept.sum()


@dataclass(frozen=True, slots=True)
class Sampler:
    """How one request samples; `temperature == 0` is greedy."""

    temperature: float = 0.0
    top_k: int = 0
    top_p: float = 1.0
    seed: int = 0

    @property
    def greedy(self) -> bool:
        """Whether the most likely token is always taken."""
        return self.temperature <= 0.0

    def draw(self, logits: Tensor, *, sample: int, position: int) -> int:
        """The token at `position` of `sample`, from `logits` `[vocabulary]`."""
        if self.greedy:
            return int(logits.argmax())
        ids, probabilities = warp(
            logits, temperature=self.temperature, top_k=self.top_k, top_p=self.top_p
        )
        mass = torch.cumsum(probabilities.double(), dim=-1)
        level = uniform(self.seed, sample, position) * float(mass[-1])
        place = int(torch.searchsorted(mass, torch.tensor(level, device=mass.device), right=True))
        return int(ids[min(place, ids.shape[0] - 1)])


GREEDY = Sampler()
