"""Evidence against a candidate, distilled to what a model needs to correct it.

Compile errors come with the line they stand on and a hint; a functional failure with the first
mismatch and the cycles around it as a compact table, and with the lines that localisation suspects.
Never more than `MAX_LINES` lines.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from rtl_agent.agent.verdict import Evidence, FailedAt, judge
from rtl_agent.tools.checks.types import CheckResult, CheckStatus, Cycle, Mismatch
from rtl_agent.tools.diagnostic import Diagnostic, Severity

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from rtl_agent.agent.spec.model import Spec

    from .searching import SuspectLine

__all__ = ["MAX_LINES", "UNDIAGNOSED", "diagnose"]

UNDIAGNOSED = "the design fails its checks"  # all that a model is told without a diagnosis

MAX_LINES = 30
_MAX_DIAGNOSTICS = 6
_MAX_SIGNALS = 10
_MAX_WIDTH = 100
_SHORT_WINDOW = 12  # cycles
_MAX_SUSPECTS = 5
_LEAST_SCORE = 0.1  # of a suspect line that is worth showing


def diagnose(
    source: Path, evidence: Evidence, spec: Spec, suspects: Sequence[SuspectLine] = ()
) -> str:
    """Say in at most `MAX_LINES` lines what is wrong with the design in `source`.

    `suspects` are lines that may be at fault, the most suspect first; they stand where nothing
    that a model was trained to read moves.
    """
    judgement = judge(evidence)
    blamed = _blamed(source, suspects)
    if judgement.failed_at in {FailedAt.SCREEN, FailedAt.COMPILE, FailedAt.LINT}:
        found = [*(evidence.screen or ()), *(evidence.lint or ())]
        lines = _from_diagnostics(source, found) or [judgement.reason]
        lines = [*lines[: MAX_LINES - len(blamed)], *blamed]
    elif judgement.failed_at is FailedAt.SIMULATE:
        lines = _from_checks(source, evidence, spec, blamed) or [judgement.reason]
    else:
        lines = [judgement.reason]
    return "\n".join(line[:_MAX_WIDTH].rstrip() for line in lines[:MAX_LINES])


def _from_diagnostics(source: Path, found: Sequence[Diagnostic]) -> list[str]:
    """Errors first, then warnings, each once, with the source line it points at."""
    order = {Severity.ERROR: 0, Severity.WARNING: 1}
    ranked = sorted((d for d in found if d.severity in order), key=lambda d: order[d.severity])
    text = _lines(source)
    lines: list[str] = []
    said: set[tuple[int, str]] = set()
    for diagnostic in ranked:
        key = (diagnostic.line, diagnostic.message)
        if key in said:
            continue
        said.add(key)
        lines += _one(diagnostic, text)
        if len(said) == _MAX_DIAGNOSTICS:
            break
    return lines


def _one(diagnostic: Diagnostic, text: Sequence[str]) -> list[str]:
    at = diagnostic.line
    place = f"line {at}: " if at else ""
    lines = [f"{place}{diagnostic.severity}: {diagnostic.message}"]
    if 0 < at <= len(text):
        lines.append(f"    {at} | {text[at - 1].strip()}")
    if diagnostic.hint:
        lines.append(f"    hint: {diagnostic.hint}")
    return lines


def _blamed(source: Path, suspects: Sequence[SuspectLine]) -> list[str]:
    """The most suspect lines in the order of the source, the worst marked."""
    worst = [s for s in suspects if s.score >= _LEAST_SCORE][:_MAX_SUSPECTS]
    text = _lines(source)
    shown = sorted(s.line for s in worst if 0 < s.line <= len(text))
    if not shown:
        return []
    first = worst[0].line
    return ["suspect lines (> the most suspect):"] + [
        f"  {'>' if line == first else ' '} {line} | {text[line - 1].strip()}" for line in shown
    ]


def _from_checks(source: Path, evidence: Evidence, spec: Spec, blamed: Sequence[str]) -> list[str]:
    results = (*evidence.user, *evidence.examples, *evidence.own)
    bad = next((r for r in results if not r.passed), None)
    if bad is None:
        return []
    lines = _headline(bad)
    shown = _clearest(bad)
    if shown is not None and not shown.window:
        lines += [*blamed, *_mismatch(shown, spec)]
    elif shown is not None:
        lines += [*_mismatch(shown, spec)[: MAX_LINES - len(lines) - len(blamed)], *blamed]
    else:
        lines += [*_from_diagnostics(source, bad.diagnostics), *blamed]
    warnings = [d for d in evidence.lint or () if d.severity is Severity.WARNING]
    room = MAX_LINES - len(lines) - 1
    if warnings and room >= 2:
        lines += ["lint says:", *_from_diagnostics(source, warnings)[: room - 1]]
    return lines


def _clearest(result: CheckResult) -> Mismatch | None:
    """The whole way from reset to a failure where that is short, else the first mismatch."""
    shortest = result.shortest
    if shortest is not None and len(shortest.window) <= _SHORT_WINDOW:
        return shortest
    return result.first_mismatch


def _headline(result: CheckResult) -> list[str]:
    if result.status is CheckStatus.TIMEOUT:
        return [
            f"check {result.name}: the simulation did not end; "
            "look for a combinational loop or a handshake that never completes",
            *([result.reason] if result.reason else []),
        ]
    counts = f"{result.mismatches} of {result.samples} samples wrong" if result.samples else ""
    return [": ".join(p for p in (f"check {result.name}", result.reason or counts) if p)]


def _mismatch(found: Mismatch, spec: Spec) -> list[str]:
    """A mismatch in words, and the cycles around it as a table."""
    wrong = [n for n in found.expected if found.expected[n] != found.actual.get(n)]
    lines = [f"first mismatch in cycle {found.cycle} ({found.time_ns:g} ns):"]
    for name in wrong[:_MAX_SIGNALS]:
        expected, actual = found.expected[name], found.actual.get(name, "?")
        lines.append(f"  {name}: expected {_value(expected)}, got {_value(actual)}")
    if found.inputs:
        pairs = ", ".join(f"{n}={_value(v)}" for n, v in list(found.inputs.items())[:_MAX_SIGNALS])
        lines.append(f"  with inputs {pairs}")
    lines += _table(found.window, wrong, spec)
    return lines


def _table(window: Sequence[Cycle], wrong: Sequence[str], spec: Spec) -> list[str]:
    """A row a cycle; of an output that is wrong, what was expected stands beside what came."""
    if not window:
        return []
    rows = [["cycle"], *([str(cycle.index)] for cycle in window)]
    for name in _columns(window, wrong, spec):
        rows[0].append(name)
        for row, cycle in zip(rows[1:], window, strict=True):
            row.append(_value(cycle.values.get(name, "")))
        if name in wrong and any(name in cycle.expected for cycle in window):
            rows[0].append(f"{name} expected")
            for row, cycle in zip(rows[1:], window, strict=True):
                row.append(_value(cycle.expected.get(name, "")))
    widths = [max(len(row[i]) for row in rows) for i in range(len(rows[0]))]
    return ["cycles around it:"] + [
        "  " + "  ".join(cell.rjust(width) for cell, width in zip(row, widths, strict=True))
        for row in rows
    ]


def _columns(window: Sequence[Cycle], wrong: Sequence[str], spec: Spec) -> list[str]:
    """Signals worth a column: inputs but the clock, then wrong outputs, then the rest."""
    there = list(dict.fromkeys(name for cycle in window for name in cycle.values))
    inputs = [p.name for p in spec.interface.inputs() if p.name != spec.clocking.clock]
    first = [n for n in (*inputs, *wrong) if n in there]
    rest = [n for n in there if n not in first and n != spec.clocking.clock]
    return [*first, *rest][:_MAX_SIGNALS]


def _value(bits: str) -> str:
    """Short binary as it is; longer in hexadecimal unless a bit is unknown."""
    clean = bits.strip()
    if len(clean) <= 8 or set(clean) - {"0", "1"}:
        return clean
    return f"0x{int(clean, 2):0{(len(clean) + 3) // 4}x}"


def _lines(source: Path) -> list[str]:
    try:
        return source.read_text(encoding="utf-8", errors="replace").splitlines()
    except OSError:
        return []
