"""`rtl-agent train`: adapters, whole models and draft heads, on pairs or a folder of Verilog."""

from __future__ import annotations

import dataclasses
import hashlib
import math
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click
from rtl_agent.agent.errors import UsageError

from .numbers import Number
from .teach import with_examples

if TYPE_CHECKING:
    from rtl_agent.decoding.training.config import TrainConfig
    from rtl_agent.decoding.training.progress import Progress

__all__ = ["train_command"]

_HELP = with_examples(
    """Train an adapter (or all weights) on DATA: a JSONL file with `prompt` and `answer`, or a
    folder of Verilog, which is parsed and de-duplicated first. The run saves itself every few
    minutes and on Ctrl-C; the same command goes on with it. `train heads` trains draft heads
    for faster decoding of a model that stays as it is.
    On a CPU, two processes of one thread are faster than one of two: start them with torchrun.""",
    "rtl-agent train pairs.jsonl --out run --minutes 60",
    "rtl-agent train my-rtl/ --out run --base path/to/model --export my-model",
    "rtl-agent train heads pairs.jsonl --out run-heads",
    "torchrun --nproc-per-node 2 -m rtl_agent.agent.cli train pairs.jsonl --out run",
)
_PATH = click.Path(path_type=Path)
_SWITCH = dict.fromkeys(("1", "true", "yes", "on"), True) | dict.fromkeys(
    ("0", "false", "no", "off"), False
)
_NAMED = ("base", "data", "out", "validation", "minutes", "base_sha256", "method", "init")


class _Default(click.Group):
    """A group whose command `adapter` is meant when none is named."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Put the default's name in front of arguments that name no command."""
        if args and args[0] not in self.commands and args[0] not in ("-h", "--help"):
            args = ["adapter", *args]
        return super().parse_args(ctx, args)


@click.group(
    "train", cls=_Default, short_help="Train an adapter, a model or draft heads.", help=_HELP
)
def train_command() -> None:
    """Hold the subcommands."""


def settings(kind: type[Any], pairs: tuple[str, ...], named: tuple[str, ...]) -> dict[str, Any]:
    """`key=value` options as typed settings of a config dataclass."""
    # The configs are flat, of numbers and strings: a default's type is its field's.
    types: dict[str, type[Any]] = {
        f.name: type(f.default)
        for f in dataclasses.fields(kind)
        if isinstance(f.default, int | float | str) and f.name not in named
    }
    out: dict[str, Any] = {}
    for pair in pairs:
        key, _, value = pair.partition("=")
        if key not in types:
            known = ", ".join(types)
            raise UsageError(f"--set {pair}: no such setting", remedy=f"known: {known}")
        try:
            out[key] = _SWITCH[value.lower()] if types[key] is bool else types[key](value)
        except KeyError as error:
            raise UsageError(f"--set {pair}: is on or off", remedy="give 1 or 0") from error
        except ValueError as error:
            raise UsageError(f"--set {pair}: {error}", remedy="give a number") from error
        if isinstance(out[key], float) and not math.isfinite(out[key]):
            raise UsageError(f"--set {pair}: is no finite number", remedy="give a number")
    return out


_set = click.option("--set", "extra", multiple=True, metavar="KEY=VALUE", help="Other settings.")


@train_command.command("adapter")
@click.argument("data", required=False, type=_PATH)
@click.option("--data", "named", type=_PATH, help="The same as DATA.")
@click.option("--out", type=click.Path(path_type=Path, file_okay=False), help="Folder of the run.")
@click.option("--config", "stored", type=_PATH, help="A run's config.json instead of options.")
@click.option("--base", default="embedded", show_default=True, help="Folder of the base model.")
@click.option("--validation", default="", help="Pairs whose loss is watched.")
@click.option(
    "--minutes",
    type=Number(0),
    default=60.0,
    show_default=True,
    help="Length of the whole run.",
)
@click.option("--method", type=click.Choice(["lora", "full"]), default="lora", show_default=True)
@click.option("--init", default="", help="Adapter to start from; `shipped` for the one that ships.")
@click.option("--export", type=_PATH, help="Also write the trained model, merged, to this folder.")
@_set
def adapter_command(  # noqa: PLR0913 - one option each
    *,
    data: Path | None,
    named: Path | None,
    out: Path | None,
    stored: Path | None,
    base: str,
    validation: str,
    minutes: float,
    method: str,
    init: str,
    export: Path | None,
    extra: tuple[str, ...],
) -> None:
    """Train an adapter or all weights, with a progress line on standard error."""
    from rtl_agent.decoding.models.embedded import BASE_SHA256, adapter_path, base_folder
    from rtl_agent.decoding.training.config import TrainConfig
    from rtl_agent.decoding.training.trainer import Trainer

    more = settings(TrainConfig, extra, _NAMED)
    if stored is not None:
        config = dataclasses.replace(_stored(stored), **more)
    else:
        given = data or named
        if given is None or out is None or (data and named):
            raise UsageError(
                "no data to train on, or no place for the run",
                remedy="name one JSONL file or folder, and --out",
            )
        pairs, held = _data(given, out)
        own = base == "embedded"
        config = TrainConfig(
            base=str(base_folder()) if own else base,
            data=str(pairs),
            out=str(out),
            validation=validation or held,
            minutes=minutes,
            method=method,
            init=str(adapter_path()) if init == "shipped" else init,
            base_sha256=BASE_SHA256 if own else "",
            **({} if own else {"first_layer": 0}) | {"device": ""} | more,
        )
    trainer = Trainer(config, lambda line: click.echo(line, err=True))
    if trainer.resume():
        click.echo(f"going on at step {trainer.progress.step}", err=True)
    progress = trainer.run()
    if export is not None or config.method == "full":
        trainer.export(export or Path(config.out) / "model")
    click.echo(_told(progress, config, export))


def _stored(path: Path) -> TrainConfig:
    """The config of another run."""
    from rtl_agent.decoding.training.config import TrainConfig

    try:
        return TrainConfig.load(path)
    except (OSError, ValueError, TypeError) as error:
        raise UsageError(
            f"{path}: no config of a run can be read: {error}", remedy="name a run's config.json"
        ) from error


def _told(progress: Progress, config: TrainConfig, export: Path | None) -> str:
    out, lora = Path(config.out), config.method == "lora"
    made = out / "adapter.safetensors" if lora else export or out / "model"
    line = f"{made}: {progress.samples} samples, {progress.step} steps, loss {progress.loss:.4f}"
    if not math.isnan(progress.before):
        line += f"; held-out loss {progress.before:.4f} before, {progress.validation:.4f} after"
    if export is not None and lora:
        line += f"\n{export}: the model with the adapter merged"
    return line


def _data(given: Path, out: Path) -> tuple[Path, str]:
    """The pairs file, and that of the held-out pairs ("" for none); a folder is read into both."""
    if not given.exists():
        raise UsageError(f"{given}: no such file or folder", remedy="name a JSONL file or a folder")
    if given.is_file():
        return given, ""
    from rtl_agent.agent.corpus.user_data import pairs_of_folder, write_pairs

    train, held, report = pairs_of_folder(given)
    for line in report.lines():
        click.echo(line, err=True)
    write_pairs(out / "pairs.jsonl", train)
    if not held:
        return out / "pairs.jsonl", ""
    write_pairs(out / "held.jsonl", held)
    return out / "pairs.jsonl", str(out / "held.jsonl")


@train_command.command("heads")
@click.argument("pairs", type=click.Path(path_type=Path, dir_okay=False))
@click.option("--out", type=click.Path(path_type=Path, file_okay=False), required=True)
@click.option("--model", default="embedded", show_default=True, help="Folder or hub name.")
@click.option("--adapter", type=_PATH, help="For `embedded`: another adapter than the shipped.")
@click.option(
    "--minutes",
    type=Number(0, min_open=True),
    default=10.0,
    show_default=True,
    help="For states; as many for training.",
)
@_set
def heads_command(  # noqa: PLR0913 - one option each
    *,
    pairs: Path,
    out: Path,
    model: str,
    adapter: Path | None,
    minutes: float,
    extra: tuple[str, ...],
) -> None:
    """Train draft heads on a frozen model's own states.

    Writes `heads.safetensors` to --out. For the embedded default, put it beside the adapter
    (`decoding/models/data/`), where it is used as long as the adapter is the same.
    """
    from rtl_agent.decoding.models.embedded import adapter_path, load_embedded
    from rtl_agent.decoding.models.load import load_model
    from rtl_agent.decoding.training.heads.api import make_heads
    from rtl_agent.decoding.training.heads.config import HeadsTrainConfig

    config = HeadsTrainConfig(
        minutes=minutes, **settings(HeadsTrainConfig, extra, ("minutes", "pairs"))
    )
    made_for = ""
    if model == "embedded":
        merged = adapter or adapter_path()
        target, tokenizer, _ = load_embedded(merged)
        made_for = hashlib.sha256(merged.read_bytes()).hexdigest() if merged.is_file() else ""
    else:
        target, tokenizer, _ = load_model(model)
    report = make_heads(
        target,
        tokenizer,
        pairs,
        out,
        config,
        made_for=made_for,
        log=lambda line: click.echo(line, err=True),
    )
    hits = ", ".join(f"{value:.0%}" for value in report.hits)
    click.echo(
        f"{out / 'heads.safetensors'}: {report.positions} positions, first choice right: {hits}"
    )
