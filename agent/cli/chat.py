"""`rtl-agent chat`: design by conversation."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from .options import budget_options, given, model_options, run_options
from .teach import with_examples

if TYPE_CHECKING:
    from rtl_agent.agent.chat.conversation import Model
    from rtl_agent.agent.chat.lines import Lines
    from rtl_agent.agent.config.schema import Settings

__all__ = ["chat_command"]

_HELP = with_examples(
    """Say what to build, see it drafted and judged, and go on changing it.

    The first message is the spec; each further one changes the design. Every turn ends with a
    verdict, and is kept. /help lists the commands. From a pipe, each line is a message, and the
    exit code says how the last turn came out.""",
    "rtl-agent chat",
    "rtl-agent chat --resume last",
    "printf '%s\\n' '/spec mux4.md' '/save' | rtl-agent chat",
)


@click.command("chat", short_help="Talk about a design; see it made and judged.", help=_HELP)
@click.option("--resume", default="", metavar="ID", help="Go on with a session: its id, or `last`.")
@click.option(
    "--sessions",
    type=click.Path(path_type=Path, file_okay=False),
    help="Folder of the sessions. Default: `sessions` in the output folder.",
)
@click.option(
    "-o", "--out", type=click.Path(path_type=Path), help="The output folder. Default: rtl-out."
)
@model_options
@budget_options
@run_options
def chat_command(resume: str, sessions: Path | None, **params: Any) -> int:
    """Talk until the end."""
    from rtl_agent.agent.chat.conversation import Conversation
    from rtl_agent.agent.chat.loop import ChatLoop
    from rtl_agent.agent.chat.session import new_session, open_session
    from rtl_agent.agent.chat.words import session_text
    from rtl_agent.agent.config.build import solve_options
    from rtl_agent.agent.config.resolve import resolve

    settings = resolve(given(params)).settings
    folder = sessions or settings.out / "sessions"
    session = open_session(folder, resume) if resume else new_session(folder)
    lines = _lines(folder)
    if resume:
        _write(session_text(session) + "\n")
    elif lines.interactive:
        _write("Say what to build, or /help. Ctrl-D ends.\n")
    talk = Conversation(
        session, solve_options(settings), lambda name: _model(settings, name), _write
    )
    try:
        code = ChatLoop(talk, lines, _write).run()
    finally:
        talk.close()
    if session.turns and lines.interactive:
        _write(f"go on with: rtl-agent chat --resume {session.id}\n")
    return int(code)


def _lines(folder: Path) -> Lines:
    from rtl_agent.agent.chat.lines import PipedLines, TerminalLines

    if sys.stdin.isatty() and sys.stdout.isatty():
        return TerminalLines(folder / "history")
    return PipedLines(sys.stdin)


def _model(settings: Settings, name: str) -> Model:
    from rtl_agent.agent.backends.factory import make_backend, make_style
    from rtl_agent.agent.chat.conversation import Model
    from rtl_agent.agent.config.build import backend_settings, make_retriever

    chosen = settings.model_copy(update={"model": name}) if name else settings
    backend = make_backend(backend_settings(chosen, resumed=True))
    return Model(backend, make_style(backend), make_retriever(chosen))


def _write(text: str) -> None:
    """To standard output at once: a draft streams in pieces."""
    click.echo(text, nl=False)
    sys.stdout.flush()
