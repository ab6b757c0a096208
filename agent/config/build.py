"""Turns settings into what the loop and the backends are given."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rtl_agent.agent.backends.factory import BackendSettings
from rtl_agent.agent.graph.options import SandboxPolicy, SolveOptions
from rtl_agent.agent.verdict import Verdict
from rtl_agent.tools.checks.types import Limits

if TYPE_CHECKING:
    from pathlib import Path

    from rtl_agent.agent.library.types import Retriever

    from .schema import Settings

__all__ = ["backend_settings", "make_retriever", "solve_options"]


def solve_options(settings: Settings, *, out: Path | None = None, resume: str = "") -> SolveOptions:
    """The options of one run; `out` overrides the folder for this run alone.

    Raises:
        UsageError: Values that do not fit together.
    """
    return SolveOptions(
        out=out or settings.out,
        attempts=settings.attempts,
        candidates=settings.candidates,
        timeout_s=settings.timeout,
        max_tokens=settings.max_tokens,
        answer_tokens=settings.answer_tokens,
        seed=settings.seed,
        require=Verdict(settings.require) if settings.require else None,
        library=settings.library,
        exemplars=settings.exemplars,
        reuse=settings.reuse,
        propose=settings.propose,
        diagnosis=settings.diagnosis,
        search_s=settings.search_time if settings.search else 0.0,
        resume=resume,
        sandbox=SandboxPolicy(settings.sandbox),
        check_limits=Limits(wall_s=settings.check_timeout, memory_mib=settings.check_memory),
        jobs=settings.jobs,
    )


def backend_settings(settings: Settings, *, resumed: bool = False) -> BackendSettings:
    """Which model, and how it is reached; `resumed` lets a recording go on."""
    return BackendSettings(
        kind=settings.backend,
        model=settings.model,
        base_url=settings.base_url,
        api_key=settings.api_key.get_secret_value(),
        timeout_s=settings.request_timeout,
        device=settings.device or None,
        dtype=settings.dtype or None,
        replay=settings.replay,
        record=settings.record,
        record_append=resumed,
    )


def make_retriever(settings: Settings) -> Retriever | None:
    """The library that drafts are shown designs from; None where it is turned off."""
    if not settings.library or settings.exemplars == 0:
        return None
    from rtl_agent.agent.library.index import open_library

    return open_library(settings.library_folder)
