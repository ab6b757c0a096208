"""Any OpenAI-compatible server: vLLM, SGLang, Ollama, llama.cpp, or a hosted service."""

from __future__ import annotations

from contextlib import closing, contextmanager
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from rtl_agent.agent.errors import BackendError, MissingError
from rtl_agent.decoding.api import DecodeStats, FinishReason

from .base import Answer, Prompt
from .stream import STOPPED, Usage, read_chunk, until

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from openai import OpenAI
    from rtl_agent.decoding.api import SamplingParams

__all__ = ["OpenAIBackend"]

_FINISH = {"stop": FinishReason.EOS, "length": FinishReason.LENGTH}


@dataclass(slots=True)
class _Sample:
    """One answer while it streams."""

    pieces: list[str] = field(default_factory=list)
    finish: FinishReason | None = None
    new_tokens: int = 0


class OpenAIBackend:
    """Asks a server with the chat protocol (or, for raw prompts, the completion protocol).

    Answers stream. Servers that ignore `n` are asked again until there are enough answers, each
    time with another seed. `timeout_s` bounds connecting and every pause between two pieces.
    """

    style = "instruct"
    proposes = True
    prefills = False  # the protocol has no portable way to begin an answer

    def __init__(
        self, model: str, *, base_url: str, api_key: str = "", timeout_s: float = 120.0
    ) -> None:
        self.name = model
        self._url = base_url
        self._key = api_key
        self._timeout = timeout_s
        self._client: OpenAI | None = None

    def answer(
        self,
        prompt: Prompt,
        *,
        n: int,
        params: SamplingParams,
        on_text: Callable[[int, str], None] | None = None,
        should_stop: Callable[[], bool] | None = None,
    ) -> tuple[Answer, ...]:
        """Give `n` answers.

        Raises:
            BackendError: the server cannot be reached, refuses, or answers nonsense.
        """
        answers: list[Answer] = []
        while len(answers) < n:
            first = len(answers)
            request = self._request(prompt, n - first, params, params.seed + first)
            with self._errors():
                answers += self._stream(request, first, on_text, should_stop)
            if should_stop and should_stop():
                missing = n - len(answers)  # every answer is there, if only to be gone on with
                answers += [Answer("", FinishReason.CANCELLED, DecodeStats())] * missing
                break
            if len(answers) == first:
                raise BackendError(
                    f"the server at {self._url} sent no answer for model {self.name!r}",
                    remedy="look at the server's log; it may not support streaming",
                )
        return tuple(answers[:n])

    def close(self) -> None:
        """Close the connections."""
        if self._client is not None:
            self._client.close()
            self._client = None

    def _connect(self) -> OpenAI:
        if self._client is None:
            from openai import OpenAI

            # A local server needs no key, but the client insists on one.
            key = self._key or "none"
            self._client = OpenAI(
                base_url=self._url, api_key=key, timeout=self._timeout, max_retries=1
            )
        return self._client

    def _request(self, prompt: Prompt, n: int, params: SamplingParams, seed: int) -> dict[str, Any]:
        request: dict[str, Any] = {
            "model": self.name,
            "n": n,
            "max_tokens": params.max_new_tokens,
            "temperature": params.temperature,
            "top_p": params.top_p,
            "seed": seed,
            "stream": True,
            "stream_options": {"include_usage": True},
        }
        if params.stop:
            request["stop"] = list(params.stop)
        if prompt.raw:
            return request | {"prompt": prompt.raw}
        return request | {"messages": _messages(prompt)}

    def _stream(
        self,
        request: dict[str, Any],
        first: int,
        on_text: Callable[[int, str], None] | None,
        should_stop: Callable[[], bool] | None,
    ) -> list[Answer]:
        client = self._connect()
        endpoint = client.completions if "prompt" in request else client.chat.completions
        samples: dict[int, _Sample] = {}
        usage = Usage(0, 0)
        cancelled = False
        with closing(until(lambda: endpoint.create(**request), should_stop)) as chunks:
            for chunk in chunks:
                if chunk is STOPPED:
                    cancelled = True
                    break
                pieces, counted = read_chunk(chunk)
                usage = counted or usage
                for piece in pieces:
                    sample = samples.setdefault(piece.index, _Sample())
                    if piece.text:
                        sample.pieces.append(piece.text)
                        sample.new_tokens += 1  # a piece is about a token; usage corrects it
                        if on_text:
                            on_text(first + piece.index, piece.text)
                    if piece.finish:
                        sample.finish = _FINISH.get(piece.finish, FinishReason.EOS)
        return _answers(samples, usage, cancelled=cancelled)

    @contextmanager
    def _errors(self) -> Iterator[None]:
        """Turn the client's exceptions into ours, each with what the user can do."""
        try:
            import openai
        except ImportError as error:
            raise MissingError(
                "the openai package is not installed", remedy="pip install openai"
            ) from error
        try:
            yield
        except openai.APITimeoutError as error:
            raise BackendError(
                f"the server at {self._url} did not answer within {self._timeout:g} s",
                remedy="raise the timeout, or see whether the server is overloaded",
            ) from error
        except openai.APIConnectionError as error:
            raise BackendError(
                f"the server at {self._url} cannot be reached ({error.__cause__ or error})",
                remedy="start it, or set the right base URL",
            ) from error
        except openai.AuthenticationError as error:
            raise BackendError(
                f"the server at {self._url} refused the API key", remedy="set the right API key"
            ) from error
        except openai.NotFoundError as error:
            raise BackendError(
                f"the server at {self._url} does not know model {self.name!r} or the endpoint",
                remedy="choose a model the server lists, and a base URL that ends in /v1",
            ) from error
        except openai.APIStatusError as error:
            raise BackendError(
                f"the server at {self._url} answered {error.status_code}: {error.message}",
                remedy="see the server's log",
            ) from error
        except (openai.OpenAIError, ValueError) as error:
            raise BackendError(
                f"the server at {self._url} sent something that is no answer ({error})",
                remedy="see whether the base URL is that of an OpenAI-compatible server",
            ) from error


def _messages(prompt: Prompt) -> list[dict[str, str]]:
    messages = [{"role": role, "content": text} for role, text in prompt.messages]
    if prompt.prefill and messages:
        messages[-1]["content"] += f"\nBegin your answer with exactly:\n{prompt.prefill}\n"
    return messages


def _answers(samples: dict[int, _Sample], usage: Usage, *, cancelled: bool) -> list[Answer]:
    """The samples in order of their index; the server's token counts are spread over them."""
    ordered = [samples[index] for index in sorted(samples)]
    counted = sum(s.new_tokens for s in ordered)
    scale = usage.new / counted if usage.new and counted else 1.0
    answers = []
    for sample in ordered:
        finish = sample.finish or (FinishReason.CANCELLED if cancelled else FinishReason.LENGTH)
        stats = DecodeStats(prompt_tokens=usage.prompt, new_tokens=round(sample.new_tokens * scale))
        answers.append(Answer("".join(sample.pieces), finish, stats))
    return answers
