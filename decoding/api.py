"""The text-level seam of the decoder: what a caller asks for and what it gets.

`Generator` is the only thing the rest of the project knows of decoding; the engine below it works
on token ids and tensors alone.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

__all__ = ["Completion", "DecodeStats", "FinishReason", "Generator", "Mode", "SamplingParams"]


class Mode(StrEnum):
    """Verification mode, named in every result; see docs/DECODING.md for the guarantees."""

    PLAIN = "plain"
    EXACT_GREEDY = "exact-greedy"
    EXACT_SAMPLING = "exact-sampling"
    TYPICAL = "typical"
    CONSTRAINED = "constrained"


class FinishReason(StrEnum):
    """Why a completion ended."""

    EOS = "eos"
    STOP = "stop"
    LENGTH = "length"
    CANCELLED = "cancelled"


@dataclass(frozen=True, slots=True)
class SamplingParams:
    """How to sample. `temperature == 0` means greedy; `seed` makes a run repeatable."""

    max_new_tokens: int = 512
    temperature: float = 0.0
    top_p: float = 1.0
    top_k: int = 0
    seed: int = 0
    stop: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class DecodeStats:
    """What decoding cost. `target_passes` counts forwards of the target after prefill.

    `last_block` are the tokens the last step confirmed, those behind EOS or a stop string, which
    are dropped, included.
    """

    mode: Mode = Mode.PLAIN
    prompt_tokens: int = 0
    new_tokens: int = 0
    target_passes: int = 0
    prefill_s: float = 0.0
    draft_s: float = 0.0
    target_s: float = 0.0
    accept_s: float = 0.0
    drafted_tokens: int = 0
    last_block: int = 0
    accepted_by: dict[str, int] = field(default_factory=dict)

    @property
    def acceptance_length(self) -> float:
        """Tokens gained per target forward pass."""
        return self.new_tokens / self.target_passes if self.target_passes else 0.0


@dataclass(frozen=True, slots=True)
class Completion:
    """One sample: the new text (stop string and EOS not included) and what it cost."""

    text: str
    token_ids: tuple[int, ...]
    finish: FinishReason
    stats: DecodeStats


class Generator(Protocol):
    """A loaded model with its tokenizer, ready to continue text."""

    name: str

    def generate(  # noqa: PLR0913 (options of one call, all but one with a default)
        self,
        prompt: str,
        *,
        n: int = 1,
        params: SamplingParams = SamplingParams(),
        hints: Sequence[str] = (),
        on_text: Callable[[int, str], None] | None = None,
        should_stop: Callable[[], bool] | None = None,
    ) -> list[Completion]:
        """Continue `prompt` `n` times in one batch.

        `hints` are texts the lookup drafter may copy from (previous drafts, retrieved designs);
        they never change exact output. `on_text(i, piece)` streams sample `i`. `should_stop` is
        polled once a step; true ends every sample with `CANCELLED`.
        """
        ...

    def chat_prompt(self, messages: Sequence[tuple[str, str]], *, prefill: str = "") -> str:
        """Render `(role, text)` pairs with the model's own chat template, then `prefill`.

        Raises a `DecodingError` that names the remedy when the model has no template.
        """
        ...
