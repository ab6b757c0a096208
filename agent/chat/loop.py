"""Reads messages and commands until the end, and answers each."""

from __future__ import annotations

import difflib
from pathlib import Path
from typing import TYPE_CHECKING

from rtl_agent.agent.errors import ExitCode, OutputError, RtlAgentError, UsageError
from rtl_agent.decoding.errors import DecodingError, PromptTooLong
from rtl_agent.tools.errors import ToolError, ToolMissing

from .commands import COMMANDS, Typed, help_text, parse
from .words import outcome_text

if TYPE_CHECKING:
    from collections.abc import Callable

    from .conversation import Conversation, Outcome
    from .lines import Lines

__all__ = ["ChatLoop"]


class ChatLoop:
    """One conversation with a person or a pipe."""

    def __init__(
        self, conversation: Conversation, lines: Lines, write: Callable[[str], None]
    ) -> None:
        self._talk = conversation
        self._lines = lines
        self._write = write
        self._code = ExitCode.REACHED
        self._do: dict[str, Callable[[str], None]] = {
            "/spec": self._spec,
            "/new": self._new,
            "/check": self._check,
            "/diff": self._diff,
            "/show": self._show,
            "/save": self._save,
            "/save!": self._save_over,
            "/model": self._model,
            "/help": lambda _: self._say(help_text()),
        }

    def run(self) -> ExitCode:
        """Talk until the end.

        The code is 0 on a terminal; from a pipe it says how the last turn or check came out.
        """
        while True:
            try:
                line = self._lines.read()
            except EOFError:
                break
            except KeyboardInterrupt:
                self._say("(Ctrl-D or /quit ends the session)")
                continue
            if not line.strip():
                continue
            try:
                if self._answer(line):
                    break
            except KeyboardInterrupt:
                self._say("\nstopped")
                self._code = ExitCode.INTERRUPTED
            if self._code is ExitCode.INTERRUPTED and not self._lines.interactive:
                break
        return ExitCode.REACHED if self._lines.interactive else self._code

    def _answer(self, line: str) -> bool:
        """Do what a line says; true when it ends the session."""
        typed = parse(line)
        try:
            if typed is None:
                self._tell(self._talk.say(line))
            elif typed.name in {"/quit", "/exit"}:
                return True
            else:
                self._command(typed)
        except (RtlAgentError, ToolError, DecodingError) as error:
            self._code = _code_of(error)
            self._say(f"error: {error.message}")
            if error.remedy:
                self._say(f"  -> {error.remedy}")
        return False

    def _command(self, typed: Typed) -> None:
        action = self._do.get(typed.name)
        if action is None:
            names = [c.name for c in COMMANDS]
            near = difflib.get_close_matches(typed.name, names, n=1)
            hint = f"did you mean {near[0]}? " if near else ""
            raise UsageError(f"no command {typed.name}", remedy=f"{hint}/help lists them")
        action(typed.argument)

    def _tell(self, outcome: Outcome) -> None:
        if outcome.result is not None:
            self._code = outcome.result.exit_code
        else:
            self._code = ExitCode.INTERRUPTED
        self._say(outcome_text(outcome, self._talk.session))

    def _spec(self, argument: str) -> None:
        if not argument:
            raise UsageError("/spec needs a file", remedy="/spec counter.md")
        self._tell(self._talk.start(Path(argument).expanduser()))

    def _new(self, _: str) -> None:
        self._talk.session.begin("", None)
        self._say("the next message is a new spec")

    def _check(self, _: str) -> None:
        result = self._talk.check()
        if result is None:
            raise UsageError("there is no design yet", remedy="say what to build")
        for check in result.checks:
            self._say(f"check {check.name}: {check.status}, {check.samples} samples")
        self._say(f"{result.verdict}: {result.module}: {result.reason}")
        self._code = result.exit_code

    def _diff(self, _: str) -> None:
        after, before = self._design(), self._talk.session.before_path
        if before is None:
            self._say("this is the first design; /show prints it")
            return
        old, new = before.read_text("utf-8"), after.read_text("utf-8")
        rows = difflib.unified_diff(
            old.splitlines(), new.splitlines(), "before", "now", lineterm=""
        )
        self._say("\n".join(rows) or "the last change left the design as it was")

    def _show(self, argument: str) -> None:
        if argument == "spec":
            self._say(self._talk.session.document.rstrip() or "there is no spec yet")
        elif argument:
            raise UsageError(f"/show knows no {argument!r}", remedy="/show, or /show spec")
        else:
            self._say(self._design().read_text("utf-8").rstrip())

    def _save(self, argument: str, *, replace: bool = False) -> None:
        design = self._design()
        name = f"{self._talk.spec().interface.module}{design.suffix}"
        path = Path(argument).expanduser() if argument else Path(name)
        path = (path / name if path.is_dir() else path).absolute()
        if path.exists() and not replace and not self._is_ours(path):
            raise UsageError(f"{path} exists", remedy=f"/save! {argument or name} replaces it")
        from rtl_agent.agent.graph.folder import write_text

        try:
            write_text(path, design.read_text("utf-8"))
        except OutputError as error:
            raise OutputError(error.message, remedy="/save to another place") from error
        kept = self._talk.session.design
        self._say(f"saved to {path} ({kept.verdict if kept else 'unknown'})")

    def _is_ours(self, path: Path) -> bool:
        """Whether the file holds a design of this session, which nobody edited since."""
        text = path.read_text("utf-8", errors="replace")
        return any(text == old.read_text("utf-8") for old in self._talk.session.design_paths)

    def _save_over(self, argument: str) -> None:
        self._save(argument, replace=True)

    def _model(self, argument: str) -> None:
        if argument:
            self._talk.use_model(argument)
        self._say(f"model: {self._talk.session.model or 'as the settings say'}")

    def _design(self) -> Path:
        path = self._talk.session.design_path
        if path is None:
            raise UsageError("there is no design yet", remedy="say what to build")
        return path

    def _say(self, text: str) -> None:
        self._write(text + "\n")


def _code_of(error: RtlAgentError | ToolError | DecodingError) -> ExitCode:
    if isinstance(error, RtlAgentError):
        return error.exit_code
    if isinstance(error, ToolError):
        return ExitCode.MISSING if isinstance(error, ToolMissing) else ExitCode.USAGE
    return ExitCode.USAGE if isinstance(error, PromptTooLong) else ExitCode.MISSING
