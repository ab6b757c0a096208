"""Results as JUnit XML: a suite a design, a case for each step and each check."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from junitparser import Attr, Error, Failure, IntAttr, JUnitXml, Skipped, TestCase, TestSuite
from rtl_agent.agent.errors import OutputError
from rtl_agent.agent.verdict import FailedAt
from rtl_agent.tools.checks.types import CheckResult, CheckStatus
from rtl_agent.tools.diagnostic import Severity

from .places import shown_path, top_place

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from .check import DesignReport

__all__ = ["write_junit"]

_NOT_XML = re.compile(r"[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


class _Case(TestCase):  # type: ignore[misc] # junitparser has no types
    """A case with the place that readers of the file can jump to."""

    file = Attr()
    line = IntAttr()


def write_junit(reports: Sequence[DesignReport], path: Path) -> None:
    """Write the results of all designs to `path`.

    Raises:
        OutputError: it cannot be written.
    """
    xml = JUnitXml("rtl-agent")
    for report in reports:
        suite = TestSuite(report.design.name)
        for case in _cases(report):
            suite.add_testcase(case)
        xml.add_testsuite(suite)
    xml.update_statistics()
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        xml.write(str(path), pretty=True)
    except OSError as error:
        raise OutputError(
            f"{path}: cannot be written ({error.strerror or error})",
            remedy="choose another file with --junit",
        ) from error


def _cases(report: DesignReport) -> list[Any]:
    result = report.result
    if result is None or report.spec is None:
        text = "\n".join(t for t in (report.problem, report.remedy) if t)
        return [_case(report, "spec", 0.0, [_entry(Error, report.problem, "spec", text)])]
    failed_at = next((c.failed_at for a in result.attempts for c in a.candidates), "")
    cases = [
        _case(report, "screen", result.timing.screen_s, _step(report, failed_at, FailedAt.SCREEN)),
        _case(
            report,
            "compile and lint",
            result.timing.lint_s,
            _step(report, failed_at, FailedAt.COMPILE, FailedAt.LINT),
        ),
    ]
    ran = {check.name: check for check in result.checks}
    for source in report.spec.checks:
        check = ran.get(source.name)
        entries = _check(check) if check else [_entry(Skipped, result.reason, "", "")]
        cases.append(
            _case(report, f"check {source.name}", check.seconds if check else 0.0, entries)
        )
    if not report.ok and all(c.is_passed or c.is_skipped for c in cases):
        said = f"{result.verdict}, {result.required} is required: {result.reason}"
        cases.append(_case(report, "verdict", 0.0, [_entry(Failure, said, "verdict", said)]))
    return cases


def _case(report: DesignReport, name: str, seconds: float, entries: list[Any]) -> Any:
    case = _Case(name, f"rtl-agent.{report.design.name}", round(seconds, 3))
    file, line = top_place(report) if report.spec else (str(report.design.spec), 1)
    case.file, case.line = shown_path(file), line
    if entries:
        case.result = entries
    return case


def _step(report: DesignReport, failed_at: str, *steps: FailedAt) -> list[Any]:
    """What a step came to: passed, failed, or not reached."""
    result = report.result
    if result is None or failed_at not in steps:
        late = FailedAt.COMPILE in steps and failed_at == FailedAt.SCREEN
        return [_entry(Skipped, "the screen rejected the design", "", "")] if late else []
    found = [str(d) for d in result.diagnostics if d.severity is Severity.ERROR]
    return [_entry(Failure, result.reason, failed_at, "\n".join(found))]


def _check(check: CheckResult) -> list[Any]:
    if check.passed:
        return []
    # A DUT that is wrong is a failure; a check that could not judge is an error.
    kind = Failure if check.status in {CheckStatus.FAILED, CheckStatus.TIMEOUT} else Error
    said = check.reason or f"it ended as {check.status}"
    lines = [said, f"{check.mismatches} of {check.samples} samples wrong"]
    first = check.first_mismatch
    if first is not None:
        lines.append(f"first mismatch in cycle {first.cycle}, {first.time_ns:g} ns")
        lines += [
            f"  {name}: expected {value}, got {first.actual.get(name)}"
            for name, value in first.expected.items()
        ]
        lines += [f"  input {name}: {value}" for name, value in first.inputs.items()]
    lines += [str(d) for d in check.diagnostics]
    return [_entry(kind, said, str(check.status), "\n".join(lines))]


def _entry(kind: Any, message: str, type_: str, text: str) -> Any:
    entry = kind(_NOT_XML.sub("?", message), type_ or None)
    if text:
        entry.text = _NOT_XML.sub("?", text)
    return entry
