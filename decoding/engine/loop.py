"""The decoding loop: propose a tree, run the target once, keep what it confirms."""

from __future__ import annotations

import time
from collections import Counter
from itertools import pairwise
from typing import TYPE_CHECKING

import torch
from rtl_agent.decoding.api import FinishReason, Mode
from rtl_agent.decoding.engine.calibrate import Calibration
from rtl_agent.decoding.engine.cost import CostModel, Planner, measure
from rtl_agent.decoding.engine.prefill import CacheKeeper, check_finite
from rtl_agent.decoding.engine.state import Accepted, Request, Row
from rtl_agent.decoding.engine.thrift import Thrift
from rtl_agent.decoding.engine.tree import Tree, pad
from rtl_agent.decoding.engine.verify import Exact, Verifier
from rtl_agent.decoding.errors import PromptTooLong

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    import torch
    from rtl_agent.decoding.drafters.base import Drafter
    from rtl_agent.decoding.engine.protocols import Shaper, Target, TargetCache
    from rtl_agent.decoding.engine.threads import ThreadGuard

    Watch = Callable[[int, Sequence[int]], int | None]

__all__ = ["Engine"]

_LEAST_ROOM = 16
_OVERHEAD_FADE = 0.1


class Engine:
    """Decodes batches of requests on one target.

    Args:
        target: the model whose output is reproduced.
        drafters: what proposes tokens; none decodes plainly.
        verifier: what confirms them; exact by default.
        shaper: drops hopeless drafts.
        max_nodes: nodes of the largest tree, the root included.
        cost: seconds a forward takes; None measures it when first needed.
        adaptive: size trees by cost and gain; False always takes the largest tree.
        rests: with `adaptive`, let drafters that run a model rest while they do not pay.
        keeper: the cache, when several engines that never run at once share one.
        threads: told how long steps take; needs drafters and `adaptive`.
    """

    def __init__(  # noqa: PLR0913 (all by name)
        self,
        target: Target,
        *,
        drafters: Sequence[Drafter] = (),
        verifier: Verifier | None = None,
        shaper: Shaper | None = None,
        max_nodes: int = 64,
        cost: CostModel | None = None,
        adaptive: bool = True,
        rests: bool = True,
        keeper: CacheKeeper | None = None,
        threads: ThreadGuard | None = None,
    ) -> None:
        self.target = target
        self.drafters = list(drafters)
        self.verifier: Verifier = verifier or Exact()
        self.shaper = shaper
        self.max_nodes = max_nodes if self.drafters else 1
        self.cost = cost
        self.adaptive = adaptive
        self.threads = threads
        self.calibration = Calibration()
        self._first_cost: CostModel | None = None
        self._overhead = 0.0
        self.rests = rests and adaptive
        self._thrift = Thrift()
        self._keeper = keeper or CacheKeeper(target)

    @property
    def cache_shape(self) -> tuple[int, int]:
        """Rows and tokens the cache is allocated for; zeros before the first run."""
        return self._keeper.shape

    def mode(self, row: Row) -> Mode:
        """What the output of this row may be called."""
        plain = not self.drafters and isinstance(self.verifier, Exact)
        return Mode.PLAIN if plain else self.verifier.mode(row)

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
        planner = self._planner()
        capacity = max(len(row.tokens) + row.limit for row in rows) + self.max_nodes
        cache = self._keeper.open(len(rows), capacity)
        outputs = self._keeper.fill(rows)
        for drafter in self.drafters:
            drafter.start(rows, cache)
        active = list(rows)
        for row, (logits, hidden) in zip(rows, outputs, strict=True):
            root = Tree.rooted(row.tokens[-1])
            _, tokens = self.verifier.walk(row, root, logits[None], [int(logits.argmax())])
            yield self._gain(row, tokens, hidden, watch)
        while active := self._compact(cache, active):
            if should_stop is not None and should_stop():
                for row in active:
                    row.finish = FinishReason.CANCELLED
                    yield Accepted(row.index, (), row.finish)
                return
            yield from self._step(cache, active, planner, watch)

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

    def _planner(self) -> Planner:
        if self.drafters and self.adaptive and self.cost is None:
            self.cost = measure(self.target, largest=self.max_nodes)
            self._first_cost = CostModel(self.cost.sizes, self.cost.seconds)
        return Planner(
            self.calibration,
            max_nodes=self.max_nodes,
            cost=self.cost if self.adaptive else None,
        )

    def _step(
        self, cache: TargetCache, active: list[Row], planner: Planner, watch: Watch | None
    ) -> Iterator[Accepted]:
        clock = [time.perf_counter()]
        trees = [Tree.rooted(row.tokens[-1]) for row in active]
        spent = self._draft(active, trees)
        if self.drafters:
            if self.shaper is not None:
                shape = self.shaper.shape
                trees = [shape(row, tree) for row, tree in zip(active, trees, strict=True)]
            trees = planner.select(trees, overhead=self._overhead, chains=self.target.chains_only)
        batch = pad(trees)
        clock.append(time.perf_counter())
        output = self.target.forward(cache, batch, [len(tree) for tree in trees])
        best, choice = output.logits.max(dim=-1)
        check_finite(best)
        greedy = choice.tolist()
        clock.append(time.perf_counter())
        events, gained = [], Counter[str]()
        for slot, (row, tree) in enumerate(zip(active, trees, strict=True)):
            path, tokens = self.verifier.walk(row, tree, output.logits[slot], greedy[slot])
            cache.keep(slot, path)
            self.calibration.learn(tree, path)
            for node in path[1:]:
                source = tree.sources[node]
                row.stats.accepted_by[source] = row.stats.accepted_by.get(source, 0) + 1
                gained[source] += 1
            row.stats.drafted += len(tree) - 1
            hidden = None if output.hidden is None else output.hidden[slot, path[-1]]
            events.append(self._gain(row, tokens, hidden, watch))
        clock.append(time.perf_counter())
        self._account(active, clock, batch.nodes)
        if spent and self.cost is not None:
            plain_s = self.cost.time(len(active)) / len(active)
            for name, seconds in spent.items():
                self._thrift.learn(name, seconds=seconds, gained=gained[name], plain_s=plain_s)
        yield from events

    def _draft(self, active: list[Row], trees: list[Tree]) -> dict[str, float]:
        """Let the drafters that are due grow the trees; seconds of those that run a model."""
        spent = {}
        for drafter in self.drafters:
            dear = self.rests and getattr(drafter, "runs_a_model", False)
            if dear and not self._thrift.due(drafter.name):
                continue
            started = time.perf_counter()
            drafter.propose(active, trees, self.max_nodes - 1)
            if dear:
                spent[drafter.name] = time.perf_counter() - started
        return spent

    def _account(self, active: Sequence[Row], clock: Sequence[float], nodes: int) -> None:
        draft, target, accept = (after - before for before, after in pairwise(clock))
        for row in active:
            row.stats.target_passes += 1
            row.stats.draft_s += draft / len(active)
            row.stats.target_s += target / len(active)
            row.stats.accept_s += accept / len(active)
        self._overhead += _OVERHEAD_FADE * (draft + accept - self._overhead)
        if self.cost is not None:
            self.cost.observe(nodes * len(active), target)
        if self.threads is not None and self._first_cost is not None:
            self.threads.watch(target / self._first_cost.time(nodes * len(active)))

    def _gain(
        self, row: Row, tokens: list[int], hidden: torch.Tensor | None, watch: Watch | None
    ) -> Accepted:
        """Append tokens to a row, cut at its limit, at EOS and where the watcher says."""
        row.stats.last_block = len(tokens)
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
        self._thrift.tokens += len(tokens)
        if row.finish is None:
            for drafter in self.drafters:
                drafter.update(row, tokens, hidden)
        return Accepted(row.index, tuple(tokens), row.finish)

    def _compact(self, cache: TargetCache, active: list[Row]) -> list[Row]:
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
                self._keeper.moved(len(live), slot)
                live[slot] = last
        return live
