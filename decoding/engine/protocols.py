"""The seams inside the engine: target, its cache, and what may shape or cut."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Protocol

if TYPE_CHECKING:
    from collections.abc import Sequence

    import torch
    from rtl_agent.decoding.engine.state import Row
    from rtl_agent.decoding.engine.target import TargetOutput
    from rtl_agent.decoding.engine.tree import Tree, TreeBatch

__all__ = ["Gate", "Shaper", "Target", "TargetCache"]


class TargetCache(Protocol):
    """Keys and values of a batch; `lengths[r]` tokens of row `r` are committed."""

    @property
    def lengths(self) -> Sequence[int]:
        """Committed tokens a row."""
        ...

    def keep(self, row: int, path: Sequence[int]) -> None:
        """Commit the nodes `path` (ascending) of the last forward."""
        ...

    def rewind(self, row: int, length: int) -> None:
        """Let row `row` hold its first `length` tokens, all of them run before."""
        ...

    def copy_row(self, source: int, target: int) -> None:
        """Make row `target` a copy of row `source`."""
        ...

    def grow(self, rows: int, capacity: int) -> None:
        """Make room for more; asked only of targets whose drafts may be trees."""
        ...


class Target(Protocol):
    """The model whose output is reproduced.

    Attributes:
        context: most tokens a row may hold.
        vocabulary: size of the last dimension of its logits.
        chains_only: whether a draft must be one chain.
        start: first decoder token of an encoder-decoder model, -1 for others.
    """

    context: int
    vocabulary: int
    chains_only: bool
    start: int
    device: torch.device

    def new_cache(self, rows: int, capacity: int) -> Any:
        """A cache for `rows` rows of `capacity` tokens."""
        ...

    def prefill(
        self, cache: Any, row: int, ids: Sequence[int], source: Sequence[int] = ()
    ) -> TargetOutput:
        """Run and commit a prompt; the output of its last token alone."""
        ...

    def forward(self, cache: Any, batch: TreeBatch, sizes: Sequence[int]) -> TargetOutput:
        """One step over rows `0:len(sizes)`; nothing is committed."""
        ...


class Shaper(Protocol):
    """Drops draft nodes before the target sees them; cannot change exact output."""

    def shape(self, row: Row, tree: Tree) -> Tree:
        """The tree, or a part of it with the same root."""
        ...


class Gate(Protocol):
    """Cuts accepted tokens in the lossy mode."""

    def cut(self, row: Row, tokens: Sequence[int]) -> int:
        """How many of the accepted tokens to keep; at least one."""
        ...
