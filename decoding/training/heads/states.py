"""Hidden states of a frozen model over answers, computed once and kept on disk.

The states come from one forward a prompt: the model decodes its own greedy answer from the
prompt's cache, and the corpus answer is run from the same cache before.
"""

from __future__ import annotations

import json
import time
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import torch
from rtl_agent.decoding.engine.loop import Engine
from rtl_agent.decoding.engine.state import Request
from rtl_agent.decoding.engine.target import CausalTarget, TargetOutput
from rtl_agent.decoding.errors import TrainingError

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from pathlib import Path

    from rtl_agent.decoding.engine.cache import TreeCache
    from rtl_agent.decoding.engine.protocols import TargetCache
    from rtl_agent.decoding.engine.state import Row
    from rtl_agent.decoding.engine.tree import Tree
    from rtl_agent.decoding.training.data import Sample

__all__ = ["CORPUS", "OWN", "PROMPT", "States", "StatesWriter", "collect", "load_states"]


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


class StatesWriter:
    """Collects answers and writes them, whole or not at all."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._hidden: list[torch.Tensor] = []
        self._ids: list[torch.Tensor] = []
        self._groups: list[int] = []
        self._kinds: list[int] = []
        self.tokens = 0

    def add(self, ids: Sequence[int], hidden: torch.Tensor, group: int, kind: int) -> None:
        """One answer, `hidden` `[tokens, width]`."""
        if len(ids) != len(hidden):
            raise ValueError(f"{len(ids)} tokens and {len(hidden)} states")
        self._ids.append(torch.tensor(ids))
        self._hidden.append(hidden.to("cpu", torch.bfloat16))
        self._groups.append(group)
        self._kinds.append(kind)
        self.tokens += len(ids)

    def finish(self, described: dict[str, str]) -> States:
        """Write the file and return what is in it.

        Raises:
            TrainingError: there is nothing to write, or the disk is full.
        """
        from safetensors import SafetensorError
        from safetensors.torch import save_file

        if not self._ids:
            raise TrainingError(
                "no answer fits the limits", remedy="raise max_tokens or max_answer"
            )
        sizes = torch.tensor([0, *(len(ids) for ids in self._ids)])
        states = States(
            torch.cat(self._hidden),
            torch.cat(self._ids),
            sizes.cumsum(0),
            torch.tensor(self._groups),
            torch.tensor(self._kinds),
        )
        tensors = {name: getattr(states, name) for name in States.__slots__}
        partial = self.path.with_name(self.path.name + ".tmp")
        try:
            save_file(tensors, partial, metadata=described)
            partial.replace(self.path)
        except (OSError, SafetensorError) as error:
            partial.unlink(missing_ok=True)
            raise TrainingError(
                f"{self.path}: cannot be written: {error}", remedy="free space on the disk"
            ) from error
        return states


def load_states(path: Path, described: dict[str, str]) -> States | None:
    """The states in `path` if they were computed for what is `described`, else None."""
    from safetensors import SafetensorError, safe_open

    if not path.is_file():
        return None
    try:
        with safe_open(str(path), framework="pt") as stored:
            if stored.metadata() != described:
                return None
            return States(*(stored.get_tensor(name) for name in States.__slots__))
    except (OSError, SafetensorError):
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
    path: Path,
    *,
    eos: int,
    rows: int,
    own: bool,
    prompts: bool,
    max_new: int,
    minutes: float,
    described: dict[str, str],
    log: Callable[[str], None],
) -> States:
    """Compute the states of the pairs' answers and of the model's own, and write them.

    With `prompts` the states of the prompts are kept as well: they cost nothing and are Verilog
    for the most part. Stops when `minutes` are over: then the file holds the pairs done until then.
    """
    target = _Tapped(model)
    recorder = _Recorder(target)
    engine = Engine(target, drafters=[recorder], max_nodes=1, adaptive=False)
    writer = StatesWriter(path)
    started = time.monotonic()
    for begin in range(0, len(samples), rows):
        part = samples[begin : begin + rows]
        recorder.wanted = [sample.answer for sample in part]
        limit = max(len(sample.answer) for sample in part) + 8
        requests = [
            Request(sample.prompt, min(max_new, limit) if own else limit, eos=frozenset([eos]))
            for sample in part
        ]
        _decode(engine, requests, recorder, writer, begin, own=own, prompts=prompts)
        spent = time.monotonic() - started
        done = begin + len(part)
        record = {"pairs": done, "states": writer.tokens, "seconds": round(spent, 1)}
        log(json.dumps(record | {"left_s": round(spent / done * (len(samples) - done), 1)}))
        if spent > minutes * 60:
            break
    return writer.finish(described)


def _decode(  # noqa: PLR0913
    engine: Engine,
    requests: Sequence[Request],
    recorder: _Recorder,
    writer: StatesWriter,
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
            writer.add(recorder.wanted[row.index], torch.cat([first, given]), group, CORPUS)
        if own and len(states) > 1:
            tokens = row.new_tokens[: len(states) + 1]
            # Nothing is predicted from the last token's state, so that it was not kept.
            lacking = len(tokens) - len(states)
            hidden = torch.stack([*states, *[torch.zeros_like(states[0])] * lacking])
            writer.add(tokens, hidden, group, OWN)
        if prompts and row.index in recorder.prompts:
            ids, hidden = recorder.prompts[row.index]
            writer.add(ids[1:], hidden[:-1], group, PROMPT)
