"""Prompt and answer pairs as token batches, longest answers not penalised, little padding."""

from __future__ import annotations

import json
import random
from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from rtl_agent.decoding.errors import TrainingError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence
    from pathlib import Path

    import torch

__all__ = ["Batch", "Sample", "batches", "load_samples", "to_batch"]

_IGNORED = -100


@dataclass(frozen=True, slots=True)
class Sample:
    """One pair in token ids; the answer ends with the end-of-sequence token."""

    prompt: tuple[int, ...]
    answer: tuple[int, ...]

    def __len__(self) -> int:
        """Tokens in all."""
        return len(self.prompt) + len(self.answer)


@dataclass(frozen=True, slots=True)
class Batch:
    """Right-padded token ids [B, L], attention mask [B, L] and labels [B, L]."""

    ids: torch.Tensor
    mask: torch.Tensor
    labels: torch.Tensor

    def to(self, device: str) -> Batch:
        """The batch on a device."""
        return Batch(self.ids.to(device), self.mask.to(device), self.labels.to(device))


def load_samples(
    path: Path, tokenizer: Any, max_tokens: int, log: Callable[[str], None] | None = None
) -> list[Sample]:
    """Tokenise the pairs of a JSONL file.

    Pairs over `max_tokens` are left out, and those without a prompt or an answer: of them no token
    can be predicted, or only the end. `log` is told how many.

    Raises:
        TrainingError: the file is missing, a line is not a pair, or nothing is left.
    """
    try:
        lines = path.read_text(encoding="utf-8-sig").split("\n")
    except OSError as error:
        raise TrainingError(f"{path}: {error.strerror}", remedy="build the pairs first") from error
    except UnicodeDecodeError as error:
        raise TrainingError(
            f"{path}: not UTF-8 text (byte {error.start})", remedy="name a JSONL file in UTF-8"
        ) from error
    samples = []
    left_out: Counter[str] = Counter()
    for number, line in enumerate(lines, 1):
        if not line.strip():
            continue
        try:
            pair = json.loads(line)
            prompt, answer = "" + pair["prompt"], "" + pair["answer"]  # strings, or TypeError
        except (ValueError, KeyError, TypeError) as error:
            raise TrainingError(
                f"{path}:{number}: not a pair with `prompt` and `answer`",
                remedy="see docs/TRAINING.md",
            ) from error
        ids = tokenizer(prompt, add_special_tokens=False).input_ids
        end = tokenizer(answer, add_special_tokens=False).input_ids
        sample = Sample(tuple(ids), (*end, tokenizer.eos_token_id))
        why = _unfit(sample, max_tokens)
        left_out[why] += 1
        if not why:
            samples.append(sample)
    del left_out[""]
    told = ", ".join(f"{count} {why}" for why, count in left_out.items())
    if not samples:
        raise TrainingError(
            f"{path}: no pair to train on ({told or 'the file is empty'})",
            remedy=f"give pairs of a prompt and an answer, at most {max_tokens} tokens in all",
        )
    if told and log:
        count = left_out.total()
        log(f"{path}: {count} of {count + len(samples)} pairs left out: {told}")
    return samples


def _unfit(sample: Sample, max_tokens: int) -> str:
    """Why nothing can be learnt from a pair; empty when something can."""
    if not sample.prompt:
        return "without a prompt"
    if len(sample.answer) == 1:  # the end alone
        return "without an answer"
    return f"over {max_tokens} tokens" if len(sample) > max_tokens else ""


def batches(
    samples: Sequence[Sample], *, tokens_per_batch: int, seed: int, epoch: int
) -> Iterator[list[int]]:
    """Indices of one epoch's batches: shuffled, grouped by length within windows of 64.

    Equal `seed` and `epoch` give equal batches, so a run can be resumed in mid-epoch.
    """
    rng = random.Random(f"{seed}:{epoch}")
    order = list(range(len(samples)))
    rng.shuffle(order)
    groups: list[list[int]] = []
    for start in range(0, len(order), 64):
        window = sorted(order[start : start + 64], key=lambda i: len(samples[i]))
        group: list[int] = []
        for i in window:
            if group and (len(group) + 1) * len(samples[i]) > tokens_per_batch:
                groups.append(group)
                group = []
            group.append(i)
        groups.append(group)
    rng.shuffle(groups)
    yield from groups


def to_batch(samples: Sequence[Sample], pad: int) -> Batch:
    """Stack samples; labels are the answers' tokens, everything else is ignored."""
    import torch

    width = max(len(s) for s in samples)
    ids = torch.full((len(samples), width), pad)
    mask = torch.zeros((len(samples), width), dtype=torch.long)
    labels = torch.full((len(samples), width), _IGNORED)
    for row, s in enumerate(samples):
        tokens = torch.tensor((*s.prompt, *s.answer))
        ids[row, : len(s)] = tokens
        mask[row, : len(s)] = 1
        labels[row, len(s.prompt) : len(s)] = tokens[len(s.prompt) :]
    return Batch(ids, mask, labels)
