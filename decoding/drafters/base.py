"""The protocol every drafter implements."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from collections.abc import Sequence

    import torch
    from rtl_agent.decoding.engine.protocols import TargetCache
    from rtl_agent.decoding.engine.state import Row
    from rtl_agent.decoding.engine.tree import Tree

__all__ = ["Drafter"]


class Drafter(Protocol):
    """Proposes tokens the target may confirm.

    Proposals never change what an exact mode outputs, only how fast.
    """

    name: str

    def start(self, rows: Sequence[Row], cache: TargetCache) -> None:
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
