"""Arithmetic a training pair costs, so that methods can be compared at equal compute."""

from __future__ import annotations

from dataclasses import dataclass

__all__ = ["Sizes", "equal_samples", "pair_flops"]

_BOTH = 3  # a forward and a backward pass that reaches all layers, in forwards


@dataclass(frozen=True)
class Sizes:
    """Parameters that are multiplied: of all layers, of the output projection, of one head."""

    layers: int
    projection: int
    head: int


def pair_flops(sizes: Sizes, *, prompt: float, answer: float, heads: int) -> float:
    """Floating-point operations of one pair: attention's own products are left out.

    Args:
        sizes: parameters.
        prompt: mean tokens of a prompt.
        answer: mean tokens of an answer: only they are projected onto the vocabulary.
        heads: draft heads, each with a projection of its own.
    """
    layers = (prompt + answer) * sizes.layers
    outputs = answer * (1 + heads) * sizes.projection
    return 2.0 * _BOTH * (layers + outputs + answer * heads * sizes.head)


def equal_samples(samples: int, plain: float, method: float) -> int:
    """How many pairs of a method cost what `samples` pairs of plain training cost."""
    return max(1, round(samples * plain / method))
