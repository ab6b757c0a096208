"""Stimulus for designs that plain random inputs would keep from ever getting anywhere."""

from __future__ import annotations

import dataclasses
from typing import TYPE_CHECKING

from ..bench import random_stimulus

if TYPE_CHECKING:
    import random
    from collections.abc import Mapping

    from ..design import Design

__all__ = ["biased"]


def biased(design: Design, high: Mapping[str, float]) -> Design:
    """Give `design` stimulus in which the one-bit inputs in `high` are 1 with that probability.

    Names of inputs that the design does not have are ignored; the other inputs stay random.
    """
    clocking = {design.clock, design.reset}
    inputs = tuple(p for p in design.ports if p.direction == "input" and p.name not in clocking)
    chosen = [p.name for p in inputs if p.name in high]

    def stimulus(rng: random.Random, cycles: int) -> list[dict[str, int]]:
        rows = random_stimulus(rng, inputs, cycles)
        for row in rows:
            row.update({name: int(rng.random() < high[name]) for name in chosen})
        return rows

    return dataclasses.replace(design, stimulus=stimulus)
