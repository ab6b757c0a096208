"""The adapter trainer on a tiny random Llama: what is learned, saved, resumed and merged."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest
import torch
from rtl_agent.decoding.errors import HeadsMismatch, TrainingError
from rtl_agent.decoding.models.embedded import merge_adapter
from rtl_agent.decoding.training.config import TrainConfig
from rtl_agent.decoding.training.data import Sample, batches, load_samples, to_batch
from rtl_agent.decoding.training.loss import answer_loss
from rtl_agent.decoding.training.trainer import Trainer
from safetensors import safe_open
from safetensors.torch import load_file, save_file
from tokenizers import Tokenizer, models, pre_tokenizers
from training_kit import make_config as config
from training_kit import make_pairs
from transformers import LlamaConfig, LlamaForCausalLM, PreTrainedTokenizerFast

if TYPE_CHECKING:
    from pathlib import Path

WORDS = "pad eos module a b c d y assign = ; + - endmodule".split()


@pytest.fixture(scope="module")
def base(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("base")
    core = Tokenizer(models.WordLevel({w: i for i, w in enumerate(WORDS)}, unk_token="pad"))
    core.pre_tokenizer = pre_tokenizers.WhitespaceSplit()
    tokenizer = PreTrainedTokenizerFast(tokenizer_object=core, eos_token="eos", pad_token="pad")
    tokenizer.save_pretrained(folder)
    torch.manual_seed(0)
    config = LlamaConfig(
        vocab_size=len(WORDS),
        hidden_size=32,
        intermediate_size=48,
        num_hidden_layers=2,
        num_attention_heads=4,
        num_key_value_heads=2,
        max_position_embeddings=64,
        eos_token_id=1,
        pad_token_id=0,
    )
    LlamaForCausalLM(config).save_pretrained(folder)
    return folder


@pytest.fixture
def pairs(tmp_path: Path) -> Path:
    return make_pairs(tmp_path / "pairs.jsonl")


def weights(out: Path) -> dict[str, torch.Tensor]:
    return dict(load_file(out / "adapter.safetensors"))


def test_the_loss_sees_answers_alone() -> None:
    config_ = LlamaConfig(
        vocab_size=11, hidden_size=16, intermediate_size=16, num_hidden_layers=1,
        num_attention_heads=2, num_key_value_heads=2,
    )  # fmt: skip
    model = LlamaForCausalLM(config_).eval()
    samples = [Sample((3, 4, 5), (6, 7)), Sample((3,), (4, 5, 6, 7, 8))]
    batch = to_batch(samples, 0)
    loss, tokens = answer_loss(model, batch)
    assert tokens == 7
    alone = []
    for s in samples:  # by hand: one sequence at a time, no padding
        ids = torch.tensor([[*s.prompt, *s.answer]])
        logits = model(ids).logits[0].log_softmax(-1)
        alone += [
            -logits[i - 1, ids[0, i]] for i in range(len(s.prompt), len(s.prompt) + len(s.answer))
        ]
    assert torch.allclose(loss, torch.stack(alone).mean(), atol=1e-5)


def test_batches_repeat_by_seed_and_cover_every_sample() -> None:
    samples = [Sample((1,) * (1 + i % 7), (2,)) for i in range(100)]
    first = list(batches(samples, tokens_per_batch=20, seed=1, epoch=0))
    assert first == list(batches(samples, tokens_per_batch=20, seed=1, epoch=0))
    assert first != list(batches(samples, tokens_per_batch=20, seed=1, epoch=1))
    assert sorted(i for group in first for i in group) == list(range(100))
    assert all(len(g) == 1 or len(g) * max(len(samples[i]) for i in g) <= 20 for g in first)


def test_training_lowers_the_loss_and_only_the_adapter_moves(
    base: Path, pairs: Path, tmp_path: Path
) -> None:
    settings = config(base, pairs, tmp_path / "run", samples=240)
    trainer = Trainer(settings, lambda _line: None)
    before = {k: v.clone() for k, v in trainer.model.named_parameters() if not v.requires_grad}
    batch = to_batch(trainer.samples, 0)
    start = float(answer_loss(trainer.model, batch)[0].detach())
    trainer.run()
    assert float(answer_loss(trainer.model, batch)[0].detach()) < 0.8 * start
    after = dict(trainer.model.named_parameters())
    assert all(torch.equal(value, after[name]) for name, value in before.items())


def test_a_run_that_stops_and_resumes_equals_one_that_does_not(
    base: Path, pairs: Path, tmp_path: Path
) -> None:
    whole = Trainer(config(base, pairs, tmp_path / "whole"), lambda _line: None)
    whole.run()
    # The rate depends on the planned samples, so the halves plan the same 64 and stop by hand.
    first = Trainer(config(base, pairs, tmp_path / "halves"), lambda _line: None)
    groups = first._epoch()
    for group in groups[:2]:
        first._step(group)
    first.save()
    second = Trainer(config(base, pairs, tmp_path / "halves"), lambda _line: None)
    assert second.resume()
    assert second.progress.step == 2
    second.run()
    one, other = weights(tmp_path / "whole"), weights(tmp_path / "halves")
    assert one.keys() == other.keys()
    assert all(torch.equal(one[k], other[k]) for k in one)


def test_the_merged_adapter_equals_the_trained_model(
    base: Path, pairs: Path, tmp_path: Path
) -> None:
    trainer = Trainer(config(base, pairs, tmp_path / "run"), lambda _line: None)
    trainer.run()
    plain = LlamaForCausalLM.from_pretrained(base, dtype=torch.float32)
    merge_adapter(plain, tmp_path / "run" / "adapter.safetensors")
    ids = torch.tensor([[2, 3, 8, 7, 9, 3]])
    with torch.no_grad():
        merged, trained = plain(ids).logits, trainer.model(ids).logits
        untouched = LlamaForCausalLM.from_pretrained(base, dtype=torch.float32)(ids).logits
    assert torch.allclose(merged, trained, atol=0.02)  # the file is in bfloat16
    assert not torch.allclose(merged, untouched, atol=0.02)


def test_an_adapter_of_another_base_is_refused(base: Path, tmp_path: Path) -> None:
    path = tmp_path / "adapter.safetensors"
    tensors = {"model.layers.7.nope.lora_A.weight": torch.zeros(2, 2)}
    save_file(tensors, path, metadata={"rank": "2", "alpha": "2"})
    model = LlamaForCausalLM.from_pretrained(base)
    with pytest.raises(HeadsMismatch, match=r"no module model\.layers\.7\.nope"):
        merge_adapter(model, path)
    save_file(tensors, path, metadata={"rank": "2", "alpha": "2", "base_sha256": "0" * 64})
    with pytest.raises(HeadsMismatch, match="made for base 000000000000"):
        merge_adapter(model, path)


def test_a_loss_that_is_not_a_number_stops_and_keeps_the_last_good_state(
    base: Path, pairs: Path, tmp_path: Path
) -> None:
    trainer = Trainer(config(base, pairs, tmp_path / "run"), lambda _line: None)
    trainer.save()
    good = weights(tmp_path / "run")
    with torch.no_grad():
        next(p for p in trainer.model.parameters() if p.requires_grad).fill_(float("nan"))
    with pytest.raises(TrainingError, match="the loss became nan at step 0"):
        trainer.run()
    assert all(torch.equal(v, good[k]) for k, v in weights(tmp_path / "run").items())


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "no pair to train on"),
        ("{}\n", ":1: not a pair"),
        ("nonsense\n", ":1: not a pair"),
        ('{"prompt": 1, "answer": 2}\n', ":1: not a pair"),
        ("caf\xe9", "not UTF-8 text"),
    ],
)
def test_bad_pair_files_are_named(base: Path, tmp_path: Path, text: str, said: str) -> None:
    path = tmp_path / "pairs.jsonl"
    path.write_text(text, encoding="latin-1")
    tokenizer = PreTrainedTokenizerFast.from_pretrained(base)
    with pytest.raises(TrainingError, match=said):
        load_samples(path, tokenizer, 100)
    with pytest.raises(TrainingError, match=r"missing\.jsonl"):
        load_samples(tmp_path / "missing.jsonl", tokenizer, 100)


def test_an_unknown_setting_in_a_config_file_is_an_error(tmp_path: Path) -> None:
    path = tmp_path / "config.json"
    path.write_text(json.dumps({"base": "b", "data": "d", "out": "o", "nope": 1}))
    with pytest.raises(TrainingError, match="unknown setting 'nope'"):
        TrainConfig.load(path)


def test_the_shipped_adapter_names_its_scale() -> None:
    from rtl_agent.decoding.models.embedded import adapter_path

    path = adapter_path()
    assert path.is_file(), "the package ships an adapter"
    assert path.stat().st_size <= 25 * 1024 * 1024
    with safe_open(str(path), framework="pt") as stored:
        assert {"rank", "alpha", "base_sha256"} <= set(stored.metadata())
