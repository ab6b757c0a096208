"""How self-checking benches say what they found."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable

__all__ = ["BenchReport", "can_report", "read_report"]

# VerilogEval: "Mismatches: 3 in 120 samples"; ours: "RESULT <samples> <mismatches>".
_VERILOGEVAL = re.compile(r"^\s*Mismatches: (?P<bad>\d+) in (?P<samples>\d+) samples", re.MULTILINE)
_RESULT = re.compile(r"^\s*RESULT (?P<samples>\d+) (?P<bad>\d+)\s*$", re.MULTILINE)
# RTLLM: "===========Your Design Passed===========", failures as "===========Error===========".
_RTLLM_PASS = re.compile(r"^=*\s*Your Design Passed\s*=*\s*$", re.MULTILINE)
_RTLLM_FAIL = re.compile(
    r"^=+\s*(Error|Failed|Test completed with \d+ ?/ ?\d+ failures)\b.*$",
    re.MULTILINE | re.IGNORECASE,
)
_PLAIN_PASS = re.compile(
    r"^\W*(all\s+)?(tests?\s*(cases?)?\s*)?(PASS|PASSED|SUCCESS|OK)\b(?!.*\bfail).*$",
    re.MULTILINE | re.IGNORECASE,
)
_PLAIN_FAIL = re.compile(
    r"^\W*(tests?\s*(case)?\s*#?\d*\s*:?\s*)?(FAIL|FAILED|FAILURE|ERROR|MISMATCH)\b.*$",
    re.MULTILINE | re.IGNORECASE,
)
# What Icarus prints for $error, $fatal and $stop.
_TASKS = re.compile(r"^(ERROR|FATAL): \S+:\d+:.*$|^\*\* VVP Stop.*$", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class BenchReport:
    """What a bench said: `style` is empty when it said nothing that can be read."""

    style: str
    samples: int
    mismatches: int
    complaint: str = ""

    @property
    def clean(self) -> bool:
        """Whether something was compared and nothing differed."""
        return bool(self.style) and self.samples > 0 and not self.mismatches and not self.complaint


def read_report(output: str, pass_pattern: str = "", fail_pattern: str = "") -> BenchReport:
    """Read the report in a bench's output.

    A pattern of the user's comes first; a group named `samples` or `mismatches` in it is a
    number. Then the styles that count their samples; then a line that says `PASS`, where the
    number of such lines (at least one) stands for the samples. `$error`, `$fatal` and `$stop`
    are failures in every style.
    """
    task = _TASKS.search(output)
    complaint = task.group(0).strip() if task else ""
    if pass_pattern or fail_pattern:
        return _configured(output, pass_pattern, fail_pattern, complaint)
    for style, counted in (("verilogeval", _VERILOGEVAL), ("result", _RESULT)):
        reports = list(counted.finditer(output))
        if reports:  # the last is the final one
            samples, bad = int(reports[-1]["samples"]), int(reports[-1]["bad"])
            return BenchReport(style, samples, bad, complaint)
    for style, good, wrong in (
        ("rtllm", _RTLLM_PASS, _RTLLM_FAIL),
        ("plain", _PLAIN_PASS, _PLAIN_FAIL),
    ):
        passes, fails = list(good.finditer(output)), list(wrong.finditer(output))
        if passes or fails:
            said = fails[0].group(0).strip() if fails else complaint
            return BenchReport(style, len(passes), len(fails), said)
    return BenchReport("", 0, 0, complaint)


def _configured(output: str, good: str, wrong: str, complaint: str) -> BenchReport:
    fails = list(re.finditer(wrong, output, re.MULTILINE)) if wrong else []
    passes = list(re.finditer(good, output, re.MULTILINE)) if good else []
    if fails:
        return BenchReport("configured", 0, len(fails), fails[0].group(0).strip())
    if not passes:
        return BenchReport("", 0, 0, complaint)
    groups = passes[-1].groupdict()
    samples = int(groups.get("samples") or len(passes))
    return BenchReport("configured", samples, int(groups.get("mismatches") or 0), complaint)


def can_report(literals: Iterable[str], pass_pattern: str = "", *, foreign: bool = False) -> bool:
    """Whether text made from these string literals could be read as a pass.

    Format specifications stand for numbers. With `foreign` they stand for anything, because a
    design that wants to deceive composes its text from `%s` and `%c`.
    """
    for literal in literals:
        if foreign and re.search(r"%-?\d*[sc]", literal, re.IGNORECASE):
            return True
        text = re.sub(r"%-?\d*[a-zA-Z]", "1", literal)
        for piece in text.replace("\\n", "\n").splitlines() or [text]:
            if read_report(piece, pass_pattern).style:
                return True
            if pass_pattern and re.search(pass_pattern, piece, re.MULTILINE):
                return True
    return False
