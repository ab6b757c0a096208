"""The interface of a module: its ports and parameters, however they were learned."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

__all__ = ["Direction", "Interface", "Parameter", "Port"]


class Direction(StrEnum):
    """Direction of a port as seen from inside the module."""

    INPUT = "input"
    OUTPUT = "output"
    INOUT = "inout"


@dataclass(frozen=True, slots=True)
class Port:
    """One port.

    `width` is a number of bits, or the range as written (`[W-1:0]`) where it depends on a
    parameter. `inferred` is true where the text left room and the reader chose.
    """

    direction: Direction
    name: str
    width: int | str = 1
    signed: bool = False
    inferred: bool = False
    description: str = ""

    @property
    def range(self) -> str:
        """The packed range as Verilog writes it; empty for one bit."""
        if isinstance(self.width, str):
            return self.width
        return "" if self.width == 1 else f"[{self.width - 1}:0]"


@dataclass(frozen=True, slots=True)
class Parameter:
    """One parameter with its default as written."""

    name: str
    default: str


@dataclass(frozen=True, slots=True)
class Interface:
    """A module's name, parameters and ports, in declaration order."""

    module: str
    ports: tuple[Port, ...] = ()
    parameters: tuple[Parameter, ...] = ()

    def inputs(self) -> tuple[Port, ...]:
        """Input ports, in order."""
        return tuple(p for p in self.ports if p.direction is Direction.INPUT)

    def outputs(self) -> tuple[Port, ...]:
        """Output ports, in order."""
        return tuple(p for p in self.ports if p.direction is Direction.OUTPUT)

    def port(self, name: str) -> Port | None:
        """The port of that name, or None."""
        return next((p for p in self.ports if p.name == name), None)
