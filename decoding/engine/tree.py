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

    `parents[i] < i`; `sources[i]` names the drafter that proposed node `i` first.
    """

    tokens: list[int]
    parents: list[int] = field(default_factory=lambda: [-1])
    depths: list[int] = field(default_factory=lambda: [0])
    sources: list[str] = field(default_factory=lambda: [""])
    children: list[dict[int, int]] = field(default_factory=lambda: [{}])

    @classmethod
    def rooted(cls, token: int) -> Tree:
        """A tree that holds only the certain token."""
        return cls(tokens=[token])

    def __len__(self) -> int:
        return len(self.tokens)

    def add(self, parent: int, token: int, source: str) -> int:
        """The child of `parent` with this token, made when it is not there yet."""
        known = self.children[parent].get(token)
        if known is not None:
            return known
        node = len(self.tokens)
        self.tokens.append(token)
        self.parents.append(parent)
        self.depths.append(self.depths[parent] + 1)
        self.sources.append(source)
        self.children.append({})
        self.children[parent][token] = node
        return node

    def path(self, node: int) -> list[int]:
        """Nodes from the root to `node`, both included."""
        nodes = []
        while node >= 0:
            nodes.append(node)
            node = self.parents[node]
        return nodes[::-1]


@dataclass(frozen=True, slots=True)
class TreeBatch:
    """Trees of one step as tensors.

    Tokens and depths `[rows, nodes]`, ancestors (bool, self
    included) `[rows, nodes, nodes]`.
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
        seen = ancestors[row]
        for node in range(1, size):
            seen[node] |= seen[tree.parents[node]]
    return TreeBatch(tokens, depths, ancestors)
