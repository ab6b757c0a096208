"""Trains draft heads on cached states of a frozen model."""

from __future__ import annotations

import json
import math
import time
from collections import Counter
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
import torch
from rtl_agent.decoding.drafters.heads_model import DraftHeads
from rtl_agent.decoding.errors import TrainingError
from torch.nn.functional import cross_entropy, linear

from .labels import IGNORED
from .states import PROMPT

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from numpy.typing import NDArray
    from rtl_agent.decoding.drafters.heads_model import HeadsConfig

    from .config import HeadsTrainConfig
    from .labels import HeadLabeller
    from .states import States

__all__ = ["HeadsReport", "build_labels", "draft_vocabulary", "train_heads"]


@dataclass(slots=True)
class HeadsReport:
    """How a training went; losses and hit rates are of the held pairs, one value a head.

    `masked` is the share of labels the form leaves out.
    """

    steps: int
    positions: int
    masked: float
    seconds: float
    loss: list[float]
    hits: list[float]


def build_labels(states: States, labeller: HeadLabeller) -> tuple[NDArray[np.int64], float]:
    """Labels `[tokens, heads]` of all answers, and the share of labels the form masks."""
    ids = states.ids.numpy()
    starts = states.starts.tolist()
    parts = [labeller.one(ids[a:b]) for a, b in pairwise(starts)]
    labels = np.concatenate(parts)
    every = sum(max(0, len(part) - 1 - head) for part in parts for head in range(labeller.heads))
    return labels, 1.0 - float((labels != IGNORED).sum()) / max(every, 1)


def draft_vocabulary(labels: NDArray[np.int64], most: int) -> list[int]:
    """The commonest tokens of the labels, ascending."""
    counts = Counter(labels[labels != IGNORED].tolist())
    return sorted(token for token, _ in counts.most_common(most))


def _indexed(labels: NDArray[np.int64], vocabulary: Sequence[int], size: int) -> torch.Tensor:
    """Token labels as places in the draft vocabulary; others are ignored."""
    places = np.full(size + 1, IGNORED, dtype=np.int64)
    places[np.asarray(vocabulary)] = np.arange(len(vocabulary))
    known = np.where(labels == IGNORED, 0, labels)
    return torch.from_numpy(np.where(labels == IGNORED, IGNORED, places[known]))


def train_heads(  # noqa: PLR0913
    states: States,
    labels: NDArray[np.int64],
    output_weight: torch.Tensor,
    sizes: HeadsConfig,
    config: HeadsTrainConfig,
    log: Callable[[str], None],
) -> tuple[DraftHeads, HeadsReport]:
    """Train heads on `states`; the output projection stays as it is.

    Args:
        states: of the frozen model.
        labels: `[tokens, heads]`, see `build_labels`.
        output_weight: the model's output projection, `[vocabulary, width]`.
        sizes: what the heads are made for.
        config: options.
        log: shown one JSON object now and then.

    Raises:
        TrainingError: no label is left, or the loss is not finite.
    """
    torch.manual_seed(config.seed)
    vocabulary = draft_vocabulary(labels, config.vocabulary)
    if not vocabulary:
        raise TrainingError("no label is left to learn from", remedy="give longer answers")
    heads = DraftHeads(sizes, vocabulary)
    if config.init:
        _start_from(heads, Path(config.init))
    weight = heads.projection(output_weight.float())
    run = _Run(heads, weight, states, _indexed(labels, vocabulary, sizes.vocabulary), config)
    started = time.monotonic()
    steps = run.train(log, started)
    loss, hits = run.measure()
    masked = 1.0 - float((labels != IGNORED).sum()) / max(labels.size, 1)
    return heads, HeadsReport(
        steps, len(run.learned), masked, round(time.monotonic() - started, 1), loss, hits
    )


def _start_from(heads: DraftHeads, path: Path) -> None:
    """Take over the blocks of another heads file; the draft vocabulary stays."""
    from safetensors import SafetensorError
    from safetensors.torch import load_file

    try:
        stored = {k: v for k, v in load_file(path).items() if k != "draft_ids"}
        missing, unexpected = heads.load_state_dict(stored, strict=False)
        fits = set(missing) <= {"draft_ids"} and not unexpected
    except (OSError, SafetensorError, RuntimeError):
        fits = False
    if not fits:
        raise TrainingError(
            f"{path}: no heads of this shape to start from",
            remedy="use as many heads and layers, and a model as wide, or leave `init` out",
        )


class _Run:
    """One training: which positions are learned from and which are held."""

    def __init__(
        self,
        heads: DraftHeads,
        weight: torch.Tensor,
        states: States,
        labels: torch.Tensor,
        config: HeadsTrainConfig,
    ) -> None:
        self.heads, self.weight, self.config = heads, weight, config
        self.hidden, self.labels = states.hidden, labels
        sizes = states.starts[1:] - states.starts[:-1]
        groups = torch.repeat_interleave(states.groups, sizes)
        kinds = torch.repeat_interleave(states.kinds, sizes)
        tested = kinds != PROMPT  # what the heads are for: answers
        last = int(states.groups.max()) + 1
        kept = last - max(1, round(config.held * last)) if last > 1 else last
        useful = (labels != IGNORED).any(dim=1)
        self.learned = torch.nonzero(useful & (groups < kept)).flatten()
        self.held = torch.nonzero(useful & tested & (groups >= kept)).flatten()
        if not len(self.learned):
            raise TrainingError("no position is left to learn from", remedy="give more pairs")

    def _loss(self, places: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
        """Mean loss of each head, and the share of labels that is its first choice."""
        features = self.heads(self.hidden[places].float())  # [positions, heads, width]
        labels = self.labels[places]
        losses, hits = [], []
        for head in range(features.shape[1]):
            wanted = labels[:, head] != IGNORED
            logits = linear(features[wanted, head], self.weight)
            target = labels[wanted, head]
            count = max(len(target), 1)
            losses.append(cross_entropy(logits, target, reduction="sum") / count)
            hits.append((logits.argmax(-1) == target).float().sum() / count)
        return torch.stack(losses), torch.stack(hits)

    def train(self, log: Callable[[str], None], started: float) -> int:
        config = self.config
        optimizer = torch.optim.AdamW(
            self.heads.parameters(), lr=config.learning_rate, weight_decay=config.weight_decay
        )
        decay = torch.tensor([config.decay**head for head in range(len(self.heads.heads))])
        shuffle = torch.Generator().manual_seed(config.seed)
        whole = config.epochs * math.ceil(len(self.learned) / config.positions)
        step = 0
        for epoch in range(config.epochs):
            order = self.learned[torch.randperm(len(self.learned), generator=shuffle)]
            for places in torch.split(order, config.positions):
                limit = 60 * (config.minutes or math.inf)
                done = max(step / whole, (time.monotonic() - started) / limit)
                if done >= 1:
                    return step
                for group in optimizer.param_groups:
                    group["lr"] = config.learning_rate * max(0.02, 1 - done)
                losses, _ = self._loss(places)
                loss = (losses * decay).sum()
                value = float(loss.detach())
                if not math.isfinite(value):
                    raise TrainingError(
                        f"the loss became {value} at step {step}",
                        remedy="use a lower learning_rate",
                    )
                optimizer.zero_grad(set_to_none=True)
                loss.backward()  # type: ignore[no-untyped-call]
                torch.nn.utils.clip_grad_norm_(self.heads.parameters(), 1.0)
                optimizer.step()
                step += 1
            held, hits = self.measure()
            spent = time.monotonic() - started
            record = {"epoch": epoch + 1, "step": step, "seconds": round(spent, 1)}
            log(json.dumps(record | {"held_loss": held, "held_hits": hits}))
        return step

    @torch.no_grad()
    def measure(self) -> tuple[list[float], list[float]]:
        """Loss and hit rate of each head on the held positions."""
        places = self.held if len(self.held) else self.learned[:512]
        blocks = torch.split(places, 512)
        parts = [self._loss(block) for block in blocks]
        sizes = torch.tensor([float(len(block)) for block in blocks])
        share = (sizes / sizes.sum())[:, None]
        loss = (torch.stack([p[0] for p in parts]) * share).sum(0)
        hits = (torch.stack([p[1] for p in parts]) * share).sum(0)
        return [round(v, 4) for v in loss.tolist()], [round(v, 4) for v in hits.tolist()]
