"""Generators of one model with different drafters, which share weights and cache."""

from __future__ import annotations

import copy
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from rtl_agent.decoding.engine.prefill import CacheKeeper
from rtl_agent.decoding.engine.seq2seq import Seq2SeqTarget
from rtl_agent.decoding.engine.target import CausalTarget
from rtl_agent.decoding.models.assemble import assemble
from rtl_agent.decoding.models.pack import pack

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from rtl_agent.decoding.models.generator import TextGenerator
    from rtl_agent.decoding.models.options import Speculation

__all__ = ["Configurations", "combinations"]


def combinations(drafters: Sequence[str]) -> list[tuple[str, ...]]:
    """Plain, every drafter alone, and all together."""
    alone = [(name,) for name in drafters]
    return [(), *alone, tuple(drafters)] if len(alone) > 1 else [(), *alone]


class Configurations:
    """Makes generators of a model on demand; the model given keeps its weights as they came.

    Args:
        name: for reports.
        model: a `transformers` model.
        tokenizer: its tokenizer.
        options: names the drafters and their files; modes and grammar are ignored.
        table: the n-gram table that ships with the model.
    """

    def __init__(
        self,
        name: str,
        model: Any,
        tokenizer: Any,
        options: Speculation,
        *,
        table: Path | None = None,
    ) -> None:
        self._name, self._tokenizer = name, tokenizer
        self._options, self._table = options, table
        given = options.table or table
        self.drafters = tuple(
            drafter for drafter in options.drafters if drafter != "corpus" or given is not None
        )
        self._model = model
        if model.device.type == "cpu":
            self._model = copy.deepcopy(model)
            pack(self._model)
        seq2seq = bool(getattr(model.config, "is_encoder_decoder", False))
        kind = Seq2SeqTarget if seq2seq else CausalTarget
        # A prompt is run once for all of them: its hidden state has to be there for the heads.
        self._keeper = CacheKeeper(kind(self._model, want_hidden="heads" in self.drafters))
        self._made: dict[tuple[str, ...], TextGenerator] = {}

    def generator(self, drafters: tuple[str, ...]) -> TextGenerator:
        """That with these drafters; none decodes plainly."""
        if drafters not in self._made:
            chosen = replace(
                self._options,
                drafters=drafters,
                typical=False,
                integrity=False,
                shape=False,
                grammar="",
            )
            self._made[drafters] = assemble(
                self._name,
                self._model,
                self._tokenizer,
                chosen,
                table=self._table,
                keeper=self._keeper,
            )
        return self._made[drafters]
