"""The last panel of a run: verdict, evidence, and where the files are."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rich.console import Group, RenderableType
from rich.panel import Panel
from rich.table import Table
from rich.text import Text

from .outcome import effort

if TYPE_CHECKING:
    from rtl_agent.agent.report.result import SolveResult

__all__ = ["result_panel", "style_of"]

_STYLES = {
    "verified": "bold green",
    "self-checked": "yellow",
    "compiles": "yellow",
    "failed": "bold red",
}


def style_of(verdict: str) -> str:
    """The colour of a verdict."""
    return _STYLES.get(verdict, "")


def _row(table: Table, label: str, value: str, style: str = "") -> None:
    table.add_row(Text(label, style="dim"), Text(value, style=style, overflow="fold"))


def result_panel(result: SolveResult) -> RenderableType:
    """The result of one spec, for the end of a live view."""
    facts = Table.grid(padding=(0, 2))
    _row(facts, "why", result.reason)
    for check in result.checks:
        _row(
            facts,
            "check",
            f"{check.name}: {check.status}, {check.samples} samples",
            _mark(check.passed),
        )
    if not result.reached:
        _row(facts, "ended", result.stop_reason.sentence)
    if result.rtl:
        _row(facts, "design", str(result.rtl), "bold")
    _row(facts, "report", str(result.report))
    _row(facts, "run", str(result.run))
    cost = effort(result)
    if result.decoding.new_tokens:
        cost += f", {result.decoding.new_tokens} tokens at {result.decoding.tokens_per_s:.0f}/s"
    _row(facts, "cost", cost)
    notes = [Text(f"note: {note}", style="dim") for note in result.notes]
    style = style_of(str(result.verdict))
    title = Text.assemble((str(result.verdict), style), f"  {result.module}")
    return Panel(
        Group(facts, *notes), title=title, title_align="left", border_style=style or "none"
    )


def _mark(passed: bool) -> str:
    return "green" if passed else "red"
