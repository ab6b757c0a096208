"""Where messages come from: a line editor on a terminal, plain lines elsewhere."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Protocol, TextIO

from .commands import COMMANDS

if TYPE_CHECKING:
    from pathlib import Path

__all__ = ["Lines", "PipedLines", "TerminalLines"]


class Lines(Protocol):
    """A source of messages."""

    interactive: bool

    def read(self) -> str:
        """The next message. Raises `EOFError` at the end, `KeyboardInterrupt` on Ctrl-C."""
        ...


class PipedLines:
    """One message a line, from a file or a pipe."""

    interactive = False

    def __init__(self, stream: TextIO) -> None:
        self._stream = stream

    def read(self) -> str:
        """The next line that is not blank."""
        for line in self._stream:
            if line.strip():
                return line.strip()
        raise EOFError


class TerminalLines:
    """An editor with history over sessions and completion of commands and paths."""

    interactive = True

    def __init__(self, history: Path) -> None:
        from prompt_toolkit import PromptSession
        from prompt_toolkit.history import FileHistory

        history.parent.mkdir(parents=True, exist_ok=True)
        self._session: PromptSession[str] = PromptSession(
            history=FileHistory(str(history)),
            completer=_completer(),
            complete_while_typing=False,
            key_bindings=_bindings(),
        )

    def read(self) -> str:
        """What is typed next."""
        return str(self._session.prompt("rtl> "))


def _bindings() -> Any:
    """Alt-Enter begins a new line; Enter alone sends."""
    from prompt_toolkit.key_binding import KeyBindings

    bindings = KeyBindings()

    @bindings.add("escape", "enter")
    def _newline(event: Any) -> None:
        event.current_buffer.insert_text("\n")

    return bindings


def _completer() -> Any:
    """Commands at the start of a line, paths after those that take one."""
    from prompt_toolkit.completion import Completer, Completion, PathCompleter
    from prompt_toolkit.document import Document

    paths = PathCompleter(expanduser=True)

    class Slash(Completer):
        def get_completions(self, document: Any, complete_event: Any) -> Any:
            text = document.text_before_cursor
            name, space, rest = text.partition(" ")
            if name in {"/spec", "/save", "/save!"} and space:
                yield from paths.get_completions(Document(rest), complete_event)
            elif text.startswith("/") and not space:
                for command in COMMANDS:
                    if command.name.startswith(text):
                        yield Completion(command.name, -len(text), display_meta=command.summary)

    return Slash()
