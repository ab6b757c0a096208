"""Drafts from a smaller causal LM with a cache of its own."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import torch
from rtl_agent.decoding.drafters.autoregressive import grow_chains
from rtl_agent.decoding.engine.target import CausalTarget
from rtl_agent.decoding.engine.thrift import LONGEST_REST
from rtl_agent.decoding.engine.tree import Tree, pad
from rtl_agent.decoding.errors import HeadsMismatch

if TYPE_CHECKING:
    from collections.abc import Sequence

    from rtl_agent.decoding.engine.protocols import TargetCache
    from rtl_agent.decoding.engine.state import Row

__all__ = ["DraftModelDrafter"]

# A short row may have so many tokens to catch up with beside a long one: what a rest lets pass, and
# the last step before it.
_MARGIN = LONGEST_REST + 64


class DraftModelDrafter:
    """A draft model that runs ahead of the target.

    Args:
        model: a causal LM with the target's tokenizer.
        vocabulary: of the target.
        depth: most tokens drafted a step.
        width: tokens added at each place.

    Raises:
        HeadsMismatch: the draft model has another vocabulary.
    """

    name = "draft-model"
    runs_a_model = True  # its proposals cost passes: see `engine.thrift`

    def __init__(self, model: Any, *, vocabulary: int, depth: int = 6, width: int = 2) -> None:
        self.target = CausalTarget(model)
        if self.target.vocabulary != vocabulary:
            raise HeadsMismatch(
                f"the draft model has {self.target.vocabulary} tokens and the target {vocabulary}",
                remedy="use a draft model of the same family, with the same tokenizer",
            )
        self.depth = depth
        self.width = width
        self._cache = self.target.new_cache(1, 1)
        self._slots: list[int] = []
        self._held: dict[int, list[int]] = {}

    def start(self, rows: Sequence[Row], cache: TargetCache) -> None:
        """Prefill the draft model with each row's prompt, equal prompts once."""
        del cache
        capacity = max(len(row.tokens) + row.limit for row in rows) + _MARGIN + self.depth
        self._cache = self.target.new_cache(len(rows), capacity)
        self._slots = [row.index for row in rows]
        self._held = {row.index: list(row.tokens) for row in rows}
        known: dict[tuple[int, ...], int] = {}
        for slot, row in enumerate(rows):
            prompt = tuple(row.tokens)
            if prompt in known:
                self._cache.copy_row(known[prompt], slot)
            else:
                self.target.prefill(self._cache, slot, prompt)
                known[prompt] = slot

    def update(self, row: Row, gained: Sequence[int], hidden: torch.Tensor | None) -> None:
        """Nothing: the cache is brought up to date with the next proposal."""

    def propose(self, rows: Sequence[Row], trees: Sequence[Tree], budget: int) -> None:
        """Catch up with what was confirmed, then draft a chain a row."""
        del budget
        logits = self._catch_up(rows)
        cache = self._cache

        def forward(tokens: list[int]) -> torch.Tensor:
            batch = pad([Tree.rooted(token) for token in tokens])
            output = self.target.forward(cache, batch, [1] * len(tokens))
            for slot, row in enumerate(rows):
                cache.keep(slot, [0])
                self._held[row.index].append(tokens[slot])
            return output.logits[:, 0]

        grow_chains(
            rows,
            trees,
            logits,
            forward=forward,
            source=self.name,
            depth=self.depth,
            width=self.width,
        )

    def _catch_up(self, rows: Sequence[Row]) -> torch.Tensor:
        """Run what the draft model has not seen; its logits behind each row's last token."""
        for slot, row in enumerate(rows):
            if self._slots[slot] != row.index:
                origin = self._slots.index(row.index)
                self._cache.copy_row(origin, slot)
                self._slots[slot] = row.index
        pending = []
        for slot, row in enumerate(rows):
            held = self._held[row.index]
            common = _common(held, row.tokens)
            self._cache.lengths[slot] = min(common, len(row.tokens) - 1)
            pending.append(row.tokens[self._cache.lengths[slot] :])
            self._held[row.index] = list(row.tokens)
        chains = []
        for tokens in pending:
            tree = Tree.rooted(tokens[0])
            for token in tokens[1:]:
                tree.add(len(tree) - 1, token, self.name)
            chains.append(tree)
        sizes = [len(chain) for chain in chains]
        output = self.target.forward(self._cache, pad(chains), sizes)
        for slot, size in enumerate(sizes):
            self._cache.keep(slot, range(size))
        return torch.stack([output.logits[slot, size - 1] for slot, size in enumerate(sizes)])


def _common(one: Sequence[int], other: Sequence[int]) -> int:
    """Length of the common beginning."""
    count = 0
    for left, right in zip(one, other, strict=False):
        if left != right:
            break
        count += 1
    return count
