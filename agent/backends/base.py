"""The seam to a model: a prompt goes in, answers come out."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from collections.abc import Callable

    from rtl_agent.decoding.api import DecodeStats, FinishReason, SamplingParams

__all__ = ["Answer", "ModelBackend", "Prompt"]


@dataclass(frozen=True, slots=True)
class Prompt:
    """What a model is asked, in one of two forms.

    `raw` is continued as it stands (the embedded default's own format); when it is empty,
    `messages` are `(role, text)` pairs for a chat template, and `prefill` starts the answer
    (backends that cannot prefill put it into the last message as an instruction). `hints` are
    texts a lookup drafter may copy from. `purpose` is `draft`, `repair-compile`,
    `repair-mismatch`, `propose` or `continue`, for records and reports. `stop` are strings that
    end an answer; they are not part of it. `longest` is the number of new tokens at which an answer
    is given up; 0 where only the run's own bound holds.
    """

    purpose: str
    raw: str = ""
    messages: tuple[tuple[str, str], ...] = ()
    prefill: str = ""
    hints: tuple[str, ...] = ()
    stop: tuple[str, ...] = ()
    longest: int = 0


@dataclass(frozen=True, slots=True)
class Answer:
    """One answer of a model: what followed the prompt (prefill not repeated), and its cost."""

    text: str
    finish: FinishReason
    stats: DecodeStats


class ModelBackend(Protocol):
    """Anything that can answer a prompt: local model, server, recorded answers.

    Two further attributes may be there and are false where they are not: `prefills`, whether it
    can begin an answer for the model, and `proposes`, whether the model can be asked for a
    reference in Python.
    """

    name: str
    style: str  # "embedded" or "instruct": which prompt templates it is asked with

    def answer(
        self,
        prompt: Prompt,
        *,
        n: int,
        params: SamplingParams,
        on_text: Callable[[int, str], None] | None = None,
        should_stop: Callable[[], bool] | None = None,
    ) -> tuple[Answer, ...]:
        """Give `n` answers. Raises `BackendError` or `MissingError`, never a library's own."""
        ...

    def close(self) -> None:
        """Free what the backend holds."""
        ...
