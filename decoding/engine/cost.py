"""What a forward costs, and which tree is worth it."""

from __future__ import annotations

import time
from bisect import bisect_left
from typing import TYPE_CHECKING

from rtl_agent.decoding.engine.tree import Tree, pad

if TYPE_CHECKING:
    from collections.abc import Sequence

    from rtl_agent.decoding.engine.calibrate import Calibration
    from rtl_agent.decoding.engine.protocols import Target

__all__ = ["SIZES", "CostModel", "Planner", "measure"]

SIZES = (1, 2, 4, 8, 12, 16, 24, 32, 48, 64)
_MEASURED = (1, 4, 8, 16, 32, 64)
_FADE = 0.2  # weight of a new observation
_MEASURED_PAST = 64  # tokens in the cache while measuring


class CostModel:
    """Seconds of a target forward against the tokens it carries (rows times nodes).

    Args:
        sizes: token counts, ascending.
        seconds: of a forward with so many.
    """

    def __init__(self, sizes: Sequence[int], seconds: Sequence[float]) -> None:
        if not sizes or len(sizes) != len(seconds) or list(sizes) != sorted(set(sizes)):
            raise ValueError("sizes must ascend and match the measurements")
        self.sizes = list(sizes)
        self.seconds = list(seconds)

    def time(self, tokens: int) -> float:
        """Seconds for `tokens`, linear between the measured sizes and beyond the last."""
        sizes, seconds = self.sizes, self.seconds
        if len(sizes) == 1:
            return seconds[0]
        at = min(max(bisect_left(sizes, tokens), 1), len(sizes) - 1)
        low, high = sizes[at - 1], sizes[at]
        slope = (seconds[at] - seconds[at - 1]) / (high - low)
        if tokens > sizes[-1]:
            slope = max(slope, 0.0)
        return max(seconds[at - 1] + slope * (tokens - low), 1e-9)

    def observe(self, tokens: int, seconds: float) -> None:
        """Let a real step correct the measured sizes around it."""
        ratio = seconds / self.time(tokens)
        ratio = min(max(ratio, 0.25), 4.0)  # one disturbed step must not upset the plan
        at = bisect_left(self.sizes, tokens)
        for index in (at - 1, at):
            if 0 <= index < len(self.sizes):
                low = self.sizes[max(at - 1, 0)]
                high = self.sizes[min(at, len(self.sizes) - 1)]
                near = 1.0 - abs(self.sizes[index] - tokens) / max(high - low, 1)
                self.seconds[index] *= 1.0 + _FADE * max(near, 0.0) * (ratio - 1.0)


def measure(target: Target, *, largest: int) -> CostModel:
    """Time forwards of the target itself on a scratch cache of one row."""
    sizes = [size for size in _MEASURED if size <= largest] or [1]
    cache = target.new_cache(1, _MEASURED_PAST + sizes[-1])
    past = [0] * _MEASURED_PAST
    target.prefill(cache, 0, past, past if target.chains_only else ())
    seconds = []
    for size in (sizes[0], *sizes):  # the first is a warm-up
        tree = Tree.rooted(0)
        for _ in range(size - 1):
            tree.add(len(tree) - 1, 0, "")
        batch = pad([tree])
        started = time.perf_counter()
        target.forward(cache, batch, [size]).logits[0, 0, 0].item()
        seconds.append(time.perf_counter() - started)
    return CostModel(sizes, seconds[1:])


class Planner:
    """Chooses, step by step, the trees with the most expected tokens per second.

    Args:
        calibration: says how likely a proposal is.
        max_nodes: nodes of the largest tree, root included.
        cost: None always takes the largest trees.
    """

    def __init__(
        self, calibration: Calibration, *, max_nodes: int, cost: CostModel | None = None
    ) -> None:
        self.calibration = calibration
        self.max_nodes = max_nodes
        self.cost = cost

    def select(
        self, trees: Sequence[Tree], *, overhead: float = 0.0, chains: bool = False
    ) -> list[Tree]:
        """Cut candidate trees down to what pays.

        Args:
            trees: one a row.
            overhead: seconds a step takes besides the forward.
            chains: the target needs one chain a row: the likeliest.
        """
        if chains:
            trees = [tree.restricted(self._chain(tree)) for tree in trees]
        ranked = [self._rank(tree) for tree in trees]
        width = self._width([reach for _, reach in ranked], overhead)
        chosen = []
        for tree, (order, _) in zip(trees, ranked, strict=True):
            nodes = sorted([0, *order[: width - 1]])
            chosen.append(tree if len(nodes) == len(tree) else tree.restricted(nodes))
        return chosen

    def _chain(self, tree: Tree) -> list[int]:
        """The likeliest child of the likeliest child, and so on, from the root."""
        rate = self.calibration.rate
        nodes = [0]
        while children := tree.children[nodes[-1]].values():
            nodes.append(
                max(
                    children,
                    key=lambda at: rate(tree.sources[at], tree.kinds[at], tree.confidence[at]),
                )
            )
        return nodes

    def _rank(self, tree: Tree) -> tuple[list[int], list[float]]:
        """Nodes by the probability of being reached, and those probabilities, descending."""
        rate = self.calibration.rate
        reach = [1.0] * len(tree)
        for node in range(1, len(tree)):
            chance = rate(tree.sources[node], tree.kinds[node], tree.confidence[node])
            reach[node] = reach[tree.parents[node]] * min(chance, 0.999)
        order = sorted(range(1, len(tree)), key=lambda node: -reach[node])
        return order, [reach[node] for node in order]

    def _width(self, reaches: Sequence[Sequence[float]], overhead: float) -> int:
        """Nodes a row, root included, that give the most expected tokens per second."""
        widest = min(max(len(reach) for reach in reaches) + 1, self.max_nodes)
        if self.cost is None:
            return widest
        rows = len(reaches)
        options = sorted({size for size in SIZES if size < widest} | {widest})
        best_width, best_rate = 1, 0.0
        expected, counted = float(rows), 1
        for width in options:
            expected += sum(sum(reach[counted - 1 : width - 1]) for reach in reaches)
            counted = width
            rate = expected / (self.cost.time(rows * width) + overhead)
            if rate > best_rate:
                best_width, best_rate = width, rate
        return best_width
