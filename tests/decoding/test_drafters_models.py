"""Drafters that run a model: heads, draft model, early exit. Output stays that of the target."""

from __future__ import annotations

import pytest
import torch
from engine_models import EOS, VOCABULARY, plain_greedy, prompts, tiny
from rtl_agent.decoding.drafters.draft_model import DraftModelDrafter
from rtl_agent.decoding.drafters.early_exit import EarlyExitDrafter, truncated
from rtl_agent.decoding.drafters.heads import HeadsDrafter
from rtl_agent.decoding.drafters.heads_model import (
    DraftHeads,
    HeadsConfig,
    base_sample,
    load_heads,
    save_heads,
)
from rtl_agent.decoding.drafters.lookup import LookupDrafter
from rtl_agent.decoding.engine.loop import Engine
from rtl_agent.decoding.engine.sampling import Sampler
from rtl_agent.decoding.engine.state import Request
from rtl_agent.decoding.engine.target import CausalTarget
from rtl_agent.decoding.errors import HeadsMismatch, ModelUnusable

NEW = 30


def decode(engine, given, sampler=None):
    rows = []
    requests = [
        Request(prompt, NEW, sampler or Sampler(), index, frozenset({EOS}))
        for index, prompt in enumerate(given)
    ]
    for _ in engine.run(requests, rows=rows):
        pass
    return rows


def heads_for(model, count=3, draft=None):
    config = HeadsConfig(count, 2, 48, VOCABULARY, base_sample(model))
    torch.manual_seed(3)
    heads = DraftHeads(config, draft)
    for parameter in heads.parameters():
        torch.nn.init.normal_(parameter, std=0.1)
    return heads.eval()


def drafters_for(name, model):
    if name == "heads":
        return [HeadsDrafter(heads_for(model), model)]
    if name == "heads-small":
        return [HeadsDrafter(heads_for(model, draft=range(8, 120)), model)]
    if name == "draft-model":
        return [DraftModelDrafter(tiny("llama", seed=5), vocabulary=VOCABULARY)]
    if name == "twin":
        return [DraftModelDrafter(model, vocabulary=VOCABULARY)]
    if name == "self":
        return [EarlyExitDrafter(model, layers=1)]
    return [
        LookupDrafter(),
        HeadsDrafter(heads_for(model), model),
        DraftModelDrafter(tiny("llama", seed=5), vocabulary=VOCABULARY),
        EarlyExitDrafter(model, layers=1),
    ]


@pytest.mark.parametrize("batch", [1, 4])
@pytest.mark.parametrize("name", ["heads", "heads-small", "draft-model", "twin", "self", "all"])
@pytest.mark.parametrize("family", ["llama", "mistral", "starcoder2"])
def test_output_equals_generate(family, name, batch):
    model = tiny(family)
    given = prompts(4, seed=11, least=2, most=50)
    target = CausalTarget(model, want_hidden=True)
    engine = Engine(target, drafters=drafters_for(name, model), adaptive=False)
    for start in range(0, 4, batch):
        for row in decode(engine, given[start : start + batch]):
            assert list(row.new_tokens) == plain_greedy(model, row.request.prompt, NEW)
            assert row.stats.drafted > 0 or len(row.new_tokens) < 2


@pytest.mark.parametrize("name", ["twin", "all"])
def test_sampled_output_equals_plain_sampling(name):
    model = tiny("llama")
    given = prompts(3, seed=12)
    sampler = Sampler(1.0, 0, 0.9, seed=2)
    plain = decode(Engine(CausalTarget(model)), given, sampler)
    target = CausalTarget(model, want_hidden=True)
    engine = Engine(target, drafters=drafters_for(name, model), adaptive=False)
    for row, reference in zip(decode(engine, given, sampler), plain, strict=True):
        assert list(row.new_tokens) == list(reference.new_tokens)


def test_a_perfect_draft_model_is_accepted():
    model = tiny("llama")
    drafter = DraftModelDrafter(model, vocabulary=VOCABULARY, depth=4)
    for prompt in prompts(3, seed=13):
        row = decode(Engine(CausalTarget(model), drafters=[drafter], adaptive=False), [prompt])[0]
        if len(row.new_tokens) == NEW:
            assert row.stats.accepted_by["draft-model"] > NEW / 2


def test_truncation_shares_weights_and_changes_the_output():
    model = tiny("llama")
    short = truncated(model, 1)
    ids = torch.tensor([prompts(1)[0]])
    with torch.inference_mode():
        both = model(ids).logits, short(ids).logits
    assert not torch.allclose(both[0], both[1])
    assert short.lm_head.weight is model.lm_head.weight
    assert len(model.model.layers) == 2
    with pytest.raises(ModelUnusable):
        truncated(model, 2)


def test_another_vocabulary_is_an_error():
    with pytest.raises(HeadsMismatch, match="200 tokens and the target 300"):
        DraftModelDrafter(tiny("llama"), vocabulary=300)


def test_each_head_has_weights_of_its_own():
    heads = DraftHeads(HeadsConfig(3, 2, 48, VOCABULARY))
    count = sum(parameter.numel() for parameter in heads.parameters())
    assert count == 3 * 2 * (48 * 48 + 48)


def test_heads_are_kept_and_checked(tmp_path):
    model = tiny("llama")
    heads = heads_for(model, draft=range(50))
    save_heads(heads, tmp_path / "heads.safetensors")
    again = load_heads(tmp_path / "heads.safetensors", model)
    hidden = torch.randn(48)
    assert torch.equal(heads(hidden), again(hidden))
    assert again.draft_ids.tolist() == list(range(50))
    with pytest.raises(HeadsMismatch, match="another base"):
        load_heads(tmp_path / "heads.safetensors", tiny("llama", seed=9))
    with pytest.raises(HeadsMismatch, match="another base"):
        load_heads(tmp_path / "heads.safetensors", tiny("qwen2"))
    (tmp_path / "bad.safetensors").write_bytes(b"no")
    with pytest.raises(ModelUnusable):
        load_heads(tmp_path / "bad.safetensors", model)
    half = tiny("llama").to(torch.bfloat16)
    load_heads(tmp_path / "heads.safetensors", half)
    tiny.cache_clear()
