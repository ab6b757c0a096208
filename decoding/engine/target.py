"""The target model: a stock Hugging Face causal LM behind two calls, `prefill` and `forward`."""

from __future__ import annotations

import inspect
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import torch
from rtl_agent.decoding.engine.attention import register, using
from rtl_agent.decoding.engine.cache import TreeCache
from rtl_agent.decoding.engine.masks import tree_mask
from rtl_agent.decoding.engine.tree import TreeBatch
from rtl_agent.decoding.errors import PromptTooLong

if TYPE_CHECKING:
    from collections.abc import Sequence

__all__ = ["CausalTarget", "TargetOutput"]

_PREFILL_CHUNK = 512


@dataclass(frozen=True, slots=True)
class TargetOutput:
    """What one forward gives.

    Logits `[rows, nodes, vocabulary]` and, when asked for, the last hidden state
    `[rows, nodes, width]`.
    """

    logits: torch.Tensor
    hidden: torch.Tensor | None = None


class CausalTarget:
    """A decoder-only target.

    Args:
        model: any `transformers` causal LM whose layers are full or sliding-window attention.
        want_hidden: also return last hidden states (drafting heads need them).
    """

    chains_only = False
    start = -1

    def __init__(self, model: Any, *, want_hidden: bool = False) -> None:
        self.model = model
        self.want_hidden = want_hidden
        config = model.config.get_text_config()
        self.vocabulary: int = int(config.vocab_size)
        self.context: int = int(getattr(config, "max_position_embeddings", 0) or (1 << 30))
        self.layers: int = int(config.num_hidden_layers)
        self.dtype: torch.dtype = model.dtype
        self.device: torch.device = model.device
        # Of the weights as they came: packing may replace them.
        self.weight_bytes: int = sum(p.numel() * p.element_size() for p in model.parameters())
        self._windows = _layer_windows(config)
        self._folds = getattr(model.config, "_attn_implementation", "") == "sdpa"
        if self._folds:
            register()
        parameters = inspect.signature(model.forward).parameters
        # Renamed between the supported releases.
        self._cache_name = "cache" if "cache" in parameters else "past_key_values"

    def new_cache(self, rows: int, capacity: int) -> TreeCache:
        """A cache for `rows` rows of `capacity` tokens."""
        return TreeCache(self.layers, rows, capacity)

    def prefill(
        self, cache: TreeCache, row: int, ids: Sequence[int], source: Sequence[int] = ()
    ) -> TargetOutput:
        """Run `ids` (what row `row` does not hold yet) and commit them.

        `source` is for encoder-decoder models and has to be empty here.

        Returns:
            The output of the last token alone: one row, one node.

        Raises:
            PromptTooLong: the row would pass the model's context.
        """
        if not ids or source:
            raise ValueError("prefill needs at least one token and no source")
        total = cache.lengths[row] + len(ids)
        if total > self.context:
            raise PromptTooLong(
                f"the prompt has {total} tokens and the model's context is {self.context}",
                remedy="shorten the prompt or use a model with a longer context",
            )
        output = None
        for begin in range(0, len(ids), _PREFILL_CHUNK):
            part = list(ids[begin : begin + _PREFILL_CHUNK])
            size = len(part)
            ancestors = torch.ones(1, size, size, dtype=torch.bool).tril()
            chain = TreeBatch(torch.tensor([part]), torch.arange(size)[None], ancestors)
            output = self._run(cache, (row, row + 1), chain, keep=1)
            cache.lengths[row] += size
        if output is None:
            raise AssertionError("unreachable")
        return output

    def forward(self, cache: TreeCache, batch: TreeBatch, sizes: Sequence[int]) -> TargetOutput:
        """One forward over rows `0:len(sizes)`; nothing is committed until `cache.keep`."""
        return self._run(cache, (0, len(sizes)), batch, keep=0)

    def _run(
        self,
        cache: TreeCache,
        window: tuple[int, int],
        batch: TreeBatch,
        *,
        keep: int,
    ) -> TargetOutput:
        first, stop = window
        depths = batch.depths
        cache.open(first, stop, batch.nodes, self.device)
        lengths = torch.tensor(cache.lengths[first:stop])
        masks = {
            kind: tree_mask(lengths, batch, extent=cache.extent, window=size, dtype=self.dtype).to(
                self.device
            )
            for kind, size in self._windows.items()
        }
        mask: Any = masks if len(masks) > 1 else next(iter(masks.values()))
        with torch.inference_mode(), using(self.model.config, active=self._folds):
            output = self.model(
                input_ids=batch.tokens.to(self.device),
                attention_mask=mask,
                position_ids=(lengths[:, None] + depths).to(self.device),
                use_cache=True,
                logits_to_keep=keep,
                output_hidden_states=self.want_hidden,
                **{self._cache_name: cache},
            )
        hidden = output.hidden_states[-1] if self.want_hidden else None
        return TargetOutput(output.logits, hidden)


def _layer_windows(config: Any) -> dict[str, int]:
    """Attention kinds of the layers, each with its window in tokens (0: everything)."""
    size = int(getattr(config, "sliding_window", None) or 0)
    kinds = getattr(config, "layer_types", None)
    if kinds is None:
        return {"full_attention": size}
    windows = {"full_attention": 0, "sliding_attention": size}
    return {kind: windows[kind] for kind in dict.fromkeys(kinds)}
