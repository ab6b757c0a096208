"""Options that several commands share, each the command-line end of a setting."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar

import click

from .places import Folder

__all__ = [
    "SWITCHES",
    "budget_options",
    "given",
    "model_options",
    "output_options",
    "run_options",
]

F = TypeVar("F", bound=Callable[..., Any])


def _stack(*options: Callable[[F], F]) -> Callable[[F], F]:
    def decorate(function: F) -> F:
        for option in reversed(options):
            function = option(function)
        return function

    return decorate


def model_options(function: F) -> F:
    """Which model answers."""
    return _stack(
        click.option(
            "--backend",
            type=click.Choice(["local", "openai", "replay"]),
            help="Where answers come from: a model on this machine, an OpenAI-compatible server, "
            "or a recording.",
        ),
        click.option(
            "--model",
            metavar="NAME",
            help="A model's folder or hub name, or the name a server knows. Default: the small "
            "model that comes with rtl-agent.",
        ),
        click.option(
            "--base-url", metavar="URL", help="The server, e.g. http://localhost:8000/v1."
        ),
        click.option("--device", help="Device of a local model: cpu, cuda, …"),
        click.option(
            "--replay",
            type=click.Path(path_type=Path),
            help="Recording to give back (with --backend replay).",
        ),
        click.option(
            "--record", type=click.Path(path_type=Path), help="Write every answer to this file."
        ),
        click.option(
            "--library",
            "library_folder",
            type=Folder(),
            help="Folder of your own designs that may be shown to the model.",
        ),
        click.option("--no-library", is_flag=True, help="Show no known-good designs to the model."),
        click.option(
            "--no-reuse",
            is_flag=True,
            help="Do not judge known-good designs themselves before the model is asked.",
        ),
        click.option(
            "--no-search",
            is_flag=True,
            help="Do not try small edits of failing designs; only the model repairs.",
        ),
        click.option(
            "--no-propose",
            is_flag=True,
            help="Do not ask the model for a check where the spec has none.",
        ),
        click.option(
            "--diagnosis/--no-diagnosis",
            default=None,
            help="Tell the model where and how its design failed, or only that it did. Default: "
            "told to every model but the embedded one, which gains nothing by it.",
        ),
    )(function)


def budget_options(function: F) -> F:
    """What a run may cost, and what is enough."""
    return _stack(
        click.option(
            "--attempts", type=click.IntRange(1), metavar="N", help="Rounds of candidates at most."
        ),
        click.option(
            "--candidates", type=click.IntRange(1), metavar="N", help="Candidates an attempt."
        ),
        click.option(
            "--timeout", metavar="TIME", help="Time for one spec: 90s, 10m, 1h; 0 for no bound."
        ),
        click.option(
            "--max-tokens",
            type=click.IntRange(0),
            metavar="N",
            help="New tokens for one spec; 0 for no bound.",
        ),
        click.option(
            "--seed", type=click.IntRange(0), metavar="N", help="Seed of everything random."
        ),
        click.option(
            "--require",
            type=click.Choice(["verified", "self-checked", "compiles"]),
            help="The verdict that is enough. Default: verified for a spec with checks, compiles "
            "for one without; such a spec can at most be self-checked, by a check that the model "
            "proposes, its drafts confirm and injected faults measure.",
        ),
    )(function)


def run_options(function: F) -> F:
    """How checks run."""
    return _stack(
        click.option(
            "--sandbox",
            type=click.Choice(["auto", "require", "off"]),
            help="Use a sandbox where it works, insist on one, or use none.",
        ),
        click.option(
            "--check-timeout", metavar="TIME", help="Time for one check of one candidate."
        ),
        click.option(
            "--jobs",
            type=click.IntRange(0),
            metavar="N",
            help="Simulations at once; 0: one a processor.",
        ),
    )(function)


def output_options(function: F) -> F:
    """Where results go and in which form."""
    return _stack(
        click.option(
            "-o",
            "--out",
            type=click.Path(path_type=Path, file_okay=True),
            help="Folder for designs, reports and run folders. Default: rtl-out.",
        ),
        click.option(
            "--json", "as_json", is_flag=True, help="Print one JSON object to standard output."
        ),
        click.option(
            "--events", is_flag=True, help="Print JSON lines to standard output as the run goes."
        ),
        click.option("-q", "--quiet", is_flag=True, help="No progress on standard error."),
    )(function)


# Parts of a run that `--no-PART` leaves out.
SWITCHES = ("library", "reuse", "search", "propose")

_SETTINGS = (
    "backend", "model", "base_url", "device", "replay", "record", "library_folder", "attempts",
    "candidates", "timeout", "max_tokens", "seed", "require", "sandbox", "check_timeout", "jobs",
    "out", "diagnosis",
)  # fmt: skip


def given(params: dict[str, Any]) -> dict[str, Any]:
    """The settings among a command's parameters; those that were not given are None."""
    chosen = {key: params[key] for key in _SETTINGS if key in params}
    if chosen.get("replay") is not None and chosen.get("backend") is None:
        chosen["backend"] = "replay"
    chosen.update({part: False for part in SWITCHES if params.get(f"no_{part}")})
    return chosen
