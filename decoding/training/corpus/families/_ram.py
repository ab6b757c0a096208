"""What the RAMs share: shape, traffic, clock."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..build import ClockReset
from ..design import Behaviour, PortDecl

if TYPE_CHECKING:
    import random
    from collections.abc import Callable, Mapping

    from ..names import Names

__all__ = ["SIZES", "RamShape", "plain_clock", "ram_traffic"]


SIZES = ((8, 4), (16, 8), (16, 4), (32, 8), (32, 16), (64, 8), (128, 8), (256, 8), (16, 16))


class RamShape:
    """Depth and width of a memory, with or without module parameters for them."""

    def __init__(self, rng: random.Random, n: Names) -> None:
        self.depth, self.width = rng.choice(SIZES)
        self.aw = (self.depth - 1).bit_length()
        self.parameters: tuple[tuple[str, str], ...] = ()
        self.data_range = self.addr_range = ""
        data, self.last = f"[{self.width - 1}:0]", f"{self.depth - 1}"
        if rng.random() < 0.25:
            dw = n.pick("DATA_W", "WIDTH", "DW", "DATA_WIDTH")
            aw = n.pick("ADDR_W", "AW", "ADDR_WIDTH", "ABITS")
            self.parameters = ((dw, str(self.width)), (aw, str(self.aw)))
            self.data_range, self.addr_range = f"[{dw}-1:0]", f"[{aw}-1:0]"
            data, self.last = self.data_range, f"(1<<{aw})-1"
        self.data = data

    def address(self, name: str, what: str) -> PortDecl:
        """An address port."""
        return PortDecl("input", name, self.aw, what, range=self.addr_range)

    def word(self, direction: str, name: str, what: str, reg: bool = False) -> PortDecl:
        """A data port."""
        return PortDecl(direction, name, self.width, what, reg=reg, range=self.data_range)

    def array(self, name: str) -> str:
        """The declaration of the memory array."""
        if self.parameters or self.depth % 3:
            return f"reg {self.data} {name} [0:{self.last}];"
        return f"reg {self.data} {name} [{self.depth - 1}:0];"

    def fact(self) -> tuple[Behaviour, ...]:
        """What there is to say about parameters."""
        if not self.parameters:
            return ()
        (dw, width), (aw, abits) = self.parameters
        return (
            (
                f"The parameters {dw} (default {width}) and {aw} (default {abits}) set the word and address width; the depth is 2**{aw}.",
                f"Word width `{dw}` = {width} and address width `{aw}` = {abits} are module parameters with these defaults, and there are 2 to the power {aw} words.",
                f"It is parameterised by {dw} ({width} by default) for the data and {aw} ({abits} by default) for the address bits.",
            ),
        )


def ram_traffic(
    addresses: tuple[str, ...], aw: int, widths: Mapping[str, int], high: Mapping[str, float]
) -> Callable[[random.Random, int], list[dict[str, int]]]:
    """Few different addresses, often the same on all ports, so that reads meet earlier writes."""

    def generate(rng: random.Random, cycles: int) -> list[dict[str, int]]:
        used = [rng.getrandbits(aw) for _ in range(5)]
        rows = []
        for _ in range(cycles):
            row = {
                k: int(rng.random() < high.get(k, 0.5))
                if w == 1 and k in high
                else rng.getrandbits(w)
                for k, w in widths.items()
            }
            common = rng.choice(used)
            for name in addresses:
                row[name] = common if rng.random() < 0.4 else rng.choice(used)
            rows.append(row)
        return rows

    return generate


def plain_clock(n: Names) -> ClockReset:
    """A clock without reset."""
    return ClockReset(n.clock(), None, "none", False)
