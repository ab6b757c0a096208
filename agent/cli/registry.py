"""The subcommands by name: where each lives and what it does in one line.

`--help` lists them from here, so that a subcommand's module is imported only when it runs.
"""

from __future__ import annotations

import importlib
from dataclasses import dataclass

import click

__all__ = ["COMMANDS", "Entry", "LazyGroup"]

_HERE = "rtl_agent.agent.cli"


@dataclass(frozen=True, slots=True)
class Entry:
    """A subcommand: its module, the command's name there, and its line in the listing."""

    module: str
    attribute: str
    summary: str


COMMANDS = {
    "solve": Entry(
        f"{_HERE}.solve", "solve_command", "Write and verify RTL for one or more specs."
    ),
    "check": Entry(f"{_HERE}.check", "check_command", "Judge RTL files by a spec, or by checks."),
    "mutate": Entry(
        f"{_HERE}.mutate", "mutate_command", "Measure how many injected faults the checks notice."
    ),
    "replay": Entry(f"{_HERE}.replay", "replay_command", "Judge a run again, without a model."),
    "waves": Entry(f"{_HERE}.waves", "waves_command", "Show signals of a VCD or FST file."),
    "chat": Entry(f"{_HERE}.chat", "chat_command", "Talk about a design; see it made and judged."),
    "ci": Entry(f"{_HERE}.ci", "ci_command", "Check the designs that rtl-agent.yaml lists."),
    "doctor": Entry(f"{_HERE}.doctor", "doctor_command", "Show which tools and models are here."),
    "config": Entry(
        f"{_HERE}.config", "config_command", "Show the settings and where they come from."
    ),
    "model": Entry(f"{_HERE}.model", "model_command", "List, fetch and describe models."),
    "corpus": Entry(
        f"{_HERE}.corpus", "corpus_command", "Build the design library and training pairs."
    ),
    "train": Entry(f"{_HERE}.train", "train_command", "Train an adapter on pairs."),
    "decode": Entry(f"{_HERE}.decode", "decode_command", "Prove and measure speculative decoding."),
    "completion": Entry(
        f"{_HERE}.completion", "completion_command", "Print a shell completion script."
    ),
}


class LazyGroup(click.Group):
    """A group whose commands are imported on demand."""

    def list_commands(self, ctx: click.Context) -> list[str]:  # noqa: ARG002 - click's
        """The names, in the order in which a newcomer meets them."""
        return list(COMMANDS)

    def get_command(
        self,
        ctx: click.Context,  # noqa: ARG002 - click's signature
        cmd_name: str,
    ) -> click.Command | None:
        """Import and return the command of that name."""
        entry = COMMANDS.get(cmd_name)
        if entry is None:
            return None
        command = getattr(importlib.import_module(entry.module), entry.attribute)
        if not isinstance(command, click.Command):
            raise TypeError(f"{entry.module}.{entry.attribute} is no command")
        return command

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """Find the command; name the nearest where there is none."""
        if args and args[0] not in COMMANDS and not args[0].startswith("-"):
            import difflib

            near = difflib.get_close_matches(args[0], COMMANDS, n=1)
            hint = f" Did you mean {near[0]!r}?" if near else ""
            known = ", ".join(COMMANDS)
            ctx.fail(f"no such command {args[0]!r}.{hint} Commands: {known}.")
        return super().resolve_command(ctx, args)

    def format_commands(
        self,
        ctx: click.Context,  # noqa: ARG002 - click's signature
        formatter: click.HelpFormatter,
    ) -> None:
        """List the commands without importing them."""
        with formatter.section("Commands"):
            formatter.write_dl([(name, entry.summary) for name, entry in COMMANDS.items()])
