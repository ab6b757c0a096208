"""Attention of few queries over shared keys: query heads of one key head become more queries.

`transformers` repeats keys and values for every query head when there is a mask. With a tree of
sixteen nodes over a long cache that copying costs as much as the attention. Folding the heads
into the query dimension needs no copy and gives the same numbers.
"""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

import torch

if TYPE_CHECKING:
    from collections.abc import Iterator

__all__ = ["NAME", "folded_attention", "register", "using"]

NAME = "rtl_agent_folded"
_KEPT = "rtl_agent_repeated"  # attribute of a mask
_SPECIAL = ("softcap", "position_bias", "s_aux")


def folded_attention(  # noqa: PLR0913 (the interface of transformers)
    module: Any,
    query: torch.Tensor,
    key: torch.Tensor,
    value: torch.Tensor,
    attention_mask: torch.Tensor | None,
    scaling: float | None = None,
    dropout: float = 0.0,
    **kwargs: Any,
) -> tuple[torch.Tensor, None]:
    """An attention function in the sense of `transformers.AttentionInterface`.

    Args:
        module: the attention layer.
        query: `[rows, heads, nodes, head_dim]`.
        key: `[rows, key_heads, extent, head_dim]`.
        value: like `key`.
        attention_mask: `[rows, 1, nodes, extent]`, additive.
        scaling: of the scores.
        dropout: for other uses of the interface.
        kwargs: what only some models pass; those are left to the usual function.

    Returns:
        `[rows, nodes, heads, head_dim]`, and no weights.
    """
    rows, heads, nodes, width = query.shape
    groups = heads // key.shape[1]
    special = groups == 1 or any(kwargs.get(name) is not None for name in _SPECIAL)
    if attention_mask is None or attention_mask.shape[1] != 1 or special:
        from transformers.integrations.sdpa_attention import (
            sdpa_attention_forward,
        )

        result: tuple[torch.Tensor, None] = sdpa_attention_forward(
            module, query, key, value, attention_mask, dropout=dropout, scaling=scaling, **kwargs
        )
        return result
    folded = query.reshape(rows, heads // groups, groups * nodes, width)
    mask = attention_mask if nodes == 1 else _repeated(attention_mask, groups)
    out = torch.nn.functional.scaled_dot_product_attention(
        folded, key, value, attn_mask=mask, dropout_p=dropout, scale=scaling
    )
    return out.reshape(rows, heads, nodes, -1).transpose(1, 2).contiguous(), None


def _repeated(mask: torch.Tensor, groups: int) -> torch.Tensor:
    """The mask for the query heads of a group, made once a forward and not in every layer."""
    known: torch.Tensor | None = getattr(mask, _KEPT, None)
    if known is None or known.shape[2] != groups * mask.shape[2]:
        known = mask.repeat(1, 1, groups, 1)
        setattr(mask, _KEPT, known)
    return known


def register() -> None:
    """Make the function known to `transformers`; twice does no harm."""
    from transformers import AttentionInterface

    AttentionInterface.register(NAME, folded_attention)


@contextmanager
def using(config: Any, *, active: bool) -> Iterator[None]:
    """Use it for the forwards inside, if `active`; the model's own choice comes back after."""
    if not active:
        yield
        return
    before = config._attn_implementation  # noqa: SLF001 (the attribute transformers reads)
    config._attn_implementation = NAME  # noqa: SLF001
    try:
        yield
    finally:
        config._attn_implementation = before  # noqa: SLF001
