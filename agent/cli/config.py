"""`rtl-agent config`: the settings and their origins."""

from __future__ import annotations

import json

import click

from .teach import with_examples

__all__ = ["config_command"]

_HELP = with_examples(
    """Settings and where each comes from.

    Strongest first: the command line, RTL_AGENT_* variables, .rtl-agent.toml (found upward from
    here), [tool.rtl-agent] in pyproject.toml, and your own config file.""",
    "attempts = 6",
    'timeout = "20m"',
    'backend = "openai"',
    'base_url = "http://localhost:8000/v1"',
    'model = "qwen2.5-coder"',
    title="Example .rtl-agent.toml:",
)
_SHOW_HELP = with_examples(
    "Print each setting, its value, and where the value came from.",
    "rtl-agent config show",
    "rtl-agent config show model timeout",
    "RTL_AGENT_SEED=7 rtl-agent config show --json",
)


@click.group("config", short_help="Show the settings and where they come from.", help=_HELP)
def config_command() -> None:
    """Hold the subcommands."""


@config_command.command("show", help=_SHOW_HELP)
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
@click.argument("keys", nargs=-1, metavar="[KEY]...")
def show(keys: tuple[str, ...], *, as_json: bool) -> int:
    """Print settings with their origins."""
    from rtl_agent.agent.config.resolve import resolve
    from rtl_agent.agent.config.schema import Settings

    unknown = [key for key in keys if key not in Settings.model_fields]
    if unknown:
        raise click.UsageError(
            f"unknown setting {unknown[0]!r}; known: {', '.join(Settings.model_fields)}"
        )
    resolved = resolve()
    chosen = keys or tuple(Settings.model_fields)
    rows = [(key, resolved.settings.shown(key), resolved.origins[key]) for key in chosen]
    if as_json:
        entries = {key: {"value": value, "origin": origin} for key, value, origin in rows}
        click.echo(json.dumps({"schema_version": 1, "settings": entries}, indent=2))
        return 0
    wide = max(len(key) for key in chosen)
    for key, value, origin in rows:
        text = json.dumps(value) if not isinstance(value, str) else value or '""'
        click.echo(f"{key:<{wide}}  {text:<28}  {origin}")
    return 0
