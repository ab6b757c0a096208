"""`rtl-agent decode`: prove and measure the decoder on your own model, build its n-gram table."""

from __future__ import annotations

import json
import sys
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click
from rtl_agent.agent.errors import ExitCode

from .numbers import Number
from .places import require_file, require_model, require_writable
from .teach import with_examples

if TYPE_CHECKING:
    from collections.abc import Callable

    from rtl_agent.decoding.evaluate.bench import BenchReport
    from rtl_agent.decoding.evaluate.verify import Report, Subject
    from rtl_agent.decoding.models.options import Speculation

__all__ = ["decode_command"]

_HELP = with_examples(
    """Speculative decoding: prove that it changes nothing, measure what it gains.""",
    "rtl-agent decode verify                     the embedded default, token for token",
    "rtl-agent decode verify --model DIR --json",
    "rtl-agent decode bench --model DIR          one table against transformers' generate",
    "rtl-agent decode table build rtl/ --model DIR --out table.bin",
)
_PATH = click.Path(path_type=Path)
_ONE = click.IntRange(1)
_FIRST = 5  # messages that are shown of many


@click.group("decode", short_help="Prove and measure speculative decoding.", help=_HELP)
def decode_command() -> None:
    """Hold the subcommands."""


def _model_options(command: Callable[..., Any]) -> Callable[..., Any]:
    options = [
        click.option("--model", default="embedded", show_default=True, help="Folder or hub name."),
        click.option("--device", help="cpu, cuda, …; CUDA when there is one."),
        click.option("--dtype", type=click.Choice(["float32", "bfloat16", "float16"])),
        click.option("--table", type=_PATH, help="n-gram table of the `corpus` drafter."),
        click.option("--heads", type=_PATH, help="Trained heads; adds the `heads` drafter."),
        click.option("--draft-model", type=_PATH, help="Adds the `draft-model` drafter."),
        click.option(
            "--self", "early", type=_ONE, metavar="LAYER", help="Adds the `self` drafter."
        ),
        click.option("--cases", type=_PATH, help="Prompts, JSON lines; those that ship."),
        click.option("--keep", type=_PATH, help="File of what is done, to go on with later."),
        click.option(
            "--minutes",
            type=Number(0, min_open=True),
            help="Begin no further prompt after so long.",
        ),
        click.option("--json", "as_json", is_flag=True, help="Print one JSON object."),
    ]
    for option in reversed(options):
        command = option(command)
    return command


@decode_command.command("verify")
@_model_options
@click.option(
    "--prompts", type=_ONE, default=16, show_default=True, help="Prompts of mixed length."
)
@click.option(
    "--tokens", type=_ONE, default=48, show_default=True, help="Most new tokens a prompt."
)
@click.option("--batch", "batches", multiple=True, type=_ONE, default=(1, 4), show_default=True)
@click.option("--part", type=(int, int), default=(1, 1), help="Of the prompts: `1 2` is the half.")
@click.option("--sampling/--greedy", default=True, help="Also compare sampled output.")
def verify_command(  # noqa: PLR0913 (options)
    *,
    prompts: int,
    tokens: int,
    batches: tuple[int, ...],
    part: tuple[int, int],
    sampling: bool,
    as_json: bool,
    **given: Any,
) -> int:
    """Compare speculative with plain output, token for token, every drafter alone and together.

    Exit code 1 when an output differs in float32. In bfloat16 and float16 a difference is
    reported with its logit margin: those types cannot order nearly equal logits.
    """
    from rtl_agent.decoding.evaluate.cases import load_cases, many_lengths
    from rtl_agent.decoding.evaluate.verify import verify

    first, parts = part
    if not 1 <= first <= parts:
        raise click.BadParameter(
            "the first number counts from 1 up to the second", param_hint="--part"
        )
    cases = many_lengths(load_cases(given["cases"]), prompts)[first - 1 :: parts]
    report = verify(
        _subject(given),
        cases,
        _speculation(given),
        tokens=tokens,
        batches=batches,
        sampling=sampling,
        store=given["keep"],
        seconds=_seconds(given["minutes"]),
        progress=_progress,
    )
    click.echo(json.dumps(report.as_dict(), indent=2) if as_json else _told(report))
    failed = bool(report.divergences) and report.dtype == "float32"
    return int(ExitCode.NOT_REACHED if failed else ExitCode.REACHED)


@decode_command.command("bench")
@_model_options
@click.option("--prompts", type=_ONE, help="Prompts of each set; all of them.")
@click.option(
    "--tokens", type=_ONE, default=256, show_default=True, help="Most new tokens a prompt."
)
@click.option("--each/--only-default", default=True, help="Also every drafter alone.")
@click.option(
    "--disturbed",
    type=Number(0),
    help="Leave out prompts while which others used more CPU than this, in cores.",
)
@click.option("--compare", type=click.Choice(["llama.cpp"]), help="Another engine besides.")
@click.option("--gguf", type=_PATH, help="The same model for --compare llama.cpp.")
def bench_command(  # noqa: PLR0913 (options)
    *,
    prompts: int | None,
    tokens: int,
    each: bool,
    disturbed: float | None,
    compare: str | None,
    gguf: Path | None,
    as_json: bool,
    **given: Any,
) -> int:
    """Time plain `generate`, its prompt lookup and this engine on the same weights and prompts."""
    from rtl_agent.decoding.evaluate.bench import bench, contenders, first_of_each
    from rtl_agent.decoding.evaluate.cases import in_the_loop, load_cases
    from rtl_agent.decoding.evaluate.llama_cpp import llama_runner

    cases = load_cases(given["cases"])
    cases += in_the_loop(cases)
    others = {"llama.cpp": llama_runner(gguf, tokens=tokens)} if compare else {}
    report = bench(
        _subject(given),
        first_of_each(cases, prompts),
        contenders(_speculation(given), each=each),
        tokens=tokens,
        others=others,
        store=given["keep"],
        seconds=_seconds(given["minutes"]),
        disturbed=float("inf") if disturbed is None else disturbed,
        progress=_progress,
    )
    if as_json:
        click.echo(json.dumps({"schema_version": 1, **asdict(report)}, indent=2))
    else:
        click.echo(_table(report))
    return 0


@decode_command.command("cases")
@click.argument("pairs", type=_PATH)
@click.option("--out", type=_PATH, default=Path("cases.jsonl"), show_default=True)
@click.option("--each", type=_ONE, default=25, show_default=True, help="Prompts of each set.")
@click.option("--seed", default=0, show_default=True, help="The same seed, the same prompts.")
def cases_command(*, pairs: Path, out: Path, each: int, seed: int) -> int:
    """Draw prompts to verify and measure with from a file of `rtl-agent corpus pairs`."""
    from rtl_agent.decoding.evaluate.cases import cases_of_pairs, write_cases

    require_writable(out)
    cases = cases_of_pairs(pairs, each=each, seed=seed)
    write_cases(cases, out)
    click.echo(f"{out}: {len(cases)} prompts")
    return 0


@decode_command.group("table", short_help="n-gram tables for the `corpus` drafter.")
def table_group() -> None:
    """n-gram tables for the `corpus` drafter: what often follows what in Verilog of yours."""


@table_group.command("build")
@click.argument("paths", nargs=-1, required=True, type=_PATH)
@click.option("--model", default="embedded", show_default=True, help="Whose tokenizer it is for.")
@click.option("--out", type=_PATH, default=Path("corpus.bin"), show_default=True)
@click.option(
    "--max-mb",
    type=Number(0.01),
    default=20.0,
    show_default=True,
    help="Largest size of the file.",
)
def build_command(*, paths: tuple[Path, ...], model: str, out: Path, max_mb: float) -> int:
    """Count the n-grams of Verilog files (folders are searched through)."""
    from rtl_agent.decoding.evaluate.table import build_from_files
    from rtl_agent.decoding.models.load import load_tokenizer

    require_writable(out)
    tokenizer = load_tokenizer(model)
    unread: list[str] = []
    header = build_from_files(
        paths, out, tokenizer, max_bytes=int(max_mb * 1_000_000), unread=unread
    )
    if unread:
        click.echo(f"{len(unread)} files could not be read and were left out:", err=True)
        for message in unread[:_FIRST]:
            click.echo(f"  {message}", err=True)
        if len(unread) > _FIRST:
            click.echo(f"  and {len(unread) - _FIRST} more", err=True)
    size = out.stat().st_size / 1_000_000
    click.echo(f"{out}: {header.tokens_seen} tokens counted, {size:.1f} MB")
    return 0


def _subject(given: dict[str, Any]) -> Subject:
    from rtl_agent.decoding.evaluate.verify import Subject
    from rtl_agent.decoding.models.load import load_model

    for option in ("table", "heads"):  # before the model, which takes long to load
        require_file(option, given[option])
    require_model("draft-model", given["draft_model"])
    if given["keep"] is not None:
        require_writable(given["keep"])
    name = given["model"]
    model, tokenizer, table = load_model(name, device=given["device"], dtype=given["dtype"])
    return Subject(name, model, tokenizer, table)


def _speculation(given: dict[str, Any]) -> Speculation:
    from rtl_agent.decoding.models.load import with_own_heads
    from rtl_agent.decoding.models.options import Speculation

    drafters = ["lookup", "corpus"]
    if given["heads"]:
        drafters.append("heads")
    if given["draft_model"]:
        drafters.append("draft-model")
    if given["early"]:
        drafters.append("self")
    chosen = Speculation(
        drafters=tuple(drafters),
        table=given["table"],
        heads=given["heads"],
        draft_model=given["draft_model"],
        exit_layer=given["early"] or 0,
    )
    return with_own_heads(given["model"], chosen)


def _seconds(minutes: float | None) -> float:
    return float("inf") if minutes is None else 60.0 * minutes


def _progress(text: str) -> None:
    if sys.stderr.isatty():
        click.echo(f"\r\033[K{text}", nl=False, err=True)


def _told(report: Report) -> str:
    lines = [
        f"{report.model} ({report.dtype}): {report.prompts} of {report.asked} prompts, "
        f"{report.comparisons} outputs, {report.tokens} tokens compared",
        "ended inside an accepted block: "
        + (", ".join(f"{n} by {why}" for why, n in report.ended_in_block.items()) or "none"),
        f"divergences: {len(report.divergences)}",
    ]
    lines += [
        f"  prompt {d.prompt}, {d.mode}, {'+'.join(d.drafters) or 'plain'}, batch {d.batch}: token "
        f"{d.position} is {d.found}, expected {d.expected} (margin {d.margin:.2g} logits)"
        for d in report.divergences
    ]
    return "\n".join(lines)


def _table(report: BenchReport) -> str:
    head = f"{'':<34} {'tokens/s':>9} {'quartiles':>15} {'accept':>7} {'draft':>6} {'verify':>6}"
    lines = [
        f"{report.model} ({report.dtype}, {report.parameters / 1e6:.0f} M), {report.machine}, "
        f"{report.threads} threads"
    ]
    for group, count in report.prompts.items():
        lines += ["", f"{group}: {count} prompts", f"{head} {'speedup':>8} {'call':>6}"]
        for line in report.lines:
            if line.cases != group:
                continue
            low, high = line.spread
            lines.append(
                f"{line.contender:<34} {line.tokens_per_s:9.1f} {low:7.1f}–{high:<7.1f} "
                f"{line.acceptance_length:7.2f} {line.draft_share:6.1%} {line.verify_share:6.1%} "
                f"{line.speedup:7.2f}x {line.call_speedup:5.2f}x"
                + ("" if line.equal else "  output differs")
            )
    return "\n".join(lines)
