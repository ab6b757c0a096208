"""How near a signal is to the outputs that are wrong, by name."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from ..dataflow.cone import pyslang_cone
from ..parse import parse_text

if TYPE_CHECKING:
    from collections.abc import Collection

    from .statements import Statement

__all__ = ["Relevance", "relevance"]

_FADE = 0.93  # a step further from the wrong output
_OTHER = 0.35  # what stays of a signal that reaches right outputs only through the same cone
_APART = 0.04  # of one that reaches no wrong output


@dataclass(frozen=True, slots=True)
class Relevance:
    """For each signal (path below the top) 0 to 1: how well it explains the wrong outputs."""

    top: str
    by_signal: dict[str, float]
    leaves: dict[str, float]

    def of(self, statement: Statement) -> float:
        """The relevance of what a statement writes; 1 where nothing is known."""
        if not self.by_signal:
            return 1.0
        known = self.by_signal if statement.module == self.top else self.leaves
        found = [known[name] for name in statement.writes if name in known]
        return max(found, default=_APART)


def relevance(text: str, top: str, wrong: Collection[str], right: Collection[str]) -> Relevance:
    """Follow the wrong outputs back; a signal in all their cones counts more than in one."""
    try:
        model = parse_text(text)
        cones = {name: pyslang_cone(model, name, top=top) for name in (*wrong, *right)}
    except (RuntimeError, ValueError, KeyError):
        return Relevance(top, {}, {})
    weight: dict[str, float] = {}
    for name in wrong:
        cone = cones[name]
        reached = {name: 0, **dict(zip(cone.signals, cone.distances, strict=True))}
        for signal, distance in reached.items():
            weight[signal] = weight.get(signal, 0.0) + _FADE**distance / max(1, len(wrong))
    for name in right:
        reached_too = {name, *cones[name].signals}
        for signal in weight:
            if signal in reached_too:
                weight[signal] *= 1 - _OTHER / max(1, len(right))
    leaves: dict[str, float] = {}
    for signal, value in weight.items():
        leaf = signal.rpartition(".")[2]
        leaves[leaf] = max(leaves.get(leaf, 0.0), value)
    return Relevance(top, weight, leaves)
