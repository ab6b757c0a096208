"""Clocks per bit of an asynchronous line."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import random

    from ..names import Names

__all__ = ["BitTime"]


class BitTime:
    """Clocks per bit: a literal, or a module parameter in a quarter of the designs."""

    def __init__(self, rng: random.Random, n: Names, *choices: int) -> None:
        self.clocks = rng.choice(choices)
        self.parameters: tuple[tuple[str, str], ...] = ()
        self.width = max(1, (self.clocks - 1).bit_length())
        self.last = f"{self.width}'d{self.clocks - 1}"
        self.half = f"{self.width}'d{self.clocks // 2 - 1}"
        self.name = ""
        if rng.random() < 0.3:
            self.name = n.pick("DIV", "CLKS_PER_BIT", "BIT_CYCLES", "DIVISOR")
            self.parameters = ((self.name, str(self.clocks)),)
            self.width = 16
            self.last, self.half = f"{self.name} - 1", f"{self.name} / 2 - 1"

    @property
    def text(self) -> str:
        """How the wordings name the bit time."""
        return f"{self.name} (parameter, default {self.clocks})" if self.name else str(self.clocks)
