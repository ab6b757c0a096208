"""Draws the template-made half of the repair suite and writes drawn.toml; same seed, same suite.

python -m benchmarks.repair_suite.draw --seed 5
"""

from __future__ import annotations

import argparse
import random
import re
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING

from rtl_agent.tools.checks.factory import make_check
from rtl_agent.tools.checks.types import Dut, Limits
from rtl_agent.tools.edits import Edit, apply, find_edits
from rtl_agent.tools.trials import Recording, Trials, TrialStatus, record

from .suite import HERE, Golden, goldens

if TYPE_CHECKING:
    from collections.abc import Callable

_SINGLES = 1  # functional faults a design
_TRIES = 40


def main() -> None:
    """Draw and write."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--seed", type=int, default=5)
    args = parser.parse_args()
    rng = random.Random(args.seed)
    parts = [f"# Faults drawn from the edit templates by draw.py --seed {args.seed}; not edited.\n"]
    for number, golden in enumerate(goldens().values()):
        with tempfile.TemporaryDirectory(prefix="rtl-draw-") as folder:
            draw = _Drawer(golden, rng, Path(folder))
            parts += [draw.functional(f"drawn-{n}", 1) for n in range(1, _SINGLES + 1)]
            if number % 2 == 0:
                parts.append(draw.functional("drawn-two", 2))
            if number % 5 == 1:
                parts.append(draw.functional("drawn-three", 3))
            if number % 3 == 0:
                parts.append(draw.syntax("drawn-syntax"))
    (HERE / "drawn.toml").write_text("\n".join(p for p in parts if p), encoding="utf-8")


class _Drawer:
    def __init__(self, golden: Golden, rng: random.Random, folder: Path) -> None:
        self._golden = golden
        self._rng = rng
        source = folder / "golden.v"
        source.write_text(golden.text, encoding="utf-8")
        check = make_check(golden.check(), clocking=golden.clocking)
        dut = Dut((source,), golden.interface)
        found = record(check, dut, folder / "record", limits=Limits(), seed=0)[1]
        if found is None:
            raise RuntimeError(f"{golden.name} cannot be recorded")
        self._recording: Recording = found
        self._trials = Trials(golden.interface, folder / "trials", Limits())
        self._edits = find_edits(golden.text)

    def functional(self, name: str, count: int) -> str:
        """A design with `count` faults that compiles and fails, each of another operator."""

        def pick() -> list[Edit]:
            operators = self._rng.sample(sorted({e.operator for e in self._edits}), count)
            return [
                self._rng.choice([e for e in self._edits if e.operator == o]) for o in operators
            ]

        return self._until(name, pick, ["function"] * count, TrialStatus.RAN)

    def syntax(self, name: str) -> str:
        """A design without one of its semicolons or `end`s."""
        places = list(re.finditer(r";(?=\n)|\bend(?=\n)", self._golden.text))

        def pick() -> list[Edit]:
            at = self._rng.choice(places)
            line = self._golden.text.count("\n", 0, at.start()) + 1
            return [Edit("drop-token", line, 1, at.start(), at.end(), "", at.group())]

        return self._until(name, pick, ["syntax"], TrialStatus.REJECTED)

    def _until(
        self,
        name: str,
        pick: Callable[[], list[Edit]],
        kinds: list[str],
        status: TrialStatus,
    ) -> str:
        """Pick until what comes out has the wanted status and does not pass, nor any part of it."""
        for _ in range(_TRIES):
            edits = pick()
            try:
                text = apply(self._golden.text, edits)
            except ValueError:
                continue
            alone = [apply(self._golden.text, [e]) for e in edits] if len(edits) > 1 else []
            trials = self._trials.run(self._recording, [text, *alone])
            if all(t.status is status and not t.passed for t in trials):
                return self._entry(name, edits, kinds)
        return ""

    def _entry(self, name: str, edits: list[Edit], kinds: list[str]) -> str:
        pairs = [_unique(self._golden.text, e) for e in sorted(edits, key=lambda e: e.start)]
        told = ", ".join(f"[{_quote(old)}, {_quote(new)}]" for old, new in pairs)
        by = " ".join(e.operator for e in edits)
        kind = ", ".join(f'"{k}"' for k in kinds)
        return (
            f'[[fault]]\ndesign = "{self._golden.name}"\nname = "{name}"\nkind = [{kind}]\n'
            f'by = "{by}"\nedits = [{told}]\n'
        )


def _unique(text: str, edit: Edit) -> tuple[str, str]:
    """The edit as old and new text, with as much context as makes the old one unique."""
    start, end = edit.start, edit.end
    while start == end or text.count(text[start:end]) != 1:
        start, end = max(0, start - 1), min(len(text), end + 1)
    return text[start:end], text[start : edit.start] + edit.replacement + text[edit.end : end]


def _quote(text: str) -> str:
    escaped = text.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n")
    return f'"{escaped}"'


if __name__ == "__main__":
    main()
