"""Finds an interrupted run and what it was asked for."""

from __future__ import annotations

import shlex
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import click
from rtl_agent.agent.errors import UsageError

from .options import SWITCHES
from .specs import find_specs, read_all

if TYPE_CHECKING:
    from pathlib import Path

    from rtl_agent.agent.config.schema import Settings
    from rtl_agent.agent.graph.options import SolveOptions
    from rtl_agent.agent.graph.run import Interrupted
    from rtl_agent.agent.spec.model import Spec

__all__ = ["Resumable", "resume_line", "resumed_request"]

# Options that may differ from those of the run's first session.
_CHANGEABLE = ("attempts", "candidates", "timeout", "max_tokens", "jobs")


# Options without which the run could not go on as it began.
_KEPT = ("backend", "model", "base_url", "device", "replay", "record", "library_folder")


class Resumable(KeyboardInterrupt):
    """Ctrl-C ended a run; `resume_line` is the command that goes on with it."""

    def __init__(self, line: str) -> None:
        super().__init__(line)
        self.resume_line = line


def resume_line(error: Interrupted, params: dict[str, Any]) -> str:
    """The command that goes on with the run that `error` ended."""
    words = ["rtl-agent", "solve", "--resume", error.run_id]
    words += ["--out", str(error.run.parent.parent)]
    for key in _KEPT:
        if params.get(key) is not None:
            option = "library" if key == "library_folder" else key.replace("_", "-")
            words += [f"--{option}", str(params[key])]
    words += [f"--no-{part}" for part in SWITCHES if params.get(f"no_{part}")]
    if params.get("diagnosis") is not None:
        words.append("--diagnosis" if params["diagnosis"] else "--no-diagnosis")
    return shlex.join(words)


def _run_id(given: str, out: Path) -> str:
    if given != "last":
        return given
    runs = sorted((out / "runs").glob("*/request.json"), key=lambda p: p.parent.name)
    if not runs:
        raise UsageError(
            f"there is no run below {out / 'runs'}", remedy="Name the folder of the run with --out."
        )
    return runs[-1].parent.name


def resumed_request(
    arguments: tuple[str, ...], params: dict[str, Any], settings: Settings
) -> tuple[Spec, SolveOptions]:
    """The spec and options with which a run goes on.

    The spec is the one the run began with, unless a spec is named; the loop refuses one that
    changed. Budgets named on the command line replace those of the first session.

    Raises:
        UsageError: There is no such run, or more than one spec is named.
    """
    from rtl_agent.agent.config.build import solve_options
    from rtl_agent.agent.graph.run import load_request

    run_id = _run_id(params["resume"], settings.out)
    request = load_request(settings.out, run_id)
    now = solve_options(settings, resume=run_id)
    named = {
        "timeout_s" if key == "timeout" else key
        for key in _CHANGEABLE
        if params.get(key) is not None
    }
    changes = {key: getattr(now, key) for key in named}
    options = replace(request.options, out=settings.out, resume=run_id, **changes)
    if not arguments:
        return request.spec, options
    paths = find_specs(arguments)
    if len(paths) > 1:
        raise click.UsageError("--resume goes on with one run: name one spec, or none")
    return read_all(paths)[0], options
