"""Shows a turn as it goes: the draft as it streams, and how each candidate was judged."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rtl_agent.agent.graph.events import (
    AnswersStarted,
    CandidateJudged,
    DraftText,
    Event,
    Retrieved,
    RunStarted,
    StepStarted,
)

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

__all__ = ["Stream"]


class Stream:
    """Writes events as text, and remembers what a turn that is cut short leaves behind."""

    def __init__(self, write: Callable[[str], None]) -> None:
        self._write = write
        self._open = False  # whether the last line lacks its end
        self._first = 0
        self._reusing = False
        self.run: Path | None = None
        self.judged: list[CandidateJudged] = []
        self.draft = ""

    def event(self, event: Event) -> None:
        """Show what happened."""
        match event:
            case RunStarted():
                self.run = event.run
            case Retrieved() if event.names:
                self._line(f"[nearest known-good design: {', '.join(event.names)}]")
            case StepStarted(step="reuse"):
                self._reusing = True
            case AnswersStarted():
                self._first, self.draft = event.first, ""
                more = f", {event.count} answers, the first shown" if event.count > 1 else ""
                self._line(f"[attempt {event.attempt}: {event.purpose}{more}]")
            case DraftText() if event.candidate == self._first:
                self._text(event.text)
            case CandidateJudged():
                self.judged.append(event)
                self._line(self._judged(event))
            case _:
                pass

    def close(self) -> None:
        """End the line that a draft left open."""
        if self._open:
            self._write("\n")
            self._open = False

    def _text(self, text: str) -> None:
        if text:
            self.draft += text
            self._write(text)
            self._open = not text.endswith("\n")

    def _line(self, text: str) -> None:
        self.close()
        self._write(text + "\n")

    def _judged(self, event: CandidateJudged) -> str:
        name = f"candidate {event.candidate}"
        if not event.attempt:  # before the model is asked: known-good designs, or the one at hand
            name = f"known-good design {event.candidate}" if self._reusing else "current design"
        if event.same_as:
            return f"[{name}: the same as {event.same_as}]"
        return f"[{name}: {event.verdict}: {event.reason}]"
