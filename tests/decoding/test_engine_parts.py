"""Parts of the engine: cache reuse between runs, folded attention, packed weights, limits."""

from __future__ import annotations

import copy
import json
import subprocess
import sys
from functools import partial
from pathlib import Path

import pytest
import torch
from engine_models import EOS, FAMILIES, Oracle, plain_greedy, prompts, tiny
from rtl_agent.decoding.api import FinishReason
from rtl_agent.decoding.drafters.heads_model import (
    DraftHeads,
    HeadsConfig,
    base_sample,
    load_heads,
    save_heads,
)
from rtl_agent.decoding.drafters.lookup import LookupDrafter
from rtl_agent.decoding.engine import attention, prefill
from rtl_agent.decoding.engine.cache import TreeCache
from rtl_agent.decoding.engine.loop import Engine
from rtl_agent.decoding.engine.prefill import CacheKeeper
from rtl_agent.decoding.engine.state import Request
from rtl_agent.decoding.engine.target import CausalTarget
from rtl_agent.decoding.engine.tree import Tree, pad
from rtl_agent.decoding.errors import HeadsMismatch, PromptTooLong
from rtl_agent.decoding.models import pack as packing

NEW = 20


def decode(engine, given, new=NEW):
    rows = []
    requests = [Request(prompt, new, eos=frozenset({EOS})) for prompt in given]
    for _ in engine.run(requests, rows=rows):
        pass
    return [list(row.new_tokens) for row in rows]


class Counting(CausalTarget):
    """Counts the tokens that are prefilled."""

    prefilled = 0

    def prefill(self, cache, row, ids, source=()):
        self.prefilled += len(ids)
        return super().prefill(cache, row, ids, source)


@pytest.mark.parametrize("family", ["llama", "mistral"])
def test_a_prompt_that_begins_like_the_last_is_run_from_where_they_part(family):
    model = tiny(family)
    target = Counting(model)
    engine = Engine(target, drafters=[LookupDrafter()])
    base = prompts(1, seed=31, least=40)[0]
    runs = [[base, base], [(*base[:30], 9, 10, 11)], [base, (*base[:25], 50)], [base[:20]]]
    engine_tokens = []
    for given in runs:
        before = target.prefilled
        answers = decode(engine, given)
        engine_tokens.append(target.prefilled - before)
        assert answers == [plain_greedy(model, prompt, NEW) for prompt in given]
    assert engine_tokens[1] == 3
    assert engine_tokens[2] <= 10 + 1
    assert engine_tokens[3] == 1


def test_a_cache_that_becomes_too_small_grows_and_keeps_what_is_in_it(monkeypatch):
    """A repair prompt is longer than the draft's that it begins with."""
    monkeypatch.setattr(prefill, "_STEP", 1)
    model = tiny("llama")
    target = Counting(model)
    engine = Engine(target, drafters=[LookupDrafter()], adaptive=False)
    base = prompts(1, seed=31, least=40)[0]
    longer = (*base, *base[:30])
    seen = []
    for given in ([base], [longer], [longer, (*longer, 9)]):
        before = target.prefilled
        assert decode(engine, given) == [plain_greedy(model, prompt, NEW) for prompt in given]
        seen.append((target.prefilled - before, engine.cache_shape[0]))
    assert seen == [(len(base), 1), (30, 1), (2, 2)]


def test_half_precision_prefills_anew():
    model = copy.deepcopy(tiny("llama")).to(torch.bfloat16)
    target = Counting(model)
    engine = Engine(target)
    base = prompts(1, seed=31, least=40)[0]
    first = decode(engine, [base])
    assert decode(engine, [base]) == first
    assert target.prefilled == 2 * len(base)


def test_the_cache_is_allocated_once(monkeypatch):
    target = CausalTarget(tiny("llama"))
    made = []
    monkeypatch.setattr(
        target, "new_cache", lambda rows, size: made.append(size) or TreeCache(2, rows, size)
    )
    engine = Engine(target)
    for given in (prompts(2, seed=1), prompts(2, seed=2), prompts(1, seed=3)):
        decode(engine, given)
    assert made == [256]


@pytest.mark.parametrize("family", FAMILIES)
def test_folding_heads_changes_no_logit(family):
    model = tiny(family)
    folded, usual = CausalTarget(model), CausalTarget(model)
    usual._folds = False
    prompt = prompts(1, seed=5, least=30)[0]
    outputs = []
    for target in (folded, usual):
        cache = target.new_cache(1, 128)
        target.prefill(cache, 0, prompt)
        tree = Tree.rooted(5)
        first = tree.add(0, 6, "")
        tree.add(0, 7, "")
        tree.add(first, 8, "")
        outputs.append(target.forward(cache, pad([tree]), [4]).logits)
    assert folded._folds
    assert torch.allclose(*outputs, atol=1e-4)
    assert model.config._attn_implementation == "sdpa"


def test_the_attention_of_the_model_comes_back_after_an_error():
    config = tiny("llama").config
    with pytest.raises(KeyError), attention.using(config, active=True):
        assert config._attn_implementation == attention.NAME
        raise KeyError
    assert config._attn_implementation == "sdpa"


@pytest.mark.parametrize("family", ["llama", "qwen2", "starcoder2"])
def test_packed_weights_give_the_same_tokens(family, monkeypatch):
    monkeypatch.setattr(packing, "pays", lambda width, depth: True)
    monkeypatch.setattr(packing, "_LEAST", 1)
    model = tiny(family)
    packed = copy.deepcopy(model)
    assert packing.pack(packed)
    assert packing.pack(packed)
    assert not any(type(module) is torch.nn.Linear for module in packed.modules())
    assert packed.get_output_embeddings().weight.shape == (200, 48)
    given = prompts(4, seed=33)
    answers = {prompt: plain_greedy(model, prompt, NEW) for prompt in given}
    for drafters in ([], [Oracle(answers)]):
        engine = Engine(CausalTarget(packed), drafters=drafters, adaptive=False)
        assert decode(engine, given) == list(answers.values())


@pytest.mark.parametrize("exact", [True, False])
def test_a_shared_embedding_is_kept_at_half_the_size_where_no_number_changes(exact, monkeypatch):
    monkeypatch.setattr(packing, "pays", lambda *_: True)
    monkeypatch.setattr(packing, "_LEAST", 1)
    model = copy.deepcopy(tiny("llama"))  # its output projection is the embedding
    with torch.no_grad():
        model.lm_head.weight.copy_(model.lm_head.weight.bfloat16().float())
        if not exact:
            model.lm_head.weight[7, 3] += 2.0**-20
    wide = model.lm_head.weight.detach().clone()
    ids = torch.tensor([prompts(1)[0]])
    with torch.inference_mode():
        before = model.model.embed_tokens(ids)
        assert packing.pack(model)
        assert torch.equal(model.model.embed_tokens(ids), before)
    assert torch.equal(model.get_output_embeddings().weight, wide)
    narrow = any(b.dtype == torch.bfloat16 for b in model.get_input_embeddings().buffers())
    assert narrow is exact
    assert model.dtype == torch.float32


@pytest.mark.slow
@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="peak memory is read on Linux")
def test_the_peak_of_memory_is_weights_cache_and_less_than_300_mb(tmp_path):
    """Beside Python, torch and transformers themselves."""
    root = Path(__file__).parents[2]
    out = tmp_path / "memory.json"
    command = [sys.executable, str(root / "benchmarks/decode_memory.py"), "embedded", str(out)]
    subprocess.run(command, check=True, capture_output=True, cwd=root)
    assert json.loads(out.read_text())["beside_weights_cache_libraries_mb"] < 300


def test_layers_that_share_an_input_compute_together_in_any_order():
    torch.manual_seed(3)
    layers = [torch.nn.Linear(12, size) for size in (12, 4, 4)]
    shared = packing.SharedInput(layers)
    one, other = torch.randn(2, 12), torch.randn(3, 12)
    calls = [(one, 0), (other, 1), (one, 1), (one, 2), (other, 2), (other, 0), (other, 0)]
    with torch.inference_mode():
        for x, place in calls:
            assert torch.allclose(shared.take(x, place), layers[place](x), atol=1e-6)
    shared.take(one, 2)
    assert shared._input is None  # the last one asked: nothing is kept alive


def test_norms_that_are_not_what_they_look_like_stay():
    class Shifted(torch.nn.Module):
        """Adds one to its weight, as some families do."""

        def __init__(self):
            super().__init__()
            self.weight = torch.nn.Parameter(torch.zeros(8))
            self.variance_epsilon = 1e-6

        def forward(self, x):
            return torch.nn.functional.rms_norm(x, (8,), 1.0 + self.weight, 1e-6)

    parent = torch.nn.Sequential(Shifted())
    packing._one_operation_norms(parent)
    assert isinstance(parent[0], Shifted)


def test_heads_fit_a_model_whose_weights_were_packed(tmp_path, monkeypatch):
    monkeypatch.setattr(packing, "pays", lambda width, depth: True)
    monkeypatch.setattr(packing, "_LEAST", 1)
    model = copy.deepcopy(tiny("llama"))
    sizes = HeadsConfig(1, 1, 48, 200, base_sample(model))
    save_heads(DraftHeads(sizes), tmp_path / "heads.safetensors")
    assert packing.pack(model)
    assert load_heads(tmp_path / "heads.safetensors", model).config.count == 1
    other = copy.deepcopy(tiny("llama", seed=1))
    assert packing.pack(other)
    with pytest.raises(HeadsMismatch):
        load_heads(tmp_path / "heads.safetensors", other)


def test_packing_is_for_float32_on_a_cpu_and_only_where_it_pays(monkeypatch):
    half = copy.deepcopy(tiny("llama")).to(torch.bfloat16)
    assert not packing.pack(half)
    monkeypatch.setattr(packing, "pays", lambda width, depth: False)
    monkeypatch.setattr(packing, "_LEAST", 1)
    model = copy.deepcopy(tiny("llama"))
    assert not packing.pack(model)
    assert any(type(module) is torch.nn.Linear for module in model.modules())


def test_the_cache_refuses_more_than_it_holds():
    target = CausalTarget(tiny("llama"))
    cache = target.new_cache(1, 8)
    with pytest.raises(PromptTooLong, match="holds 8 tokens"):
        target.prefill(cache, 0, range(10, 20))


def test_generation_ends_at_the_models_context():
    model = tiny("llama")  # 256 tokens
    prompt = tuple(range(10, 190)) + tuple(range(10, 70))
    rows = []
    engine = Engine(CausalTarget(model), drafters=[LookupDrafter()])
    for _ in engine.run([Request(prompt, 100)], rows=rows):
        pass
    assert len(rows[0].tokens) == 256
    assert rows[0].finish is FinishReason.LENGTH
    with pytest.raises(PromptTooLong, match="256"):
        list(engine.run([Request((*prompt, *prompt[:10]), 100)], rows=[]))


def test_an_abandoned_run_leaves_the_engine_usable():
    model = tiny("llama")
    engine = Engine(CausalTarget(model), drafters=[LookupDrafter()])
    given = prompts(3, seed=41)
    running = engine.run([Request(prompt, NEW) for prompt in given], rows=[])
    for _ in range(5):
        next(running)
    running.close()
    expected = [plain_greedy(model, prompt, NEW) for prompt in given]
    assert decode(engine, given) == expected


def test_common_beginnings():
    from rtl_agent.decoding.engine.prefill import _common

    for length in (0, 1, 5, 16, 17):
        one = tuple(range(20))
        other = (*range(length), *(99 for _ in range(20 - length)))
        assert _common(one, other) == length
    assert _common((1, 2), (1, 2, 3)) == 2
    assert partial(_common, ())((1,)) == 0
    assert CacheKeeper(CausalTarget(tiny("llama")))._reuses
