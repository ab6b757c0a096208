"""`decode verify`: speculative output against plain output, token for token."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any

from rtl_agent.decoding.api import SamplingParams
from rtl_agent.decoding.evaluate.reference import generate_greedy, margin
from rtl_agent.decoding.models.assemble import assemble
from rtl_agent.decoding.models.options import Speculation
from rtl_agent.decoding.models.pack import pack

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from pathlib import Path

    from rtl_agent.decoding.evaluate.cases import Case
    from rtl_agent.decoding.models.generator import TextGenerator

__all__ = ["Divergence", "Report", "Subject", "combinations", "verify"]


@dataclass(frozen=True, slots=True)
class Subject:
    """A loaded model: what `models.load.load_model` gives, and its name."""

    name: str
    model: Any
    tokenizer: Any
    table: Path | None = None


@dataclass(frozen=True, slots=True)
class Divergence:
    """The first token at which a configuration left the reference.

    Attributes:
        prompt: index of the prompt.
        mode: `exact-greedy` (reference: transformers) or `exact-sampling` (reference: this
            engine without drafters, same seed).
        drafters: the configuration.
        batch: rows decoded together.
        position: new tokens before it.
        expected: token of the reference, -1 where it had ended.
        found: token of the configuration, -1 where it had ended.
        margin: how much the target prefers `expected`, in logits.
    """

    prompt: int
    mode: str
    drafters: tuple[str, ...]
    batch: int
    position: int
    expected: int
    found: int
    margin: float


@dataclass(frozen=True, slots=True)
class Report:
    """What was compared, and where it differed."""

    model: str
    dtype: str
    prompts: int
    comparisons: int
    tokens: int
    divergences: tuple[Divergence, ...]

    def as_dict(self) -> dict[str, Any]:
        """For JSON: `divergences` is their number, `divergence_list` they themselves."""
        result = asdict(self)
        result["divergence_list"] = result.pop("divergences")
        return {"schema_version": 1, **result, "divergences": len(self.divergences)}


def combinations(drafters: Sequence[str]) -> list[tuple[str, ...]]:
    """Plain, every drafter alone, and all together."""
    alone = [(name,) for name in drafters]
    return [(), *alone, tuple(drafters)] if len(alone) > 1 else [(), *alone]


def verify(  # noqa: PLR0913 (all but three by name)
    subject: Subject,
    cases: Sequence[Case],
    options: Speculation,
    *,
    tokens: int = 64,
    batches: Sequence[int] = (1, 4),
    sampling: bool = True,
    progress: Callable[[str], None] = lambda _: None,
) -> Report:
    """Compare every combination of the options' drafters with plain decoding.

    Args:
        subject: the model.
        cases: prompts.
        options: names the drafters and their files; modes and grammar are ignored.
        tokens: most new tokens a prompt.
        batches: prompts decoded together.
        sampling: also compare sampled output with the engine's plain sampling, same seed.
        progress: told what is being done.
    """
    plain = _generator(subject, options, ())
    prompts = [plain.encode(case.prompt) for case in cases]
    greedy = SamplingParams(max_new_tokens=tokens)
    reference = []
    for index, ids in enumerate(prompts):
        progress(f"reference {index + 1}/{len(prompts)}")
        tokens_of_it, _ = generate_greedy(subject.model, ids, tokens=tokens, eos=plain.eos)
        reference.append(tokens_of_it)
    pack(subject.model)  # the reference is that of the weights as they came
    found: list[Divergence] = []
    comparisons = total = 0
    for drafters in combinations(_available(subject, options)):
        generator = _generator(subject, options, drafters)
        for batch in batches:
            progress(f"{'+'.join(drafters) or 'plain'}, batch {batch}")
            answers = _answers(generator, cases, batch, greedy)
            for index, answer in enumerate(answers):
                comparisons += 1
                total += len(answer)
                if answer != reference[index]:
                    where = (index, "exact-greedy", drafters, batch)
                    found.append(
                        _divergence(subject, prompts[index], reference[index], answer, where)
                    )
    if sampling:
        drafters = _available(subject, options)
        sampled = SamplingParams(max_new_tokens=tokens, temperature=0.8, top_p=0.95, seed=1)
        progress("sampling")
        expected = _answers(plain, cases, 1, sampled)
        answers = _answers(_generator(subject, options, drafters), cases, 1, sampled)
        for index, (wanted, answer) in enumerate(zip(expected, answers, strict=True)):
            comparisons += 1
            total += len(answer)
            if answer != wanted:
                where = (index, "exact-sampling", drafters, 1)
                found.append(_divergence(subject, prompts[index], wanted, answer, where))
    dtype = str(subject.model.dtype).removeprefix("torch.")
    return Report(subject.name, dtype, len(cases), comparisons, total, tuple(found))


def _available(subject: Subject, options: Speculation) -> tuple[str, ...]:
    """The drafters asked for, without `corpus` where there is no table."""
    table = options.table or subject.table
    return tuple(name for name in options.drafters if name != "corpus" or table is not None)


def _generator(subject: Subject, options: Speculation, drafters: tuple[str, ...]) -> TextGenerator:
    chosen = Speculation(
        drafters=drafters,
        table=options.table,
        heads=options.heads,
        draft_model=options.draft_model,
        exit_layer=options.exit_layer,
        max_nodes=options.max_nodes,
        adaptive=options.adaptive,
    )
    return assemble(subject.name, subject.model, subject.tokenizer, chosen, table=subject.table)


def _answers(
    generator: TextGenerator, cases: Sequence[Case], batch: int, params: SamplingParams
) -> list[list[int]]:
    answers: list[list[int]] = []
    for start in range(0, len(cases), batch):
        part = cases[start : start + batch]
        done = generator.generate_many([(case.prompt, case.hints) for case in part], params=params)
        answers.extend(list(completion.token_ids) for completion in done)
    return answers


def _divergence(
    subject: Subject,
    ids: Sequence[int],
    expected: Sequence[int],
    answer: Sequence[int],
    where: tuple[int, str, tuple[str, ...], int],
) -> Divergence:
    shared = zip(expected, answer, strict=False)
    position = next(
        (place for place, (one, other) in enumerate(shared) if one != other),
        min(len(expected), len(answer)),
    )
    wanted = expected[position] if position < len(expected) else -1
    got = answer[position] if position < len(answer) else -1
    gap = 0.0
    if wanted >= 0 and got >= 0:
        gap = margin(subject.model, ids, expected[:position], wanted, got)
    index, mode, drafters, batch = where
    return Divergence(index, mode, drafters, batch, position, wanted, got, gap)
