"""Putting a model, its tokenizer and its drafters together."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from rtl_agent.decoding.drafters.corpus import CorpusDrafter
from rtl_agent.decoding.drafters.lookup import LookupDrafter
from rtl_agent.decoding.drafters.table import NgramTable, tokenizer_fingerprint
from rtl_agent.decoding.engine.loop import Engine
from rtl_agent.decoding.engine.seq2seq import Seq2SeqTarget
from rtl_agent.decoding.engine.target import CausalTarget
from rtl_agent.decoding.errors import ModelUnusable
from rtl_agent.decoding.models.generator import TextGenerator

if TYPE_CHECKING:
    from pathlib import Path

    from rtl_agent.decoding.drafters.base import Drafter

__all__ = ["assemble", "eos_ids"]


def assemble(
    name: str, model: Any, tokenizer: Any, *, speculate: bool = True, table: Path | None = None
) -> TextGenerator:
    """A generator over a loaded model.

    Raises:
        ModelUnusable: tokenizer and model do not belong together, or the table cannot be read.
        HeadsMismatch: the table was built for another tokenizer.
    """
    seq2seq = bool(getattr(model.config, "is_encoder_decoder", False))
    target = Seq2SeqTarget(model) if seq2seq else CausalTarget(model)
    if len(tokenizer) > target.vocabulary:
        raise ModelUnusable(
            f"{name}: the tokenizer has {len(tokenizer)} tokens and the model {target.vocabulary}",
            remedy="use the tokenizer the model was trained with",
        )
    drafters: list[Drafter] = []
    if speculate:
        drafters.append(LookupDrafter())
        if table is not None:
            fingerprint = tokenizer_fingerprint(tokenizer)
            drafters.append(CorpusDrafter(NgramTable(table, fingerprint=fingerprint)))
    engine = Engine(target, drafters=drafters)
    return TextGenerator(name, engine, tokenizer, eos_ids(model, tokenizer))


def eos_ids(model: Any, tokenizer: Any) -> frozenset[int]:
    """Every id that ends a text: those of the generation config and the tokenizer's own."""
    found: set[int] = set()
    config = getattr(model, "generation_config", None)
    for value in (getattr(config, "eos_token_id", None), tokenizer.eos_token_id):
        if isinstance(value, int):
            found.add(value)
        elif value is not None:
            found.update(int(item) for item in value)
    return frozenset(found)
