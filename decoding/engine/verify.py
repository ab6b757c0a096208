"""Deciding which drafted tokens the target confirms.

A verifier walks the tree from its root. At each node it knows the target's logits for the next
token, chooses that token, and goes on if the tree holds it; the last token chosen is always the
target's own and is gained besides the confirmed ones.

`ExactSampling` is rejection sampling with drafts that are certain of themselves: a draft `x` is
accepted with the target's probability `p(x)`, and after rejections the next token comes from `p`
without the rejected ones, renormalised. For such drafts that is the same as drawing one token
from `p` and looking whether it is among the children, which is what is done here: no draft, tree
shape or order can change the distribution. Because the random number belongs to the position
(see `sampling`), the result even equals plain sampling with the same seed, token for token.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Protocol

import torch
from rtl_agent.decoding.api import Mode

if TYPE_CHECKING:
    from rtl_agent.decoding.engine.protocols import Gate
    from rtl_agent.decoding.engine.state import Row
    from rtl_agent.decoding.engine.tree import Tree

__all__ = ["Exact", "Typical", "Verifier"]


class Verifier(Protocol):
    """Walks a tree; see the module's description."""

    def mode(self, row: Row) -> Mode:
        """What the output of this row may be called."""
        ...

    def walk(
        self, row: Row, tree: Tree, logits: torch.Tensor, greedy: list[int]
    ) -> tuple[list[int], list[int]]:
        """Choose tokens.

        Args:
            row: whose tree it is; its tokens end with the root.
            tree: the candidates.
            logits: `[nodes, vocabulary]`.
            greedy: the most likely token at each node.

        Returns:
            Confirmed nodes in order, the root first, and the tokens gained: one more than the
            drafted tokens that were confirmed.
        """
        ...


class Exact:
    """The target's own output: its most likely token, or a draw from its distribution."""

    def mode(self, row: Row) -> Mode:
        """Greedy or sampling, as the row asks."""
        return Mode.EXACT_GREEDY if row.request.sampler.greedy else Mode.EXACT_SAMPLING

    def walk(
        self, row: Row, tree: Tree, logits: torch.Tensor, greedy: list[int]
    ) -> tuple[list[int], list[int]]:
        """See `Verifier.walk`."""
        request = row.request
        node = 0
        path = [0]
        tokens: list[int] = []
        while True:
            if request.sampler.greedy:
                token = greedy[node]
            else:
                token = request.sampler.draw(
                    logits[node],
                    sample=request.sample,
                    position=len(row.tokens) + len(tokens),
                )
            tokens.append(token)
            child = tree.children[node].get(token)
            if child is None or token in request.eos:
                return path, tokens
            node = child
            path.append(node)


class Typical:
    """Medusa's typical acceptance (arXiv 2401.10774): not the target's distribution.

    A drafted token is accepted when its probability passes `min(epsilon, delta * exp(-entropy))`;
    the longest accepted path wins, ties by probability, and the target's own next token follows.
    With a gate, what is accepted is then cut to whole fragments (arXiv 2503.14153).
    """

    def __init__(
        self, *, epsilon: float = 0.09, delta: float = 0.3, gate: Gate | None = None
    ) -> None:
        self.epsilon = epsilon
        self.delta = delta
        self.gate = gate

    def mode(self, row: Row) -> Mode:
        """Always named typical."""
        del row
        return Mode.TYPICAL

    def walk(
        self, row: Row, tree: Tree, logits: torch.Tensor, greedy: list[int]
    ) -> tuple[list[int], list[int]]:
        """See `Verifier.walk`."""
        request = row.request
        temperature = request.sampler.temperature or 1.0
        best, best_score = 0, 0.0
        accepted = {0: 0.0}
        for node in range(len(tree)):
            if node not in accepted or not tree.children[node]:
                continue
            if tree.tokens[node] in request.eos and node:
                continue
            log_p = torch.log_softmax(logits[node].float() / temperature, dim=-1)
            entropy = float(-(log_p.exp() * log_p).nan_to_num().sum())
            floor = min(self.epsilon, self.delta * math.exp(-entropy))
            for token, child in tree.children[node].items():
                if float(log_p[token].exp()) > floor:
                    score = accepted[node] + float(log_p[token])
                    accepted[child] = score
                    longer = tree.depths[child] > tree.depths[best]
                    if longer or (tree.depths[child] == tree.depths[best] and score > best_score):
                        best, best_score = child, score
        path = []
        node = best
        while node >= 0:
            path.append(node)
            node = tree.parents[node]
        path.reverse()
        tokens = [tree.tokens[node] for node in path[1:]]
        if request.sampler.greedy:
            tokens.append(greedy[best])
        else:
            tokens.append(
                request.sampler.draw(
                    logits[best],
                    sample=request.sample,
                    position=len(row.tokens) + len(tokens),
                )
            )
        if self.gate is None:
            return path, tokens
        keep = self.gate.cut(row, tokens)
        return path[:keep], tokens[:keep]
