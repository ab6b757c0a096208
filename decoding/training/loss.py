"""Next-token loss on answer positions; the vocabulary projection is computed nowhere else."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import torch

    from .data import Batch

__all__ = ["answer_loss"]


def answer_loss(model: Any, batch: Batch) -> tuple[torch.Tensor, int]:
    """Mean cross entropy over the answer tokens of `batch`, and how many there are.

    Args:
        model: A causal LM whose base (`get_base_model().model` under an adapter, else `.model`)
            gives `last_hidden_state` [B, L, D] and which has an output projection.
        batch: Token ids, mask and labels, each [B, L].
    """
    from torch.nn.functional import cross_entropy

    causal = model.get_base_model() if hasattr(model, "get_base_model") else model
    hidden = causal.model(
        input_ids=batch.ids, attention_mask=batch.mask, use_cache=False
    ).last_hidden_state
    targets = batch.labels[:, 1:]
    wanted = targets != -100
    logits = causal.get_output_embeddings()(hidden[:, :-1][wanted])
    return cross_entropy(logits.float(), targets[wanted]), int(wanted.sum())
