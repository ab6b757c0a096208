"""Drafts from the target's own first layers (self-speculation), in the target's cache.

The truncated model shares every weight with the target. It writes keys and values of its layers
behind the committed tokens; the target's own forward overwrites them.
"""

from __future__ import annotations

import copy
from typing import TYPE_CHECKING, Any

import torch
from rtl_agent.decoding.drafters.autoregressive import grow_chains
from rtl_agent.decoding.engine.cache import TreeCache
from rtl_agent.decoding.engine.target import CausalTarget
from rtl_agent.decoding.engine.tree import Tree, pad
from rtl_agent.decoding.errors import ModelUnusable
from torch import nn

if TYPE_CHECKING:
    from collections.abc import Sequence

    from rtl_agent.decoding.engine.protocols import TargetCache
    from rtl_agent.decoding.engine.state import Row

__all__ = ["EarlyExitDrafter", "truncated"]


def truncated(model: Any, layers: int) -> Any:
    """A model of the first `layers` layers, the final norm and the output projection.

    No weight is copied.

    Raises:
        ModelUnusable: the model has fewer layers, or none to be found.
    """
    base = model.get_decoder()
    known = getattr(base, "layers", None)
    if not isinstance(known, nn.ModuleList) or not 0 < layers < len(known):
        raise ModelUnusable(
            f"early exit after layer {layers} is not possible in this model",
            remedy="choose a layer above 0 and below the model's number of layers",
        )
    config = copy.deepcopy(base.config)
    config.num_hidden_layers = layers
    short = _with_modules(base, {"layers": nn.ModuleList(list(known)[:layers])})
    short.config = config
    return _with_modules(
        model, {name: short for name, module in model.named_children() if module is base}
    )


def _with_modules(module: Any, changed: dict[str, Any]) -> Any:
    """A shallow copy of a module in which some children are replaced."""
    twin = copy.copy(module)
    vars(twin)["_modules"] = {**vars(module)["_modules"], **changed}
    return twin


class EarlyExitDrafter:
    """Drafts with the first layers of the target itself.

    Args:
        model: the target's model.
        layers: how many of its layers draft.
        depth: most tokens drafted a step.
        width: tokens added at each place.
    """

    name = "self"
    runs_a_model = True  # its proposals cost passes: see `engine.thrift`

    def __init__(self, model: Any, *, layers: int, depth: int = 4, width: int = 2) -> None:
        self.target = CausalTarget(truncated(model, layers))
        self.depth = depth
        self.width = width
        self._cache: TreeCache | None = None

    def start(self, rows: Sequence[Row], cache: TargetCache) -> None:
        """Borrow the target's cache."""
        del rows
        if not isinstance(cache, TreeCache):
            raise ModelUnusable(
                "early exit needs a decoder-only target", remedy="choose another drafter"
            )
        self._cache = cache

    def update(self, row: Row, gained: Sequence[int], hidden: torch.Tensor | None) -> None:
        """Nothing: the target's forward keeps the cache right."""

    def propose(self, rows: Sequence[Row], trees: Sequence[Tree], budget: int) -> None:
        """Draft a chain a row, then hand the cache back as it was."""
        del budget
        cache = self._cache
        if cache is None:
            raise AssertionError("start() comes first")
        committed = cache.lengths[: len(rows)]

        def forward(tokens: list[int]) -> torch.Tensor:
            batch = pad([Tree.rooted(token) for token in tokens])
            output = self.target.forward(cache, batch, [1] * len(tokens))
            for slot in range(len(tokens)):
                cache.lengths[slot] += 1
            return output.logits[:, 0]

        logits = forward([row.tokens[-1] for row in rows])
        grow_chains(
            rows,
            trees,
            logits,
            forward=forward,
            source=self.name,
            depth=self.depth,
            width=self.width,
        )
        cache.lengths[: len(rows)] = committed
