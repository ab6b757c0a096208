"""`rtl-agent completion`: scripts that let a shell complete commands and options."""

from __future__ import annotations

import click

from .teach import with_examples

__all__ = ["completion_command"]

_HELP = with_examples(
    "Print the completion script for SHELL; load it from your shell's start-up file.",
    'bash:  eval "$(rtl-agent completion bash)"           in ~/.bashrc',
    'zsh:   eval "$(rtl-agent completion zsh)"            in ~/.zshrc',
    "fish:  rtl-agent completion fish | source            in ~/.config/fish/config.fish",
)


@click.command("completion", short_help="Print a shell completion script.", help=_HELP)
@click.argument("shell", type=click.Choice(["bash", "zsh", "fish"]))
def completion_command(shell: str) -> int:
    """Print the script."""
    from click.shell_completion import get_completion_class

    from .main import cli

    kind = get_completion_class(shell)
    if kind is None:
        raise click.UsageError(f"no completion for {shell}")
    click.echo(kind(cli, {}, "rtl-agent", "_RTL_AGENT_COMPLETE").source())
    return 0
