"""Hidden states of a frozen model over answers, computed once and kept on disk.

The states come from one forward a prompt: the model decodes its own greedy answer from the
prompt's cache, and the corpus answer is run from the same cache before.
"""

from __future__ import annotations

import json
import random
import time
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import torch
from rtl_agent.decoding.engine.loop import Engine
from rtl_agent.decoding.engine.state import Request
from rtl_agent.decoding.engine.target import CausalTarget, TargetOutput
from rtl_agent.decoding.errors import TrainingError
from rtl_agent.decoding.training.checkpoint import write_file

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from pathlib import Path

    from rtl_agent.decoding.engine.cache import TreeCache
    from rtl_agent.decoding.engine.protocols import TargetCache
    from rtl_agent.decoding.engine.state import Row
    from rtl_agent.decoding.engine.tree import Tree
    from rtl_agent.decoding.training.data import Sample

__all__ = ["CORPUS", "OWN", "PROMPT", "States", "StatesFile", "collect", "load_states"]

_WRITE_EVERY_S = 120.0


CORPUS, OWN, PROMPT = range(3)


@dataclass(frozen=True, slots=True)
class States:
    """Answers with the states their tokens were chosen from.

    Attributes:
        hidden: `[tokens, width]`, bfloat16; row `t` is what token `t` was chosen from.
        ids: `[tokens]`, the answers one after the other.
        starts: `[answers + 1]`, where each answer begins; the last entry is the number of tokens.
        groups: `[answers]`, the pair an answer belongs to: all texts of a pair share it.
        kinds: `[answers]`, `CORPUS`, `OWN` or `PROMPT`: whose text it is.
    """

    hidden: torch.Tensor
    ids: torch.Tensor
    starts: torch.Tensor
    groups: torch.Tensor
    kinds: torch.Tensor


class StatesFile:
    """Answers and their states, on disk whole or not at all; a file begun before is gone on with.

    Args:
        path: the file.
        described: what the states depend on; a file of anything else is begun anew.
    """

    def __init__(self, path: Path, described: dict[str, str]) -> None:
        self.path, self.described = path, described
        self.pairs = 0
        self._hidden: list[torch.Tensor] = []
        self._ids: list[torch.Tensor] = []
        self._groups: list[int] = []
        self._kinds: list[int] = []
        found = load_states(path, described)
        if found is not None:
            known, self.pairs = found
            sizes = (known.starts[1:] - known.starts[:-1]).tolist()
            self._hidden = list(torch.split(known.hidden, sizes))
            self._ids = list(torch.split(known.ids, sizes))
            self._groups, self._kinds = known.groups.tolist(), known.kinds.tolist()

    @property
    def tokens(self) -> int:
        """Number of states."""
        return sum(len(ids) for ids in self._ids)

    def add(self, ids: Sequence[int], hidden: torch.Tensor, group: int, kind: int) -> None:
        """One answer, `hidden` `[tokens, width]`."""
        if len(ids) != len(hidden):
            raise ValueError(f"{len(ids)} tokens and {len(hidden)} states")
        self._ids.append(torch.tensor(ids))
        self._hidden.append(hidden.to("cpu", torch.bfloat16))
        self._groups.append(group)
        self._kinds.append(kind)

    def states(self) -> States:
        """Everything added so far.

        Raises:
            TrainingError: that is nothing.
        """
        if not self._ids:
            raise TrainingError(
                "no answer fits the limits", remedy="raise max_tokens or max_answer"
            )
        sizes = torch.tensor([0, *(len(ids) for ids in self._ids)])
        return States(
            torch.cat(self._hidden),
            torch.cat(self._ids),
            sizes.cumsum(0),
            torch.tensor(self._groups),
            torch.tensor(self._kinds),
        )

    def write(self) -> States:
        """Write what there is, and return it.

        Raises:
            TrainingError: there is nothing, or it cannot be written.
        """
        from safetensors.torch import save_file

        states = self.states()
        tensors = {name: getattr(states, name) for name in States.__slots__}
        meta = self.described | {"pairs_done": str(self.pairs)}
        write_file(self.path, lambda path: save_file(tensors, path, metadata=meta))
        return states


def load_states(path: Path, described: dict[str, str]) -> tuple[States, int] | None:
    """The states in `path` and the pairs they are of, if they are of what is `described`."""
    from safetensors import SafetensorError, safe_open

    if not path.is_file():
        return None
    try:
        with safe_open(str(path), framework="pt") as stored:
            meta = dict(stored.metadata() or {})
            pairs = int(meta.pop("pairs_done", "-1"))
            if meta != described or pairs < 0:
                return None
            return States(*(stored.get_tensor(name) for name in States.__slots__)), pairs
    except (OSError, SafetensorError, ValueError):
        return None


class _Tapped(CausalTarget):
    """A target that keeps the states of the last prompt of each row."""

    def __init__(self, model: Any) -> None:
        super().__init__(model, want_hidden=True)
        self.prompts: dict[int, tuple[tuple[int, ...], torch.Tensor]] = {}

    def prefill(
        self, cache: TreeCache, row: int, ids: Sequence[int], source: Sequence[int] = ()
    ) -> TargetOutput:
        """See `CausalTarget.prefill`."""
        output = super().prefill(cache, row, ids, source)
        if output.hidden is None:
            raise AssertionError("the target was made with want_hidden")
        states = output.hidden[0]
        self.prompts[row] = (tuple(ids[-len(states) :]), states)
        return output


class _Recorder:
    """A drafter that proposes nothing and keeps what each token was chosen from."""

    name = "record"

    def __init__(self, target: _Tapped) -> None:
        self.target = target
        self.wanted: list[Sequence[int]] = []
        self.own: dict[int, list[torch.Tensor]] = {}
        self.given: dict[int, torch.Tensor] = {}
        self.prompts: dict[int, tuple[tuple[int, ...], torch.Tensor]] = {}

    def start(self, rows: Sequence[Row], cache: TargetCache) -> None:
        """Run each row's given answer from its prompt, and take it back."""
        self.own = {row.index: [] for row in rows}
        self.given = {}
        self.prompts = dict(self.target.prompts)
        for slot, row in enumerate(rows):
            length = cache.lengths[slot]
            answer = self.wanted[row.index]
            if len(answer) > 1:
                output = self.target.prefill(cache, slot, answer[:-1])  # type: ignore[arg-type]
                if output.hidden is None:
                    raise AssertionError("the target was made with want_hidden")
                self.given[row.index] = output.hidden[0].clone()
                cache.rewind(slot, length)
        self.target.prompts.clear()

    def propose(self, rows: Sequence[Row], trees: Sequence[Tree], budget: int) -> None:
        """Nothing: plain decoding gives a state for every token."""

    def update(self, row: Row, gained: Sequence[int], hidden: torch.Tensor | None) -> None:
        """Keep the state `gained` (one token) was chosen from."""
        if hidden is None or len(gained) != 1:
            raise AssertionError("one token a step, with its state")
        self.own[row.index].append(hidden.clone())


def collect(  # noqa: PLR0913 (all but three by name)
    model: Any,
    samples: Sequence[Sample],
    file: StatesFile,
    *,
    eos: int,
    rows: int,
    own: float,
    prompts: bool,
    max_new: int,
    minutes: float,
    seed: int,
    log: Callable[[str], None],
) -> States:
    """Compute the states of the pairs' answers and of the model's own, and write them.

    The share `own` of the batches also decodes the model's own greedy answers, which takes several
    times as long. With `prompts` the states of the prompts are kept as well: they cost nothing
    and are Verilog for the most part. Stops when `minutes` are over; another call goes on.
    """
    target = _Tapped(model)
    recorder = _Recorder(target)
    engine = Engine(target, drafters=[recorder], max_nodes=1, adaptive=False)
    started = written = time.monotonic()
    first = file.pairs
    for begin in range(first, len(samples), rows):
        spent = time.monotonic() - started
        if spent > minutes * 60:
            break
        part = samples[begin : begin + rows]
        recorder.wanted = [sample.answer for sample in part]
        limit = max(len(sample.answer) for sample in part) + 8
        requests = [
            Request(sample.prompt, min(max_new, limit), eos=frozenset([eos])) for sample in part
        ]
        decoded = random.Random(f"{seed}:{begin}").random() < own
        _decode(engine, requests, recorder, file, begin, own=decoded, prompts=prompts)
        file.pairs = begin + len(part)
        spent = time.monotonic() - started
        record = {"pairs": file.pairs, "states": file.tokens, "seconds": round(spent, 1)}
        left = spent / (file.pairs - first) * (len(samples) - file.pairs)
        log(json.dumps(record | {"left_s": round(min(left, minutes * 60 - spent), 1)}))
        if time.monotonic() - written > _WRITE_EVERY_S:
            file.write()
            written = time.monotonic()
    return file.write()


def _decode(  # noqa: PLR0913
    engine: Engine,
    requests: Sequence[Request],
    recorder: _Recorder,
    file: StatesFile,
    begin: int,
    *,
    own: bool,
    prompts: bool,
) -> None:
    done: list[Row] = []
    events = engine.run(requests, rows=done, should_stop=None if own else lambda: True)
    for _ in events:
        pass
    for row in done:
        group = begin + row.index
        states = recorder.own[row.index]
        given = recorder.given.get(row.index)
        if states and given is not None:
            first = states[0][None]
            file.add(recorder.wanted[row.index], torch.cat([first, given]), group, CORPUS)
        if own and len(states) > 1:
            tokens = row.new_tokens[: len(states) + 1]
            # Nothing is predicted from the last token's state, so that it was not kept.
            lacking = len(tokens) - len(states)
            hidden = torch.stack([*states, *[torch.zeros_like(states[0])] * lacking])
            file.add(tokens, hidden, group, OWN)
        if prompts and row.index in recorder.prompts:
            ids, hidden = recorder.prompts[row.index]
            file.add(ids[1:], hidden[:-1], group, PROMPT)
