"""A corpus design: RTL, its reference model, and the facts from which wordings are composed."""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Protocol, runtime_checkable

__all__ = ["Behaviour", "Design", "Family", "PortDecl", "ReferenceModel", "TransparentModel"]


class ReferenceModel(Protocol):
    """The behaviour of a design, cycle by cycle.

    Sequential designs: `step(inputs)` applies `inputs`, then one active clock edge, and returns
    the outputs as they stand just after that edge with the same inputs still applied.
    Combinational designs: the outputs for `inputs`. `inputs` has every input but the clock, as
    unsigned integers; the reset is among them at its inactive level. `reset()` is called where
    the harness holds reset for a cycle. An output left out of the returned mapping, or None, is
    a don't-care in that cycle.
    """

    def reset(self) -> None:
        """Go to the state the design has after reset."""
        ...

    def step(self, inputs: Mapping[str, int]) -> Mapping[str, int | None]:
        """Advance one cycle and return the outputs."""
        ...


@runtime_checkable
class TransparentModel(ReferenceModel, Protocol):
    """A model that also tells the outputs before the clock edge.

    For designs with a path from input to output that is not visible after the edge with the same
    inputs: a Mealy output that marks the last bit of a pattern, a bypass round a register file.
    """

    def peek(self, inputs: Mapping[str, int]) -> Mapping[str, int | None]:
        """The outputs for `inputs` in the present state, without a clock edge."""
        ...


@dataclass(frozen=True, slots=True)
class PortDecl:
    """A port of a corpus design. `reg` says that the RTL drives it from a procedural block."""

    direction: str  # "input" | "output"
    name: str
    width: int
    description: str
    reg: bool = False
    range: str = ""  # as written when it depends on a parameter, e.g. "[W-1:0]"


# One fact about a design, with its paraphrases: the wording composer picks one of them.
Behaviour = tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Design:
    """One design of a family.

    `params` identify the function (width, depth, modulus, polarity, …) and never names or style.
    `rtl` is the whole source, ANSI header, Verilog-2005, top module first. `titles` are noun
    phrases ("an 8-bit up counter"), `behaviour` facts in the order in which one would tell them.
    `clock`/`reset` name ports; `reset_kind` is `none`, `sync` or `async`.
    """

    family: str
    group: str
    params: Mapping[str, int | str | bool]
    module: str
    ports: tuple[PortDecl, ...]
    rtl: str
    model: Callable[[], ReferenceModel]
    titles: tuple[str, ...]
    behaviour: tuple[Behaviour, ...]
    clock: str | None = None
    reset: str | None = None
    reset_kind: str = "none"
    reset_active_low: bool = False
    parameters: tuple[tuple[str, str], ...] = ()
    style: Mapping[str, str] = field(default_factory=dict)
    # Rows of input values (reset left out) where random stimulus would never exercise the design.
    stimulus: Callable[[random.Random, int], list[dict[str, int]]] | None = None


# A family makes one random design; it must take all its randomness from `rng`.
Family = Callable[[random.Random], Design]
