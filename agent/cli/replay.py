"""`rtl-agent replay`: judge a run again from its folder."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import click

from .places import Folder
from .teach import with_examples

if TYPE_CHECKING:
    from pathlib import Path

    from rtl_agent.agent.graph.rejudge import Again, Replayed

__all__ = ["replay_command"]

_HELP = with_examples(
    """Judge every candidate of a run again; no model is asked.

    RUN is a run folder, or an output folder, of which the latest run is taken. Each design is
    screened, compiled, linted and simulated anew with the spec, checks and seed of the run. Exit
    code 0 means that every verdict came out as it was recorded, 1 that one did not.""",
    "rtl-agent replay rtl-out",
    "rtl-agent replay rtl-out/runs/20260301-101500-a1b2c3 --json",
)


@click.command("replay", short_help="Judge a run again, without a model.", help=_HELP)
@click.argument("run", type=Folder())
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object to standard output.")
@click.option("-q", "--quiet", is_flag=True, help="No progress on standard error.")
def replay_command(run: Path, *, as_json: bool, quiet: bool) -> int:
    """Judge one run again."""
    from rtl_agent.agent.errors import ExitCode
    from rtl_agent.agent.graph.rejudge import find_run, rejudge

    def tell(again: Again) -> None:
        if not quiet:
            click.echo(_line(again), err=True)

    replayed = rejudge(find_run(run), tell=tell)
    click.echo(json.dumps(replayed.to_json(), indent=2) if as_json else _text(replayed))
    return int(ExitCode.REACHED if replayed.same else ExitCode.NOT_REACHED)


def _line(again: Again) -> str:
    if again.unfinished:
        return f"  {again.candidate}: now {again.verdict}; the run ended before it was judged"
    word = "the same" if again.same else f"was {again.recorded}"
    return f"  {again.candidate}: {again.verdict}, {word}"


def _text(replayed: Replayed) -> str:
    count = len(replayed.candidates)
    some = f"{count} candidate{'s' * (count != 1)}"
    if replayed.same:
        return f"{replayed.module}: every verdict is the same as recorded ({some})"
    wrong = [c for c in replayed.candidates if not c.same]
    lines = [f"{replayed.module}: {len(wrong)} of {some} came out otherwise"]
    lines += [
        f"  {c.candidate}: recorded {c.recorded}, now {c.verdict} ({c.reason})" for c in wrong
    ]
    return "\n".join(lines)
