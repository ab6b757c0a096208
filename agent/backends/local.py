"""A model on this machine, through the decoder of `rtl_agent.decoding`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rtl_agent.agent.errors import BackendError, MissingError
from rtl_agent.decoding.errors import DecodingError, ModelMissing

from .base import Answer, Prompt

if TYPE_CHECKING:
    from collections.abc import Callable

    from rtl_agent.decoding.api import Generator, SamplingParams

__all__ = ["EMBEDDED", "LocalBackend"]

EMBEDDED = "embedded"  # the name of the model that ships with the package


class LocalBackend:
    """Wraps a `Generator`; the model is loaded when it is first asked, or by `load`.

    `model` is the embedded default's name, a folder, or the name of a model on the hub.
    """

    prefills = True

    def __init__(
        self,
        model: str = EMBEDDED,
        *,
        device: str | None = None,
        dtype: str | None = None,
        generator: Generator | None = None,
    ) -> None:
        self.name = model
        self.style = "embedded" if model == EMBEDDED else "instruct"
        self.proposes = model != EMBEDDED
        self._device = device
        self._dtype = dtype
        self._generator = generator

    def load(self) -> Generator:
        """Load the model now.

        Raises:
            MissingError: the model is not on this machine and cannot be fetched.
            BackendError: it is there but cannot be used.
        """
        if self._generator is None:
            # torch and transformers take seconds to import: only a run that asks pays for them.
            from rtl_agent.decoding.models.load import load_generator

            try:
                self._generator = load_generator(self.name, device=self._device, dtype=self._dtype)
            except DecodingError as error:
                raise _ours(error) from error
        return self._generator

    def answer(
        self,
        prompt: Prompt,
        *,
        n: int,
        params: SamplingParams,
        on_text: Callable[[int, str], None] | None = None,
        should_stop: Callable[[], bool] | None = None,
    ) -> tuple[Answer, ...]:
        """Give `n` answers, decoded in one batch.

        Raises:
            BackendError, MissingError: the model cannot be loaded or cannot serve the prompt.
        """
        generator = self.load()
        try:
            text = prompt.raw or generator.chat_prompt(prompt.messages, prefill=prompt.prefill)
            completions = generator.generate(
                text,
                n=n,
                params=params,
                hints=prompt.hints,
                on_text=on_text,
                should_stop=should_stop,
            )
        except DecodingError as error:
            raise _ours(error) from error
        return tuple(Answer(c.text, c.finish, c.stats) for c in completions)

    def close(self) -> None:
        """Let go of the model."""
        self._generator = None


def _ours(error: DecodingError) -> BackendError | MissingError:
    kind = MissingError if isinstance(error, ModelMissing) else BackendError
    return kind(error.message, remedy=error.remedy)
