"""Drafts from n-gram statistics of known Verilog."""

from __future__ import annotations

import heapq
from typing import TYPE_CHECKING

from rtl_agent.decoding.drafters.table import ORDERS

if TYPE_CHECKING:
    from collections.abc import Sequence

    import torch
    from rtl_agent.decoding.drafters.table import NgramTable
    from rtl_agent.decoding.engine.protocols import TargetCache
    from rtl_agent.decoding.engine.state import Row
    from rtl_agent.decoding.engine.tree import Tree

__all__ = ["CorpusDrafter"]

_LEAST_CONFIDENCE = 0.02


class CorpusDrafter:
    """Best-first expansion of an n-gram table: the likeliest node grows next."""

    name = "corpus"

    def __init__(self, table: NgramTable) -> None:
        self.table = table

    def start(self, rows: Sequence[Row], cache: TargetCache) -> None:
        """Nothing to prepare: the table does not change."""

    def propose(self, rows: Sequence[Row], trees: Sequence[Tree], budget: int) -> None:
        """Grow each tree by about `budget` nodes."""
        for row, tree in zip(rows, trees, strict=True):
            self._grow(row.tokens[-ORDERS:], tree, budget, row.room - 1)

    def update(self, row: Row, gained: Sequence[int], hidden: torch.Tensor | None) -> None:
        """Nothing to learn: the table does not change."""

    def _grow(self, context: list[int], tree: Tree, budget: int, room: int) -> None:
        queue: list[tuple[float, int, int, list[int]]] = [(-1.0, 0, 0, context)]
        added = 0
        while queue and added < budget:
            weight, _, parent, known = heapq.heappop(queue)
            if tree.depths[parent] >= room:
                continue
            order, pairs = self.table.lookup(known)
            for token, share in pairs:
                # A short context says less than the share it saw.
                confidence = share * (0.4 + 0.1 * order)
                reach = -weight * confidence
                if reach < _LEAST_CONFIDENCE:
                    break
                kind = order * 16 + int(share * 7.99)
                node = tree.add(parent, token, self.name, kind=kind, confidence=confidence)
                added += 1
                heapq.heappush(queue, (-reach, added, node, [*known[1 - ORDERS :], token]))
