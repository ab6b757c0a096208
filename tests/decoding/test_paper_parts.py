"""Parts of the experiment: pruned bases, equal compute, pass@k, the tables."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest
import torch
from rtl_agent.decoding.errors import TrainingError
from rtl_agent.decoding.training.prune import kept_layers, prune_depth
from training_kit import make_base
from transformers import AutoModelForCausalLM

PAPER = Path(__file__).parents[2] / "benchmarks" / "paper"


@pytest.fixture(autouse=True)
def _scripts(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(str(PAPER))
    for name in ("plan", "compute", "table", "evaluate", "data", "run"):
        monkeypatch.delitem(sys.modules, name, raising=False)


def test_kept_layers_are_spread() -> None:
    assert kept_layers(30, 6) == [0, 6, 12, 17, 23, 29]
    assert kept_layers(2, 2) == [0, 1]
    with pytest.raises(TrainingError, match="31 of 30 layers"):
        kept_layers(30, 31)


def test_a_pruned_base_is_those_layers(tmp_path: Path) -> None:
    base = make_base(tmp_path / "base")
    out = prune_depth(str(base), tmp_path / "small", 2)
    assert prune_depth("nowhere", out, 2) == out  # already made
    one = AutoModelForCausalLM.from_pretrained(base, dtype=torch.float32)
    other = AutoModelForCausalLM.from_pretrained(out, dtype=torch.float32)
    ids = torch.tensor([[2, 3, 4]])
    assert torch.allclose(one(ids).logits, other(ids).logits, atol=1e-5)  # both layers were kept


def test_equal_compute_sees_fewer_pairs_where_a_pair_costs_more() -> None:
    from compute import Sizes, equal_samples, pair_flops

    sizes = Sizes(layers=1000, projection=500, head=10)
    plain = pair_flops(sizes, prompt=30, answer=10, heads=0)
    heads = pair_flops(sizes, prompt=30, answer=10, heads=4)
    assert plain == 6 * (40 * 1000 + 10 * 500)
    assert heads == 6 * (40 * 1000 + 10 * 5 * 500 + 10 * 4 * 10)
    assert equal_samples(100, plain, heads) == round(100 * 45 / 65.4)


def test_pass_at_k_by_hand() -> None:
    from evaluate import pass_at

    assert pass_at(1, 10, 3) == pytest.approx(0.3)
    assert pass_at(5, 10, 10) == 1.0
    assert pass_at(2, 4, 1) == pytest.approx(1 - 3 / 6)
    assert pass_at(10, 10, 0) == 0.0


def test_runs_are_ordered_and_methods_told_apart() -> None:
    from plan import METHODS, Plan, runs_of

    runs = runs_of(Plan())
    assert [r.samples for r in runs[:5]] == [1350] * 5
    assert len(runs) == 5 * 3 + 5 * 2
    assert len({r.name for r in runs}) == len(runs)
    assert not METHODS["ntp"].heads
    assert METHODS["lexer"].form == "lexer"
    assert not METHODS["lexer"].marked


def test_tables_have_a_row_a_decoding_with_intervals() -> None:
    from table import interval, render

    assert interval([1.0]) == "1.00"
    assert interval([1.0, 2.0, 3.0]).startswith("2.00 ± 2.4")
    results = [
        {
            "run": {"method": "medusa", "samples": 10, "seed": seed},
            "decoding": {
                "plain": {"tokens_per_s": 10.0 + seed, "acceptance_length": 1.0, "syntax": 0.5},
                "typical": {"tokens_per_s": 20.0, "acceptance_length": 2.0},
            },
        }
        for seed in (1, 2)
    ]
    text = render(results)
    assert "| medusa | plain | 2 | 11.50 ±" in text
    assert "50.00" in text
    assert "| medusa | typical | 2 | 20.00 ± 0.00 | 2.00" in text
