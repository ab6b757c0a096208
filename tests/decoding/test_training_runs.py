"""Training runs that start from an adapter, train heads or all weights, fail, die and go on."""

from __future__ import annotations

import json
import os
import resource
import signal
import subprocess
import sys
import time
from dataclasses import asdict, replace
from typing import TYPE_CHECKING

import pytest
import torch
from rtl_agent.decoding.drafters.heads_model import load_heads
from rtl_agent.decoding.errors import TrainingError
from rtl_agent.decoding.training.data import to_batch
from rtl_agent.decoding.training.loss import answer_loss
from rtl_agent.decoding.training.peers import fair_threads
from rtl_agent.decoding.training.trainer import Trainer
from safetensors.torch import load_file
from training_kit import make_base, make_config, make_pairs
from transformers import AutoModelForCausalLM

if TYPE_CHECKING:
    from pathlib import Path

    from rtl_agent.decoding.training.config import TrainConfig


def quiet(_line: str) -> None:
    pass


@pytest.fixture(scope="module")
def base(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return make_base(tmp_path_factory.mktemp("base"))


@pytest.fixture
def pairs(tmp_path: Path) -> Path:
    return make_pairs(tmp_path / "pairs.jsonl")


def adapter(out: Path) -> dict[str, torch.Tensor]:
    return dict(load_file(out / "adapter.safetensors"))


@pytest.mark.slow
def test_the_same_seed_gives_the_same_first_200_steps(
    base: Path, pairs: Path, tmp_path: Path
) -> None:
    runs = []
    for name in ("one", "other"):
        lines: list[str] = []
        config = make_config(base, pairs, tmp_path / name, samples=10_000, steps=200)
        Trainer(config, lines.append).run()
        losses = [json.loads(line)["loss"] for line in lines]
        runs.append((losses, adapter(tmp_path / name)))
    assert len(runs[0][0]) == 40
    assert runs[0][0] == runs[1][0]
    assert all(torch.equal(value, runs[1][1][name]) for name, value in runs[0][1].items())


def test_a_run_starts_from_an_adapter(base: Path, pairs: Path, tmp_path: Path) -> None:
    Trainer(make_config(base, pairs, tmp_path / "a", samples=240), quiet).run()
    file = tmp_path / "a" / "adapter.safetensors"
    fresh = Trainer(make_config(base, pairs, tmp_path / "b"), quiet)
    batch = to_batch(fresh.samples, 0)
    config = make_config(base, pairs, tmp_path / "c", init=str(file))
    again = Trainer(config, quiet)
    begun = float(answer_loss(again.model, batch)[0].detach())
    assert begun < 0.9 * float(answer_loss(fresh.model, batch)[0].detach())
    wrong = make_config(base, pairs, tmp_path / "d", init=str(file), rank=8)
    with pytest.raises(TrainingError, match="adapter of rank 4"):
        Trainer(wrong, quiet)
    missing = make_config(base, pairs, tmp_path / "d", init=str(tmp_path / "no"))
    with pytest.raises(TrainingError, match="no adapter can be read"):
        Trainer(missing, quiet)


def test_accumulated_batches_give_the_gradient_of_one(
    base: Path, pairs: Path, tmp_path: Path
) -> None:
    whole = Trainer(make_config(base, pairs, tmp_path / "w"), quiet)
    parts = Trainer(make_config(base, pairs, tmp_path / "p"), quiet)
    for trainer, groups in ((whole, [[0, 1, 2]]), (parts, [[0], [1, 2]])):
        trainer.optimizer.step = lambda *_: None  # the gradients are looked at instead
        trainer._step(*groups)
    grads = [[p.grad for p in t.model.parameters() if p.requires_grad] for t in (whole, parts)]
    assert all(torch.allclose(a, b, atol=1e-6) for a, b in zip(*grads, strict=True))
    assert parts.progress.batch == 2
    assert parts.progress.samples == 3
    config = make_config(base, pairs, tmp_path / "run", accumulate=3, samples=32)
    assert Trainer(config, quiet).run().samples >= 32


def test_all_weights_can_be_trained_and_exported(base: Path, pairs: Path, tmp_path: Path) -> None:
    config = make_config(base, pairs, tmp_path / "run", method="full", samples=160)
    trainer = Trainer(config, quiet)
    batch = to_batch(trainer.samples, 0)
    start = float(answer_loss(trainer.model, batch)[0].detach())
    trainer.run()
    trainer.export(tmp_path / "model")
    model = AutoModelForCausalLM.from_pretrained(tmp_path / "model", dtype=torch.float32)
    end = float(answer_loss(model, batch)[0].detach())
    assert end < 0.5 * start
    assert not (tmp_path / "run" / "adapter.safetensors").exists()
    # the run goes on from where it was
    again = Trainer(config, quiet)
    assert again.resume()
    assert torch.allclose(answer_loss(again.model, batch)[0].detach(), torch.tensor(end), atol=0.05)


@pytest.mark.parametrize("form", ["lexer", "marker", "none"])
def test_heads_are_trained_with_the_model(
    base: Path, pairs: Path, tmp_path: Path, form: str
) -> None:
    lines: list[str] = []
    more = {"heads": 3, "heads_form": form, "marker": "frag", "heads_rate": 1.0}
    config = make_config(base, pairs, tmp_path / "run", samples=320, **more)
    trainer = Trainer(config, lines.append)
    trainer.run()
    first, last = (json.loads(lines[i]) for i in (0, -1))
    assert len(last["heads"]) == 3
    assert last["loss"] < first["loss"]
    if form == "none":  # each head has labels of its own everywhere
        assert all(a > b for a, b in zip(first["heads"], last["heads"], strict=True))
    plain = AutoModelForCausalLM.from_pretrained(base, dtype=torch.float32)
    assert load_heads(tmp_path / "run" / "heads.safetensors", plain).config.count == 3
    again = Trainer(config, quiet)
    assert again.resume()
    assert torch.equal(next(again.heads.parameters()), next(trainer.heads.parameters()))


def test_mixed_precision_learns(base: Path, pairs: Path, tmp_path: Path) -> None:
    config = make_config(base, pairs, tmp_path / "run", precision="bfloat16", samples=160)
    trainer = Trainer(config, quiet)
    batch = to_batch(trainer.samples, 0)
    start = float(answer_loss(trainer.model, batch)[0].detach())
    trainer.run()
    assert float(answer_loss(trainer.model, batch)[0].detach()) < 0.8 * start
    assert all(p.dtype == torch.float32 for p in trainer.model.parameters())


def test_the_log_tells_progress_and_tensorboard_gets_it(
    base: Path, pairs: Path, tmp_path: Path
) -> None:
    pytest.importorskip("tensorboard")
    lines: list[str] = []
    config = make_config(
        base, pairs, tmp_path / "run", steps=10, validation=str(pairs), tensorboard=True
    )
    progress = Trainer(config, lines.append).run()
    record = json.loads(lines[-1])
    assert {"step", "loss", "tokens_s", "samples_s", "eta_s", "before"} <= record.keys()
    assert record["eta_s"] == 0
    assert progress.validation < progress.before
    assert list((tmp_path / "run" / "tensorboard").glob("events.*"))
    stored = torch.load(tmp_path / "run" / "checkpoint.pt", weights_only=True)
    assert stored["config"] == asdict(config)  # everything that made the run


def test_tensorboard_that_is_not_installed_is_said(
    base: Path, pairs: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "torch.utils.tensorboard", None)
    with pytest.raises(TrainingError, match="tensorboard is not installed"):
        Trainer(make_config(base, pairs, tmp_path / "run", tensorboard=True), quiet)


def test_a_checkpoint_of_another_base_is_refused(base: Path, pairs: Path, tmp_path: Path) -> None:
    Trainer(make_config(base, pairs, tmp_path / "run"), quiet).save()
    other = make_base(tmp_path / "other", seed=7)
    with pytest.raises(TrainingError, match="a checkpoint of another base"):
        Trainer(make_config(other, pairs, tmp_path / "run"), quiet).resume()
    with pytest.raises(TrainingError, match="another base, rank or method"):
        Trainer(make_config(base, pairs, tmp_path / "run", rank=2), quiet).resume()
    (tmp_path / "run" / "checkpoint.pt").write_bytes(b"half a file")
    with pytest.raises(TrainingError, match="no checkpoint can be read"):
        Trainer(make_config(base, pairs, tmp_path / "run"), quiet).resume()


def test_a_checkpoint_from_before_bases_were_noted_is_read(
    base: Path, pairs: Path, tmp_path: Path
) -> None:
    trainer = Trainer(make_config(base, pairs, tmp_path / "run"), quiet)
    trainer.run()
    path = tmp_path / "run" / "checkpoint.pt"
    state = torch.load(path, weights_only=True)
    old = {name: state[name] for name in ("adapter", "optimizer", "data")}
    del state["progress"]["before"]
    torch.save(old | {"progress": state["progress"]}, path)
    again = Trainer(make_config(base, pairs, tmp_path / "run"), quiet)
    assert again.resume()
    assert again.progress.step == trainer.progress.step


def test_a_full_disk_keeps_the_last_checkpoint(base: Path, pairs: Path, tmp_path: Path) -> None:
    trainer = Trainer(make_config(base, pairs, tmp_path / "run"), quiet)
    trainer.save()
    good = (tmp_path / "run" / "checkpoint.pt").read_bytes()
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (4_000, hard))  # a write beyond it fails
    try:
        with pytest.raises(TrainingError, match=r"cannot be written.*the one before it stands"):
            trainer.run()
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))
    assert (tmp_path / "run" / "checkpoint.pt").read_bytes() == good
    assert not list((tmp_path / "run").glob("*.tmp"))


_CHILD = """
import json, sys
from rtl_agent.decoding.training.config import TrainConfig
from rtl_agent.decoding.training.trainer import Trainer
trainer = Trainer(TrainConfig(**json.loads(sys.argv[1])), lambda line: print(line, flush=True))
trainer.resume()
trainer.run()
"""


@pytest.mark.slow
def test_a_killed_run_goes_on_to_the_same_weights(base: Path, pairs: Path, tmp_path: Path) -> None:
    def config(name: str) -> TrainConfig:
        return make_config(
            base, pairs, tmp_path / name, samples=100_000, steps=60, save_every_s=0.0
        )

    Trainer(config("whole"), quiet).run()
    command = [sys.executable, "-c", _CHILD, json.dumps(asdict(config("killed")))]
    child = subprocess.Popen(
        command, stdout=subprocess.PIPE, env=os.environ | {"OMP_NUM_THREADS": "1"}
    )
    try:
        seen = 0
        deadline = time.monotonic() + 120
        while seen < 3 and time.monotonic() < deadline:
            seen += bool(child.stdout.readline())
    finally:
        child.send_signal(signal.SIGKILL)
        child.wait()
        child.stdout.close()
    again = Trainer(config("killed"), quiet)
    assert again.resume()
    assert 0 < again.progress.step < 60
    again.run()
    one, other = adapter(tmp_path / "whole"), adapter(tmp_path / "killed")
    assert all(torch.equal(value, other[name]) for name, value in one.items())


def test_an_interrupt_inside_an_update_does_not_save_half_of_it(
    base: Path, pairs: Path, tmp_path: Path
) -> None:
    trainer = Trainer(make_config(base, pairs, tmp_path / "run"), quiet)
    trainer.save()
    good = adapter(tmp_path / "run")

    def interrupted() -> None:
        with torch.no_grad():
            for parameter in trainer.model.parameters():
                parameter.add_(1.0)
        raise KeyboardInterrupt

    trainer.optimizer.step = interrupted
    with pytest.raises(KeyboardInterrupt):
        trainer.run()
    assert all(torch.equal(v, good[k]) for k, v in adapter(tmp_path / "run").items())


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"method": "qlora"}, "no method 'qlora'"),
        ({"base": "/nowhere"}, "cannot be loaded as a causal language model"),
        ({"heads": 2, "heads_form": "nope"}, "no form 'nope'"),
        ({"heads": 2, "heads_form": "marker", "marker": "<x>"}, "no token '<x>'"),
        ({"method": "full", "init": "x"}, "`init` is for adapters"),
    ],
)
def test_wrong_settings_are_named(
    base: Path, pairs: Path, tmp_path: Path, change: dict[str, object], said: str
) -> None:
    with pytest.raises(TrainingError, match=said):
        Trainer(replace(make_config(base, pairs, tmp_path / "run"), **change), quiet)


def test_processes_of_one_machine_share_its_cores(monkeypatch):
    monkeypatch.delenv("LOCAL_WORLD_SIZE", raising=False)
    alone = fair_threads()
    assert alone >= 1
    monkeypatch.setenv("LOCAL_WORLD_SIZE", "2")
    assert fair_threads() == max(1, alone // 2)
    monkeypatch.setenv("LOCAL_WORLD_SIZE", "999")
    assert fair_threads() == 1
