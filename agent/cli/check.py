"""`rtl-agent check`: judge RTL that is already there."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from .options import given, output_options, run_options
from .subject import subject_options
from .teach import with_examples

if TYPE_CHECKING:
    from rtl_agent.agent.spec.model import Spec

__all__ = ["check_command"]

_HELP = with_examples(
    """Judge the design in RTL files; no model is asked.

    The files are screened, compiled, linted and simulated, and the verdict is printed with its
    evidence. What it is judged by is a spec (the first argument, if it ends in .md or is a folder
    with one, or --spec), or checks that are named one by one. Without either the best verdict is
    `compiles`. Exit code 0 means that the required verdict was reached.""",
    "rtl-agent check design.v                          screen and lint",
    "rtl-agent check spec.md design.v                  by the checks of a spec",
    "rtl-agent check design.v --testbench tb.v         by a self-checking bench",
    "rtl-agent check design.v --reference golden.v     against a golden design",
    "rtl-agent check fifo.v ram.v --test test_fifo.py --json",
)


@click.command("check", short_help="Judge RTL files by a spec, or by checks.", help=_HELP)
@click.argument("arguments", nargs=-1, required=True, metavar="[SPEC] RTL...")
@subject_options
@output_options
@run_options
@click.option("--seed", type=click.IntRange(0), metavar="N", help="Seed of random stimulus.")
@click.option(
    "--require",
    type=click.Choice(["verified", "self-checked", "compiles"]),
    help="The verdict that is enough.",
)
def check_command(arguments: tuple[str, ...], **params: Any) -> int:
    """Judge one design."""
    from rtl_agent.agent.config.build import solve_options
    from rtl_agent.agent.config.resolve import resolve
    from rtl_agent.agent.graph.run import check_design
    from rtl_agent.agent.report.located import located_reason

    from .outcome import exit_code
    from .views import make_view

    if params["as_json"] and params["events"]:
        raise click.UsageError(
            "--json and --events exclude each other: --events ends with the result"
        )
    settings = resolve(given(params)).settings
    read, files = _read(arguments, params)
    options = solve_options(settings)
    view = make_view(events=params["events"], as_json=params["as_json"], quiet=params["quiet"])
    try:
        view.begin(read, options)
        result = check_design(files, read, options, view.event)
        result = replace(result, reason=located_reason(result))
        view.end(result)
    finally:
        view.close()
    view.finish([result])
    return int(exit_code([result]))


def _read(arguments: tuple[str, ...], params: dict[str, Any]) -> tuple[Spec, tuple[Path, ...]]:
    """The spec and the RTL files; the first argument may be the spec."""
    from .subject import read_subject

    first, rest = arguments[0], arguments[1:]
    if params["spec_path"] is None and (first == "-" or _is_spec(Path(first))):
        params = params | {"spec_path": Path(first)}
        if not rest:
            raise click.UsageError("name the RTL files of the design after the spec")
        arguments = rest
    files = tuple(Path(argument) for argument in arguments)
    return read_subject(files, params), files


def _is_spec(path: Path) -> bool:
    """Whether an argument can only be meant as a spec: Markdown, or a folder that holds some."""
    return path.suffix.lower() in {".md", ".markdown"} or (path.is_dir() and any(path.glob("*.md")))
