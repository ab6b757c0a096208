"""Losses on answer positions; the vocabulary projection is computed nowhere else."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import torch
    from torch import nn

    from .data import Batch

__all__ = ["answer_loss", "answer_states", "heads_losses"]

_IGNORED = -100


def answer_states(model: Any, batch: Batch) -> tuple[torch.Tensor, torch.Tensor, Any]:
    """What the answer tokens of `batch` are chosen from.

    Args:
        model: A causal LM, under an adapter or not, whose base gives `last_hidden_state`
            [B, L, D] and which has an output projection.
        batch: Token ids, mask and labels, each [B, L].

    Returns:
        Hidden states [answers, D], the tokens themselves [answers], and the output projection.
    """
    causal = model.get_base_model() if hasattr(model, "get_base_model") else model
    body = getattr(causal, causal.base_model_prefix)
    hidden = body(input_ids=batch.ids, attention_mask=batch.mask, use_cache=False).last_hidden_state
    targets = batch.labels[:, 1:]
    wanted = targets != _IGNORED
    return hidden[:, :-1][wanted], targets[wanted], causal.get_output_embeddings()


def answer_loss(model: Any, batch: Batch) -> tuple[torch.Tensor, int]:
    """Mean cross entropy over the answer tokens of `batch`, and how many there are."""
    from torch.nn.functional import cross_entropy

    states, targets, project = answer_states(model, batch)
    return cross_entropy(project(states).float(), targets), len(targets)


def heads_losses(
    heads: nn.Module, states: torch.Tensor, labels: torch.Tensor, project: Any
) -> torch.Tensor:
    """Mean cross entropy of each head over the labels it has, [heads].

    Args:
        heads: `[answers, D]` to `[answers, heads, D]`.
        states: [answers, D].
        labels: [answers, heads]; -100 where there is none.
        project: the base's output projection.
    """
    import torch
    from torch.nn.functional import cross_entropy

    features = heads(states)
    losses = []
    for head in range(labels.shape[1]):
        wanted = labels[:, head] != _IGNORED
        logits = project(features[wanted, head]).float()
        total = cross_entropy(logits, labels[wanted, head], reduction="sum")
        losses.append(total / wanted.sum().clamp(min=1))
    return torch.stack(losses)
