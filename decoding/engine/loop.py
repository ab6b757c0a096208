"""The decoding loop: propose a tree, run the target once, keep what it confirms."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

import torch
from rtl_agent.decoding.api import FinishReason
from rtl_agent.decoding.engine.state import Accepted, Request, Row
from rtl_agent.decoding.engine.tree import Tree, pad
from rtl_agent.decoding.errors import NumericalError, PromptTooLong

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from rtl_agent.decoding.engine.cache import TreeCache
    from rtl_agent.decoding.engine.target import CausalTarget

    Watch = Callable[[int, Sequence[int]], int | None]

__all__ = ["Engine"]

_LEAST_ROOM = 16


class Engine:
    """Decodes batches of requests on one target.

    Args:
        target: the model whose output is reproduced.
        max_nodes: nodes of the largest tree, the root included; 1 decodes plainly.
    """

    def __init__(self, target: CausalTarget, *, max_nodes: int = 1) -> None:
        self.target = target
        self.max_nodes = max_nodes

    def run(
        self,
        requests: Sequence[Request],
        *,
        rows: list[Row],
        watch: Watch | None = None,
        should_stop: Callable[[], bool] | None = None,
    ) -> Iterator[Accepted]:
        """Decode until every row ended; yields what each step added.

        Args:
            requests: one a sample; equal prompts share one prefill.
            rows: filled with the state of each request, in their order.
            watch: shown every new run of tokens of a row; returns how many of them to keep when
                the row is to end there, else None.
            should_stop: polled once a step; true ends every row.

        Raises:
            PromptTooLong: a prompt leaves no room in the model's context.
            NumericalError: the target produced NaN or infinite logits.
        """
        rows.extend(self._open(index, request) for index, request in enumerate(requests))
        if not rows:
            return
        capacity = max(len(row.tokens) + row.limit for row in rows) + self.max_nodes
        cache = self.target.new_cache(len(rows), capacity)
        first_logits = self._prefill(cache, rows)
        active = list(rows)
        for row, logits in zip(rows, first_logits, strict=True):
            token = self._draw(row, logits)
            yield self._accept(row, [token], watch)
        while True:
            active = _compact(cache, active)
            if not active:
                return
            if should_stop is not None and should_stop():
                for row in active:
                    row.finish = FinishReason.CANCELLED
                    yield Accepted(row.index, (), row.finish)
                return
            yield from self._step(cache, active, watch)

    def _open(self, index: int, request: Request) -> Row:
        room = self.target.context - len(request.prompt)
        if not request.prompt:
            raise ValueError("a request needs at least one prompt token")
        if room < min(request.max_new_tokens, _LEAST_ROOM):
            raise PromptTooLong(
                f"the prompt has {len(request.prompt)} tokens and the model's context is "
                f"{self.target.context}",
                remedy="shorten the prompt or use a model with a longer context",
            )
        return Row(index, request, list(request.prompt), min(request.max_new_tokens, room))

    def _prefill(self, cache: TreeCache, rows: Sequence[Row]) -> list[torch.Tensor]:
        """Fill each row's cache; equal prompts are run once and copied. Logits a row."""
        done: dict[tuple[int, ...], tuple[int, torch.Tensor]] = {}
        result = []
        for slot, row in enumerate(rows):
            started = time.perf_counter()
            known = done.get(row.request.prompt)
            if known is None:
                output = self.target.prefill(cache, slot, row.request.prompt)
                logits = output.logits[0, -1]
                _check(logits)
                done[row.request.prompt] = (slot, logits)
            else:
                source, logits = known
                cache.copy_row(source, slot)
            result.append(logits)
            row.stats.prefill_s = time.perf_counter() - started
        return result

    def _step(self, cache: TreeCache, active: list[Row], watch: Watch | None) -> Iterator[Accepted]:
        started = time.perf_counter()
        trees = [Tree.rooted(row.tokens[-1]) for row in active]
        batch = pad(trees)
        drafted = time.perf_counter()
        logits = self.target.forward(cache, batch).logits
        best, choice = logits.max(dim=-1)
        _check(best)
        greedy = choice.tolist()
        checked = time.perf_counter()
        events = []
        for slot, (row, tree) in enumerate(zip(active, trees, strict=True)):
            path, tokens = self._verify(row, tree, logits[slot], greedy[slot])
            cache.keep(slot, path)
            events.append(self._accept(row, tokens, watch))
        ended = time.perf_counter()
        for row, tree in zip(active, trees, strict=True):
            row.stats.target_passes += 1
            row.stats.drafted += len(tree) - 1
            row.stats.draft_s += (drafted - started) / len(active)
            row.stats.target_s += (checked - drafted) / len(active)
            row.stats.accept_s += (ended - checked) / len(active)
        yield from events

    def _verify(
        self, row: Row, tree: Tree, logits: torch.Tensor, greedy: Sequence[int]
    ) -> tuple[list[int], list[int]]:
        node = 0
        path = [0]
        tokens: list[int] = []
        while True:
            if row.request.sampler.greedy:
                token = greedy[node]
            else:
                token = self._draw(row, logits[node], offset=len(tokens))
            tokens.append(token)
            child = tree.children[node].get(token)
            if child is None:
                return path, tokens
            node = child
            path.append(node)

    def _draw(self, row: Row, logits: torch.Tensor, *, offset: int = 0) -> int:
        return row.request.sampler.draw(
            logits, sample=row.request.sample, position=len(row.tokens) + offset
        )

    def _accept(self, row: Row, tokens: list[int], watch: Watch | None) -> Accepted:
        """Append tokens to a row, cut at its limit, at EOS and where the watcher says."""
        tokens = tokens[: row.room]
        if len(tokens) == row.room:
            row.finish = FinishReason.LENGTH
        for place, token in enumerate(tokens):
            if token in row.request.eos:
                tokens = tokens[: place + 1]
                row.finish = FinishReason.EOS
                break
        if watch is not None:
            keep = watch(row.index, tokens)
            if keep is not None:
                tokens = tokens[:keep]
                row.finish = FinishReason.STOP
        row.tokens.extend(tokens)
        return Accepted(row.index, tuple(tokens), row.finish)


def _compact(cache: TreeCache, active: list[Row]) -> list[Row]:
    """Close the gaps ended rows leave: the last live row moves into each."""
    live = list(active)
    slot = 0
    while slot < len(live):
        if live[slot].finish is None:
            slot += 1
            continue
        last = live.pop()
        if slot < len(live):
            cache.copy_row(len(live), slot)
            live[slot] = last
    return live


def _check(values: torch.Tensor) -> None:
    """NaN and infinity must not be decoded as if they were an answer."""
    if not bool(torch.isfinite(values).all()):
        raise NumericalError(
            "the model produced NaN or infinite logits",
            remedy="load it with dtype float32 (fp16 overflows in some models) or check its files",
        )
