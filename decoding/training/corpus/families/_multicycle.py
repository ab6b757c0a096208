"""What the multi-cycle arithmetic units share: operands and the start/done facts."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import random
    from collections.abc import Callable

    from ..design import Behaviour

__all__ = ["operands", "start_done_facts"]


def operands(
    start: str, a: str, b: str, width: int, often: float = 0.4
) -> Callable[[random.Random, int], list[dict[str, int]]]:
    """Operands that include zero, one and all ones."""
    top = (1 << width) - 1

    def generate(rng: random.Random, cycles: int) -> list[dict[str, int]]:
        def draw() -> int:
            return rng.choice((0, 0, 1, top, 2, *(rng.getrandbits(width) for _ in range(6))))

        return [{start: int(rng.random() < often), a: draw(), b: draw()} for _ in range(cycles)]

    return generate


def start_done_facts(start: str, busy: str, done: str, length: str, held: str) -> list[Behaviour]:
    """Facts about starting and finishing; `length` tells how long it is busy."""
    return [
        (
            f"When idle, a clock edge with {start} high captures the operands and raises {busy}; {start} is ignored while {busy} is high.",
            f"`{start}` is accepted only while `{busy}` is low; it loads the operands and sets `{busy}` at that edge.",
            f"An operation begins at an edge with {start} = 1 and {busy} = 0, which stores the operands; other starts are ignored.",
        ),
        (
            f"{busy} stays high for {length}; then {busy} falls and {done} is high for one cycle, with {held}.",
            f"The computation takes {length} of `{busy}`; in the next cycle `{busy}` is low, `{done}` pulses, and {held}.",
            f"After {length} with {busy} set, {done} is high for a single cycle while {busy} is low again, and {held}.",
        ),
        (
            f"A new {start} is possible in the cycle of {done}.",
            f"`{start}` may be given again as soon as `{busy}` is low, also together with `{done}`.",
            f"{done} does not block the next {start}.",
        ),
    ]
