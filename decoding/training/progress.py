"""Where a run stands, and how that is told."""

from __future__ import annotations

import json
import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from rtl_agent.decoding.errors import TrainingError

if TYPE_CHECKING:
    from pathlib import Path

    from .config import TrainConfig

__all__ = ["Board", "Progress", "done_share", "told"]


@dataclass(slots=True)
class Progress:
    """Where a run stands; saved in every checkpoint.

    Attributes:
        batch: micro-batches done in this epoch.
        seconds: of training steps, over all resumptions.
        loss: smoothed loss of the base.
        validation: last loss on the held-out pairs; `before` the one before the first step.
    """

    step: int = 0
    epoch: int = 0
    batch: int = 0
    samples: int = 0
    answer_tokens: int = 0
    seconds: float = 0.0
    loss: float = math.nan
    validation: float = math.nan
    before: float = math.nan


def done_share(progress: Progress, config: TrainConfig) -> float:
    """How much of the run is done, by whichever limit is nearest."""
    if config.samples <= 0 or config.minutes <= 0:
        return 1.0  # nothing was to be done
    shares = [progress.samples / config.samples, progress.seconds / (config.minutes * 60)]
    if config.steps:
        shares.append(progress.step / config.steps)
    return max(shares)


def told(progress: Progress, config: TrainConfig, heads: list[float]) -> dict[str, Any]:
    """A record for the log: progress, throughput, seconds left, loss of each head."""
    record: dict[str, Any] = {
        name: getattr(progress, name)
        for name in Progress.__slots__
        if not math.isnan(getattr(progress, name))
    }
    done = done_share(progress, config)
    if progress.seconds and done:
        record["tokens_s"] = progress.answer_tokens / progress.seconds
        record["samples_s"] = progress.samples / progress.seconds
        record["eta_s"] = max(0.0, progress.seconds / done * (1 - done))
    if heads:
        record["heads"] = [round(value, 4) for value in heads]
    return {k: round(v, 4) if isinstance(v, float) else v for k, v in record.items()}


class Board:
    """TensorBoard event files, when asked for.

    Raises:
        TrainingError: the package is not installed.
    """

    def __init__(self, folder: Path, *, active: bool) -> None:
        self._writer: Any = None
        if not active:
            return
        try:
            from torch.utils.tensorboard import SummaryWriter
        except ImportError as error:
            raise TrainingError(
                "TensorBoard files were asked for and tensorboard is not installed",
                remedy="pip install 'rtl-agent[train]', or leave tensorboard off",
            ) from error
        self._writer = SummaryWriter(str(folder))

    def add(self, record: dict[str, Any]) -> None:
        """Write the numbers of a log record."""
        if self._writer is None:
            return
        for name, value in record.items():
            if isinstance(value, list):
                for index, part in enumerate(value):
                    self._writer.add_scalar(f"heads/{index}", part, record["step"])
            elif name != "step":
                self._writer.add_scalar(name, value, record["step"])
        self._writer.flush()

    @staticmethod
    def line(record: dict[str, Any]) -> str:
        """The record as one line."""
        return json.dumps(record)
