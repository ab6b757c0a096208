"""Encoder-decoder targets (the T5 family, CodeT5+).

T5 adds a bias that depends on the distance of two places in the cache, so a row's draft has to
be a chain, and rows of different length cannot share a forward; each row runs by itself. The
encoder runs once a prompt.
"""

from __future__ import annotations

import inspect
from typing import TYPE_CHECKING, Any

import torch
from rtl_agent.decoding.engine.cache import TreeCache
from rtl_agent.decoding.engine.target import TargetOutput
from rtl_agent.decoding.errors import ModelUnusable, PromptTooLong
from transformers.cache_utils import DynamicCache, EncoderDecoderCache

if TYPE_CHECKING:
    from collections.abc import Sequence

    from rtl_agent.decoding.engine.tree import TreeBatch

__all__ = ["Seq2SeqCache", "Seq2SeqTarget"]


class Seq2SeqCache:
    """One decoder cache a row, and what the decoder sees of the encoder."""

    def __init__(self, layers: int, rows: int, capacity: int) -> None:
        self.decoders = [TreeCache(layers, 1, capacity) for _ in range(rows)]
        self.sources: list[Any] = [None] * rows
        self.crossed = [EncoderDecoderCache(own, DynamicCache()) for own in self.decoders]

    @property
    def lengths(self) -> list[int]:
        """Committed decoder tokens a row."""
        return [decoder.lengths[0] for decoder in self.decoders]

    def keep(self, row: int, path: Sequence[int]) -> None:
        """Commit the first `len(path)` tokens of the last forward of `row`."""
        self.decoders[row].keep(0, path)

    def rewind(self, row: int, length: int) -> None:
        """Let row `row` hold its first `length` tokens; 0 forgets the encoder's, too."""
        self.decoders[row].rewind(0, length)
        if not length:
            self.crossed[row] = EncoderDecoderCache(self.decoders[row], DynamicCache())

    def copy_row(self, source: int, target: int) -> None:
        """Make row `target` a copy of row `source`; what comes from the encoder is shared."""
        self.decoders[target].copy_from(self.decoders[source])
        self.sources[target] = self.sources[source]
        cross = self.crossed[source]
        shared = EncoderDecoderCache(self.decoders[target], cross.cross_attention_cache)
        shared.is_updated = dict(cross.is_updated)
        self.crossed[target] = shared


class Seq2SeqTarget:
    """An encoder-decoder target; see `target.CausalTarget` for the calls.

    Args:
        model: a `transformers` encoder-decoder language model with relative positions.
        want_hidden: also return the decoder's last hidden states.
    """

    chains_only = True

    def __init__(self, model: Any, *, want_hidden: bool = False) -> None:
        self.model = model
        self.want_hidden = want_hidden
        config = model.config.get_text_config(decoder=True)
        self.vocabulary = int(config.vocab_size)
        # Relative positions set no limit; the longest input it was trained for does.
        self.context = int(getattr(config, "n_positions", 0) or (1 << 30))
        self.layers = int(getattr(config, "num_decoder_layers", 0) or config.num_layers)
        self.dtype: torch.dtype = model.dtype
        self.device: torch.device = model.device
        self.start = _decoder_start(model)
        parameters = inspect.signature(model.forward).parameters
        self._cache_name = "cache" if "cache" in parameters else "past_key_values"

    def new_cache(self, rows: int, capacity: int) -> Seq2SeqCache:
        """A cache for `rows` rows of `capacity` decoder tokens."""
        return Seq2SeqCache(self.layers, rows, capacity)

    def prefill(
        self, cache: Seq2SeqCache, row: int, ids: Sequence[int], source: Sequence[int] = ()
    ) -> TargetOutput:
        """Run the encoder over `source` and the decoder over `ids`; commit them.

        Raises:
            PromptTooLong: the source passes the length the model was made for.
        """
        if len(source) > self.context:
            raise PromptTooLong(
                f"the prompt has {len(source)} tokens and the model takes {self.context}",
                remedy="shorten the prompt or use a model with a longer context",
            )
        with torch.inference_mode():
            tokens = torch.tensor([list(source)], device=self.device)
            cache.sources[row] = self.model.get_encoder()(input_ids=tokens)
        output = self._run(cache, row, torch.tensor([list(ids)]))
        cache.keep(row, range(len(ids)))
        hidden = None if output.hidden is None else output.hidden[:, -1:]
        return TargetOutput(output.logits[:, -1:], hidden)

    def forward(self, cache: Seq2SeqCache, batch: TreeBatch, sizes: Sequence[int]) -> TargetOutput:
        """One forward a row over its chain; `sizes` are the rows' nodes without padding."""
        rows, nodes = batch.tokens.shape
        parts = [
            self._run(cache, row, batch.tokens[row : row + 1, :size])
            for row, size in enumerate(sizes)
        ]
        logits = parts[0].logits.new_zeros(rows, nodes, parts[0].logits.shape[-1])
        hidden = None
        if parts[0].hidden is not None:
            hidden = parts[0].hidden.new_zeros(rows, nodes, parts[0].hidden.shape[-1])
        for row, (part, size) in enumerate(zip(parts, sizes, strict=True)):
            logits[row, :size] = part.logits[0]
            if hidden is not None and part.hidden is not None:
                hidden[row, :size] = part.hidden[0]
        return TargetOutput(logits, hidden)

    def _run(self, cache: Seq2SeqCache, row: int, tokens: torch.Tensor) -> TargetOutput:
        cache.decoders[row].open(0, 1, int(tokens.shape[1]), self.device)
        with torch.inference_mode():
            output = self.model(
                encoder_outputs=cache.sources[row],
                decoder_input_ids=tokens.to(self.device),
                use_cache=True,
                output_hidden_states=self.want_hidden,
                **{self._cache_name: cache.crossed[row]},
            )
        hidden = output.decoder_hidden_states[-1] if self.want_hidden else None
        return TargetOutput(output.logits, hidden)


def _decoder_start(model: Any) -> int:
    for config in (getattr(model, "generation_config", None), model.config):
        token = getattr(config, "decoder_start_token_id", None)
        if token is not None:
            return int(token)
    raise ModelUnusable(
        "the encoder-decoder model names no decoder_start_token_id",
        remedy="add it to the model's generation_config.json",
    )
