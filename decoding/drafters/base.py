"""The protocol every drafter implements."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from collections.abc import Sequence

    import torch
    from rtl_agent.decoding.engine.cache import TreeCache
    from rtl_agent.decoding.engine.state import Row
    from rtl_agent.decoding.engine.tree import Tree

__all__ = ["Drafter"]


class Drafter(Protocol):
    """Proposes tokens the target may confirm.

    Proposals never change what an exact mode outputs, only how fast. `cost_s` is what a
    proposal costs per step and row, for the planner; 0 for drafters without a forward.
    """

    name: str

    def start(self, rows: Sequence[Row], cache: TreeCache) -> None:
        """A new batch begins; the rows hold their prompts, the cache is the target's."""
        ...

    def propose(self, rows: Sequence[Row], trees: Sequence[Tree], budget: int) -> None:
        """Grow each row's tree (its root is the row's last token) by about `budget` nodes."""
        ...

    def update(self, row: Row, gained: Sequence[int], hidden: torch.Tensor | None) -> None:
        """`row` gained tokens (already part of `row.tokens`).

        `hidden` `[width]` is the target's last hidden state that the last of them was chosen
        from, when the target returns hidden states.
        """
        ...
