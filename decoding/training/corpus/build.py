"""Small pieces that families share to write ports and clocked processes."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from .design import PortDecl

if TYPE_CHECKING:
    import random

    from .names import Names

__all__ = ["ClockReset", "clock_reset", "header", "indent", "mask"]


def mask(value: int, width: int) -> int:
    """Keep the low `width` bits of `value` (two's complement for negative numbers)."""
    return value & ((1 << width) - 1)


def indent(text: str, spaces: int = 4) -> str:
    """Indent every non-empty line."""
    pad = " " * spaces
    return "\n".join(pad + line if line else line for line in text.splitlines())


def _declare(port: PortDecl) -> str:
    span = port.range or (f"[{port.width - 1}:0]" if port.width > 1 else "")
    words = [port.direction, "reg" if port.reg else "", span, port.name]
    return " ".join(word for word in words if word)


def header(
    module: str, ports: tuple[PortDecl, ...], parameters: tuple[tuple[str, str], ...] = ()
) -> str:
    """Write the ANSI header of `module`, up to and with `);`."""
    generics = ", ".join(f"parameter {n} = {v}" for n, v in parameters)
    hashed = f" #({generics})" if generics else ""
    body = ",\n".join(f"    {_declare(p)}" for p in ports)
    return f"module {module}{hashed} (\n{body}\n);"


@dataclass(frozen=True, slots=True)
class ClockReset:
    """Clock and reset of one design, with the Verilog that goes with them."""

    clock: str
    reset: str | None
    kind: str  # none | sync | async
    active_low: bool

    @property
    def ports(self) -> tuple[PortDecl, ...]:
        """The clock port and, if there is one, the reset port."""
        clock = PortDecl("input", self.clock, 1, "clock")
        if self.reset is None:
            return (clock,)
        how = "asynchronous" if self.kind == "async" else "synchronous"
        level = "low" if self.active_low else "high"
        return (clock, PortDecl("input", self.reset, 1, f"{how} reset, active {level}"))

    @property
    def asserted(self) -> str:
        """The Verilog condition for "in reset"."""
        return f"!{self.reset}" if self.active_low else f"{self.reset}"

    @property
    def sensitivity(self) -> str:
        """The event list of a clocked process."""
        if self.kind == "async":
            edge = "negedge" if self.active_low else "posedge"
            return f"posedge {self.clock} or {edge} {self.reset}"
        return f"posedge {self.clock}"

    def process(self, on_reset: str, body: str) -> str:
        """A clocked `always` with its reset branch; `on_reset` and `body` are statements."""
        if self.reset is None:
            return f"always @({self.sensitivity}) begin\n{indent(body)}\nend"
        return (
            f"always @({self.sensitivity}) begin\n"
            f"    if ({self.asserted}) begin\n{indent(on_reset, 8)}\n    end else begin\n"
            f"{indent(body, 8)}\n    end\nend"
        )


def clock_reset(rng: random.Random, names: Names, *, allow_none: bool = False) -> ClockReset:
    """Draw a clock and a reset of random kind and polarity."""
    kinds = ["sync", "sync", "async", "async"] + (["none"] if allow_none else [])
    kind = rng.choice(kinds)
    low = rng.random() < 0.45
    clock = names.clock()
    reset = None if kind == "none" else names.reset(active_low=low)
    return ClockReset(clock, reset, kind, low and kind != "none")
