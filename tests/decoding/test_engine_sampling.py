"""The output distribution of exact sampling, enumerated and compared by chi-square."""

from __future__ import annotations

import itertools
import math

import pytest
import torch
from rtl_agent.decoding.api import Mode
from rtl_agent.decoding.engine.loop import Engine
from rtl_agent.decoding.engine.sampling import Sampler, uniform, warp
from rtl_agent.decoding.engine.state import Request
from rtl_agent.decoding.engine.target import TargetOutput
from rtl_agent.decoding.engine.verify import Exact, Typical
from rtl_agent.decoding.errors import NumericalError

VOCABULARY = 5
LENGTH = 3
RUNS = 4000


class ToyCache:
    def __init__(self, rows):
        self.lengths = [0] * rows

    def keep(self, row, path):
        self.lengths[row] += len(path)

    def rewind(self, row, length):
        self.lengths[row] = length

    def copy_row(self, source, target):
        self.lengths[target] = self.lengths[source]


class ToyTarget:
    """The next token depends on the last one alone, by a fixed table of logits."""

    chains_only = False
    start = -1
    context = 1000
    vocabulary = VOCABULARY
    device = torch.device("cpu")

    def __init__(self, seed=0):
        generator = torch.Generator().manual_seed(seed)
        self.table = torch.randn(VOCABULARY, VOCABULARY, generator=generator) * 1.5

    def new_cache(self, rows, capacity):
        return ToyCache(rows)

    def prefill(self, cache, row, ids, source=()):
        cache.lengths[row] = len(ids)
        return TargetOutput(self.table[ids[-1]][None, None])

    def forward(self, cache, batch, sizes):
        return TargetOutput(self.table[batch.tokens])


class ToyDrafter:
    """Proposes the second and third likeliest tokens, and a chain behind the second."""

    name = "toy"

    def __init__(self, table):
        self.order = table.argsort(dim=-1, descending=True).tolist()

    def start(self, rows, cache):
        pass

    def propose(self, rows, trees, budget):
        for row, tree in zip(rows, trees, strict=True):
            if row.room < 2:
                continue
            ranked = self.order[row.tokens[-1]]
            first = tree.add(0, ranked[1], self.name)
            tree.add(0, ranked[2], self.name)
            if row.room > 2:
                tree.add(first, self.order[ranked[1]][0], self.name)

    def update(self, row, gained, hidden):
        pass


class WrongVerifier(Exact):
    """Accepts a draft with its probability, but samples anew from all tokens when it refuses."""

    def walk(self, row, tree, logits, greedy):
        node, path, tokens = 0, [0], []
        sampler = row.request.sampler
        while True:
            place = len(row.tokens) + len(tokens)
            chosen = None
            p = torch.softmax(logits[node] / sampler.temperature, dim=-1)
            for trial, (token, child) in enumerate(tree.children[node].items()):
                if uniform(sampler.seed + 99 * trial, row.request.sample, place) < p[token]:
                    chosen = token, child
                    break
            if chosen is None:
                position = place + 100_000
                tokens.append(
                    sampler.draw(logits[node], sample=row.request.sample, position=position)
                )
                return path, tokens
            tokens.append(chosen[0])
            node = chosen[1]
            path.append(node)


def sample_counts(engine, sampler):
    counts = {}
    for first in range(0, RUNS, 500):
        requests = [Request((0,), LENGTH, sampler, sample) for sample in range(first, first + 500)]
        rows = []
        for _ in engine.run(requests, rows=rows):
            pass
        for row in rows:
            key = tuple(row.new_tokens)
            counts[key] = counts.get(key, 0) + 1
    return counts


def expected(target, sampler):
    """Probability of every sequence, from the warped distribution of each step."""
    step = []
    for logits in target.table:
        ids, p = warp(
            logits, temperature=sampler.temperature, top_k=sampler.top_k, top_p=sampler.top_p
        )
        step.append(dict(zip(ids.tolist(), p.tolist(), strict=True)))
    result = {}
    for sequence in itertools.product(range(VOCABULARY), repeat=LENGTH):
        p, last = 1.0, 0
        for token in sequence:
            p *= step[last].get(token, 0.0)
            last = token
        if p > 0:
            result[sequence] = p
    return result


def chi_square_z(counts, probabilities):
    """Standardised chi-square: about normal; rare outcomes are pooled."""
    statistic, cells, rare_p, rare_n = 0.0, 0, 0.0, 0
    assert set(counts) <= set(probabilities)
    for outcome, p in probabilities.items():
        if p * RUNS < 5:
            rare_p += p
            rare_n += counts.get(outcome, 0)
            continue
        statistic += (counts.get(outcome, 0) - p * RUNS) ** 2 / (p * RUNS)
        cells += 1
    if rare_p * RUNS >= 1:
        statistic += (rare_n - rare_p * RUNS) ** 2 / (rare_p * RUNS)
        cells += 1
    freedom = cells - 1
    return (statistic - freedom) / math.sqrt(2 * freedom)


@pytest.mark.parametrize(
    "sampler",
    [
        Sampler(1.0, seed=11),
        Sampler(0.6, seed=12),
        Sampler(1.0, top_k=3, seed=13),
        pytest.param(Sampler(1.0, top_p=0.8, seed=14), marks=pytest.mark.slow),
        Sampler(1.3, top_k=4, top_p=0.9, seed=15),
    ],
)
@pytest.mark.parametrize("speculative", [False, True])
def test_exact_sampling_has_the_target_distribution(sampler, speculative):
    target = ToyTarget()
    drafters = [ToyDrafter(target.table)] if speculative else []
    engine = Engine(target, drafters=drafters, adaptive=False)
    z = chi_square_z(sample_counts(engine, sampler), expected(target, sampler))
    assert abs(z) < 3.5


def test_a_wrong_verifier_is_caught():
    target = ToyTarget()
    engine = Engine(
        target,
        drafters=[ToyDrafter(target.table)],
        verifier=WrongVerifier(),
        adaptive=False,
    )
    sampler = Sampler(1.0, seed=11)
    assert chi_square_z(sample_counts(engine, sampler), expected(target, sampler)) > 20


@pytest.mark.slow
def test_typical_acceptance_is_not_the_distribution_and_says_so():
    target = ToyTarget()
    engine = Engine(target, drafters=[ToyDrafter(target.table)], verifier=Typical(), adaptive=False)
    rows = []
    list(engine.run([Request((0,), 3, Sampler(1.0))], rows=rows))
    assert engine.mode(rows[0]) is Mode.TYPICAL
    sampler = Sampler(1.0, seed=11)
    assert chi_square_z(sample_counts(engine, sampler), expected(target, sampler)) > 20


def test_temperature_zero_and_above_differ():
    target = ToyTarget()
    counts = sample_counts(Engine(target), Sampler(1.0, seed=1))
    assert len(counts) > 20
    assert len(sample_counts(Engine(target), Sampler(0.0))) == 1


def test_warp_by_hand():
    logits = torch.log(torch.tensor([0.1, 0.5, 0.15, 0.25]))
    ids, p = warp(logits, temperature=1.0, top_k=2)
    assert ids.tolist() == [1, 3]
    assert torch.allclose(p, torch.tensor([2 / 3, 1 / 3]))
    ids, p = warp(logits, temperature=1.0, top_p=0.6)
    assert ids.tolist() == [1, 3]
    ids, _ = warp(logits, temperature=1.0, top_p=0.5)
    assert ids.tolist() == [1]
    ids, _ = warp(logits, temperature=1.0, top_p=1e-9)
    assert ids.tolist() == [1]


def test_top_p_reaches_beyond_the_first_block():
    """A flat distribution needs more tokens than are sorted at first."""
    ids, p = warp(torch.zeros(4000), temperature=1.0, top_p=0.5)
    assert abs(len(ids) - 2000) <= 1
    assert abs(float(p.sum()) - 1) < 1e-5


def test_uniform_numbers_are_uniform_and_repeatable():
    values = [uniform(3, sample, position) for sample in range(40) for position in range(50)]
    assert abs(sum(values) / len(values) - 0.5) < 0.02
    assert len(set(values)) == len(values)
    assert min(values) >= 0 and max(values) < 1
    assert values[:3] == [uniform(3, 0, place) for place in range(3)]


@pytest.mark.parametrize("bad", [float("nan"), float("inf")])
def test_nan_and_infinite_logits_are_an_error(bad):
    target = ToyTarget()
    with pytest.raises(NumericalError, match="NaN or infinite"):
        target.table[0, 0] = bad
        list(Engine(target).run([Request((0,), 3)], rows=[]))
    target = ToyTarget()
    likeliest = int(target.table[0].argmax())
    target.table[likeliest, 2] = bad
    with pytest.raises(NumericalError):
        list(Engine(target).run([Request((0,), 3)], rows=[]))
