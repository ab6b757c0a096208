"""`rtl-agent corpus`: build library, traits and training pairs from our own design families."""

from __future__ import annotations

from pathlib import Path

import click

from .numbers import Share
from .places import require_writable
from .teach import with_examples

__all__ = ["corpus_command"]

_HELP = with_examples(
    """Our own corpus: design families drawn by seed, each design compiled on Icarus and simulated
    against its Python reference before it counts. Designs that equal an example are left out.""",
    "rtl-agent corpus families                              what there is",
    "rtl-agent corpus library library.jsonl.gz              known-good designs for retrieval",
    "rtl-agent corpus traits traits.json.gz                 which of one kind a text asks for",
    "rtl-agent corpus pairs train.jsonl --per-family 40     prompts and answers for training",
)


@click.group("corpus", short_help="Build design library, traits and training pairs.", help=_HELP)
def corpus_command() -> None:
    """Hold the subcommands."""


@corpus_command.command("families")
def families() -> None:
    """List the design families with what the first draw of each is."""
    import random

    from rtl_agent.decoding.training.corpus.registry import all_families

    for name, make in all_families().items():
        click.echo(f"{name:28} {make(random.Random(name)).titles[0]}")  # noqa: S311


_out = click.argument("out", type=click.Path(path_type=Path, dir_okay=False))
_per = click.option(
    "--per-family", default=10, show_default=True, type=click.IntRange(1), help="Designs drawn."
)
_seed = click.option("--seed", default=1, show_default=True, help="The same seed, the same file.")
_jobs = click.option(
    "--jobs", default=2, show_default=True, type=click.IntRange(1), help="Processes at once."
)
_families = click.option(
    "--families",
    type=click.Choice(["all", "seen", "unseen"]),
    default="seen",
    show_default=True,
    help="Unseen families are for measuring alone: take them too, or only them.",
)


@corpus_command.command("library")
@_out
@_per
@_seed
@_jobs
@_families
def library(out: Path, per_family: int, seed: int, jobs: int, families: str) -> None:
    """Write a library of verified designs to OUT (gzip JSONL)."""
    from rtl_agent.agent.corpus.pipeline import build_library

    require_writable(out)
    report = build_library(out, per_family=per_family, seed=seed, jobs=jobs, families=families)
    _report(out, report)


@corpus_command.command("traits")
@_out
@click.option(
    "--per-family",
    default=150,
    show_default=True,
    type=click.IntRange(20),
    help="Texts read of each family.",
)
@_seed
def traits(out: Path, per_family: int, seed: int) -> None:
    """Learn to tell the traits a text asks for and write them to OUT (gzip JSON)."""
    from rtl_agent.agent.corpus.traits import build_traits

    require_writable(out)
    count = build_traits(out, per_family=per_family, seed=seed)
    click.echo(f"{out}: {count} traits")


@corpus_command.command("pairs")
@_out
@_per
@_seed
@_jobs
@click.option(
    "--split",
    type=click.Choice(["train", "held-out"]),
    default="train",
    show_default=True,
    help="Held-out texts use paraphrases that training texts never use.",
)
@click.option(
    "--repairs",
    default=0.15,
    show_default=True,
    type=Share(),
    help="Share of designs that also give a repair pair.",
)
@_families
def pairs(  # noqa: PLR0913 - one option each
    out: Path, per_family: int, seed: int, jobs: int, split: str, repairs: float, families: str
) -> None:
    """Write training pairs to OUT (JSONL with `prompt` and `answer`)."""
    from rtl_agent.agent.corpus.pipeline import build_pairs

    require_writable(out)
    report = build_pairs(
        out,
        split=split,
        per_family=per_family,
        repairs=repairs,
        seed=seed,
        jobs=jobs,
        families=families,
    )
    _report(out, report)


def _report(out: Path, report: object) -> None:
    from rtl_agent.agent.corpus.pipeline import BuildReport

    if not isinstance(report, BuildReport):
        raise TypeError(type(report))
    click.echo(f"{out}: {report.written} written")
    for reason, count in report.left_out.items():
        click.echo(f"  left out, {reason}: {count}", err=True)
    for line in report.failed[:20]:
        click.echo(f"  failed its own reference: {line}", err=True)
