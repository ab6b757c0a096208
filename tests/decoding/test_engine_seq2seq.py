"""Encoder-decoder targets: the T5 family."""

from __future__ import annotations

from functools import cache

import pytest
import torch
from engine_models import VOCABULARY, Oracle, prompts
from rtl_agent.decoding.drafters.heads import HeadsDrafter
from rtl_agent.decoding.drafters.heads_model import DraftHeads, HeadsConfig
from rtl_agent.decoding.drafters.lookup import LookupDrafter
from rtl_agent.decoding.engine.loop import Engine
from rtl_agent.decoding.engine.sampling import Sampler
from rtl_agent.decoding.engine.seq2seq import Seq2SeqTarget
from rtl_agent.decoding.engine.state import Request
from rtl_agent.decoding.errors import PromptTooLong
from transformers import GenerationConfig, T5Config, T5ForConditionalGeneration

NEW = 30


@cache
def tiny_t5():
    torch.set_num_threads(1)
    torch.manual_seed(0)
    config = T5Config(
        vocab_size=VOCABULARY,
        d_model=32,
        d_kv=8,
        d_ff=64,
        num_layers=2,
        num_heads=4,
        initializer_factor=0.5,
        n_positions=512,
        decoder_start_token_id=0,
        eos_token_id=1,
        pad_token_id=0,
    )
    model = T5ForConditionalGeneration(config).eval()
    model.generation_config.decoder_start_token_id = 0
    with torch.no_grad():  # sharper attention: answers then depend on the prompt and do not loop
        for name, weight in model.named_parameters():
            if "EncDecAttention" in name or "SelfAttention.q" in name or "relative" in name:
                weight.mul_(8)
    return model


def plain(model, source):
    ids = torch.tensor([source])
    config = GenerationConfig(
        do_sample=False,
        max_new_tokens=NEW,
        eos_token_id=1,
        pad_token_id=0,
        decoder_start_token_id=0,
    )
    out = model.generate(ids, attention_mask=torch.ones_like(ids), generation_config=config)
    return out[0, 1:].tolist()


def decode(engine, sources, sampler=None):
    rows = []
    requests = [
        Request((0,), NEW, sampler or Sampler(), index, frozenset({1}), source, (source,))
        for index, source in enumerate(sources)
    ]
    for _ in engine.run(requests, rows=rows):
        pass
    return rows


class SourceOracle(Oracle):
    """Knows the answer by the encoder's input."""

    def propose(self, rows, trees, budget):
        for row, tree in zip(rows, trees, strict=True):
            ahead = self.answers[row.request.source][len(row.tokens) - 1 :]
            node = 0
            for token in ahead[: min(row.room - 1, self.right)]:
                tree.add(node, (token + 1) % VOCABULARY, self.name, confidence=0.1)
                node = tree.add(node, token, self.name, confidence=0.9)


@pytest.mark.parametrize("batch", [1, 4])
def test_output_equals_generate(batch):
    model = tiny_t5()
    sources = prompts(4, seed=21)
    answers = {source: plain(model, source) for source in sources}
    heads = DraftHeads(HeadsConfig(3, 1, 32, VOCABULARY)).eval()
    target = Seq2SeqTarget(model, want_hidden=True)
    for drafters in (
        [],
        [LookupDrafter(), HeadsDrafter(heads, model)],
        [SourceOracle(answers, right=6)],
    ):
        engine = Engine(target, drafters=drafters, adaptive=False)
        for start in range(0, 4, batch):
            for row in decode(engine, sources[start : start + batch]):
                assert list(row.new_tokens) == answers[row.request.source]
                if drafters and drafters[0].name == "oracle":
                    assert row.stats.target_passes <= len(row.new_tokens) / 6 + 1


def test_samples_of_one_prompt_differ_and_repeat():
    model = tiny_t5()
    engine = Engine(Seq2SeqTarget(model), drafters=[LookupDrafter()])
    source = prompts(1, seed=22)[0]
    sampler = Sampler(1.5, seed=3)
    first = [list(row.new_tokens) for row in decode(engine, [source] * 3, sampler)]
    again = [list(row.new_tokens) for row in decode(engine, [source] * 3, sampler)]
    plain_rows = decode(Engine(Seq2SeqTarget(model)), [source] * 3, sampler)
    assert first == again == [list(row.new_tokens) for row in plain_rows]
    assert len({tuple(tokens) for tokens in first}) == 3


def test_a_source_beyond_the_model_is_an_error():
    engine = Engine(Seq2SeqTarget(tiny_t5()))
    with pytest.raises(PromptTooLong, match="the model takes 512"):
        decode(engine, [tuple(range(2, 102)) * 6])
