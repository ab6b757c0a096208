"""GitHub workflow commands: lines that a runner shows beside the source they are about."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from rtl_agent.tools.diagnostic import Diagnostic, Severity

from .places import shown_path, top_place

if TYPE_CHECKING:
    from collections.abc import Iterator

    from rtl_agent.tools.checks.types import CheckResult

    from .check import DesignReport

__all__ = ["command", "workflow_commands"]

_COMMANDS = {Severity.ERROR: "error", Severity.WARNING: "warning", Severity.NOTE: "notice"}


def command(kind: str, message: str, title: str, place: tuple[str, int, int]) -> str:
    """One workflow command about `place` (file, line, column; 0: not known), all escaped."""
    file, line, col = place
    values = {"file": shown_path(file), "line": line or "", "col": col or "", "title": title}
    properties = ",".join(f"{k}={_property(str(v))}" for k, v in values.items() if v)
    return f"::{kind} {properties}::{_data(message)}"


def workflow_commands(report: DesignReport) -> list[str]:
    """The commands for one design: why it fell short, and what the tools say about its source."""
    found = list(_of_diagnostics(report))
    lines = [line for line, _ in found]
    if report.result is None:
        file, at = _place_in(report.problem) or (str(report.design.spec), 1)
        title = f"{report.design.name}: cannot be checked"
        text = report.problem + (f"\n{report.remedy}" if report.remedy else "")
        return [command("error", text, title, (file, at, 0))]
    failed = [c for c in report.result.checks if not c.passed]
    lines = [*(_of_check(report, check) for check in failed), *lines]
    if (
        not report.ok
        and not failed
        and not any(severity is Severity.ERROR for _, severity in found)
    ):
        lines.insert(0, _at_top(report, report.result.reason, f"{report.result.verdict}"))
    return lines


def _of_diagnostics(report: DesignReport) -> Iterator[tuple[str, Severity]]:
    for found in report.result.diagnostics if report.result else ():
        if found.severity is Severity.NOTE:
            continue
        yield _of_diagnostic(report, found), found.severity


def _of_diagnostic(report: DesignReport, found: Diagnostic) -> str:
    text = found.message + (f"\n{found.hint}" if found.hint else "")
    return command(
        _COMMANDS[found.severity],
        text,
        f"{report.design.name}: {found.code}",
        (found.file or str(report.design.rtl[0]), found.line or 1, found.column),
    )


def _of_check(report: DesignReport, check: CheckResult) -> str:
    text = check.reason or f"it ended as {check.status}"
    first = check.first_mismatch
    if first is not None:
        wrong = [n for n in first.expected if first.expected[n] != first.actual.get(n)]
        pairs = [f"{n}: expected {first.expected[n]}, got {first.actual.get(n)}" for n in wrong]
        inputs = ", ".join(f"{n}={v}" for n, v in first.inputs.items())
        text += f"\nfirst mismatch in cycle {first.cycle}: " + "; ".join(pairs)
        text += f"\nwith inputs {inputs}" if inputs else ""
    return _at_top(report, text, f"check {check.name} {check.status}")


def _at_top(report: DesignReport, text: str, title: str) -> str:
    file, line = top_place(report)
    return command("error", text, f"{report.design.name}: {title}", (file, line, 0))


def _place_in(message: str) -> tuple[str, int] | None:
    """The `file:line` that a message of ours begins with."""
    match = re.match(r"([^\s:][^:\n]*):(\d+): ", message)
    return (match[1], int(match[2])) if match else None


def _data(text: str) -> str:
    return text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def _property(text: str) -> str:
    return _data(text).replace(":", "%3A").replace(",", "%2C")
