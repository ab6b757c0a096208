"""How well the search repairer and localisation do on the repair suite; no model is involved.

Each broken design is judged by its check (random stimulus against the golden design), localised and
repaired within `--seconds` on two processes. `--prove` then runs the check itself, under cocotb, on
what was repaired, and compares it with the golden design over 100,000 fresh random cycles: only
that makes a repair "right". The weights of localisation and search were chosen on the half `dev`;
`held` was only measured.

    python -m benchmarks.repair --half dev --out dev.json
    python -m benchmarks.repair --half held --out held.json
    python -m benchmarks.repair --prove dev.json held.json --out benchmarks/results/repair.json
"""

from __future__ import annotations

import argparse
import json
import os
import platform
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

from rtl_agent.agent.search.repairer import search
from rtl_agent.agent.search.syntax import complaints
from rtl_agent.agent.search.types import Budget, Fix, SearchTask
from rtl_agent.tools.checks.factory import make_check
from rtl_agent.tools.checks.types import Dut, Limits
from rtl_agent.tools.localise import Localisation, locate_errors
from rtl_agent.tools.trials import Recording, Trials

from benchmarks.repair_suite.equivalence import behaves_like, fresh_recording
from benchmarks.repair_suite.suite import Broken, Golden, load_suite

_LANGUAGE = "verilog-2005"
_OTHER_SEED = 7919


class _Recorder:
    """What each golden design's check applies and expects, by seed."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._known: dict[tuple[str, int], Recording] = {}

    def get(self, golden: Golden, seed: int) -> Recording:
        key = (golden.name, seed)
        if key not in self._known:
            trials = Trials(golden.interface, self._folder, Limits())
            self._known[key] = fresh_recording(golden, trials, seed, golden.cycles)
        return self._known[key]


def judge(broken: Broken, recorder: _Recorder, folder: Path, seconds: float) -> dict[str, Any]:
    """One row of the result."""
    golden = broken.golden
    recording = recorder.get(golden, 0)
    trials = Trials(golden.interface, folder / "trials", Limits())
    found = complaints(broken.text, golden.interface, _LANGUAGE)
    task = SearchTask(
        source=broken.text,
        trials=trials,
        recordings=(recording,),
        diagnostics=found,
        further=lambda: recorder.get(golden, _OTHER_SEED),
        language=_LANGUAGE,
    )
    fix = search(task, Budget(seconds=seconds))
    order = _located(broken, fix, bool(found))
    ranks = [order.rank(line) for line in broken.lines] if order else []
    known = [r for r in ranks if r is not None]
    return {
        "id": broken.id,
        "half": broken.half,
        "kinds": list(broken.kinds),
        "by": broken.by,
        "rank": min(known) if known else None,
        "fixed": fix.passed,
        "right": None,
        "edits": list(fix.edits),
        "rivals": fix.rivals,
        "tried": fix.tried,
        "seconds": round(fix.seconds, 2),
        "text": fix.text if fix.passed else "",
    }


def prove(paths: list[Path]) -> list[dict[str, Any]]:
    """The rows of earlier measurements, each repair judged by its check and on fresh stimulus."""
    rows = [row for path in paths for row in json.loads(path.read_text())["rows"]]
    suite = {broken.id: broken for broken in load_suite()}
    proved = []
    with tempfile.TemporaryDirectory(prefix="rtl-prove-") as name:
        for number, row in enumerate(rows):
            golden = suite[row["id"]].golden
            folder = Path(name) / str(number)
            text = row.pop("text", "")
            if row["fixed"]:
                row["fixed"] = _really_passes(golden, text, folder / "check")
                row["right"] = row["fixed"] and behaves_like(golden, text, folder / "miter")
            proved.append(row)
            print(f"{row['id']}: {row['fixed']} {row['right']}", file=sys.stderr, flush=True)
    return proved


def _located(broken: Broken, fix: Fix, errors: bool) -> Localisation | None:
    """The ranking of lines.

    Of a design that does not compile: where an edit makes it compile, then what the parser says.
    """
    if not errors:
        return fix.localisation
    found = complaints(broken.text, broken.golden.interface, _LANGUAGE)
    named = locate_errors(found)
    first = [s for s in (fix.localisation.suspects if fix.localisation else ()) if s.score == 1.0]
    rest = [s for s in named.suspects if s.line not in {f.line for f in first}]
    return Localisation((*first, *rest), named.evidence)


def _really_passes(golden: Golden, text: str, folder: Path) -> bool:
    """The check itself, under cocotb."""
    folder.mkdir(parents=True)
    path = folder / "repaired.v"
    path.write_text(text, encoding="utf-8")
    check = make_check(golden.check(), clocking=golden.clocking)
    dut = Dut((path,), golden.interface)
    return check.run(dut, folder / "run", limits=Limits(), seed=0).passed


def share(rows: list[dict[str, Any]], key: str) -> float | None:
    """The share of rows in which `key` holds."""
    return round(sum(bool(r[key]) for r in rows) / len(rows), 3) if rows else None


def summary(rows: list[dict[str, Any]]) -> dict[str, Any]:
    """Rates over `rows`."""
    functional = [r for r in rows if set(r["kinds"]) == {"function"}]
    single = [r for r in functional if len(r["kinds"]) == 1]
    groups = {
        "single functional": single,
        "single functional, by hand": [r for r in single if r["by"] == "hand"],
        "single functional, drawn": [r for r in single if r["by"] != "hand"],
        "several functional": [r for r in functional if len(r["kinds"]) > 1],
        "syntax or interface": [r for r in rows if r not in functional],
    }
    return {
        "designs": len(rows),
        "by hand": sum(r["by"] == "hand" for r in rows),
        "localisation": {name: _tops(g) for name, g in (("all", rows), *groups.items())},
        "repair": {
            name: {"designs": len(g), "fixed": share(g, "fixed"), "right": share(g, "right")}
            for name, g in (("all", rows), *groups.items())
        },
        "longest fixed, s": max((r["seconds"] for r in rows if r["fixed"]), default=0.0),
    }


def _tops(rows: list[dict[str, Any]]) -> dict[str, Any]:
    found: dict[str, Any] = {"designs": len(rows)}
    for top in (1, 3, 5):
        hits = sum(r["rank"] is not None and r["rank"] <= top for r in rows)
        found[f"top-{top}"] = round(hits / len(rows), 3) if rows else None
    return found


def measure(args: argparse.Namespace) -> list[dict[str, Any]]:
    """Judge the chosen part of the suite."""
    index, _, count = args.part.partition("/")
    suite = load_suite(args.half)[int(index) - 1 :: int(count)]
    rows = []
    started = time.monotonic()
    with tempfile.TemporaryDirectory(prefix="rtl-repair-") as name:
        recorder = _Recorder(Path(name) / "golden")
        for number, broken in enumerate(suite):
            if args.most and time.monotonic() - started > args.most:
                print(f"stopped after {number} of {len(suite)}", file=sys.stderr)
                break
            row = judge(broken, recorder, Path(name) / str(number), args.seconds)
            rows.append(row)
            print(json.dumps(row), file=sys.stderr, flush=True)
    return rows


def main() -> None:
    """Parse arguments; measure or merge; write JSON."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--half", choices=["", "dev", "held"], default="")
    parser.add_argument("--seconds", type=float, default=20.0)
    parser.add_argument("--part", default="1/1", help="one of several parts, e.g. 1/3")
    parser.add_argument("--most", type=float, default=0.0, help="begin nothing after so long")
    parser.add_argument("--prove", nargs="*", type=Path, default=[])
    parser.add_argument("--out", type=Path)
    args = parser.parse_args()
    rows = prove(args.prove) if args.prove else measure(args)
    rows = sorted({row["id"]: row for row in rows}.values(), key=lambda row: row["id"])
    result = {
        "schema_version": 1,
        "what": "localisation and model-free repair of broken designs",
        "machine": f"{platform.machine()}, {os.cpu_count()} cores",
        "seconds_each": args.seconds,
        "summary": summary(rows),
        "dev": summary([r for r in rows if r["half"] == "dev"]),
        "held": summary([r for r in rows if r["half"] == "held"]),
        "rows": rows,
    }
    if args.out:
        args.out.write_text(json.dumps(result, indent=1) + "\n", encoding="utf-8")
    print(json.dumps({k: v for k, v in result.items() if k != "rows"}, indent=1))


if __name__ == "__main__":
    main()
