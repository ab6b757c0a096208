"""`rtl-agent check`: judge RTL that is already there."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from .options import given, output_options, run_options
from .teach import with_examples

__all__ = ["check_command"]

_HELP = with_examples(
    """Judge the design in RTL files by the checks of SPEC; no model is asked.

    The files are screened, compiled, linted and simulated, and the verdict is printed with its
    evidence. Exit code 0 means that the required verdict was reached.""",
    "rtl-agent check spec.md design.v",
    "rtl-agent check fifo.md fifo.v ram.v --json",
)


@click.command("check", short_help="Judge RTL files by the checks of a spec.", help=_HELP)
@click.argument("spec", metavar="SPEC")
@click.argument("files", nargs=-1, required=True, type=click.Path(path_type=Path), metavar="RTL...")
@output_options
@run_options
@click.option("--seed", type=click.IntRange(0), metavar="N", help="Seed of random stimulus.")
@click.option(
    "--require",
    type=click.Choice(["verified", "self-checked", "compiles"]),
    help="The verdict that is enough.",
)
def check_command(spec: str, files: tuple[Path, ...], **params: Any) -> int:
    """Judge one design by one spec."""
    from rtl_agent.agent.config.build import solve_options
    from rtl_agent.agent.config.resolve import resolve
    from rtl_agent.agent.graph.run import check_design

    from .outcome import exit_code
    from .specs import find_specs, read_all
    from .views import make_view

    if params["as_json"] and params["events"]:
        raise click.UsageError(
            "--json and --events exclude each other: --events ends with the result"
        )
    settings = resolve(given(params)).settings
    paths = find_specs([spec])
    if len(paths) > 1:
        raise click.UsageError("check judges one design by one spec: name one spec file")
    read = read_all(paths)[0]
    options = solve_options(settings)
    view = make_view(events=params["events"], as_json=params["as_json"], quiet=params["quiet"])
    try:
        view.begin(read, options)
        result = check_design(files, read, options, view.event)
        view.end(result)
    finally:
        view.close()
    view.finish([result])
    return int(exit_code([result]))
