"""Speculative output equals transformers' greedy output, token for token."""

from __future__ import annotations

import pytest
import torch
from engine_models import EOS, FAMILIES, VOCABULARY, Oracle, plain_greedy, prompts, tiny
from rtl_agent.decoding.api import FinishReason
from rtl_agent.decoding.drafters.corpus import CorpusDrafter
from rtl_agent.decoding.drafters.lookup import LookupDrafter
from rtl_agent.decoding.drafters.table import NgramTable
from rtl_agent.decoding.drafters.table_build import build_table
from rtl_agent.decoding.engine.loop import Engine
from rtl_agent.decoding.engine.sampling import Sampler
from rtl_agent.decoding.engine.state import Request
from rtl_agent.decoding.engine.target import CausalTarget

NEW = 40


def decode(engine, given, *, eos=frozenset({EOS}), new=NEW, watch=None, sampler=None, hints=()):
    rows = []
    requests = [
        Request(prompt, new, sampler or Sampler(), index, eos, tuple(hints))
        for index, prompt in enumerate(given)
    ]
    events = list(engine.run(requests, rows=rows, watch=watch))
    for row in rows:  # what was streamed is what was kept
        streamed = [t for event in events if event.index == row.index for t in event.tokens]
        assert streamed == list(row.new_tokens)
    return rows


@pytest.fixture(params=FAMILIES)
def model(request):
    return tiny(request.param)


def test_plain_decoding_equals_generate(model):
    given = prompts(8)
    engine = Engine(CausalTarget(model))
    for start in (0, 4):
        rows = decode(engine, given[start : start + 4])
        for row in rows:
            assert list(row.new_tokens) == plain_greedy(model, row.request.prompt, NEW)


@pytest.mark.parametrize("batch", [1, 4])
def test_accepted_trees_equal_generate(model, batch):
    given = prompts(8, seed=2)
    answers = {prompt: plain_greedy(model, prompt, NEW) for prompt in given}
    engine = Engine(CausalTarget(model), drafters=[Oracle(answers)], adaptive=False)
    for start in range(0, len(given), batch):
        for row in decode(engine, given[start : start + batch]):
            assert list(row.new_tokens) == answers[row.request.prompt]
            assert row.stats.target_passes <= max(1, len(row.new_tokens) / 4 + 1)


@pytest.mark.parametrize("batch", [1, 4])
def test_lookup_and_corpus_equal_generate(model, batch, tmp_path):
    given = prompts(8, seed=3)
    answers = {prompt: plain_greedy(model, prompt, NEW) for prompt in given}
    texts = [(*prompt, *answers[prompt]) for prompt in given[::2]]
    build_table(texts, tmp_path / "t.bin", vocabulary=VOCABULARY, fingerprint="x")
    drafters = [LookupDrafter(), CorpusDrafter(NgramTable(tmp_path / "t.bin"))]
    engine = Engine(CausalTarget(model), drafters=drafters)
    passes = tokens = 0
    for start in range(0, len(given), batch):
        for row in decode(engine, given[start : start + batch]):
            assert list(row.new_tokens) == answers[row.request.prompt]
            passes += row.stats.target_passes
            tokens += len(row.new_tokens)
    assert tokens > 1.5 * passes


def test_eos_inside_an_accepted_block_ends_the_row():
    model = tiny("llama")
    prompt = prompts(1, seed=4)[0]
    free = plain_greedy(model, prompt, NEW, eos=None)
    place = next(i for i in range(4, NEW) if free[i] not in free[:i])
    engine = Engine(
        CausalTarget(model), drafters=[Oracle({prompt: free}, right=20)], adaptive=False
    )
    row = decode(engine, [prompt], eos=frozenset({free[place]}))[0]
    assert list(row.new_tokens) == free[: place + 1]
    assert row.finish is FinishReason.EOS
    assert row.stats.target_passes == 1


def test_the_watcher_cuts_inside_an_accepted_block():
    model = tiny("llama")
    given = prompts(2, seed=5)
    answers = {prompt: plain_greedy(model, prompt, NEW, eos=None) for prompt in given}
    engine = Engine(CausalTarget(model), drafters=[Oracle(answers, right=8)], adaptive=False)
    seen = [0, 0]

    def watch(index, tokens):
        seen[index] += len(tokens)
        if index == 0 and seen[0] >= 5:
            return len(tokens) - (seen[0] - 5)
        return None

    rows = decode(engine, given, eos=frozenset(), watch=watch)
    assert list(rows[0].new_tokens) == answers[given[0]][:5]
    assert rows[0].finish is FinishReason.STOP
    assert list(rows[1].new_tokens) == answers[given[1]]
    assert rows[1].finish is FinishReason.LENGTH


def test_a_batch_does_not_depend_on_its_neighbours():
    """Rows of different length and acceptance, one of which ends early."""
    model = tiny("mistral")
    given = prompts(5, seed=6, least=2, most=60)
    answers = {prompt: plain_greedy(model, prompt, NEW) for prompt in given}
    engine = Engine(CausalTarget(model), drafters=[Oracle(answers)], adaptive=False)
    together = decode(engine, given)
    for row in together:
        assert list(row.new_tokens) == answers[row.request.prompt]


@pytest.mark.parametrize("top_k,top_p", [(0, 1.0), (20, 1.0), (0, 0.8), (30, 0.9)])
def test_sampling_equals_plain_sampling_with_the_same_seed(model, top_k, top_p):
    given = prompts(2, seed=8) * 2
    sampler = Sampler(0.9, top_k, top_p, seed=5)
    plain = decode(Engine(CausalTarget(model)), given, sampler=sampler)
    answers = {row.request.prompt: list(row.new_tokens) for row in plain}
    drafters = [LookupDrafter(), Oracle(answers)]
    rows = decode(
        Engine(CausalTarget(model), drafters=drafters, adaptive=False), given, sampler=sampler
    )
    for row, reference in zip(rows, plain, strict=True):
        assert list(row.new_tokens) == list(reference.new_tokens)
    assert rows[0].new_tokens != rows[2].new_tokens  # same prompt, another sample
    assert sum(row.stats.target_passes for row in rows) < sum(len(r.new_tokens) for r in rows)


def test_sliding_window_is_needed_in_the_mask():
    """Without the window in the mask a Mistral decodes something else: the guard is real."""
    model = tiny("mistral")
    prompt = prompts(1, seed=9, least=40)[0]
    target = CausalTarget(model)
    target._windows = {"full_attention": 0}
    row = decode(Engine(target), [prompt])[0]
    assert list(row.new_tokens) != plain_greedy(model, prompt, NEW)


def test_hidden_states_are_those_of_the_model():
    model = tiny("llama")
    prompt = prompts(1)[0]
    target = CausalTarget(model, want_hidden=True)
    cache = target.new_cache(1, 64)
    out = target.prefill(cache, 0, prompt)
    with torch.inference_mode():
        expected = model.model(torch.tensor([prompt])).last_hidden_state[0, -1]
    assert torch.allclose(out.hidden[0, -1], expected, atol=1e-5)
