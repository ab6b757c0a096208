"""Which statements ran in which cycle: bits set by the statements themselves."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from ..trials import coverage_top

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ..trials import Recording, Trials
    from .statements import Statement

__all__ = ["Coverage", "instrument", "measure"]


@dataclass(frozen=True, slots=True)
class Coverage:
    """What a run of the design showed.

    `ran[n]` has bit k set when statement `n` ran in row k. `failed` has a bit for each row with
    a mismatch, `by_output` the same for each output that was ever wrong.
    """

    ran: dict[int, int]
    failed: int
    by_output: dict[str, int]
    rows: int


def instrument(text: str, statements: Sequence[Statement]) -> tuple[str, list[int]]:
    """`text` in which every covered statement first sets its bit; the statements by bit."""
    covered = [s for s in statements if s.covered]
    pieces: list[tuple[int, int, str]] = []
    for bit, statement in enumerate(covered):
        pieces.append((statement.start, 1, f"begin {coverage_top()}[{bit}] = 1'b1; "))
        pieces.append((statement.end, 0, " end"))
    out, done = [], 0
    for at, _, piece in sorted(pieces, key=lambda p: (p[0], p[1])):
        out += [text[done:at], piece]
        done = at
    return "".join([*out, text[done:]]), [s.number for s in covered]


def measure(
    text: str, statements: Sequence[Statement], trials: Trials, recording: Recording
) -> Coverage | None:
    """Run the design with coverage; without, where the instrumented one does not compile."""
    marked, numbers = instrument(text, statements)
    seen = trials.watch(recording, marked, coverage=len(numbers)) if numbers else None
    if seen is None:
        seen = trials.watch(recording, text)
    if seen is None or not seen.ended:
        return None
    ran = dict.fromkeys(numbers, 0)
    if seen.coverage:
        for row, bits in enumerate(seen.coverage):
            for at, bit in enumerate(reversed(bits)):
                if bit == "1":
                    ran[numbers[at]] |= 1 << row
    else:
        ran = {}
    failed = 0
    for mask in seen.wrong.values():
        failed |= mask
    return Coverage(ran, failed, {n: m for n, m in seen.wrong.items() if m}, len(recording.rows))
