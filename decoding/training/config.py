"""What a training run is made of; stored whole in every checkpoint."""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass, fields
from typing import TYPE_CHECKING

from rtl_agent.decoding.errors import TrainingError

if TYPE_CHECKING:
    from pathlib import Path

__all__ = ["TrainConfig"]


@dataclass(frozen=True, slots=True)
class TrainConfig:
    """Options of an adapter training run.

    Learning rate: linear warm-up over `warmup_steps`, then constant, then, once the run is within
    the last `decay_fraction` of its `samples` or of its `minutes`, linear down to a twentieth.
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
    threads: int = 2
    base_sha256: str = ""  # of the base file, kept in the adapter so that it meets no other

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
