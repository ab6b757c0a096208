"""The live view: streaming draft, steps and attempts, and a last panel with the verdict."""

from __future__ import annotations

import sys
import time
from typing import TYPE_CHECKING

import click
from rich.console import Console, Group, RenderableType
from rich.live import Live
from rich.padding import Padding
from rich.panel import Panel
from rich.syntax import Syntax
from rich.table import Table
from rich.text import Text
from rtl_agent.agent.graph.events import (
    AnswersStarted,
    CandidateJudged,
    DraftText,
    Event,
    Retrieved,
    RunStarted,
    StepEnded,
    StepStarted,
)

from .outcome import summary_line
from .panel import result_panel, style_of
from .views import print_results

if TYPE_CHECKING:
    from collections.abc import Sequence

    from rtl_agent.agent.graph.options import SolveOptions
    from rtl_agent.agent.report.result import SolveResult
    from rtl_agent.agent.spec.model import Spec

__all__ = ["LiveView", "RunState"]

_DRAFT_LINES = 14
_SHOWN_CANDIDATES = 8


class RunState:
    """What the picture is drawn from; told of events, it renders itself anew each time."""

    def __init__(self, spec: Spec, options: SolveOptions) -> None:
        self.spec = spec
        self.options = options
        self.started = time.monotonic()
        self.step = "starting"
        self.attempt = 0
        self.shown: tuple[str, ...] = ()
        self.drafts: dict[int, str] = {}
        self.judged: list[CandidateJudged] = []

    def take(self, event: Event) -> None:
        """Note what happened."""
        if isinstance(event, RunStarted):
            self.step = "resuming" if event.resumed else "starting"
        elif isinstance(event, StepStarted):
            self.step, self.attempt = event.step, event.attempt or self.attempt
        elif isinstance(event, StepEnded):
            self.step = ""
        elif isinstance(event, Retrieved):
            self.shown = event.names
        elif isinstance(event, AnswersStarted):
            self.attempt, self.drafts = event.attempt, {}
        elif isinstance(event, DraftText):
            self.drafts[event.candidate] = self.drafts.get(event.candidate, "") + event.text
        elif isinstance(event, CandidateJudged):
            place = (event.attempt, event.candidate)  # a check may judge it a second time
            self.judged = [e for e in self.judged if (e.attempt, e.candidate) != place]
            self.judged.append(event)

    def __rich__(self) -> RenderableType:
        parts: list[RenderableType] = [self._head()]
        draft = self._draft()
        if draft is not None:
            parts.append(draft)
        if self.judged:
            parts.append(self._candidates())
        return Group(*parts)

    def _head(self) -> Text:
        spent = time.monotonic() - self.started
        limit = f" of {self.options.timeout_s:.0f}" if self.options.timeout_s else ""
        module, spec = self.spec.interface.module, str(self.spec.path or self.spec.name)
        head = Text.assemble(
            (module, "bold"),
            f"  {spec}  " if spec != module else "  ",  # a design without a spec is named once
            (self.step or "…", "cyan"),
            f"  attempt {self.attempt or 1}/{self.options.attempts}  {spent:.0f}{limit} s",
        )
        if self.shown:
            head.append(f"\nnearest known-good design: {', '.join(self.shown)}", style="dim")
        return head

    def _draft(self) -> RenderableType | None:
        texts = {c: t for c, t in self.drafts.items() if t.strip()}
        if not texts:
            return None
        candidate = min(texts)
        lines = texts[candidate].splitlines()[-_DRAFT_LINES:]
        more = f" and {len(texts) - 1} more" if len(texts) > 1 else ""
        code = Syntax("\n".join(lines), "verilog", theme="ansi_dark", word_wrap=False)
        return Panel(
            code, title=f"candidate {candidate}{more}", title_align="left", border_style="dim"
        )

    def _candidates(self) -> RenderableType:
        table = Table.grid(padding=(0, 2))
        for found in self.judged[-_SHOWN_CANDIDATES:]:
            why = f"same as {found.same_as}" if found.same_as else found.reason
            table.add_row(
                f"{found.attempt}.{found.candidate}",
                Text(found.verdict, style=style_of(found.verdict)),
                Text(why, overflow="ellipsis", no_wrap=True),
            )
        return Padding(table, (0, 0, 0, 2))


class LiveView:
    """Draws on standard error while a run goes; prints results on standard output."""

    def __init__(self, *, as_json: bool, console: Console | None = None) -> None:
        self._as_json = as_json
        self._console = console or Console(stderr=True)
        self._live: Live | None = None
        self._state: RunState | None = None

    def begin(self, spec: Spec, options: SolveOptions) -> None:
        """Start drawing."""
        for note in spec.notes:
            self._console.print(Text(f"note: {note}", style="dim"))
        self._state = RunState(spec, options)
        self._live = Live(self._state, console=self._console, refresh_per_second=8, transient=True)
        self._live.start()

    def event(self, event: Event) -> None:
        """Note it; the next refresh shows it."""
        if self._state is not None:
            self._state.take(event)

    def end(self, result: SolveResult) -> None:
        """Replace the picture by the last panel."""
        self.close()
        self._console.print(result_panel(result))
        if not self._as_json and not sys.stdout.isatty():
            click.echo(summary_line(result))

    def finish(self, results: Sequence[SolveResult]) -> None:
        """Print the object for all results."""
        if self._as_json:
            print_results(results)

    def close(self) -> None:
        """Stop drawing."""
        if self._live is not None:
            self._live.stop()
            self._live = None
