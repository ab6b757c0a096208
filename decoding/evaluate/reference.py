"""Plain decoding by transformers itself: what speculative output is compared with."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Any

import torch

if TYPE_CHECKING:
    from collections.abc import Sequence

__all__ = ["generate_greedy", "margin"]


def generate_greedy(
    model: Any, ids: Sequence[int], *, tokens: int, eos: frozenset[int], lookup: int = 0
) -> tuple[list[int], float]:
    """New tokens of transformers' greedy `generate`, EOS included, and seconds until the first.

    Args:
        model: a `transformers` model.
        ids: the prompt (an encoder-decoder's source).
        tokens: most new tokens.
        eos: ids that end the text.
        lookup: tokens of transformers' own prompt lookup; 0 for plain decoding.
    """
    from transformers import GenerationConfig, StoppingCriteriaList

    started = time.perf_counter()
    first: list[float] = []

    def clock(tokens_so_far: torch.Tensor, _: Any, **__: Any) -> torch.Tensor:
        """Stops nothing; it is called behind every step."""
        if not first:
            first.append(time.perf_counter() - started)
        return torch.zeros(tokens_so_far.shape[0], dtype=torch.bool, device=tokens_so_far.device)

    config = GenerationConfig(
        do_sample=False,
        num_beams=1,
        max_new_tokens=tokens,
        eos_token_id=sorted(eos) or None,
        pad_token_id=min(eos) if eos else 0,
        decoder_start_token_id=getattr(model.generation_config, "decoder_start_token_id", None),
        prompt_lookup_num_tokens=lookup or None,
    )
    prompt = torch.tensor([list(ids)], device=model.device)
    out = model.generate(
        prompt,
        attention_mask=torch.ones_like(prompt),
        generation_config=config,
        stopping_criteria=StoppingCriteriaList([clock]),
    )
    skip = 1 if model.config.is_encoder_decoder else len(ids)
    found: list[int] = out[0, skip:].tolist()
    return found, first[0] if first else 0.0


def margin(model: Any, ids: Sequence[int], before: Sequence[int], one: int, other: int) -> float:
    """How much more the target likes token `one` than `other` behind `ids + before`; in logits."""
    with torch.inference_mode():
        if model.config.is_encoder_decoder:
            start = [model.generation_config.decoder_start_token_id, *before]
            output = model(
                input_ids=torch.tensor([list(ids)], device=model.device),
                decoder_input_ids=torch.tensor([start], device=model.device),
            )
        else:
            tokens = torch.tensor([[*ids, *before]], device=model.device)
            output = model(input_ids=tokens)
    logits = output.logits[0, -1].float()
    return float(logits[one] - logits[other])
