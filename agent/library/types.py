"""A known-good design as retrieval returns it, and the seam to whatever retrieves."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from rtl_agent.agent.spec.model import Spec
    from rtl_agent.tools.interface import Interface

__all__ = ["Exemplar", "Retriever"]


@dataclass(frozen=True, slots=True)
class Exemplar:
    """A design of the library with the spec it answers; `score` is the retriever's own."""

    name: str
    origin: str  # "shipped" or the path of the user's file
    spec: str
    rtl: str
    interface: Interface
    score: float = 0.0


class Retriever(Protocol):
    """Finds known-good designs for a spec."""

    def nearest(self, spec: Spec, k: int) -> tuple[Exemplar, ...]:
        """Up to `k` designs, nearest first; empty when nothing is near."""
        ...
