"""Drafting token by token with a causal model: what a draft model and early exit share."""

from __future__ import annotations

from typing import TYPE_CHECKING

import torch

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from rtl_agent.decoding.engine.state import Row
    from rtl_agent.decoding.engine.tree import Tree

    Forward = Callable[[list[int]], torch.Tensor]

__all__ = ["grow_chains"]

_LEAST_REACH = 0.15  # a chain less likely than this is not continued
_LEAST_SIBLING = 0.05


def grow_chains(  # noqa: PLR0913 (all but three by name)
    rows: Sequence[Row],
    trees: Sequence[Tree],
    logits: torch.Tensor,
    *,
    forward: Forward,
    source: str,
    depth: int,
    width: int,
) -> None:
    """Follow the draft model's likeliest token and add its rivals as leaves.

    Args:
        rows: whose trees grow.
        trees: one a row.
        logits: `[rows, vocabulary]` of the draft model behind each root.
        forward: takes one token a row, returns the next logits `[rows, vocabulary]`.
        source: the drafter's name.
        depth: most tokens of a chain.
        width: tokens added at each of its places.
    """
    nodes = [0] * len(rows)
    reach = [1.0] * len(rows)
    for step in range(depth):
        best, ids = torch.softmax(logits.float(), dim=-1).topk(width, dim=-1)
        chances, tokens = best.tolist(), ids.tolist()
        live = False
        for place, (row, tree) in enumerate(zip(rows, trees, strict=True)):
            if reach[place] < _LEAST_REACH or step >= row.room - 1:
                reach[place] = 0.0
                continue
            parent = nodes[place]
            for rank in range(width):
                chance = chances[place][rank]
                if rank and chance < _LEAST_SIBLING:
                    break
                node = tree.add(
                    parent,
                    tokens[place][rank],
                    source,
                    kind=16 * min(step, 7) + rank,
                    confidence=chance,
                )
                if not rank:
                    nodes[place] = node
            reach[place] *= chances[place][0]
            live = live or reach[place] >= _LEAST_REACH
        if not live or step + 1 == depth:
            return
        logits = forward([chain[0] for chain in tokens])
