"""The candidate tree of one row, and its padding to a batch."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import torch

if TYPE_CHECKING:
    from collections.abc import Sequence

__all__ = ["Tree", "TreeBatch", "pad"]


@dataclass(slots=True)
class Tree:
    """Candidate tokens in topological order; node 0 is the last token that is already certain.

    Attributes:
        parents: `parents[i] < i`; -1 for the root.
        sources: who proposed a node; drafters that agree are joined with `+`.
        kinds: the drafter's own class of evidence, for calibration.
        confidence: estimated probability of the node given its parent.
        children: token to node, for each node.
    """

    tokens: list[int]
    parents: list[int] = field(default_factory=lambda: [-1])
    depths: list[int] = field(default_factory=lambda: [0])
    sources: list[str] = field(default_factory=lambda: [""])
    kinds: list[int] = field(default_factory=lambda: [0])
    confidence: list[float] = field(default_factory=lambda: [1.0])
    children: list[dict[int, int]] = field(default_factory=lambda: [{}])

    @classmethod
    def rooted(cls, token: int) -> Tree:
        """A tree that holds only the certain token."""
        return cls(tokens=[token])

    def __len__(self) -> int:
        return len(self.tokens)

    def add(
        self, parent: int, token: int, source: str, *, kind: int = 0, confidence: float = 0.5
    ) -> int:
        """The child of `parent` with this token: made, or strengthened when it is there."""
        known = self.children[parent].get(token)
        if known is not None:
            if source not in self.sources[known]:
                self.sources[known] += "+" + source
            if confidence > self.confidence[known]:
                self.confidence[known] = confidence
                self.kinds[known] = kind
            return known
        node = len(self.tokens)
        self.tokens.append(token)
        self.parents.append(parent)
        self.depths.append(self.depths[parent] + 1)
        self.sources.append(source)
        self.kinds.append(kind)
        self.confidence.append(confidence)
        self.children.append({})
        self.children[parent][token] = node
        return node

    def path(self, node: int) -> list[int]:
        """Tokens from the root to `node`, both included."""
        tokens = []
        while node >= 0:
            tokens.append(self.tokens[node])
            node = self.parents[node]
        return tokens[::-1]

    def restricted(self, nodes: Sequence[int]) -> Tree:
        """The subtree of these nodes (ascending, closed under parents, the root among them)."""
        place = {node: index for index, node in enumerate(nodes)}
        tree = Tree(
            tokens=[self.tokens[node] for node in nodes],
            parents=[place.get(self.parents[node], -1) for node in nodes],
            depths=[self.depths[node] for node in nodes],
            sources=[self.sources[node] for node in nodes],
            kinds=[self.kinds[node] for node in nodes],
            confidence=[self.confidence[node] for node in nodes],
            children=[{} for _ in nodes],
        )
        for index in range(1, len(nodes)):
            tree.children[tree.parents[index]][tree.tokens[index]] = index
        return tree


@dataclass(frozen=True, slots=True)
class TreeBatch:
    """Trees of one step as tensors, on the CPU.

    Attributes:
        tokens: `[rows, nodes]`.
        depths: `[rows, nodes]`.
        ancestors: bool `[rows, nodes, nodes]`; a node is among its own ancestors.
    """

    tokens: torch.Tensor
    depths: torch.Tensor
    ancestors: torch.Tensor

    @property
    def nodes(self) -> int:
        """Nodes a row, padding included."""
        return int(self.tokens.shape[1])


def pad(trees: Sequence[Tree], *, nodes: int = 0) -> TreeBatch:
    """Put trees of different sizes into one batch; padding sees only itself."""
    width = max(nodes, *(len(tree) for tree in trees))
    tokens = torch.zeros(len(trees), width, dtype=torch.long)
    depths = torch.zeros(len(trees), width, dtype=torch.long)
    ancestors = torch.eye(width, dtype=torch.bool).repeat(len(trees), 1, 1)
    for row, tree in enumerate(trees):
        size = len(tree)
        tokens[row, :size] = torch.tensor(tree.tokens)
        depths[row, :size] = torch.tensor(tree.depths)
        if tree.parents == list(range(-1, size - 1)):
            ancestors[row, :size, :size] = torch.ones(size, size, dtype=torch.bool).tril()
            continue
        seen = ancestors[row]
        for node in range(1, size):
            seen[node] |= seen[tree.parents[node]]
    return TreeBatch(tokens, depths, ancestors)
