"""Count samples and mismatches, and keep the cycles around the first mismatch."""

from __future__ import annotations

from collections import deque
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Mapping

    from .job import Row

__all__ = ["AFTER", "Score", "differing", "entry"]

_BEFORE = 8  # cycles kept before a mismatch
AFTER = 3  # and after it


def differing(expected: Mapping[str, str], actual: Mapping[str, str]) -> list[str]:
    """Names of outputs that do not match; an `x` in `expected` matches all, in `actual` none."""
    return [
        name
        for name, want in expected.items()
        if want != actual[name]
        and any(w not in ("x", a) for w, a in zip(want, actual[name], strict=True))
    ]


def entry(
    index: int,
    time_ns: float,
    inputs: Mapping[str, str],
    expected: Mapping[str, str],
    actual: Mapping[str, str],
) -> dict[str, Any]:
    """One cycle as the outcome has it; values are binary strings."""
    return {
        "time_ns": time_ns,
        "index": index,
        "inputs": dict(inputs),
        "actual": dict(actual),
        "expected": dict(expected),
    }


class Score:
    """The outcome of a comparison, built up cycle by cycle.

    `outcome` has `samples`, `mismatches`, `by_output` (mismatches of each output) and `first`
    (the cycle of the first mismatch, the outputs that differ in it, and a window of entries).
    """

    def __init__(self, widths_in: Mapping[str, int]) -> None:
        self.outcome: dict[str, Any] = {"samples": 0, "mismatches": 0}
        self._widths = widths_in
        self._recent: deque[dict[str, Any]] = deque(maxlen=_BEFORE + 1)

    def bits(self, row: Row) -> dict[str, str]:
        """The inputs of a row as binary strings."""
        return {
            name: format(value & ((1 << self._widths[name]) - 1), f"0{self._widths[name]}b")
            for name, value in row.values.items()
        }

    def add(
        self,
        index: int,
        time_ns: float,
        row: Row,
        expected: Mapping[str, str],
        actual: Mapping[str, str],
    ) -> None:
        """Take in one cycle."""
        self._recent.append(entry(index, time_ns, self.bits(row), expected, actual))
        bad = differing(expected, actual) if expected else []
        self.outcome["samples"] += bool(expected)
        if bad:
            self._note(index, bad)
        first = self.outcome.get("first")
        if first is not None and 0 < index - first["cycle"] <= AFTER:
            first["window"].append(self._recent[-1])

    def enough(self, index: int) -> bool:
        """Whether the window around the first mismatch is complete."""
        first = self.outcome.get("first")
        return first is not None and index - first["cycle"] >= AFTER

    def _note(self, index: int, bad: list[str]) -> None:
        self.outcome["mismatches"] += 1
        counts = self.outcome.setdefault("by_output", {})
        for name in bad:
            counts[name] = counts.get(name, 0) + 1
        if "first" not in self.outcome:
            self.outcome["first"] = {"cycle": index, "outputs": bad, "window": [*self._recent]}
