"""The 4-D attention mask of a tree: the committed past, and a node's own ancestors."""

from __future__ import annotations

from typing import TYPE_CHECKING

import torch

if TYPE_CHECKING:
    from rtl_agent.decoding.engine.tree import TreeBatch

__all__ = ["tree_mask"]


def tree_mask(
    lengths: torch.Tensor,
    batch: TreeBatch,
    *,
    extent: int,
    window: int,
    dtype: torch.dtype,
) -> torch.Tensor:
    """An additive mask, 0 where a node may look and the lowest number elsewhere.

    Args:
        lengths: committed tokens a row, `[rows]`; the tree stands right behind them.
        batch: the trees; the position of a node is `length + depth`.
        extent: columns of the cache in view, at least `max(lengths) + nodes`.
        window: how many positions back a node sees, itself included; 0 for all.
        dtype: that of the model.

    Returns:
        `[rows, 1, nodes, extent]`.
    """
    depths, ancestors = batch.depths, batch.ancestors
    rows, nodes = depths.shape
    columns = torch.arange(extent)
    offset = columns[None, :] - lengths[:, None]  # [rows, extent]: below 0 is the past
    past = (offset < 0)[:, None, :].expand(rows, nodes, extent)
    inside = ((offset >= 0) & (offset < nodes))[:, None, :]
    place = offset.clamp(0, nodes - 1)[:, None, :].expand(rows, nodes, extent)
    allowed = past | (inside & ancestors.gather(2, place))
    if window:
        # In the tree a column's position is that of its node, not its place in the cache.
        node_depth = depths[:, None, :].expand(rows, nodes, nodes).gather(2, place)
        position = torch.where(inside, node_depth, offset[:, None, :].expand_as(node_depth))
        allowed &= depths[:, :, None] - position < window
    mask = torch.zeros(rows, 1, nodes, extent, dtype=dtype)
    mask.masked_fill_(~allowed[:, None], torch.finfo(dtype).min)
    return mask
