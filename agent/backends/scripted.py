"""A model that says what it was told to say; ships for tests of everything above backends."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rtl_agent.agent.errors import BackendError
from rtl_agent.decoding.api import DecodeStats, FinishReason

from .base import Answer, Prompt

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from rtl_agent.decoding.api import SamplingParams

__all__ = ["ScriptedBackend"]


class ScriptedBackend:
    """Gives the listed answers in order, `n` at a time; records the prompts it was asked.

    With `repeat_last` the last answer is given for ever; without, running out is an error.
    """

    def __init__(
        self,
        answers: Sequence[str | Answer],
        *,
        name: str = "scripted",
        style: str = "instruct",
        repeat_last: bool = False,
        proposes: bool = False,
    ) -> None:
        self.name = name
        self.style = style
        self.proposes = proposes
        self.prompts: list[Prompt] = []
        self.params: list[SamplingParams] = []
        self._answers = list(answers)
        self._repeat_last = repeat_last
        self._next = 0

    def answer(
        self,
        prompt: Prompt,
        *,
        n: int,
        params: SamplingParams,
        on_text: Callable[[int, str], None] | None = None,
        should_stop: Callable[[], bool] | None = None,  # noqa: ARG002 - answers are instant
    ) -> tuple[Answer, ...]:
        """The next `n` answers."""
        self.prompts.append(prompt)
        self.params.append(params)
        answers = tuple(self._take() for _ in range(n))
        if on_text:
            for index, answer in enumerate(answers):
                on_text(index, answer.text)
        return answers

    def close(self) -> None:
        """Nothing is held."""

    def _take(self) -> Answer:
        if self._next >= len(self._answers) and not (self._repeat_last and self._answers):
            raise BackendError(
                f"the script has {len(self._answers)} answers and another was asked for",
                remedy="list more answers, or pass repeat_last=True",
            )
        item = self._answers[min(self._next, len(self._answers) - 1)]
        self._next += 1
        if isinstance(item, Answer):
            return item
        words = len(item.split())
        return Answer(item, FinishReason.EOS, DecodeStats(new_tokens=words, target_passes=words))
