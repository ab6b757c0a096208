"""What the user sees of a run: nothing, JSON lines, plain lines, or a live view."""

from __future__ import annotations

import json
import os
import sys
from typing import TYPE_CHECKING, Protocol

import click

if TYPE_CHECKING:
    from collections.abc import Sequence

    from rtl_agent.agent.graph.events import Event
    from rtl_agent.agent.graph.options import SolveOptions
    from rtl_agent.agent.report.result import SolveResult
    from rtl_agent.agent.spec.model import Spec

__all__ = ["EventsView", "PlainView", "View", "make_view"]


class View(Protocol):
    """Told of everything that happens in one invocation, in order."""

    def begin(self, spec: Spec, options: SolveOptions) -> None:
        """A spec is about to be worked on."""
        ...

    def event(self, event: Event) -> None:
        """Something happened."""
        ...

    def end(self, result: SolveResult) -> None:
        """The spec has its result."""
        ...

    def finish(self, results: Sequence[SolveResult]) -> None:
        """All specs are done."""
        ...

    def close(self) -> None:
        """Leave the terminal as it was; called once, whatever happened."""
        ...


def make_view(*, events: bool, as_json: bool, quiet: bool) -> View:
    """The view that fits the options and the terminal.

    Progress goes to standard error: live on a terminal, as plain lines elsewhere.
    """
    if events:
        return EventsView()
    progress = not quiet
    live = progress and sys.stderr.isatty() and os.environ.get("TERM", "dumb") != "dumb"
    if live:
        from .live import LiveView

        return LiveView(as_json=as_json)
    return PlainView(as_json=as_json, progress=progress)


def print_results(results: Sequence[SolveResult]) -> None:
    """Print the one object of `--json`."""
    from rtl_agent.agent.report.result import results_json

    click.echo(json.dumps(results_json(list(results)), indent=2))


class EventsView:
    """JSON lines on standard output, the results as the last of them."""

    def begin(self, spec: Spec, options: SolveOptions) -> None:
        """Nothing: the run's own first event says it."""

    def event(self, event: Event) -> None:
        """Print the event as one line."""
        from rtl_agent.agent.graph.events import event_json

        click.echo(json.dumps(event_json(event)))

    def end(self, result: SolveResult) -> None:
        """Nothing: see `finish`."""

    def finish(self, results: Sequence[SolveResult]) -> None:
        """Print the results as one line."""
        from rtl_agent.agent.report.result import results_json

        click.echo(json.dumps({"event": "results", **results_json(list(results))}))

    def close(self) -> None:
        """Nothing to restore."""


class PlainView:
    """Progress as lines on standard error, results as lines or one object on standard output."""

    def __init__(self, *, as_json: bool, progress: bool) -> None:
        self._as_json = as_json
        self._progress = progress

    def begin(self, spec: Spec, options: SolveOptions) -> None:
        """Say what the reader left open."""
        del options  # the run's own events say the rest
        for note in spec.notes:
            self._line(f"{spec.path or spec.name}: note: {note}")

    def event(self, event: Event) -> None:
        """Say what is worth a line."""
        from .lines import event_line

        line = event_line(event)
        if line:
            self._line(line)

    def end(self, result: SolveResult) -> None:
        """Print the result, unless one object for all is wanted."""
        from .outcome import summary_line

        if not self._as_json:
            click.echo(summary_line(result))
            if result.report.is_file():
                self._line(f"report: {result.report}")

    def finish(self, results: Sequence[SolveResult]) -> None:
        """Print the object for all results."""
        if self._as_json:
            print_results(results)

    def close(self) -> None:
        """Nothing to restore."""

    def _line(self, text: str) -> None:
        if self._progress:
            click.echo(text, err=True)
