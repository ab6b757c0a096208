"""Drafts from trained heads on the target's last hidden state."""

from __future__ import annotations

import heapq
from typing import TYPE_CHECKING, Any

import torch

if TYPE_CHECKING:
    from collections.abc import Sequence

    from rtl_agent.decoding.drafters.heads_model import DraftHeads
    from rtl_agent.decoding.engine.protocols import TargetCache
    from rtl_agent.decoding.engine.state import Row
    from rtl_agent.decoding.engine.tree import Tree

__all__ = ["HeadsDrafter"]

_LEAST_CONFIDENCE = 0.01


class HeadsDrafter:
    """Best-first combination of each head's likeliest tokens.

    Args:
        heads: opened for the target.
        model: the target's model, whose output projection they share.
        width: tokens taken from a head.
    """

    name = "heads"

    def __init__(self, heads: DraftHeads, model: Any, *, width: int = 6) -> None:
        self.heads = heads
        self.width = width
        config = model.config.get_text_config(decoder=True)
        weight = model.get_output_embeddings().weight.detach()
        # T5 scales hidden states before a tied projection.
        tied = getattr(config, "tie_word_embeddings", False)
        scaled = tied and getattr(config, "is_encoder_decoder", False)
        self._scale = float(config.d_model) ** -0.5 if scaled else 1.0
        self._projection = heads.projection(weight)
        self._hidden: dict[int, torch.Tensor] = {}

    def start(self, rows: Sequence[Row], cache: TargetCache) -> None:
        """Forget the last batch."""
        del rows, cache
        self._hidden.clear()

    def update(self, row: Row, gained: Sequence[int], hidden: torch.Tensor | None) -> None:
        """Remember what the next draft starts from."""
        del gained
        if hidden is None:
            raise ValueError("heads need a target with want_hidden=True")
        self._hidden[row.index] = hidden

    def propose(self, rows: Sequence[Row], trees: Sequence[Tree], budget: int) -> None:
        """Grow each tree from its row's hidden state."""
        with torch.inference_mode():
            stacked = torch.stack([self._hidden[row.index] for row in rows])
            features = self.heads(stacked) * self._scale  # [rows, heads, width]
            logits = torch.nn.functional.linear(features, self._projection)
            best, places = torch.softmax(logits.float(), dim=-1).topk(
                min(self.width, logits.shape[-1]), dim=-1
            )
            chances = best.tolist()
            tokens = self.heads.draft_ids[places].tolist()
        for row, tree, chance, token in zip(rows, trees, chances, tokens, strict=True):
            self._grow(tree, chance, token, min(budget, 8 * len(chance)), row.room - 1)

    def _grow(
        self,
        tree: Tree,
        chances: list[list[float]],
        tokens: list[list[int]],
        budget: int,
        room: int,
    ) -> None:
        queue: list[tuple[float, int, int, int]] = [(-1.0, 0, 0, 0)]  # weight, order, node, depth
        added = 0
        while queue and added < budget:
            weight, _, parent, depth = heapq.heappop(queue)
            if depth >= len(chances) or depth >= room:
                continue
            for rank, (token, chance) in enumerate(zip(tokens[depth], chances[depth], strict=True)):
                reach = -weight * chance
                if reach < _LEAST_CONFIDENCE:
                    break
                kind = depth * 16 + rank
                node = tree.add(parent, token, self.name, kind=kind, confidence=chance)
                added += 1
                heapq.heappush(queue, (-reach, added, node, depth + 1))
