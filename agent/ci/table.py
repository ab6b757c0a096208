"""The results as people and programs read them: a table, and one JSON object."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from .check import exit_code

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from .check import DesignReport
    from .fix import Fix

__all__ = ["CI_SCHEMA", "as_json", "as_table"]

CI_SCHEMA = 1


def as_table(reports: Sequence[DesignReport]) -> str:
    """A row a design, and below it what is wrong with those that fell short."""
    head = ("design", "verdict", "required", "samples", "seconds", "")
    rows = [head, *(_row(report) for report in reports)]
    widths = [max(len(row[i]) for row in rows) for i in range(len(head))]
    lines = ["  ".join(c.ljust(w) for c, w in zip(r, widths, strict=True)).rstrip() for r in rows]
    bad = [report for report in reports if not report.ok]
    for report in bad:
        why = report.result.reason if report.result else report.problem
        lines.append(f"{report.design.name}: {why}")
    total = len(reports)
    lines.append(f"{total - len(bad)} of {total} designs have the required verdict")
    return "\n".join(lines)


def _row(report: DesignReport) -> tuple[str, ...]:
    result = report.result
    if result is None:
        return (report.design.name, "-", "-", "-", "-", "ERROR")
    return (
        report.design.name,
        str(result.verdict),
        str(result.required),
        str(sum(c.samples for c in result.checks)),
        f"{result.timing.total_s:.1f}",
        "ok" if report.ok else "FAIL",
    )


def as_json(
    reports: Sequence[DesignReport], fixes: Sequence[Fix], patch: Path | None
) -> dict[str, Any]:
    """The one object of `--json`."""
    return {
        "schema_version": CI_SCHEMA,
        "exit_code": int(exit_code(reports)),
        "designs": [
            {
                "name": report.design.name,
                "reached": report.ok,
                "problem": report.problem,
                "result": report.result.to_json() if report.result else None,
            }
            for report in reports
        ],
        "fixes": [{"name": f.name, "fixed": f.fixed, "reason": f.reason} for f in fixes],
        "patch": str(patch) if patch else None,
    }
