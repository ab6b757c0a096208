"""`benchmarks/gpu_check.sh`, as far as a CPU can run it."""

from __future__ import annotations

import importlib.util
import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
import torch
from engine_models import text_model, tokenizer

HERE = Path(__file__).parents[2] / "benchmarks"


def _check():
    spec = importlib.util.spec_from_file_location("gpu_check", HERE / "gpu" / "check.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.mark.slow
def test_every_part_runs_on_a_cpu(tmp_path, capsys):
    torch.set_num_threads(1)
    folder = tmp_path / "model"
    text_model().save_pretrained(folder)
    tokenizer().save_pretrained(folder)
    out = tmp_path / "check.json"
    arguments = ["--out", str(out), "--device", "cpu", "--tiny", "--minutes", "0.2"]
    _check().main([*arguments, "--model", str(folder)])
    result = json.loads(out.read_text("utf-8"))
    assert [part["divergences"] for part in result["faithful"]] == [0] * 6
    assert {part["family"] for part in result["faithful"]} == {"llama", "qwen2", "mistral"}
    nodes = [int(size) for size in result["step_cost"]["ms_by_nodes"]]
    assert nodes == [1, 2, 4, 8, 16, 32, 64, 128, 256]
    assert result["model"]["verify_float32"]["divergences"] == 0
    assert {"machine", "torch", "transformers", "seed", "seconds"} <= set(result)
    assert "0 divergences" in capsys.readouterr().out


@pytest.mark.skipif(torch.cuda.is_available(), reason="for machines without a GPU")
def test_without_a_gpu_it_says_so(tmp_path):
    done = subprocess.run(
        ["sh", str(HERE / "gpu_check.sh"), str(tmp_path / "out.json")],
        env=os.environ | {"PYTHON": sys.executable},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0
    assert "no GPU here" in done.stdout
    assert not (tmp_path / "out.json").exists()
