"""Read the results file of a cocotb run: the only thing that says how tests went."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING
from xml.etree import ElementTree as ET

if TYPE_CHECKING:
    from pathlib import Path

__all__ = ["TestCase", "read_results"]


@dataclass(frozen=True, slots=True)
class TestCase:
    """One test: `outcome` is `passed`, `failed` or `skipped`; times in ns of simulated time."""

    name: str
    outcome: str
    message: str
    sim_time_ns: float


def read_results(path: Path) -> tuple[TestCase, ...] | None:
    """The tests in a results file; None when it is missing or damaged, which is a failure."""
    try:
        root = ET.parse(path).getroot()  # noqa: S314 (written by cocotb; no external entities)
    except (OSError, ET.ParseError):
        return None
    return tuple(_case(element) for element in root.iter("testcase"))


def _case(element: ET.Element) -> TestCase:
    outcome, message = "passed", ""
    for child in element:
        if child.tag in {"failure", "error"}:
            outcome = "failed"
            message = child.get("error_msg") or child.get("message") or (child.text or "").strip()
        elif child.tag == "skipped" and outcome == "passed":
            outcome = "skipped"
    stop = next(
        (p.get("value", "0") for p in element.iter("property") if p.get("name") == "sim_time_stop"),
        "0",
    )
    name = ".".join(p for p in (element.get("classname"), element.get("name")) if p)
    return TestCase(name, outcome, message, float(stop))
