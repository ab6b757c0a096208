"""What is asked of the engine, and the state of one row while it is answered."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from rtl_agent.decoding.engine.sampling import GREEDY, Sampler

if TYPE_CHECKING:
    from collections.abc import Sequence

    from rtl_agent.decoding.api import FinishReason

__all__ = ["Accepted", "Request", "Row", "RowStats"]


@dataclass(frozen=True, slots=True)
class Request:
    """One sample to generate.

    Attributes:
        prompt: what is continued; for an encoder-decoder target the decoder's start.
        sample: tells apart samples that share a prompt and a seed.
        source: the encoder's input.
        hints: texts the lookup drafter may copy from.
    """

    prompt: tuple[int, ...]
    max_new_tokens: int
    sampler: Sampler = GREEDY
    sample: int = 0
    eos: frozenset[int] = frozenset()
    source: tuple[int, ...] = ()
    hints: tuple[tuple[int, ...], ...] = ()


@dataclass(slots=True)
class RowStats:
    """Counts and seconds of one row; seconds of a step are shared by the rows it served.

    `last_block` are the tokens the last step confirmed, those behind the row's end included.
    """

    target_passes: int = 0
    prefill_s: float = 0.0
    draft_s: float = 0.0
    target_s: float = 0.0
    accept_s: float = 0.0
    drafted: int = 0
    last_block: int = 0
    accepted_by: dict[str, int] = field(default_factory=dict)


@dataclass(slots=True)
class Row:
    """A request under way. The last of `tokens` is certain but not yet in the cache."""

    index: int
    request: Request
    tokens: list[int]
    limit: int
    finish: FinishReason | None = None
    stats: RowStats = field(default_factory=RowStats)

    @property
    def new_tokens(self) -> Sequence[int]:
        """What was generated so far, EOS included."""
        return self.tokens[len(self.request.prompt) :]

    @property
    def room(self) -> int:
        """Tokens that may still be generated."""
        return self.limit - (len(self.tokens) - len(self.request.prompt))


@dataclass(frozen=True, slots=True)
class Accepted:
    """Tokens a row gained in one step, and why it ended if it did."""

    index: int
    tokens: tuple[int, ...]
    finish: FinishReason | None
