"""How often proposals of each kind turn out right, learned while decoding."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

    from rtl_agent.decoding.engine.tree import Tree

__all__ = ["Calibration"]

_PRIOR_WEIGHT = 4.0
_MEMORY = 400.0  # trials after which old ones fade


class Calibration:
    """Turns a drafter's confidence into an observed rate.

    Proposals are grouped by who made them, the kind of evidence and the confidence in tenths. A
    node is a trial when its parent was confirmed, and a hit when it was confirmed itself.
    """

    def __init__(self) -> None:
        self._seen: dict[tuple[str, int, int], list[float]] = {}

    def rate(self, source: str, kind: int, confidence: float) -> float:
        """Estimated probability that such a proposal is right, given that its parent is."""
        seen = self._seen.get((source, kind, int(confidence * 10)))
        if seen is None:
            return confidence
        hits, trials = seen
        return (confidence * _PRIOR_WEIGHT + hits) / (_PRIOR_WEIGHT + trials)

    def learn(self, tree: Tree, path: Sequence[int]) -> None:
        """`path` are the confirmed nodes of `tree`, the root included."""
        confirmed = set(path)
        for node in path:
            for child in tree.children[node].values():
                key = (tree.sources[child], tree.kinds[child], int(tree.confidence[child] * 10))
                seen = self._seen.setdefault(key, [0.0, 0.0])
                if seen[1] >= _MEMORY:
                    seen[0] *= 0.5
                    seen[1] *= 0.5
                seen[0] += child in confirmed
                seen[1] += 1.0
