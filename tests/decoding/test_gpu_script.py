"""The script for a GPU machine, as far as a CPU can run it."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
import torch
from rtl_agent.decoding.training.trainer import Trainer
from training_kit import make_base, make_config, make_pairs

HERE = Path(__file__).parents[2] / "benchmarks"


@pytest.fixture(autouse=True)
def _scripts(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(str(HERE / "gpu"))
    for name in ("pieces", "train"):
        monkeypatch.delitem(sys.modules, name, raising=False)


def test_pieces_come_back_together(tmp_path: Path) -> None:
    from pieces import join, pack

    folder = tmp_path / "base"
    folder.mkdir()
    (folder / "weights.bin").write_bytes(os.urandom(50_000))
    (folder / "config.json").write_text("{}")
    made = pack(folder, tmp_path / "carried", piece=20_000)
    assert len(made) == 3
    assert all(path.stat().st_size <= 20_000 for path in made)
    join(tmp_path / "carried", tmp_path / "there")
    assert (tmp_path / "there" / "weights.bin").read_bytes() == (
        folder / "weights.bin"
    ).read_bytes()
    made[1].write_bytes(b"damaged")
    with pytest.raises(SystemExit, match=r"part-01\.xz: missing or damaged"):
        join(tmp_path / "carried", tmp_path / "again")
    with pytest.raises(SystemExit, match="pack the base first"):
        join(tmp_path / "nothing", tmp_path / "again")


def test_training_goes_on_from_the_shipped_adapter(tmp_path: Path) -> None:
    from train import main

    base, pairs = make_base(tmp_path / "base"), make_pairs(tmp_path / "pairs.jsonl")
    first = Trainer(make_config(base, pairs, tmp_path / "first", samples=160), lambda _line: None)
    first.run()
    settings = ["rank=4", "alpha=8", "first_layer=0", "steps=4", "threads=1", "save_every_s=0"]
    common = ["--base", str(base), "--pairs", str(pairs), "--validation", str(pairs)]
    where = ["--work", str(tmp_path / "work"), "--out", str(tmp_path / "out")]
    begin = ["--init", str(tmp_path / "first" / "adapter.safetensors")]
    device = ["--device", "cpu", "--precision", "float32"]
    main([*common, *where, *begin, *device, "--set", *settings])
    result = json.loads((tmp_path / "out" / "gpu_train.json").read_text())
    assert result["steps"] == 4
    assert not result["resumed"]
    assert result["held_out_before"] < 2.4  # it did not start from nothing
    assert (tmp_path / "out" / "adapter.safetensors").is_file()
    settings[3] = "steps=6"
    main([*common, *where, *begin, *device, "--set", *settings])
    again = json.loads((tmp_path / "out" / "gpu_train.json").read_text())
    assert again["resumed"]
    assert again["steps"] == 6


@pytest.mark.skipif(torch.cuda.is_available(), reason="for machines without a GPU")
def test_without_a_gpu_it_says_so(tmp_path: Path) -> None:
    done = subprocess.run(
        ["sh", str(HERE / "gpu_train.sh"), "train", str(tmp_path), str(tmp_path / "out")],
        env=os.environ | {"PYTHON": sys.executable},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0
    assert "no GPU here" in done.stdout
    wrong = subprocess.run(
        ["sh", str(HERE / "gpu_train.sh")], capture_output=True, text=True, check=False
    )
    assert wrong.returncode == 2
    assert "usage" in wrong.stderr
