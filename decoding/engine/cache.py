"""A key/value cache allocated once, in which every row has its own length.

Rows are written at their own end, so a batch needs no padding on the left and rows may accept
different numbers of tokens. After verification `keep` gathers the accepted path to the row's end;
everything behind it is overwritten by the next step and never seen through the mask.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import torch
from rtl_agent.decoding.errors import PromptTooLong
from transformers.cache_utils import Cache, CacheLayerMixin

if TYPE_CHECKING:
    from collections.abc import Sequence

__all__ = ["TreeCache"]


class _Layer(CacheLayerMixin):  # type: ignore[misc]
    """Keys and values of one layer: `[rows, heads, capacity, head_dim]`."""

    is_sliding = False  # the window is in the mask: rows stay in place, so a path can be kept

    keys: torch.Tensor
    values: torch.Tensor

    def __init__(self, owner: TreeCache) -> None:
        super().__init__()
        self.owner = owner

    def lazy_initialization(self, key_states: torch.Tensor, value_states: torch.Tensor) -> None:
        rows, capacity = self.owner.rows, self.owner.capacity
        self.dtype, self.device = key_states.dtype, key_states.device
        self.keys = key_states.new_zeros(rows, key_states.shape[1], capacity, key_states.shape[3])
        self.values = value_states.new_zeros(
            rows, value_states.shape[1], capacity, value_states.shape[3]
        )
        self.is_initialized = True

    def grow(self) -> None:
        """Move to the owner's new size; keys and values one after the other, to save memory."""
        if not self.is_initialized:
            return
        for name in ("keys", "values"):
            old = getattr(self, name)
            new = old.new_zeros(self.owner.rows, old.shape[1], self.owner.capacity, old.shape[3])
            new[: old.shape[0], :, : old.shape[2]] = old
            setattr(self, name, new)

    def update(
        self, key_states: torch.Tensor, value_states: torch.Tensor, *_: Any, **__: Any
    ) -> tuple[torch.Tensor, torch.Tensor]:
        """Write the new tokens at each row's end; return the part of the cache the mask covers."""
        if not self.is_initialized:
            self.lazy_initialization(key_states, value_states)
        owner = self.owner
        first, stop = owner.window
        end = owner.extent
        if owner.uniform_start >= 0:
            start = owner.uniform_start
            self.keys[first:stop, :, start:end] = key_states
            self.values[first:stop, :, start:end] = value_states
        else:
            rows, columns = owner.targets  # [rows, 1], [rows, new]
            self.keys[rows, :, columns] = key_states.transpose(1, 2)
            self.values[rows, :, columns] = value_states.transpose(1, 2)
        return self.keys[first:stop, :, :end], self.values[first:stop, :, :end]

    def get_seq_length(self) -> int:
        return max(self.owner.lengths, default=0)

    def get_mask_sizes(self, query_length: Any) -> tuple[int, int]:
        del query_length
        return self.owner.extent, 0

    def get_max_length(self) -> int:
        return self.owner.capacity

    get_max_cache_shape = get_max_length


class TreeCache(Cache):  # type: ignore[misc]
    """The cache of a batch. `lengths[r]` tokens of row `r` are committed.

    Args:
        layers: number of decoder layers.
        rows: rows allocated.
        capacity: tokens a row can hold, the draft tree included.
    """

    def __init__(self, layers: int, rows: int, capacity: int) -> None:
        self.rows = rows
        self.capacity = capacity
        self.lengths: list[int] = [0] * rows
        self.window = (0, rows)
        self.extent = 0
        self.uniform_start = 0
        self.targets: tuple[torch.Tensor, torch.Tensor] = (torch.empty(0), torch.empty(0))
        self.parts = [_Layer(self) for _ in range(layers)]
        super().__init__(layers=list(self.parts))

    def open(self, first: int, stop: int, new: int, device: torch.device) -> None:
        """Announce a forward of `new` tokens for rows `first:stop`, written at each row's end.

        Raises:
            PromptTooLong: a row would pass the capacity.
        """
        lengths = self.lengths[first:stop]
        longest = max(lengths)
        if longest + new > self.capacity:
            raise PromptTooLong(
                f"the cache holds {self.capacity} tokens and {longest + new} are needed",
                remedy="shorten the prompt or lower the number of new tokens",
            )
        self.window = (first, stop)
        self.extent = longest + new
        self.uniform_start = longest if min(lengths) == longest else -1
        if self.uniform_start < 0:
            rows = torch.arange(first, stop, device=device)[:, None]
            starts = torch.tensor(lengths, device=device)[:, None]
            self.targets = (rows, starts + torch.arange(new, device=device)[None, :])

    @torch.inference_mode()
    def keep(self, row: int, path: Sequence[int]) -> None:
        """Commit the tree nodes `path` (indices in ascending order) of the last forward."""
        start = self.lengths[row]
        kept = len(path)
        self.lengths[row] = start + kept
        if all(node == place for place, node in enumerate(path)):
            return
        source = torch.tensor([start + node for node in path], device=self._device())
        for layer in self.parts:
            layer.keys[row, :, start : start + kept] = layer.keys[row].index_select(1, source)
            layer.values[row, :, start : start + kept] = layer.values[row].index_select(1, source)

    def rewind(self, row: int, length: int) -> None:
        """Let row `row` hold its first `length` tokens, all of them run before."""
        self.lengths[row] = length

    @torch.inference_mode()
    def copy_row(self, source: int, target: int) -> None:
        """Make row `target` a copy of row `source`."""
        length = self.lengths[source]
        self.lengths[target] = length
        for layer in self.parts:
            layer.keys[target, :, :length] = layer.keys[source, :, :length]
            layer.values[target, :, :length] = layer.values[source, :, :length]

    @torch.inference_mode()
    def grow(self, rows: int, capacity: int) -> None:
        """Make room for `rows` rows of `capacity` tokens, no fewer than now; keep what is there."""
        self.lengths += [0] * (rows - self.rows)
        self.rows, self.capacity = rows, capacity
        for layer in self.parts:
            layer.grow()

    @torch.inference_mode()
    def copy_from(self, other: TreeCache) -> None:
        """Take over row 0 of another cache of the same shape."""
        length = other.lengths[0]
        self.lengths[0] = length
        for mine, theirs in zip(self.parts, other.parts, strict=True):
            if not mine.is_initialized:
                mine.lazy_initialization(theirs.keys[:, :, :0], theirs.values[:, :, :0])
            mine.keys[0, :, :length] = theirs.keys[0, :, :length]
            mine.values[0, :, :length] = theirs.values[0, :, :length]

    def _device(self) -> torch.device:
        return self.parts[0].keys.device
