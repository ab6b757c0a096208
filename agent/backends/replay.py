"""Recorded answers: for tests, audits and demonstrations that need no model.

A recording is a file of JSON lines, one a call: its purpose, its sequence number among calls of
that purpose, a hash of the prompt, the sampling, and the answers. `Recorder` writes it around
any backend; `ReplayBackend` gives the answers back.
"""

from __future__ import annotations

import hashlib
import json
from collections import Counter
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any

from rtl_agent.agent.errors import BackendError, MissingError, OutputError
from rtl_agent.decoding.api import DecodeStats, FinishReason, Mode

from .base import Answer, ModelBackend, Prompt

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from rtl_agent.decoding.api import SamplingParams

__all__ = ["RECORD_SCHEMA", "Recorder", "ReplayBackend", "prompt_hash"]

RECORD_SCHEMA = 1


def prompt_hash(prompt: Prompt) -> str:
    """SHA-256 of everything in a prompt that reaches the model."""
    parts = [prompt.raw, prompt.prefill, *(f"{role}\0{text}" for role, text in prompt.messages)]
    return hashlib.sha256("\1".join(parts).encode()).hexdigest()


@dataclass(frozen=True, slots=True)
class _Call:
    """One recorded call, with the place it stands at in the file."""

    line: int
    purpose: str
    sequence: int
    prompt: str
    seed: int
    answers: tuple[Answer, ...]


class ReplayBackend:
    """Gives recorded answers back.

    A call is matched by purpose and prompt; among several recordings of one prompt that with the
    same seed is preferred, else the first not used yet. So a run that is resumed half-way finds
    its place. With `strict` off, purpose and order alone decide, for recordings that should
    survive a change of wording.
    """

    prefills = True

    def __init__(self, path: Path, *, strict: bool = True) -> None:
        self._path = path
        self._strict = strict
        head, self._calls = _read(path)
        self.name = f"replay of {head.get('backend', 'a model')}"
        self.style = str(head.get("style", "instruct"))
        self.prefills = bool(head.get("prefills", False))
        # Asked for what was never recorded, an older recording would end a run that was complete.
        self.proposes = any(call.purpose == "propose" for call in self._calls)
        self._used: set[int] = set()

    def answer(
        self,
        prompt: Prompt,
        *,
        n: int,
        params: SamplingParams,
        on_text: Callable[[int, str], None] | None = None,
        should_stop: Callable[[], bool] | None = None,  # noqa: ARG002 - answers are instant
    ) -> tuple[Answer, ...]:
        """The recorded answers to `prompt`.

        Raises:
            BackendError: there is no recording of this call, or of fewer than `n` answers.
        """
        call = self._find(prompt, params.seed)
        if len(call.answers) < n:
            raise BackendError(
                f"{self._path}:{call.line}: {len(call.answers)} answers are recorded, {n} wanted",
                remedy="replay with as many candidates as were recorded",
            )
        self._used.add(call.line)
        if on_text:
            for index, answer in enumerate(call.answers[:n]):
                on_text(index, answer.text)
        return call.answers[:n]

    def close(self) -> None:
        """Nothing is held."""

    def _find(self, prompt: Prompt, seed: int) -> _Call:
        of_purpose = [c for c in self._calls if c.purpose == prompt.purpose]
        unused = [c for c in of_purpose if c.line not in self._used]
        if not unused:
            raise BackendError(
                f"{self._path}: all {len(of_purpose)} recorded answers to `{prompt.purpose}` "
                "prompts are used up and another was asked for",
                remedy="record a longer run, or replay with fewer attempts",
            )
        if not self._strict:
            return unused[0]
        wanted = prompt_hash(prompt)
        matching = [c for c in unused if c.prompt == wanted]
        if not matching:
            raise BackendError(
                f"{self._path}:{unused[0].line}: call {unused[0].sequence} for "
                f"`{prompt.purpose}` was recorded with another prompt",
                remedy="the spec, the options or the prompts changed since; record it again",
            )
        return next((c for c in matching if c.seed == seed), matching[0])


class Recorder:
    """A backend that passes every call on and writes it to a recording.

    With `append` an earlier recording is gone on with, as a resumed run does.
    """

    def __init__(self, backend: ModelBackend, path: Path, *, append: bool = False) -> None:
        self._inner = backend
        self._path = path
        self._sequence: Counter[str] = Counter()
        self.name = backend.name
        self.style = backend.style
        self.prefills = bool(getattr(backend, "prefills", False))
        self.proposes = bool(getattr(backend, "proposes", False))
        head = {
            "schema_version": RECORD_SCHEMA,
            "backend": backend.name,
            "style": backend.style,
            "prefills": self.prefills,
        }
        if append and path.is_file():
            self._sequence.update(call.purpose for call in _read(path)[1])
        else:
            self._write(head, mode="w")

    def answer(
        self,
        prompt: Prompt,
        *,
        n: int,
        params: SamplingParams,
        on_text: Callable[[int, str], None] | None = None,
        should_stop: Callable[[], bool] | None = None,
    ) -> tuple[Answer, ...]:
        """The inner backend's answers, recorded."""
        answers = self._inner.answer(
            prompt, n=n, params=params, on_text=on_text, should_stop=should_stop
        )
        self._sequence[prompt.purpose] += 1
        call = {
            "purpose": prompt.purpose,
            "sequence": self._sequence[prompt.purpose],
            "prompt_sha256": prompt_hash(prompt),
            "params": asdict(params),
            "answers": [
                {"text": a.text, "finish": str(a.finish), "stats": asdict(a.stats)} for a in answers
            ],
        }
        self._write(call, mode="a")
        return answers

    def close(self) -> None:
        """Close the inner backend."""
        self._inner.close()

    def _write(self, record: dict[str, Any], *, mode: str) -> None:
        try:
            self._path.parent.mkdir(parents=True, exist_ok=True)
            with self._path.open(mode, encoding="utf-8") as file:
                file.write(json.dumps(record) + "\n")
        except OSError as error:
            raise OutputError(
                f"{self._path}: cannot be written ({error.strerror or error})",
                remedy="choose another file for the recording",
            ) from error


def _read(path: Path) -> tuple[dict[str, Any], list[_Call]]:
    try:
        lines = path.read_text(encoding="utf-8").splitlines()
    except OSError as error:
        raise MissingError(
            f"{path}: no recording there ({error.strerror or error})",
            remedy="record one with --record FILE",
        ) from error
    except UnicodeDecodeError as error:
        raise BackendError(f"{path}: not a recording (not text)", remedy="name another") from error
    head: dict[str, Any] = {}
    calls: list[_Call] = []
    for number, line in enumerate(lines, 1):
        if not line.strip():
            continue
        try:
            record = json.loads(line)
            if "purpose" in record:
                calls.append(_call(number, record))
            else:
                head = dict(record)
        except (ValueError, KeyError, TypeError, RecursionError) as error:
            raise BackendError(
                f"{path}:{number}: not a recorded call ({error})", remedy="record it again"
            ) from error
    if head.get("schema_version", RECORD_SCHEMA) != RECORD_SCHEMA:
        raise BackendError(
            f"{path}: recorded in format {head['schema_version']}, this version reads "
            f"{RECORD_SCHEMA}",
            remedy="record it again",
        )
    return head, calls


def _call(line: int, record: dict[str, Any]) -> _Call:
    answers = tuple(
        Answer(a["text"], FinishReason(a["finish"]), _stats(a.get("stats", {})))
        for a in record["answers"]
    )
    seed = int(record.get("params", {}).get("seed", 0))
    return _Call(
        line, record["purpose"], int(record["sequence"]), record["prompt_sha256"], seed, answers
    )


def _stats(values: dict[str, Any]) -> DecodeStats:
    return DecodeStats(**{**values, "mode": Mode(values.get("mode", Mode.PLAIN))})
