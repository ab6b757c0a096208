"""Seeded stimulus: corner values first, then phases of constrained-random ones."""

from __future__ import annotations

import itertools
import random
from typing import TYPE_CHECKING

from .job import Row

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

__all__ = ["make_stimulus"]

_EXHAUSTIVE_BITS = 12
_RESET_PHASES = 3  # one phase in so many starts with a reset
_FIRST_RESET = 2
_QUIET = 0.3  # share of the cycles at the end that no reset interrupts
_Values = dict[str, int]


def make_stimulus(
    widths: Mapping[str, int], cycles: int, seed: int, reset: Callable[[bool], _Values]
) -> list[Row]:
    """Make `cycles` rows; with a reset, the first two assert it.

    Args:
        widths: Width in bits of every input but clock and reset.
        cycles: Number of rows.
        seed: Same seed, same rows.
        reset: The reset input (if there is one) at its asserted or released level.
    """
    rng = random.Random(seed)  # noqa: S311
    released, asserted = reset(False), reset(True)
    rows: list[Row] = []
    values = _corners(widths, cycles // 4)
    if not released and sum(widths.values()) <= _EXHAUSTIVE_BITS:
        values = _exhaustive(rng, widths, cycles) or values
    if released:
        rows += [Row(dict.fromkeys(widths, 0) | asserted, in_reset=True)] * _FIRST_RESET
    rows += [Row(v | released) for v in values]
    last_reset = cycles - int(cycles * _QUIET)
    while len(rows) < cycles:
        phase = _phase(rng, widths, rng.choice((8, 16, 24, 40)))
        if released and len(rows) < last_reset and rng.randrange(_RESET_PHASES) == 0:
            held = rng.choice((1, 1, 2))
            rows += [Row(v | asserted, in_reset=True) for v in phase[:held]]
            phase = phase[held:]
        rows += [Row(v | released) for v in phase]
    return rows[:cycles]


def _exhaustive(rng: random.Random, widths: Mapping[str, int], cycles: int) -> list[_Values]:
    bits = sum(widths.values())
    if 1 << bits > cycles:
        return []
    rows = []
    for word in rng.sample(range(1 << bits), 1 << bits):
        row, rest = {}, word
        for name, width in widths.items():
            row[name] = rest & ((1 << width) - 1)
            rest >>= width
        rows.append(row)
    return rows


def _corners(widths: Mapping[str, int], most: int) -> list[_Values]:
    """All zeros, all ones, a walking one through each input, controls held over walking data."""
    ones = {name: (1 << width) - 1 for name, width in widths.items()}
    zeros = dict.fromkeys(widths, 0)
    rows = [zeros] * 2 + [ones] * 6 + [zeros] * 2
    controls = {name: 1 for name, width in widths.items() if width == 1}
    for name, width in widths.items():
        bits = range(width) if width <= 8 else (0, 1, width // 2, width - 2, width - 1)
        rows += [zeros | {name: 1 << bit} for bit in bits]
        if width > 1:
            rows += [zeros | controls | {name: 1 << bit} for bit in bits]
    return rows[: max(most, 4)]


def _phase(rng: random.Random, widths: Mapping[str, int], length: int) -> list[_Values]:
    """A few cycles in which every input keeps one way of changing."""
    style = rng.choice(("mixed", "mixed", "mixed", "busy", "hold", "sparse"))
    columns = {name: _column(rng, width, length, style) for name, width in widths.items()}
    _make_equal(rng, widths, columns)
    return [{name: column[i] for name, column in columns.items()} for i in range(length)]


def _column(rng: random.Random, width: int, length: int, style: str) -> list[int]:
    if width == 1:
        return _control(rng, length, style)
    return _data(rng, width, length, style)


def _control(rng: random.Random, length: int, style: str) -> list[int]:
    """One bit: back-to-back in a busy phase, rare pulses in a sparse one, constant in a hold."""
    share = {"busy": rng.choice((0.9, 1.0)), "sparse": 0.08, "hold": rng.choice((0.0, 1.0))}.get(
        style, rng.choice((0.0, 0.15, 0.5, 0.5, 0.5, 0.85, 1.0))
    )
    return [int(rng.random() < share) for _ in range(length)]


def _data(rng: random.Random, width: int, length: int, style: str) -> list[int]:
    top = (1 << width) - 1
    kind = (
        "hold"
        if style == "hold"
        else rng.choice(("random", "random", "random", "corner", "walk", "ramp", "small", "hold"))
    )
    first = rng.getrandbits(width)
    if kind == "random":
        return [rng.getrandbits(width) for _ in range(length)]
    if kind == "corner":
        corners = (0, 1, 2, top, top - 1, top >> 1, (top >> 1) + 1)
        return [rng.choice(corners) & top for _ in range(length)]
    if kind == "walk":
        flip = rng.choice((0, 0, top))
        return [(1 << (first + i) % width) ^ flip for i in range(length)]
    if kind == "small":
        return [rng.randrange(min(top, 3) + 1) for _ in range(length)]
    step = 1 if kind == "ramp" else 0
    return [(first + step * i) & top for i in range(length)]


def _make_equal(
    rng: random.Random, widths: Mapping[str, int], columns: dict[str, list[int]]
) -> None:
    """Now and then repeat (or almost repeat) another input of the same width, in place."""
    names = [name for name, width in widths.items() if width > 1]
    for a, b in itertools.pairwise(names):
        if widths[a] != widths[b]:
            continue
        top = (1 << widths[a]) - 1
        for i, value in enumerate(columns[a]):
            if rng.random() < 0.12:
                columns[b][i] = (value + rng.choice((0, 0, 1, -1))) & top
