"""Makes a backend from settings, and the prompt style that goes with it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from rtl_agent.agent.errors import ConfigError

from .local import EMBEDDED, LocalBackend
from .openai import OpenAIBackend
from .replay import Recorder, ReplayBackend

if TYPE_CHECKING:
    from pathlib import Path

    from rtl_agent.agent.styles.base import PromptStyle

    from .base import ModelBackend

__all__ = ["BACKENDS", "BackendSettings", "make_backend", "make_style"]

BACKENDS = ("local", "openai", "replay")


@dataclass(frozen=True, slots=True, kw_only=True)
class BackendSettings:
    """Which model, and how it is reached.

    `model` is a local model's name or folder, or a server's model name; empty means the embedded
    default. `replay` is a recording to give back, `record` one to write (`record_append`: to go on
    with, for a run that is resumed). `device` and `dtype` are
    for local models; None lets the decoder choose.
    """

    kind: str = "local"
    model: str = ""
    base_url: str = ""
    api_key: str = ""
    timeout_s: float = 120.0
    device: str | None = None
    dtype: str | None = None
    replay: Path | None = None
    replay_strict: bool = True
    record: Path | None = None
    record_append: bool = False


def make_backend(settings: BackendSettings) -> ModelBackend:
    """The backend that `settings` describe; nothing is loaded or connected yet.

    Raises:
        ConfigError: a setting is missing or has no meaning.
        MissingError, BackendError: the recording cannot be read.
        OutputError: the recording cannot be written.
    """
    backend = _plain(settings)
    if settings.record is None:
        return backend
    return Recorder(backend, settings.record, append=settings.record_append)


def make_style(backend: ModelBackend) -> PromptStyle:
    """The prompt style that `backend` is asked with."""
    if backend.style == "embedded":
        from rtl_agent.agent.styles.embedded import EmbeddedStyle

        return EmbeddedStyle()
    from rtl_agent.agent.styles.instruct import InstructStyle

    return InstructStyle(prefill=bool(getattr(backend, "prefills", False)))


def _plain(settings: BackendSettings) -> ModelBackend:
    if settings.kind == "local":
        return LocalBackend(
            settings.model or EMBEDDED, device=settings.device, dtype=settings.dtype
        )
    if settings.kind == "openai":
        if not settings.model or not settings.base_url:
            lacking = "model" if settings.base_url else "base_url"
            raise ConfigError(
                f"backend `openai` needs a {lacking}",
                remedy="for example base_url = http://localhost:8000/v1 and the model it serves",
            )
        return OpenAIBackend(
            settings.model,
            base_url=settings.base_url,
            api_key=settings.api_key,
            timeout_s=settings.timeout_s,
        )
    if settings.kind == "replay":
        if settings.replay is None:
            raise ConfigError(
                "backend `replay` needs a recording", remedy="name the file of recorded answers"
            )
        return ReplayBackend(settings.replay, strict=settings.replay_strict)
    raise ConfigError(
        f"backend {settings.kind!r} is none of {', '.join(BACKENDS)}", remedy="choose one of them"
    )
