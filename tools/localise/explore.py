"""Try edits of a failing design: on the beginning of a recording, and on all where they pass."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from ..edits import Edit, apply
from ..trials import Trial, TrialStatus

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from .api import Failure

__all__ = ["Outcome", "beginning", "explore"]

_LEAST_ROWS = 160
_AFTER_FIRST = 64  # rows after the first mismatch that the beginning still has


@dataclass(frozen=True, slots=True)
class Outcome:
    """Edits made together, the text that comes of them, and what came of it.

    `trial` is over the beginning of the recording (`trial.rows` rows), or over all of it where
    the edits made the beginning pass.
    """

    edits: tuple[Edit, ...]
    text: str
    trial: Trial

    @property
    def passed(self) -> bool:
        """Whether the whole recording passed."""
        return self.trial.passed


def beginning(failure: Failure) -> int:
    """How many rows of the recording show the failure well enough for a first look."""
    first = failure.first or 0
    return min(len(failure.recording.rows), max(_LEAST_ROWS, first + _AFTER_FIRST))


def explore(
    failure: Failure, choices: Sequence[tuple[Edit, ...]], over: Callable[[], bool]
) -> list[Outcome]:
    """Try each choice of edits, in order; those for which time ran out are left out.

    Choices that come to the same text are tried once; edits that overlap are passed over.
    """
    texts: dict[str, tuple[Edit, ...]] = {}
    for edits in choices:
        try:
            text = apply(failure.text, edits)
        except ValueError:
            continue
        if text != failure.text:
            texts.setdefault(text, edits)
    sources = list(texts)
    rows = beginning(failure)
    short = failure.recording.shortened(rows)
    trials = failure.trials.run(short, sources, over)
    if rows < len(failure.recording.rows):
        passing = [i for i, trial in enumerate(trials) if trial.passed]
        full = failure.trials.run(failure.recording, [sources[i] for i in passing], over)
        for i, trial in zip(passing, full, strict=True):
            trials[i] = trial
    return [
        Outcome(texts[text], text, trial)
        for text, trial in zip(sources, trials, strict=True)
        if trial.status is not TrialStatus.SKIPPED
    ]
