"""Tokens a target pass with trained heads, alone and merged with lookup and the corpus table.

The embedded default answers held-out prompts greedily once, and its hidden states are kept. Then
the decoding engine itself runs with every set of drafters against a target that replays those
answers: under exact greedy verification a target's part in a run is nothing but its answer, so
that passes and accepted tokens are what they would be with the model, at a hundredth of the time.

    rtl-agent corpus pairs held.jsonl --split held-out --per-family 1 --repairs 0 --seed 991
    python benchmarks/heads.py held.jsonl --work work --heads heads.safetensors --out heads.json
"""

from __future__ import annotations

import argparse
import copy
import hashlib
import json
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import torch
from rtl_agent.decoding.drafters.corpus import CorpusDrafter
from rtl_agent.decoding.drafters.heads import HeadsDrafter
from rtl_agent.decoding.drafters.heads_model import load_heads
from rtl_agent.decoding.drafters.lookup import LookupDrafter
from rtl_agent.decoding.drafters.table import NgramTable
from rtl_agent.decoding.engine.loop import Engine
from rtl_agent.decoding.engine.state import Request, Row
from rtl_agent.decoding.engine.target import TargetOutput
from rtl_agent.decoding.models.embedded import adapter_path, load_embedded
from rtl_agent.decoding.models.pack import pack
from rtl_agent.decoding.training.data import load_samples
from rtl_agent.decoding.training.heads.states import OWN, StatesFile, collect

if TYPE_CHECKING:
    from collections.abc import Sequence

    from rtl_agent.decoding.engine.tree import TreeBatch

SETS = (
    ("lookup",),
    ("corpus",),
    ("heads",),
    ("lookup", "corpus"),
    ("lookup", "heads"),
    ("corpus", "heads"),
    ("lookup", "corpus", "heads"),
)


@dataclass
class Answer:
    """A prompt, the model's own greedy answer, and the states its tokens were chosen from."""

    prompt: tuple[int, ...]
    tokens: list[int]
    states: torch.Tensor


class _Lengths:
    """What the engine asks of a cache."""

    def __init__(self) -> None:
        self.lengths = [0]

    def keep(self, row: int, path: Sequence[int]) -> None:
        self.lengths[row] += len(path)

    def rewind(self, row: int, length: int) -> None:
        self.lengths[row] = length

    def copy_row(self, source: int, target: int) -> None:
        del source, target
        raise AssertionError("one row")


class ReplayTarget:
    """Says what the model said: a target of one row whose answer is known."""

    context = 1 << 30
    chains_only = False
    start = -1
    device = torch.device("cpu")

    def __init__(self, vocabulary: int) -> None:
        self.vocabulary = vocabulary
        self.answer = Answer((), [], torch.empty(0))

    def new_cache(self, rows: int, capacity: int) -> _Lengths:
        """See `engine.protocols.Target`."""
        del rows, capacity
        return _Lengths()

    def prefill(
        self, cache: _Lengths, row: int, ids: Sequence[int], source: Sequence[int] = ()
    ) -> TargetOutput:
        """The state the answer's first token was chosen from."""
        del source
        cache.lengths[row] += len(ids)
        return self._output([0])

    def forward(self, cache: _Lengths, batch: TreeBatch, sizes: Sequence[int]) -> TargetOutput:
        """What the model said after every node that lies on its answer."""
        done = cache.lengths[0] - len(self.answer.prompt)  # tokens before the root
        tokens, depths = batch.tokens[0].tolist(), batch.depths[0].tolist()
        ancestors = batch.ancestors[0]
        known = self.answer.tokens
        places = []
        for node in range(sizes[0]):
            path = torch.nonzero(ancestors[node]).flatten().tolist()
            true = all(
                done + depths[n] < len(known) and tokens[n] == known[done + depths[n]] for n in path
            )
            places.append(done + depths[node] + 1 if true else -1)
        return self._output(places)

    def _output(self, places: Sequence[int]) -> TargetOutput:
        """Logits and states for the answer's tokens at `places`; anything where that is -1."""
        logits = torch.zeros(1, len(places), self.vocabulary)
        hidden = torch.zeros(1, len(places), self.answer.states.shape[-1])
        for node, place in enumerate(places):
            if 0 <= place < len(self.answer.tokens):
                logits[0, node, self.answer.tokens[place]] = 1.0
                hidden[0, node] = self.answer.states[place]
        return TargetOutput(logits, hidden)


def own_answers(args: argparse.Namespace, model: Any, tokenizer: Any) -> list[Answer]:
    """The model's greedy answers to the prompts, computed once."""
    samples = load_samples(args.pairs, tokenizer, args.max_tokens)[: args.prompts]
    adapter = args.adapter or adapter_path()
    described = {
        "pairs": hashlib.sha256(args.pairs.read_bytes()).hexdigest(),
        "adapter": hashlib.sha256(adapter.read_bytes()).hexdigest(),
        "limits": f"{args.max_tokens} {args.tokens}",
    }
    args.work.mkdir(parents=True, exist_ok=True)
    file = StatesFile(args.work / "held-states.safetensors", described)
    if file.pairs < len(samples):
        packed = copy.deepcopy(model)
        pack(packed)
        collect(
            packed, samples, file, eos=int(tokenizer.eos_token_id), rows=4, own=1.0, prompts=False,
            max_new=args.tokens, minutes=args.minutes, seed=1,
            log=lambda line: print(line, file=sys.stderr, flush=True),
        )  # fmt: skip
    states = file.states()
    answers = []
    for number, (begin, end) in enumerate(
        zip(states.starts[:-1].tolist(), states.starts[1:].tolist(), strict=True)
    ):
        if int(states.kinds[number]) == OWN:
            prompt = samples[int(states.groups[number])].prompt
            tokens = states.ids[begin:end].tolist()
            answers.append(Answer(prompt, tokens, states.hidden[begin:end].float()))
    return answers


def replay(answers: Sequence[Answer], drafters: list[Any], nodes: int, vocabulary: int) -> Row:
    """Decode every answer again; the totals as the statistics of one row."""
    target = ReplayTarget(vocabulary)
    engine = Engine(target, drafters=drafters, max_nodes=nodes, adaptive=False)  # type: ignore[arg-type]
    whole = Row(0, Request((), 0), [], 0)
    for answer in answers:
        target.answer = answer
        rows: list[Row] = []
        for _ in engine.run([Request(answer.prompt, len(answer.tokens))], rows=rows):
            pass
        if list(rows[0].new_tokens) != answer.tokens:
            raise AssertionError("exact verification gave another answer")
        whole.tokens += answer.tokens
        whole.stats.target_passes += rows[0].stats.target_passes
        for name, count in rows[0].stats.accepted_by.items():
            whole.stats.accepted_by[name] = whole.stats.accepted_by.get(name, 0) + count
    return whole


def main() -> None:
    """Parse arguments, measure, write JSON."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("pairs", type=Path)
    parser.add_argument("--work", type=Path, required=True, help="keeps the model's answers")
    parser.add_argument("--heads", type=Path, required=True)
    parser.add_argument("--adapter", type=Path, help="the shipped one by default")
    parser.add_argument("--table", type=Path, help="the shipped one by default")
    parser.add_argument("--prompts", type=int, default=40)
    parser.add_argument("--tokens", type=int, default=256)
    parser.add_argument("--max-tokens", type=int, default=900)
    parser.add_argument("--minutes", type=float, default=30.0)
    parser.add_argument("--nodes", type=int, nargs="+", default=[16, 32, 64])
    parser.add_argument("--out", type=Path)
    args = parser.parse_args()
    model, tokenizer, table = load_embedded(args.adapter)
    heads = load_heads(args.heads, model)  # a message about heads that do not fit comes first
    answers = own_answers(args, model, tokenizer)
    grams = args.table or table
    result: dict[str, Any] = {
        "schema_version": 1,
        "what": "tokens a target pass, greedy, exact verification, held-out fresh drafts",
        "prompts": len(answers),
        "tokens": sum(len(answer.tokens) for answer in answers),
        "draft_tokens": len(heads.draft_ids),
        "nodes": {},
    }
    for nodes in args.nodes:
        figures = {}
        for names in SETS:
            made = {
                "lookup": LookupDrafter,
                "heads": lambda: HeadsDrafter(heads, model),
                "corpus": lambda: CorpusDrafter(NgramTable(grams)),
            }
            if "corpus" in names and grams is None:
                continue
            drafters = [made[name]() for name in names]
            row = replay(answers, drafters, nodes, heads.config.vocabulary)
            figures["+".join(names)] = round(len(row.tokens) / row.stats.target_passes, 3)
            if names == SETS[-1]:
                result["accepted_by"] = row.stats.accepted_by
        result["nodes"][nodes] = figures
        print(nodes, json.dumps(figures), file=sys.stderr, flush=True)
    text = json.dumps(result, indent=1) + "\n"
    if args.out:
        args.out.write_text(text, encoding="utf-8")
    sys.stdout.write(text)


if __name__ == "__main__":
    main()
