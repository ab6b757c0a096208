"""`decode bench`: one table, one run, the same weights and prompts for every contender."""

from __future__ import annotations

import copy
import platform
import statistics
import time
from dataclasses import asdict, dataclass, field, replace
from typing import TYPE_CHECKING

from rtl_agent.decoding.api import SamplingParams
from rtl_agent.decoding.evaluate.reference import generate_greedy
from rtl_agent.decoding.evaluate.runs import Run, busy_elsewhere, read_run
from rtl_agent.decoding.evaluate.store import Store, cases_digest, weights_digest
from rtl_agent.decoding.models.assemble import assemble
from rtl_agent.decoding.models.options import Speculation
from rtl_agent.decoding.models.pack import pack

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from pathlib import Path

    from rtl_agent.decoding.evaluate.cases import Case
    from rtl_agent.decoding.evaluate.verify import Subject

    Contender = Callable[[Case], Run]

__all__ = ["BenchReport", "Line", "bench", "contenders", "first_of_each"]

_PLAIN = "generate"
_LOOKUP_TOKENS = 10  # transformers' own default for prompt lookup


@dataclass(frozen=True, slots=True)
class Line:
    """One contender on one set of prompts.

    Attributes:
        contender: `generate`, `generate+prompt-lookup`, or `engine:<drafters>`.
        cases: name of the prompt set.
        tokens_per_s: median over the prompts, from the first token on.
        spread: a quarter of the prompts are slower than the first, a quarter faster than the
            second.
        acceptance_length: tokens a target pass.
        draft_share: of the time, drafting; `verify_share` the target, `accept_share` the rest.
        speedup: median over the prompts of the time `generate` took over the time this took, from
            the first token on.
        call_speedup: the same of whole calls, prefill included.
        equal: whether every output was that of `generate`.
    """

    contender: str
    cases: str
    tokens_per_s: float
    spread: tuple[float, float]
    acceptance_length: float
    draft_share: float
    verify_share: float
    accept_share: float
    speedup: float
    call_speedup: float
    equal: bool


@dataclass(frozen=True, slots=True)
class BenchReport:
    """All lines, and what they were measured on.

    `busy_elsewhere` is the median, over the prompts, of the CPU seconds other processes used in a
    second: 0 on an idle machine. `left_out` prompts were measured, but on too busy a machine.
    """

    model: str
    dtype: str
    parameters: int
    machine: str
    threads: int
    weights: str
    left_out: int
    busy_elsewhere: float
    prompts: dict[str, int]
    new_tokens: int
    seed: int
    default: str
    lines: tuple[Line, ...]
    speedup: dict[str, float] = field(default_factory=dict)


def contenders(speculation: Speculation, *, each: bool) -> list[Speculation]:
    """The default first: what costs no forward of a draft; the others are those `each` adds.

    They are all drafters together, none, every one alone, and those that need no training.
    """
    names = speculation.drafters
    default = tuple(name for name in names if name in ("lookup", "corpus", "heads"))
    chosen = [default or names]
    if each:
        free = tuple(name for name in names if name in ("lookup", "corpus"))
        chosen += [names, (), *((name,) for name in names), free]
    return [replace(speculation, drafters=drafters) for drafters in dict.fromkeys(chosen)]


def first_of_each(cases: Sequence[Case], count: int | None) -> list[Case]:
    """The first `count` prompts of each set; None for all."""
    taken: dict[str, int] = {}
    result = []
    for case in cases:
        taken[case.name] = taken.get(case.name, 0) + 1
        if count is None or taken[case.name] <= count:
            result.append(case)
    return result


def bench(  # noqa: PLR0913 (all but three by name)
    subject: Subject,
    cases: Sequence[Case],
    chosen: Sequence[Speculation],
    *,
    tokens: int = 256,
    others: Mapping[str, Contender] | None = None,
    store: Path | None = None,
    seconds: float = float("inf"),
    disturbed: float = float("inf"),
    progress: Callable[[str], None] = lambda _: None,
) -> BenchReport:
    """Time every contender on every prompt, prompt by prompt in turn.

    Taking turns makes a disturbance of the machine hit all contenders alike. `generate` and its
    prompt lookup come besides those given; `chosen[0]` is the one whose speedup is reported as
    the default's. `others` are further contenders, whose outputs are not compared. `store` keeps
    what was measured and is gone on with when it is there; after `seconds` no further prompt is
    begun, and the report is about those measured. Prompts while which other processes used more
    than `disturbed` CPU seconds in a second are left out and measured again when the run is gone on
    with.
    """
    import torch

    began = time.monotonic()
    runners = _runners(subject, chosen, tokens)
    runners.update(others or {})
    weights = weights_digest(subject.model)
    about = {
        "weights": weights,
        "cases": cases_digest(cases),
        "contenders": list(runners),
        "tokens": tokens,
        "threads": torch.get_num_threads(),
    }
    kept = Store(store, about)
    if len(kept.pieces) < len(cases):
        _warm_up(runners, cases, progress)
    runs: dict[tuple[str, str], list[Run]] = {}
    groups: dict[str, int] = {}
    elsewhere: list[float] = []
    left_out = 0
    for index, case in _interleaved(cases):
        known = kept.pieces.get(index)
        if known is None or known["elsewhere"] > disturbed:
            if time.monotonic() - began > seconds:
                left_out += known is not None
                continue
            progress(f"prompt {index + 1}/{len(cases)}")
            others_before, clock = busy_elsewhere(), time.perf_counter()
            done = {name: asdict(runner(case)) for name, runner in runners.items()}
            share = (busy_elsewhere() - others_before) / (time.perf_counter() - clock)
            kept.add(index, {"runs": done, "elsewhere": share})
        piece = kept.pieces[index]
        if piece["elsewhere"] > disturbed:
            left_out += 1
            continue
        elsewhere.append(piece["elsewhere"])
        groups[case.name] = groups.get(case.name, 0) + 1
        for name in runners:
            runs.setdefault((name, case.name), []).append(read_run(piece["runs"][name]))
    lines = [_line(name, group, done, runs[_PLAIN, group]) for (name, group), done in runs.items()]
    default = _name(chosen[0]) if chosen else ""
    return BenchReport(
        model=subject.name,
        dtype=str(subject.model.dtype).removeprefix("torch."),
        parameters=sum(parameter.numel() for parameter in subject.model.parameters()),
        machine=_machine(subject),
        threads=torch.get_num_threads(),
        weights=weights,
        left_out=left_out,
        busy_elsewhere=statistics.median(elsewhere) if elsewhere else 0.0,
        prompts=groups,
        new_tokens=tokens,
        seed=0,
        default=default,
        lines=tuple(lines),
        speedup={line.cases: line.speedup for line in lines if line.contender == default},
    )


def _interleaved(cases: Sequence[Case]) -> list[tuple[int, Case]]:
    """One case of each set in turn, so that a run cut short has measured all sets alike."""
    seen: dict[str, int] = {}
    order = []
    for index, case in enumerate(cases):
        seen[case.name] = seen.get(case.name, 0) + 1
        order.append((seen[case.name], index))
    return [(index, cases[index]) for _, index in sorted(order)]


def _warm_up(
    runners: Mapping[str, Contender], cases: Sequence[Case], progress: Callable[[str], None]
) -> None:
    """Two runs of each: the first measures what passes cost, the second learns from drafts."""
    for case in (cases[-2], cases[-1]) if len(cases) > 1 else cases:
        for name, runner in runners.items():
            progress(f"warm-up {name}")
            runner(case)


def _name(speculation: Speculation) -> str:
    parts = "+".join(speculation.drafters) or "plain"
    return f"engine:{parts}" + (":typical" if speculation.typical else "")


def _runners(subject: Subject, chosen: Sequence[Speculation], tokens: int) -> dict[str, Contender]:
    params = SamplingParams(max_new_tokens=tokens)
    first = assemble(subject.name, subject.model, subject.tokenizer, Speculation(drafters=()))

    def theirs(lookup: int) -> Contender:
        def run(case: Case) -> Run:
            started = time.perf_counter()
            ids = first.encode(case.prompt)
            new, until = generate_greedy(
                subject.model, ids, tokens=tokens, eos=first.eos, lookup=lookup
            )
            return Run(time.perf_counter() - started, until, tuple(new))

        return run

    model = subject.model
    if model.device.type == "cpu":
        model = copy.deepcopy(model)  # `generate` keeps the weights as they came
        pack(model)

    def ours(speculation: Speculation) -> Contender:
        generator = assemble(
            subject.name, model, subject.tokenizer, speculation, table=subject.table
        )

        def run(case: Case) -> Run:
            if case.earlier:  # what a call before this one has left in the cache
                generator.generate(case.earlier, params=replace(params, max_new_tokens=1))
            started = time.perf_counter()
            done = generator.generate(case.prompt, params=params, hints=case.hints)[0]
            stats = done.stats
            return Run(
                time.perf_counter() - started,
                stats.prefill_s,
                done.token_ids,
                stats.target_passes,
                stats.draft_s,
                stats.target_s,
                stats.accept_s,
            )

        return run

    runners = {_PLAIN: theirs(0)}
    if not subject.model.config.is_encoder_decoder:
        runners["generate+prompt-lookup"] = theirs(_LOOKUP_TOKENS)
    runners.update({_name(speculation): ours(speculation) for speculation in chosen})
    return runners


def _line(name: str, group: str, runs: Sequence[Run], plain: Sequence[Run]) -> Line:
    rates = sorted(max(len(run.tokens) - 1, 1) / run.decode_s for run in runs)
    quarter = statistics.quantiles(rates, n=4) if len(rates) > 1 else [rates[0]] * 3
    seconds = sum(run.decode_s for run in runs)
    passes = sum(run.passes for run in runs)
    count = sum(len(run.tokens) for run in runs)
    pairs = list(zip(plain, runs, strict=True))
    long = [(base, run) for base, run in pairs if len(base.tokens) > 1] or pairs
    return Line(
        contender=name,
        cases=group,
        tokens_per_s=statistics.median(rates),
        spread=(quarter[0], quarter[2]),
        acceptance_length=count / passes if passes else 1.0,
        draft_share=sum(run.draft_s for run in runs) / seconds,
        verify_share=sum(run.target_s for run in runs) / seconds,
        accept_share=sum(run.accept_s for run in runs) / seconds,
        speedup=statistics.median(base.decode_s / run.decode_s for base, run in long),
        call_speedup=statistics.median(base.seconds / run.seconds for base, run in pairs),
        equal=all(run.tokens == base.tokens for base, run in pairs),
    )


def _machine(subject: Subject) -> str:
    import torch

    if subject.model.device.type == "cuda":
        return str(torch.cuda.get_device_name(subject.model.device))
    return f"{platform.machine()} {platform.processor()}".strip()
