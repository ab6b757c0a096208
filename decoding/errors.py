"""Errors of `rtl_agent.decoding`.

DecodingError
├── ModelMissing         the model is not on this machine (and the hub cannot be reached)
├── ModelUnusable        it is there but cannot serve: no chat template, wrong vocabulary, …
│   └── InputUnreadable  a file that was named cannot be read, whatever the model is
├── PromptTooLong        prompt and answer exceed the model's context
├── HeadsMismatch        trained heads or an adapter belong to another base
├── NumericalError       NaN or infinite logits
└── TrainingError        a training run cannot start or go on

Each carries a remedy in one sentence.
"""

from __future__ import annotations

__all__ = [
    "DecodingError",
    "HeadsMismatch",
    "InputUnreadable",
    "ModelMissing",
    "ModelUnusable",
    "NumericalError",
    "PromptTooLong",
    "TrainingError",
]


class DecodingError(Exception):
    """Something the decoder cannot do, with what to do about it."""

    def __init__(self, message: str, *, remedy: str = "") -> None:
        super().__init__(message)
        self.message = message
        self.remedy = remedy


class ModelMissing(DecodingError):
    """The model's files are not on this machine and cannot be fetched."""


class ModelUnusable(DecodingError):
    """The model loads but cannot serve what was asked."""


class InputUnreadable(ModelUnusable):
    """A file of prompts, pairs or texts that was named is missing or damaged."""


class PromptTooLong(DecodingError):
    """The prompt plus the room for an answer does not fit the model's context."""


class HeadsMismatch(DecodingError):
    """Heads, adapter or drafter were made for another base model."""


class NumericalError(DecodingError):
    """The model produced NaN or infinite logits."""


class TrainingError(DecodingError):
    """A training run cannot start or cannot go on."""
