"""`decode verify`: speculative output against plain output, token for token."""

from __future__ import annotations

import random
import time
from dataclasses import asdict, dataclass, field, replace
from typing import TYPE_CHECKING, Any

from rtl_agent.decoding.api import SamplingParams
from rtl_agent.decoding.evaluate.configurations import Configurations, combinations
from rtl_agent.decoding.evaluate.reference import generate_greedy, margin
from rtl_agent.decoding.evaluate.store import Store, cases_digest, weights_digest
from rtl_agent.decoding.models.detokenize import TextStream

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from pathlib import Path

    from rtl_agent.decoding.api import Completion
    from rtl_agent.decoding.evaluate.cases import Case
    from rtl_agent.decoding.models.options import Speculation

__all__ = ["Divergence", "Report", "Subject", "combinations", "verify"]

_STOP_LENGTH = (2, 9)  # characters of a stop string


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
    """What was compared, and where it differed.

    Attributes:
        prompts: prompts compared; `asked` is more when the time was up before.
        weights: digest of the weights.
        stops: prompts that were decoded with stop strings.
        ended_in_block: outputs whose EOS or stop string came in a step that confirmed more than
            one token, by how they ended.
    """

    model: str
    dtype: str
    weights: str
    prompts: int
    asked: int
    drafters: tuple[str, ...]
    batches: tuple[int, ...]
    new_tokens: int
    stops: int
    comparisons: int
    tokens: int
    ended_in_block: dict[str, int]
    divergences: tuple[Divergence, ...]

    def as_dict(self) -> dict[str, Any]:
        """For JSON: `divergences` is their number, `divergence_list` they themselves."""
        result = asdict(self)
        result["divergence_list"] = result.pop("divergences")
        return {"schema_version": 1, **result, "divergences": len(self.divergences)}


@dataclass(slots=True)
class _Piece:
    """What some prompts gave."""

    prompts: int = 0
    stops: int = 0
    comparisons: int = 0
    tokens: int = 0
    ended_in_block: dict[str, int] = field(default_factory=dict)
    divergences: list[Divergence] = field(default_factory=list)


def verify(  # noqa: PLR0913 (all but three by name)
    subject: Subject,
    cases: Sequence[Case],
    options: Speculation,
    *,
    tokens: int = 64,
    batches: Sequence[int] = (1, 4),
    sampling: bool = True,
    store: Path | None = None,
    seconds: float = float("inf"),
    progress: Callable[[str], None] = lambda _: None,
) -> Report:
    """Compare every combination of the options' drafters with plain decoding.

    Every other batch of prompts is decoded with stop strings, taken from the reference's own
    output so that they end it somewhere inside.

    Args:
        subject: the model.
        cases: prompts.
        options: names the drafters and their files; modes and grammar are ignored.
        tokens: most new tokens a prompt.
        batches: prompts decoded together.
        sampling: also compare sampled output with the engine's plain sampling, same seed.
        store: file that keeps what was compared; a run that finds it goes on with it.
        seconds: no further prompts are begun after so long.
        progress: told what is being done.

    Raises:
        ModelUnusable: the store belongs to another comparison.
    """
    began = time.monotonic()
    options = replace(options, rests=False)  # what rests would be compared with itself
    configured = Configurations(
        subject.name, subject.model, subject.tokenizer, options, table=subject.table
    )
    weights = weights_digest(subject.model)
    about = {
        "weights": weights,
        "cases": cases_digest(cases),
        "drafters": configured.drafters,
        "batches": list(batches),
        "tokens": tokens,
        "sampling": sampling,
    }
    kept = Store(store, about)
    size = max(batches)
    compare = _Comparison(subject, configured, tuple(batches), tokens, sampling)
    for index, start in enumerate(range(0, len(cases), size)):
        if index in kept.pieces:
            continue
        if time.monotonic() - began > seconds:
            break
        progress(f"prompt {start + 1}/{len(cases)}")
        piece = compare.piece(cases[start : start + size], start, stops=index % 2 == 1)
        kept.add(index, asdict(piece))
    found = [_Piece(**piece) for piece in kept.pieces.values()]
    ended: dict[str, int] = {}
    for piece in found:
        for reason, count in piece.ended_in_block.items():
            ended[reason] = ended.get(reason, 0) + count
    return Report(
        model=subject.name,
        dtype=str(subject.model.dtype).removeprefix("torch."),
        weights=weights,
        prompts=sum(piece.prompts for piece in found),
        asked=len(cases),
        drafters=configured.drafters,
        batches=tuple(batches),
        new_tokens=tokens,
        stops=sum(piece.stops for piece in found),
        comparisons=sum(piece.comparisons for piece in found),
        tokens=sum(piece.tokens for piece in found),
        ended_in_block=ended,
        divergences=tuple(_read(item) for piece in found for item in piece.divergences),
    )


def _read(item: Any) -> Divergence:
    fields = asdict(item) if isinstance(item, Divergence) else dict(item)
    return Divergence(**{**fields, "drafters": tuple(fields["drafters"])})


class _Comparison:
    """Compares some prompts under every configuration."""

    def __init__(
        self,
        subject: Subject,
        configured: Configurations,
        batches: tuple[int, ...],
        tokens: int,
        sampling: bool,
    ) -> None:
        self._subject = subject
        self._configured = configured
        self._batches = batches
        self._tokens = tokens
        self._sampling = sampling

    def piece(self, cases: Sequence[Case], first: int, *, stops: bool) -> _Piece:
        """Compare `cases`, the first of which has the index `first`."""
        piece = _Piece(prompts=len(cases))
        references = [self._reference(case) for case in cases]
        stop: tuple[str, ...] = ()
        if stops:
            texts = [self._text(ids) for ids in references]
            stop = tuple(filter(None, map(_stop_string, texts, range(first, first + len(texts)))))
            piece.stops = len(cases) if stop else 0
        expected = [self._cut(ids, stop) for ids in references]
        greedy = SamplingParams(max_new_tokens=self._tokens, stop=stop)
        for batch in self._batches:
            for start in range(0, len(cases), batch):
                part, wanted = cases[start : start + batch], expected[start : start + batch]
                # Configurations innermost: a prompt is run once and is then in the cache for all.
                for drafters in combinations(self._configured.drafters):
                    answers = self._answers(drafters, part, batch, greedy)
                    where = ("exact-greedy", drafters, batch)
                    self._compare(piece, part, first + start, wanted, answers, where)
        if self._sampling:
            sampled = SamplingParams(
                max_new_tokens=self._tokens, temperature=0.8, top_p=0.95, seed=1, stop=stop
            )
            drafters = self._configured.drafters
            plain = self._answers((), cases, 1, sampled)
            answers = self._answers(drafters, cases, 1, sampled)
            wanted = [list(answer.token_ids) for answer in plain]
            where = ("exact-sampling", drafters, 1)
            self._compare(piece, cases, first, wanted, answers, where)
        return piece

    def _reference(self, case: Case) -> list[int]:
        plain = self._configured.generator(())
        found, _ = generate_greedy(
            self._subject.model, plain.encode(case.prompt), tokens=self._tokens, eos=plain.eos
        )
        return found

    def _text(self, ids: Sequence[int]) -> str:
        text: str = self._subject.tokenizer.decode(ids, skip_special_tokens=True)
        return text

    def _cut(self, ids: list[int], stop: tuple[str, ...]) -> list[int]:
        """The reference up to the token in which the first stop string is complete."""
        eos = self._configured.generator(()).eos
        stream = TextStream(self._subject.tokenizer, stop)
        used = stream.push([token for token in ids if token not in eos])
        return ids if used is None else ids[:used]

    def _answers(
        self, drafters: tuple[str, ...], cases: Sequence[Case], batch: int, params: SamplingParams
    ) -> list[Completion]:
        generator = self._configured.generator(drafters)
        answers: list[Completion] = []
        for start in range(0, len(cases), batch):
            part = [(case.prompt, case.hints) for case in cases[start : start + batch]]
            answers.extend(generator.generate_many(part, params=params))
        return answers

    def _compare(  # noqa: PLR0913
        self,
        piece: _Piece,
        cases: Sequence[Case],
        first: int,
        expected: Sequence[list[int]],
        answers: Sequence[Completion],
        where: tuple[str, tuple[str, ...], int],
    ) -> None:
        for place, (wanted, answer) in enumerate(zip(expected, answers, strict=True)):
            found = list(answer.token_ids)
            piece.comparisons += 1
            piece.tokens += len(found)
            if answer.stats.last_block > 1 and answer.finish in ("eos", "stop"):
                count = piece.ended_in_block.get(answer.finish, 0)
                piece.ended_in_block[str(answer.finish)] = count + 1
            if found != wanted:
                ids = self._configured.generator(()).encode(cases[place].prompt)
                piece.divergences.append(
                    _divergence(self._subject.model, ids, wanted, found, (first + place, *where))
                )


def _stop_string(text: str, seed: int) -> str:
    """A part of `text`, in its second half where it is long enough."""
    draw = random.Random(seed)  # noqa: S311 (repeatable on purpose)
    if len(text) < _STOP_LENGTH[1]:
        return ""
    start = draw.randrange(len(text) // 2, len(text) - 2)
    return text[start : start + draw.randrange(*_STOP_LENGTH)]


def _divergence(
    model: Any,
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
        gap = margin(model, ids, expected[:position], wanted, got)
    index, mode, drafters, batch = where
    return Divergence(index, mode, drafters, batch, position, wanted, got, gap)
