"""`rtl-agent train`: train an adapter on prompt and answer pairs; resumable."""

from __future__ import annotations

import dataclasses
from pathlib import Path

import click
from rtl_agent.agent.errors import UsageError

from .teach import with_examples

__all__ = ["train_command"]

_HELP = with_examples(
    """Train a LoRA adapter on pairs (JSONL with `prompt` and `answer`), on the CPU or a GPU.
    The run saves itself every few minutes and on Ctrl-C; the same command goes on with it.
    On a CPU, two processes of one thread are faster than one of two: start them with torchrun.""",
    "rtl-agent train pairs.jsonl --out run --minutes 60",
    "rtl-agent train pairs.jsonl --out run --base path/to/model --set rank=16",
    "torchrun --nproc-per-node 2 -m rtl_agent.agent.cli train pairs.jsonl --out run",
)


_NAMED = ("base", "data", "out", "validation", "minutes", "base_sha256")  # options of their own


def _settings(pairs: list[str]) -> dict[str, int | float | str]:
    """`key=value` options as typed settings of a training run."""
    from rtl_agent.decoding.training.config import TrainConfig

    # The config is a flat dataclass of numbers and strings: a default's type is its field's.
    types: dict[str, type[int | float | str]] = {
        f.name: type(f.default)
        for f in dataclasses.fields(TrainConfig)
        if isinstance(f.default, int | float | str)
    }
    out: dict[str, int | float | str] = {}
    for pair in pairs:
        key, _, value = pair.partition("=")
        if key not in types or key in _NAMED:
            known = ", ".join(k for k in types if k not in _NAMED)
            raise UsageError(f"--set {pair}: no such setting", remedy=f"known: {known}")
        try:
            out[key] = types[key](value)
        except ValueError as error:
            raise UsageError(f"--set {pair}: {error}", remedy="give a number") from error
    return out


@click.command("train", short_help="Train an adapter on pairs.", help=_HELP)
@click.argument("pairs", type=click.Path(path_type=Path, dir_okay=False))
@click.option("--out", type=click.Path(path_type=Path, file_okay=False), required=True)
@click.option("--base", default="embedded", show_default=True, help="Folder of the base model.")
@click.option("--validation", default="", help="Pairs whose loss is watched.")
@click.option("--minutes", default=60.0, show_default=True, help="Length of the whole run.")
@click.option("--set", "extra", multiple=True, metavar="KEY=VALUE", help="Any other setting.")
def train_command(  # noqa: PLR0913 - one option each
    pairs: Path, out: Path, base: str, validation: str, minutes: float, extra: tuple[str, ...]
) -> None:
    """Train, with a progress line on standard error."""
    from rtl_agent.decoding.models.embedded import BASE_SHA256, base_folder
    from rtl_agent.decoding.training.config import TrainConfig
    from rtl_agent.decoding.training.trainer import Trainer

    config = TrainConfig(
        base=str(base_folder()) if base == "embedded" else base,
        data=str(pairs),
        out=str(out),
        validation=validation,
        minutes=minutes,
        base_sha256=BASE_SHA256 if base == "embedded" else "",
        **_settings(list(extra)),  # type: ignore[arg-type]  # checked by name and type above
    )
    trainer = Trainer(config, lambda line: click.echo(line, err=True))
    if trainer.resume():
        click.echo(f"going on at step {trainer.progress.step}", err=True)
    progress = trainer.run()
    click.echo(f"{out}/adapter.safetensors: {progress.samples} samples, loss {progress.loss:.4f}")
