"""What the readers of the parts of a spec hand to the one that puts it together."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import IntEnum

from rtl_agent.tools.interface import Direction, Parameter

__all__ = ["Findings", "FoundPort", "Source", "Weight"]


class Source(IntEnum):
    """Where a port was read, the most exact first."""

    HEADER = 0
    TABLE = 1
    LIST = 2
    PROSE = 3


class Weight(IntEnum):
    """How firmly prose declares a port; laid-out declarations are always `LISTED`."""

    HINTED = 0  # "the output q": spoken of as if it were known
    INTRODUCED = 1  # "an output q", "takes a 4-bit operand a"
    ROLE = 2  # a clock or reset, by name or word
    LISTED = 3  # one of a list: "inputs a and b", "`q` is an output"


@dataclass(frozen=True, slots=True)
class FoundPort:
    """A port with its place; `width` is None where nothing was said."""

    name: str
    direction: Direction
    width: int | str | None
    line: int
    source: Source
    module: str | None = None
    signed: bool = False
    sure: bool = True
    description: str = ""
    weight: Weight = Weight.LISTED


@dataclass(slots=True)
class Findings:
    """All that was found in one spec."""

    ports: list[FoundPort] = field(default_factory=list)
    parameters: list[tuple[Parameter, str | None]] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)

    def add_parameter(self, name: str, default: str, module: str | None = None) -> None:
        """Keep the first default that is given for `name`."""
        if all(p.name != name for p, _ in self.parameters):
            self.parameters.append((Parameter(name, default), module))
