"""What a training run is made of; stored whole in every checkpoint."""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass, fields
from typing import TYPE_CHECKING

from rtl_agent.decoding.errors import TrainingError

if TYPE_CHECKING:
    from pathlib import Path

__all__ = ["METHODS", "TrainConfig"]

METHODS = ("lora", "full")


@dataclass(frozen=True, slots=True)
class TrainConfig:
    """Options of a training run.

    Learning rate: linear warm-up over `warmup_steps`, then constant, then, once the run is within
    the last `decay_fraction` of its `samples`, `steps` or `minutes`, linear down to a twentieth.

    Attributes:
        base: folder of the base model.
        data: JSONL of pairs.
        out: folder of the run.
        validation: JSONL of pairs whose loss is watched.
        samples: pairs after which the run ends; `steps` (0: no limit) and `minutes` end it, too.
        tokens_per_batch: of a micro-batch, padding included; `accumulate` micro-batches a step.
        max_tokens: longer pairs are left out.
        method: `lora` or `full`.
        rank: of the adapter; `alpha` over `rank` is its scale.
        first_layer: first layer with an adapter: the backward pass ends there.
        init: an adapter file to start from; its rank and scale must be those of this run.
        heads: draft heads trained jointly, 0 for none; see `heads_form` and `heads_weight`.
        heads_form: which head labels are masked: `lexer`, `marker` or `none`.
        heads_weight: of the first head's loss over the base's; each further one `heads_decay`
            of the one before.
        heads_rate: learning rate of the heads over that of the base.
        marker: token that marks fragment ends in the answers, for the `marker` form.
        device: `cpu`, `cuda`; "" takes CUDA when there is one.
        precision: `float32`, or `bfloat16` for mixed precision (weights stay in float32).
        save_every_s: seconds between checkpoints.
        validate_every: steps between validations.
        threads: of each process; 0 shares the machine's cores among its processes.
        tensorboard: write event files to `out/tensorboard`.
        base_sha256: of the base file, kept in the adapter so that it meets no other.
    """

    base: str
    data: str
    out: str
    validation: str = ""
    samples: int = 100_000
    minutes: float = 60.0
    seed: int = 1
    tokens_per_batch: int = 2_400
    max_tokens: int = 900
    learning_rate: float = 1e-3
    warmup_steps: int = 20
    decay_fraction: float = 0.25
    weight_decay: float = 0.0
    clip_norm: float = 1.0
    rank: int = 32
    alpha: int = 32
    first_layer: int = 6
    save_every_s: float = 240.0
    validate_every: int = 50
    threads: int = 0
    base_sha256: str = ""
    steps: int = 0
    accumulate: int = 1
    method: str = "lora"
    init: str = ""
    heads: int = 0
    heads_form: str = "lexer"
    heads_weight: float = 0.2
    heads_decay: float = 0.8
    heads_rate: float = 4.0
    marker: str = ""
    device: str = "cpu"
    precision: str = "float32"
    tensorboard: bool = False

    def save(self, path: Path) -> None:
        """Write as JSON."""
        path.write_text(json.dumps(asdict(self), indent=2) + "\n", encoding="utf-8")

    @classmethod
    def load(cls, path: Path) -> TrainConfig:
        """Read what `save` wrote; an unknown key is an error that names it."""
        data = json.loads(path.read_text(encoding="utf-8"))
        unknown = sorted(set(data) - {f.name for f in fields(cls)})
        if unknown:
            raise TrainingError(
                f"{path}: unknown setting {unknown[0]!r}", remedy="remove it or correct its name"
            )
        return cls(**data)
