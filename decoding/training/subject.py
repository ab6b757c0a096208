"""The model a run trains: base, adapter or all weights, and the draft heads beside it."""

from __future__ import annotations

import hashlib
import warnings
from pathlib import Path
from typing import TYPE_CHECKING, Any

from rtl_agent.decoding.errors import TrainingError

from .config import METHODS

if TYPE_CHECKING:
    import torch
    from rtl_agent.decoding.drafters.heads_model import DraftHeads

    from .config import TrainConfig

__all__ = [
    "base_fingerprint",
    "device_of",
    "export_model",
    "load_subject",
    "longest_of",
    "make_joint_heads",
]

_TARGETS = ("q_proj", "k_proj", "v_proj", "o_proj", "gate_proj", "up_proj", "down_proj")


def device_of(config: TrainConfig) -> str:
    """The device a run computes on."""
    import torch

    return config.device or ("cuda" if torch.cuda.is_available() else "cpu")


def base_fingerprint(model: Any, config: TrainConfig) -> str:
    """Tells bases apart: the base file's hash where it is known, else one of some weights."""
    from rtl_agent.decoding.drafters.heads_model import base_sample

    if config.base_sha256:
        return config.base_sha256
    return hashlib.sha256(repr(base_sample(model)).encode()).hexdigest()[:16]


def load_subject(config: TrainConfig) -> tuple[Any, Any, str]:
    """The model to train in float32, its tokenizer, and the base's fingerprint.

    Raises:
        TrainingError: the base cannot be loaded, or `method` or `init` do not fit.
    """
    import torch
    from rtl_agent.decoding.models.load import quiet_loading
    from transformers import AutoModelForCausalLM, AutoTokenizer

    if config.method not in METHODS:
        raise TrainingError(
            f"there is no method {config.method!r}", remedy=f"use one of {', '.join(METHODS)}"
        )
    try:
        with quiet_loading():
            model = AutoModelForCausalLM.from_pretrained(config.base, dtype=torch.float32)
        tokenizer = AutoTokenizer.from_pretrained(config.base)
    except (OSError, ValueError, KeyError) as error:
        first = (str(error).strip() or type(error).__name__).splitlines()[0]
        raise TrainingError(
            f"{config.base}: cannot be loaded as a causal language model: {first}",
            remedy="give a folder in Hugging Face format with its tokenizer",
        ) from error
    if tokenizer.eos_token_id is None:
        raise TrainingError(
            f"{config.base}: the tokenizer has no end-of-sequence token",
            remedy="set `eos_token` in its tokenizer_config.json",
        )
    fingerprint = base_fingerprint(model, config)
    if config.method == "lora":
        model = _adapted(model, config)
        if config.init:
            _start_from(model, Path(config.init), config)
    elif config.init:
        raise TrainingError("`init` is for adapters", remedy="leave it out with method=full")
    return model.to(device_of(config)), tokenizer, fingerprint


def _adapted(model: Any, config: TrainConfig) -> Any:
    from peft import LoraConfig, get_peft_model

    names = {name.rsplit(".", 1)[-1] for name, _ in model.named_modules()}
    known = [name for name in _TARGETS if name in names]
    count = model.config.get_text_config().num_hidden_layers
    first = config.first_layer if config.first_layer < count else 0
    lora = LoraConfig(
        r=config.rank,
        lora_alpha=config.alpha,
        lora_dropout=0.0,
        target_modules=known or "all-linear",
        layers_to_transform=list(range(first, count)) if known else None,
        task_type="CAUSAL_LM",
    )
    with warnings.catch_warnings():
        # peft asks a model of transformers by a name that is deprecated there.
        warnings.filterwarnings(
            "ignore", message="`is_gradient_checkpointing` is deprecated", category=FutureWarning
        )
        return get_peft_model(model, lora)


def longest_of(model: Any, wanted: int) -> int:
    """The most tokens of a pair: `wanted`, or what the model can take if that is less."""
    context = getattr(model.config.get_text_config(), "max_position_embeddings", None)
    return min(wanted, context) if isinstance(context, int) and context > 0 else wanted


def _start_from(model: Any, path: Path, config: TrainConfig) -> None:
    """Load the adapter in `path` into the fresh one."""
    import torch
    from safetensors import SafetensorError, safe_open

    try:
        with safe_open(str(path), framework="pt") as stored:
            meta = stored.metadata() or {}
            state = {name: stored.get_tensor(name) for name in stored.keys()}  # noqa: SIM118
    except (OSError, SafetensorError) as error:
        raise TrainingError(f"{path}: no adapter can be read", remedy="check `init`") from error
    own = {short_name(k): v for k, v in model.named_parameters() if v.requires_grad}
    scale = (meta.get("rank"), meta.get("alpha"))
    fits = own.keys() == state.keys() and all(own[k].shape == state[k].shape for k in own)
    if not fits or scale != (str(config.rank), str(config.alpha)):
        raise TrainingError(
            f"{path}: an adapter of rank {scale[0]} and alpha {scale[1]} on other layers or "
            "another base",
            remedy="use the rank, alpha, first_layer and base it was trained with",
        )
    base = meta.get("base_sha256", "")
    if base and config.base_sha256 and base != config.base_sha256:
        raise TrainingError(f"{path}: made for another base", remedy="use its own base")
    with torch.no_grad():
        for name, parameter in own.items():
            parameter.copy_(state[name])


def short_name(name: str) -> str:
    """The name of an adapter's weight in its file."""
    return name.removeprefix("base_model.model.").replace(".default", "")


def make_joint_heads(model: Any, config: TrainConfig) -> DraftHeads | None:
    """Fresh draft heads on the model's device; None when the run has none."""
    if not config.heads:
        return None
    from rtl_agent.decoding.drafters.heads_model import DraftHeads, HeadsConfig

    weight: torch.Tensor = model.get_output_embeddings().weight
    sizes = HeadsConfig(config.heads, 1, int(weight.shape[1]), int(weight.shape[0]))
    return DraftHeads(sizes).to(weight.device)


def export_model(model: Any, tokenizer: Any, folder: Path) -> None:
    """Write the trained model, adapter merged, as a folder in Hugging Face format.

    The model stays as it is.

    Raises:
        TrainingError: the folder cannot be written.
    """
    import copy

    import torch
    from rtl_agent.decoding.models.load import quiet_loading

    plain = copy.deepcopy(model)
    if hasattr(plain, "merge_and_unload"):
        plain = plain.merge_and_unload()
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with quiet_loading():
            plain.to(torch.bfloat16).save_pretrained(folder)
        tokenizer.save_pretrained(folder)
    except OSError as error:
        raise TrainingError(
            f"{folder}: the model cannot be written: {error}", remedy="free space on the disk"
        ) from error
