"""A smaller base for experiments: some layers of a bigger one."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from rtl_agent.decoding.errors import TrainingError

if TYPE_CHECKING:
    from pathlib import Path

__all__ = ["kept_layers", "prune_depth"]


def kept_layers(count: int, keep: int) -> list[int]:
    """Which of `count` layers stay: evenly spread, the first and the last among them.

    Raises:
        TrainingError: there are fewer layers, or fewer than two are to stay.
    """
    if not 2 <= keep <= count:
        raise TrainingError(
            f"{keep} of {count} layers cannot be kept", remedy=f"keep 2 to {count} layers"
        )
    return [round(i * (count - 1) / (keep - 1)) for i in range(keep)]


def prune_depth(base: str, out: Path, keep: int) -> Path:
    """Write a model with `keep` layers of the one in folder `base`; the folder it is in.

    A folder that is there already is taken as it is. Works for models whose decoder keeps its
    layers in `layers` and numbers their caches (`layer_idx`), as the Llama family does.
    """
    import torch
    from rtl_agent.decoding.models.load import quiet_loading
    from transformers import AutoModelForCausalLM, AutoTokenizer

    if (out / "config.json").is_file():
        return out
    with quiet_loading():
        model: Any = AutoModelForCausalLM.from_pretrained(base, dtype=torch.float32)
    decoder = model.get_decoder()
    kept = kept_layers(len(decoder.layers), keep)
    decoder.layers = torch.nn.ModuleList(decoder.layers[i] for i in kept)
    for index, layer in enumerate(decoder.layers):
        layer.self_attn.layer_idx = index
    model.config.num_hidden_layers = keep
    if getattr(model.config, "layer_types", None):
        model.config.layer_types = [model.config.layer_types[i] for i in kept]
    partial = out.with_name(out.name + ".tmp")
    with quiet_loading():
        model.save_pretrained(partial)
    AutoTokenizer.from_pretrained(base).save_pretrained(partial)
    partial.rename(out)
    return out
