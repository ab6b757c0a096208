"""Medusa-style draft heads (arXiv 2401.10774): their weights, their file, their fingerprint.

Head `i` reads the target's last hidden state `h` and predicts the token `i + 2` places on (the
target itself predicts the next one). It is a stack of residual blocks `x + SiLU(Wx + b)`, each
with weights of its own, followed by the target's own output projection, by default cut to a
vocabulary of drafts: the tokens Verilog uses.
"""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any

import torch
from rtl_agent.decoding.errors import HeadsMismatch, ModelUnusable
from torch import nn

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

__all__ = ["DraftHeads", "HeadsConfig", "base_sample", "load_heads", "remember_base", "save_heads"]

_SAMPLE = 64
_TOLERANCE = 0.02  # relative: bfloat16 and merged adapters move weights by less


@dataclass(frozen=True, slots=True)
class HeadsConfig:
    """What the heads were made for.

    Attributes:
        count: heads.
        layers: residual blocks a head.
        width: of the target's hidden state.
        vocabulary: of the target.
        base_sample: a few numbers of the base's weights, compared when heads are opened.
        made_for: hash of the adapter that was merged into the target; "" for none.
    """

    count: int
    layers: int
    width: int
    vocabulary: int
    base_sample: tuple[float, ...] = ()
    made_for: str = ""


class _Block(nn.Module):
    """`x + SiLU(Wx + b)`, zero at first: an untrained head predicts like the target."""

    def __init__(self, width: int) -> None:
        super().__init__()
        self.linear = nn.Linear(width, width)
        nn.init.zeros_(self.linear.weight)
        nn.init.zeros_(self.linear.bias)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return x + nn.functional.silu(self.linear(x))


class DraftHeads(nn.Module):
    """`count` heads over one hidden state.

    Args:
        config: sizes.
        draft_vocabulary: token ids the heads may propose; None for all.
    """

    draft_ids: torch.Tensor

    def __init__(self, config: HeadsConfig, draft_vocabulary: Sequence[int] | None = None) -> None:
        super().__init__()
        self.config = config
        self.heads = nn.ModuleList(
            nn.Sequential(*(_Block(config.width) for _ in range(config.layers)))
            for _ in range(config.count)
        )
        ids = range(config.vocabulary) if draft_vocabulary is None else draft_vocabulary
        self.register_buffer("draft_ids", torch.tensor(list(ids), dtype=torch.long))

    def forward(self, hidden: torch.Tensor) -> torch.Tensor:
        """`[..., width]` to the heads' features `[..., count, width]`."""
        return torch.stack([head(hidden) for head in self.heads], dim=-2)

    def projection(self, output_weight: torch.Tensor) -> torch.Tensor:
        """The rows of the target's output projection the heads use, `[draft, width]`."""
        if len(self.draft_ids) == output_weight.shape[0]:
            return output_weight
        return output_weight.index_select(0, self.draft_ids.to(output_weight.device))


def remember_base(model: Any) -> None:
    """Keep `base_sample` of a model whose weights are about to be laid out anew."""
    model.rtl_agent_base_sample = base_sample(model)


def base_sample(model: Any) -> tuple[float, ...]:
    """A few numbers that tell one base model from another, whatever its dtype."""
    known: tuple[float, ...] | None = getattr(model, "rtl_agent_base_sample", None)
    if known is not None:
        return known
    matrices = [p for p in model.parameters() if p.dim() == 2 and p.numel() >= _SAMPLE]
    step = max(1, len(matrices) // 16)
    values: list[float] = []
    for matrix in matrices[::step][:16]:
        flat = matrix.detach().reshape(-1)
        picked = flat[:: max(1, flat.numel() // 4)][:4]
        values.extend(round(float(value), 5) for value in picked)
    return tuple(values)


def save_heads(heads: DraftHeads, path: Path) -> None:
    """Write heads with their configuration into one safetensors file."""
    from safetensors.torch import save_file

    state = {name: tensor.contiguous().cpu() for name, tensor in heads.state_dict().items()}
    save_file(state, str(path), metadata={"rtl_agent_heads": json.dumps(asdict(heads.config))})


def load_heads(path: Path, model: Any) -> DraftHeads:
    """Open heads made for `model`, on its device and in its dtype.

    Raises:
        ModelUnusable: the file cannot be read or holds no heads.
        HeadsMismatch: they were made for another base.
    """
    from safetensors import SafetensorError, safe_open

    try:
        with safe_open(str(path), framework="pt") as stored:
            described = json.loads((stored.metadata() or {})["rtl_agent_heads"])
            state = {name: stored.get_tensor(name) for name in stored.keys()}  # noqa: SIM118
        described["base_sample"] = tuple(described["base_sample"])
        heads = DraftHeads(HeadsConfig(**described), state["draft_ids"].tolist())
        heads.load_state_dict(state)
    except (OSError, SafetensorError, KeyError, TypeError, ValueError, RuntimeError) as error:
        raise ModelUnusable(
            f"{path}: no draft heads of this version",
            remedy="train heads for this model, or leave the heads out",
        ) from error
    _check(heads.config, model, path)
    return heads.to(device=model.device, dtype=model.dtype).eval()


def _check(config: HeadsConfig, model: Any, path: Path) -> None:
    output = model.get_output_embeddings().weight
    same = tuple(output.shape) == (config.vocabulary, config.width)
    if same and config.base_sample:
        found = torch.tensor(base_sample(model))
        wanted = torch.tensor(config.base_sample)
        same = found.shape == wanted.shape and torch.allclose(
            found, wanted, rtol=_TOLERANCE, atol=1e-3
        )
    if not same:
        raise HeadsMismatch(
            f"{path}: these heads were trained for another base model",
            remedy="train heads for this model, or leave the heads out",
        )
