"""Reads the repair suite: golden designs, and broken ones as edits of them."""

from __future__ import annotations

import tomllib
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from rtl_agent.tools.checks.types import CheckKind, CheckSource
from rtl_agent.tools.clocking import Clocking
from rtl_agent.tools.parse import parse_text

if TYPE_CHECKING:
    from rtl_agent.tools.interface import Interface

__all__ = ["HERE", "Broken", "Golden", "broken_text", "goldens", "load_suite"]

HERE = Path(__file__).parent


@dataclass(frozen=True, slots=True)
class Golden:
    """A right design, and the check that it serves as reference for."""

    name: str
    text: str
    interface: Interface
    clocking: Clocking
    cycles: int

    def check(self) -> CheckSource:
        """The check: random stimulus, compared with the golden design cycle by cycle."""
        return CheckSource(
            CheckKind.REFERENCE_RTL,
            "golden",
            self.text,
            f"{self.name}.v:1",
            options={"cycles": str(self.cycles)},
        )


@dataclass(frozen=True, slots=True)
class Broken:
    """A design with faults.

    `kinds` is syntax, interface or function for each fault; `by` is `hand` or the operator that
    made it; `lines` are the lines at fault (of something left out: those on both sides of the
    gap). `half` is `dev` or `held`: by design, so that no design is in both.
    """

    id: str
    golden: Golden
    text: str
    kinds: tuple[str, ...]
    by: str
    lines: tuple[int, ...]
    half: str

    @property
    def single_functional(self) -> bool:
        """Whether it has one fault, of function."""
        return self.kinds == ("function",)


def goldens() -> dict[str, Golden]:
    """The right designs by name, in order."""
    designs = tomllib.loads((HERE / "designs.toml").read_text(encoding="utf-8"))
    return {name: _golden(name, designs[name]) for name in sorted(designs)}


def load_suite(half: str = "") -> list[Broken]:
    """All broken designs, or those of one half, in order of design and name.

    Raises:
        ValueError: an edit does not fit its design.
    """
    designs = goldens()
    halves = {name: ("dev", "held")[i % 2] for i, name in enumerate(designs)}
    found = []
    for file, by_hand in (("hand.toml", True), ("drawn.toml", False)):
        path = HERE / file
        if not path.is_file():
            continue
        for entry in tomllib.loads(path.read_text(encoding="utf-8"))["fault"]:
            golden = designs[entry["design"]]
            text, lines = broken_text(golden.text, entry["edits"])
            found.append(
                Broken(
                    f"{golden.name}/{entry['name']}",
                    golden,
                    text,
                    tuple(entry["kind"]),
                    "hand" if by_hand else entry["by"],
                    lines,
                    halves[golden.name],
                )
            )
    return sorted((b for b in found if half in ("", b.half)), key=lambda b: b.id)


def broken_text(text: str, edits: list[list[str]]) -> tuple[str, tuple[int, ...]]:
    """`text` with the edits made, and the lines that are at fault in it."""
    spans = []
    for old, new in edits:
        if text.count(old) != 1:
            raise ValueError(f"{old!r} stands {text.count(old)} times in the design")
        at = text.index(old)
        same = _common(old, new)
        tail = _common(old[same:][::-1], new[same:][::-1])
        spans.append((at + same, at + len(old) - tail, new[same : len(new) - tail]))
    lines: set[int] = set()
    for start, end, new in sorted(spans, reverse=True):
        text = text[:start] + new + text[end:]
    shift = 0
    for start, end, new in sorted(spans):
        first = start + shift
        lines |= _lines(text, first, first + len(new), gap=not new.strip())
        if not new.strip() and "\n" in new:  # what was left out joined this line with the next
            lines.add(text.count("\n", 0, first + len(new)) + 1)
        shift += len(new) - (end - start)
    return text, tuple(sorted(lines))


def _common(one: str, other: str) -> int:
    """Length of the longest text with which both begin."""
    pairs = enumerate(zip(one, other, strict=False))
    return next((i for i, (a, b) in pairs if a != b), min(len(one), len(other)))


def _lines(text: str, start: int, end: int, *, gap: bool) -> set[int]:
    if not gap:
        while end > start and text[end - 1].isspace():
            end -= 1
        while start < end and text[start].isspace():
            start += 1
        return set(range(text.count("\n", 0, start) + 1, text.count("\n", 0, end) + 2))
    here = text.count("\n", 0, start) + 1
    if text[:start].rpartition("\n")[2].strip():  # something left out within a line
        return {here}
    return {here - 1, here}


def _golden(name: str, facts: dict[str, object]) -> Golden:
    text = (HERE / "designs" / f"{name}.v").read_text(encoding="utf-8")
    module = parse_text(text).module(str(facts["module"]))
    if module is None:
        raise ValueError(f"{name}.v has no module {facts['module']}")
    clocking = Clocking(
        facts.get("clock") or None,  # type: ignore[arg-type]
        facts.get("reset") or None,  # type: ignore[arg-type]
        bool(facts.get("reset_active_low")),
    )
    return Golden(name, text, module.interface, clocking, int(str(facts.get("cycles", 1000))))
