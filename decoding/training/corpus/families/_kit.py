"""What the clocked families share: module text, a reference model from functions, stimulus."""

from __future__ import annotations

import copy
import dataclasses
import re
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

from ..build import ClockReset, header, indent

if TYPE_CHECKING:
    import random

    from ..design import Design, PortDecl

__all__ = [
    "Machine",
    "State",
    "Transparent",
    "biased",
    "bits",
    "clocked",
    "count_width",
    "grammatical",
    "onehot",
    "source",
    "verilog_reg",
    "word_of",
]

State = dict[str, Any]
Advance = Callable[[State, Mapping[str, int]], dict[str, int | None]]


class Machine:
    """A reference model from an initial state and a function that advances it in place."""

    def __init__(self, initial: State, advance: Advance) -> None:
        self._initial, self._advance = initial, advance
        self._state = copy.deepcopy(initial)

    def reset(self) -> None:
        """Go back to the initial state."""
        self._state = copy.deepcopy(self._initial)

    def step(self, inputs: Mapping[str, int]) -> dict[str, int | None]:
        """Advance one cycle and return the outputs."""
        return self._advance(self._state, inputs)


class Transparent(Machine):
    """A model with paths from input to output: the next state and the outputs are told apart.

    `move` changes the state in place for one clock edge, `show` gives the outputs for a state and
    inputs; so the bench can also look before the edge.
    """

    def __init__(
        self, initial: State, move: Callable[[State, Mapping[str, int]], None], show: Advance
    ) -> None:
        def advance(state: State, inputs: Mapping[str, int]) -> dict[str, int | None]:
            move(state, inputs)
            return show(state, inputs)

        super().__init__(initial, advance)
        self._show = show

    def peek(self, inputs: Mapping[str, int]) -> dict[str, int | None]:
        """The outputs for `inputs` in the present state."""
        return self._show(self._state, inputs)


def bits(width: int) -> str:
    """The range of a declaration with its trailing blank: "[7:0] ", or nothing for one bit."""
    return f"[{width - 1}:0] " if width > 1 else ""


def count_width(highest: int) -> int:
    """Bits of a counter that reaches `highest`."""
    return max(1, highest.bit_length())


def onehot(width: int, k: int) -> str:
    """The binary literal with only bit `k` set."""
    return f"{width}'b{1 << k:0{width}b}"


def word_of(received: list[int], msb: bool) -> int:
    """The number whose bits came in this order, the most or the least significant first."""
    return int("".join(map(str, received if msb else received[::-1])), 2)


def verilog_reg(width: int, *names: str) -> str:
    """Declare registers of one width."""
    return f"reg {bits(width)}{', '.join(names)};"


def source(
    module: str,
    ports: tuple[PortDecl, ...],
    *parts: str,
    parameters: tuple[tuple[str, str], ...] = (),
) -> str:
    """A whole module; empty parts are left out."""
    body = indent("\n".join(part for part in parts if part))
    return f"{header(module, ports, parameters)}\n{body}\nendmodule\n"


_ARTICLE = re.compile(r"\b([Aa]) (?=(?:8\d*|11|18)\b)")


def grammatical(design: Design) -> Design:
    """The design with "an" before the numbers that are spoken with a vowel (8, 11, 18, 80 …)."""
    return dataclasses.replace(
        design,
        titles=tuple(_ARTICLE.sub(r"\1n ", title) for title in design.titles),
        behaviour=tuple(tuple(_ARTICLE.sub(r"\1n ", t) for t in fact) for fact in design.behaviour),
    )


def clocked(cr: ClockReset, design: Design) -> Design:
    """The design with its clock and reset filled in."""
    return dataclasses.replace(
        grammatical(design),
        clock=cr.clock,
        reset=cr.reset,
        reset_kind=cr.kind,
        reset_active_low=cr.active_low,
    )


def biased(
    widths: Mapping[str, int], high: Mapping[str, float], hold: float = 0.0
) -> Callable[[random.Random, int], list[dict[str, int]]]:
    """Stimulus: each one-bit input is 1 with its own probability, the others are uniform.

    Args:
        widths: every input but clock and reset, with its width.
        high: probability of a one by name of a one-bit input (0.5 where left out).
        hold: probability that a wide input keeps the value of the cycle before.
    """

    def generate(rng: random.Random, cycles: int) -> list[dict[str, int]]:
        rows: list[dict[str, int]] = []
        for i in range(cycles):
            row = {}
            for name, width in widths.items():
                if width == 1:
                    row[name] = int(rng.random() < high.get(name, 0.5))
                elif i and rng.random() < hold:
                    row[name] = rows[-1][name]
                else:
                    row[name] = rng.getrandbits(width)
            rows.append(row)
        return rows

    return generate
