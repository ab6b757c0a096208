"""The text-level generator over an engine: tokenizer, streaming, stop strings, chat template."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from rtl_agent.decoding.api import Completion, DecodeStats, FinishReason, SamplingParams
from rtl_agent.decoding.engine.sampling import Sampler
from rtl_agent.decoding.engine.state import Request, Row
from rtl_agent.decoding.errors import ModelUnusable
from rtl_agent.decoding.models.detokenize import TextStream

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from rtl_agent.decoding.engine.loop import Engine

__all__ = ["TextGenerator"]

_GREEDY = SamplingParams()


class TextGenerator:
    """Implements `rtl_agent.decoding.api.Generator` for a local model.

    Args:
        name: how the model is named in reports.
        engine: decodes token ids.
        tokenizer: the model's `transformers` tokenizer.
        eos: ids that end a sample.
    """

    def __init__(self, name: str, engine: Engine, tokenizer: Any, eos: frozenset[int]) -> None:
        self.name = name
        self.engine = engine
        self.tokenizer = tokenizer
        self.eos = eos

    def encode(self, text: str) -> tuple[int, ...]:
        """Token ids of a prompt, special tokens added unless the text already starts with them."""
        bos = getattr(self.tokenizer, "bos_token", None)
        special = not (bos and text.startswith(bos))
        return tuple(self.tokenizer(text, add_special_tokens=special)["input_ids"])

    def generate(  # noqa: PLR0913 (the protocol's signature)
        self,
        prompt: str,
        *,
        n: int = 1,
        params: SamplingParams = _GREEDY,
        hints: Sequence[str] = (),
        on_text: Callable[[int, str], None] | None = None,
        should_stop: Callable[[], bool] | None = None,
    ) -> list[Completion]:
        """See `rtl_agent.decoding.api.Generator.generate`."""
        requests = [self._request(prompt, tuple(hints), params, sample) for sample in range(n)]
        return self._run(requests, params, on_text, should_stop)

    def generate_many(
        self, prompts: Sequence[tuple[str, Sequence[str]]], *, params: SamplingParams = _GREEDY
    ) -> list[Completion]:
        """Continue different prompts, each with its hints, in one batch."""
        requests = [self._request(text, tuple(hints), params, 0) for text, hints in prompts]
        return self._run(requests, params, None, None)

    def _request(
        self, prompt: str, hints: tuple[str, ...], params: SamplingParams, sample: int
    ) -> Request:
        ids = self.encode(prompt)
        if not ids:
            raise ModelUnusable(
                "the prompt is empty and the model has no start token",
                remedy="give a prompt with text in it",
            )
        sampler = Sampler(params.temperature, params.top_k, params.top_p, params.seed)
        hint_ids = tuple(
            tuple(self.tokenizer(text, add_special_tokens=False)["input_ids"]) for text in hints
        )
        source: tuple[int, ...] = ()
        if self.engine.target.start >= 0:
            # An encoder reads the prompt; the lookup drafter may copy from it.
            ids, source = (self.engine.target.start,), ids
            hint_ids = (*hint_ids, source)
        return Request(ids, params.max_new_tokens, sampler, sample, self.eos, source, hint_ids)

    def _run(
        self,
        requests: Sequence[Request],
        params: SamplingParams,
        on_text: Callable[[int, str], None] | None,
        should_stop: Callable[[], bool] | None,
    ) -> list[Completion]:
        streams = [TextStream(self.tokenizer, params.stop) for _ in requests]

        def watch(index: int, tokens: Sequence[int]) -> int | None:
            return streams[index].push([token for token in tokens if token not in self.eos])

        rows: list[Row] = []
        for event in self.engine.run(requests, rows=rows, watch=watch, should_stop=should_stop):
            if on_text is not None:
                stream = streams[event.index]
                piece = stream.finish() if event.finish else stream.take()
                if piece:
                    on_text(event.index, piece)
        return [self._completion(row, streams[row.index]) for row in rows]

    def chat_prompt(self, messages: Sequence[tuple[str, str]], *, prefill: str = "") -> str:
        """See `rtl_agent.decoding.api.Generator.chat_prompt`."""
        if not getattr(self.tokenizer, "chat_template", None):
            raise ModelUnusable(
                f"{self.name} has no chat template, so it cannot be asked with messages",
                remedy="use the model's instruct variant, or continue plain text",
            )
        rendered: str = self.tokenizer.apply_chat_template(
            [{"role": role, "content": text} for role, text in messages],
            tokenize=False,
            add_generation_prompt=True,
        )
        return rendered + prefill

    def _completion(self, row: Row, stream: TextStream) -> Completion:
        stream.finish()
        new = tuple(row.new_tokens)
        stats = row.stats
        return Completion(
            text=stream.text,
            token_ids=new,
            finish=row.finish or FinishReason.LENGTH,
            stats=DecodeStats(
                mode=self.engine.mode(row),
                prompt_tokens=len(row.request.source or row.request.prompt),
                new_tokens=len(new),
                target_passes=stats.target_passes,
                prefill_s=stats.prefill_s,
                draft_s=stats.draft_s,
                target_s=stats.target_s,
                accept_s=stats.accept_s,
                drafted_tokens=stats.drafted,
                last_block=stats.last_block,
                accepted_by=dict(stats.accepted_by),
            ),
        )
