"""One checkpoint, every way of decoding it: speed, acceptance, syntax, simulated passes."""

from __future__ import annotations

import math
import time
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from rtl_agent.agent.corpus.validate import run_bench
from rtl_agent.agent.styles.embedded import EmbeddedStyle
from rtl_agent.decoding.api import SamplingParams
from rtl_agent.decoding.models.assemble import assemble
from rtl_agent.decoding.models.options import Speculation
from rtl_agent.tools.parse import parse_text

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from data import Task
    from plan import Method, Plan
    from rtl_agent.decoding.api import Completion

__all__ = ["decodings", "evaluate", "pass_at"]


@dataclass
class _Tally:
    """Counts over all tasks of one way of decoding."""

    tokens: int = 0
    new: int = 0
    passes: int = 0
    seconds: float = 0.0
    syntax: int = 0
    answers: int = 0
    greedy: int = 0
    right: list[int] = field(default_factory=list)


def pass_at(k: int, samples: int, right: int) -> float:
    """The unbiased estimate of pass@k from `right` of `samples` answers."""
    if samples - right < k:
        return 1.0
    return 1.0 - math.comb(samples - right, k) / math.comb(samples, k)


def decodings(method: Method, heads: Path | None) -> dict[str, Speculation]:
    """Plain decoding, and with heads exact and typical verification; no other drafter."""
    ways = {"plain": Speculation(drafters=())}
    if method.heads:
        ways["exact"] = Speculation(drafters=("heads",), heads=heads)
        ways["typical"] = Speculation(
            drafters=("heads",), heads=heads, typical=True, integrity=method.integrity
        )
    return ways


def evaluate(  # noqa: PLR0913
    model: Any,
    tokenizer: Any,
    tasks: Sequence[Task],
    plan: Plan,
    speculation: Speculation,
    *,
    judged: bool,
) -> dict[str, Any]:
    """Decode every task greedily, which is timed, and `plan.answers` times sampled.

    Args:
        model: trained, adapter merged.
        tokenizer: its tokenizer; the marker is a special token and never part of a text.
        tasks: what is asked.
        plan: sizes.
        speculation: the way of decoding.
        judged: whether answers are sampled and simulated; an exact mode gives what plain
            decoding gives, so that only its speed is measured.
    """
    generator = assemble("paper", model, tokenizer, speculation)
    marker = tokenizer.get_vocab().get(plan.marker, -1)
    tally = _Tally()
    greedy = SamplingParams(max_new_tokens=plan.max_new)
    sampled = SamplingParams(
        max_new_tokens=plan.max_new, temperature=plan.temperature, seed=plan.data_seed
    )
    generator.generate(tasks[0].prompt.raw, params=greedy)  # warm-up; measures the cost model
    for task in tasks:
        started = time.perf_counter()
        first = generator.generate(task.prompt.raw, params=greedy)[0]
        tally.seconds += time.perf_counter() - started - first.stats.prefill_s
        tally.tokens += sum(token != marker for token in first.token_ids)
        tally.new += first.stats.new_tokens
        tally.passes += first.stats.target_passes
        if judged:
            answers = [first]
            if plan.answers:
                answers += generator.generate(task.prompt.raw, n=plan.answers, params=sampled)
            _judge(task, answers, tally)
    return _figures(tally, len(tasks), plan, judged=judged)


def _judge(task: Task, answers: Sequence[Completion], tally: _Tally) -> None:
    passed = []
    for answer in answers:
        rtl = EmbeddedStyle().source(task.spec, task.prompt, answer.text)
        tally.syntax += parse_text(rtl).ok
        passed.append(run_bench(rtl, task.bench).passed)
    tally.answers += len(answers)
    tally.greedy += passed[0]
    tally.right.append(sum(passed[1:]))


def _figures(tally: _Tally, tasks: int, plan: Plan, *, judged: bool) -> dict[str, Any]:
    figures: dict[str, Any] = {
        "tokens_per_s": round(tally.tokens / max(tally.seconds, 1e-9), 2),
        "acceptance_length": round(tally.new / max(tally.passes, 1), 3),
        "tokens": tally.tokens,
    }
    if judged:
        figures["syntax"] = round(tally.syntax / tally.answers, 4)
        figures["greedy_pass"] = round(tally.greedy / tasks, 4)
        for k in (1, 5, 10):
            if k <= plan.answers:
                mean = sum(pass_at(k, plan.answers, right) for right in tally.right) / tasks
                figures[f"pass@{k}"] = round(mean, 4)
    return figures
