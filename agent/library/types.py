"""A known-good design as retrieval returns it."""

from __future__ import annotations

from dataclasses import dataclass

from rtl_agent.tools.interface import Interface

__all__ = ["Exemplar"]


@dataclass(frozen=True, slots=True)
class Exemplar:
    """A design of the library with the spec it answers; `score` is the retriever's own."""

    name: str
    origin: str  # "shipped" or the path of the user's file
    spec: str
    rtl: str
    interface: Interface
    score: float = 0.0
