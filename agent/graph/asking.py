"""Asks the model, goes on with answers that were cut off, and keeps what came on disk."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from rtl_agent.agent.backends.replay import prompt_hash
from rtl_agent.agent.styles.extract import is_cut, join
from rtl_agent.decoding.api import DecodeStats, FinishReason, SamplingParams

from .codec import dump, load_if_there
from .events import AnswersStarted, DraftText
from .repetition import RepetitionWatch

if TYPE_CHECKING:
    from pathlib import Path

    from rtl_agent.agent.backends.base import Answer, Prompt

    from .context import Asker, Context

__all__ = ["Batch", "Kept", "ask"]

_CONTINUATIONS = 3  # how often one answer is gone on with


@dataclass(frozen=True, slots=True, kw_only=True)
class Batch:
    """Which answers are wanted: candidates `first` to `first + count - 1` of `attempt`.

    `place` is a file of the run folder that keeps them, where they are no candidates.
    """

    attempt: int
    first: int
    count: int
    temperature: float
    top_p: float
    seed: int
    max_new_tokens: int
    place: str = ""


@dataclass(frozen=True, slots=True)
class Kept:
    """One answer as it is kept: all of its text so far, and whether anything is to follow."""

    text: str
    finish: FinishReason
    stats: DecodeStats
    done: bool
    rounds: int = 0


@dataclass(frozen=True, slots=True)
class _File:
    prompt: str
    seed: int
    answers: tuple[Kept, ...]
    temperature: float = 0.0
    schema_version: int = field(default=1)


def ask(context: Context, asker: Asker, prompt: Prompt, batch: Batch) -> tuple[Kept, ...]:
    """Answers to `prompt`; those that an earlier session of the run got are not asked for again.

    An answer is not `done` when time ran out while it was written; it is gone on with when the
    run is resumed.

    Raises:
        BackendError, MissingError: the model cannot be used.
    """
    path = context.folder.attempt(batch.attempt) / f"answers-{batch.first}.json"
    if batch.place:
        path = context.folder.absolute(batch.place)
    kept = _known(path, prompt, batch)
    if kept is None:
        context.emit(
            AnswersStarted(
                batch.attempt, prompt.purpose, batch.first, batch.count, batch.temperature
            )
        )
        answers = _call(context, asker, prompt, batch)
        kept = tuple(_keep(prompt, a) for a in answers)
        _save(path, prompt, batch, kept)
    for index, answer in enumerate(kept):
        latest = answer
        while not latest.done and not context.watch.over:
            which = replace(batch, first=batch.first + index, count=1, seed=batch.seed + 1 + index)
            latest = _go_on(context, asker, prompt, which, kept=latest)
            kept = (*kept[:index], latest, *kept[index + 1 :])
            _save(path, prompt, batch, kept)
    return kept


def _known(path: Path, prompt: Prompt, batch: Batch) -> tuple[Kept, ...] | None:
    file = load_if_there(path, _File)
    same = file and file.prompt == prompt_hash(prompt) and len(file.answers) == batch.count
    return file.answers if file and same else None


def _save(path: Path, prompt: Prompt, batch: Batch, kept: tuple[Kept, ...]) -> None:
    dump(path, _File(prompt_hash(prompt), batch.seed, kept, batch.temperature))


def _call(context: Context, asker: Asker, prompt: Prompt, batch: Batch) -> tuple[Answer, ...]:
    params = SamplingParams(
        max_new_tokens=min(batch.max_new_tokens, prompt.longest or batch.max_new_tokens),
        temperature=batch.temperature,
        top_p=batch.top_p if batch.temperature else 1.0,
        seed=batch.seed,
        stop=prompt.stop,
    )
    loop = RepetitionWatch()

    def heard(index: int, piece: str) -> None:
        context.emit(DraftText(batch.attempt, batch.first + index, piece))
        if batch.count == 1:  # several answers end together: one that loops must not end the rest
            loop.add(piece)

    answers = asker.backend.answer(
        prompt,
        n=batch.count,
        params=params,
        on_text=heard,
        should_stop=lambda: loop.looping or context.watch.over,
    )
    if loop.looping:
        return tuple(replace(a, finish=FinishReason.STOP) for a in answers)
    return answers


def _keep(prompt: Prompt, answer: Answer) -> Kept:
    cut = is_cut(prompt.prefill + answer.text, answer.finish)
    stopped = answer.finish is FinishReason.CANCELLED
    done = not (stopped or (cut and not _too_long(prompt, answer.stats)))
    return Kept(answer.text, answer.finish, answer.stats, done=done)


def _too_long(prompt: Prompt, stats: DecodeStats) -> bool:
    """Whether an answer that was cut off is not worth going on with."""
    return 0 < prompt.longest <= stats.new_tokens


def _go_on(context: Context, asker: Asker, prompt: Prompt, batch: Batch, *, kept: Kept) -> Kept:
    """Ask for the rest of one answer."""
    rest = asker.style.resume(prompt, kept.text)
    answer = _call(context, asker, rest, batch)[0]
    # A prompt that ends with the partial answer is continued to the letter; a model that was
    # only asked to go on may say its last words again.
    exact = bool(rest.raw or rest.prefill)
    text = kept.text + answer.text if exact else join(kept.text, answer.text)
    stopped = answer.finish is FinishReason.CANCELLED
    rounds = kept.rounds + (not stopped)
    cut = len(text) > len(kept.text) and is_cut(prompt.prefill + text, answer.finish)
    stats = _sum(kept.stats, answer.stats)
    given_up = rounds >= _CONTINUATIONS or _too_long(prompt, stats)
    done = not stopped and (not cut or given_up)
    return Kept(text, answer.finish, stats, done, rounds)


def _sum(a: DecodeStats, b: DecodeStats) -> DecodeStats:
    names = set(a.accepted_by) | set(b.accepted_by)
    return DecodeStats(
        mode=b.mode,
        prompt_tokens=a.prompt_tokens + b.prompt_tokens,
        new_tokens=a.new_tokens + b.new_tokens,
        target_passes=a.target_passes + b.target_passes,
        prefill_s=a.prefill_s + b.prefill_s,
        draft_s=a.draft_s + b.draft_s,
        target_s=a.target_s + b.target_s,
        accept_s=a.accept_s + b.accept_s,
        drafted_tokens=a.drafted_tokens + b.drafted_tokens,
        accepted_by={n: a.accepted_by.get(n, 0) + b.accepted_by.get(n, 0) for n in names},
    )
