"""The slash commands: names, arguments, and a line of help each."""

from __future__ import annotations

from dataclasses import dataclass

__all__ = ["COMMANDS", "Command", "Typed", "help_text", "parse"]


@dataclass(frozen=True, slots=True)
class Command:
    """A command as `/help` lists it."""

    name: str
    argument: str
    summary: str


COMMANDS = (
    Command("/spec", "FILE", "begin on the spec in a file; its checks are used"),
    Command("/new", "", "forget spec and design, and begin on another"),
    Command("/check", "", "judge the current design again"),
    Command("/diff", "", "what the last change did to the design"),
    Command("/show", "[spec]", "the current design, or the spec as it stands"),
    Command("/save", "[PATH]", "write the design to a file; /save! replaces one that is there"),
    Command("/model", "[NAME]", "the model that is asked; with NAME, another from now on"),
    Command("/help", "", "this list"),
    Command("/quit", "", "end; the session is kept (also Ctrl-D)"),
)


@dataclass(frozen=True, slots=True)
class Typed:
    """A line that begins with a slash."""

    name: str
    argument: str


def parse(line: str) -> Typed | None:
    """The command on a line; None for a plain message."""
    text = line.strip()
    if not text.startswith("/") or text.startswith(("//", "/*")):
        return None
    name, _, argument = text.partition(" ")
    return Typed(name, argument.strip())


def help_text() -> str:
    """All commands, one a line."""
    width = max(len(f"{c.name} {c.argument}") for c in COMMANDS)
    rows = [f"  {f'{c.name} {c.argument}'.ljust(width)}  {c.summary}" for c in COMMANDS]
    return "\n".join(
        [
            "Say what to build: the first message is the spec, the next ones change the design.",
            *rows,
            "Ctrl-C stops a turn and keeps what was made. Alt-Enter begins a new line.",
        ]
    )
