"""One timed run of a contender."""

from __future__ import annotations

from dataclasses import dataclass

__all__ = ["Run"]


@dataclass(frozen=True, slots=True)
class Run:
    """Seconds (prefill included), the new tokens, and what the engine says it spent."""

    seconds: float
    tokens: tuple[int, ...]
    passes: int = 0
    draft_s: float = 0.0
    target_s: float = 0.0
    accept_s: float = 0.0
