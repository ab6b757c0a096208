"""One timed run of a contender."""

from __future__ import annotations

from dataclasses import dataclass

__all__ = ["Run"]


@dataclass(frozen=True, slots=True)
class Run:
    """Seconds of the whole call and until its first token, the new tokens, what was spent on what.

    The rest is what this engine says of itself; 0 for others.
    """

    seconds: float
    first_s: float
    tokens: tuple[int, ...]
    passes: int = 0
    draft_s: float = 0.0
    target_s: float = 0.0
    accept_s: float = 0.0

    @property
    def decode_s(self) -> float:
        """Seconds behind the first token."""
        return max(self.seconds - self.first_s, 1e-9)
