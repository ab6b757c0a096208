"""Mutation score of the checks of each example, and what survives.

    python benchmarks/mutation_examples.py [--count 40] [--seed 1] [NAME...]

The mutants are of `reference.v` in each folder of `examples/` whose spec has checks. Survivors are
written with their diffs; `EXPLAINED` says why each kind of them is there.
"""

from __future__ import annotations

import argparse
import json
import os
import platform
import tempfile
import time
from pathlib import Path
from typing import Any

from rtl_agent.agent.spec.read import read_spec
from rtl_agent.tools.checks.factory import make_check
from rtl_agent.tools.checks.types import Dut
from rtl_agent.tools.mutate import MutantStatus, MutationReport, measure

ROOT = Path(__file__).parents[1] / "examples"
RESULTS = Path(__file__).parent / "results" / "mutation_examples.json"

# Survivors that were looked at, by example and note: why no check can or need notice them.
EXPLAINED: dict[str, dict[str, str]] = {}


def mutate(name: str, count: int, seed: int, jobs: int) -> MutationReport:
    spec = read_spec(ROOT / name / "spec.md")
    dut = Dut((ROOT / name / "reference.v",), spec.interface, spec.language)
    checks = [
        make_check(source, clocking=spec.clocking, timescale=spec.timescale)
        for source in spec.checks
    ]
    with tempfile.TemporaryDirectory() as folder:
        return measure(checks, dut, Path(folder), count=count, seed=seed, jobs=jobs)


def row(name: str, report: MutationReport) -> dict[str, Any]:
    survivors = [
        {
            "operator": o.mutant.edit.operator,
            "line": o.mutant.edit.line,
            "note": o.mutant.edit.note,
            "why": EXPLAINED.get(name, {}).get(o.mutant.edit.note, "not explained"),
            "diff": o.mutant.diff(),
        }
        for o in report.survivors
    ]
    equivalent = [
        f"line {o.mutant.edit.line}: {o.mutant.edit.note} [{o.mutant.edit.operator}]"
        for o in report.outcomes
        if o.status is MutantStatus.EQUIVALENT
    ]
    return {
        "checks": [f"{r.name} ({r.kind})" for r in report.baseline],
        "sound": report.sound,
        "score": None if report.score is None else round(report.score, 4),
        "counts": {str(s): report.count(s) for s in MutantStatus},
        "seconds": round(report.seconds, 1),
        "equivalent": equivalent,
        "survivors": survivors,
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("names", nargs="*")
    parser.add_argument("--count", type=int, default=40)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1)
    parser.add_argument("--out", type=Path, default=RESULTS)
    args = parser.parse_args()
    names = args.names or sorted(str(p.parent.relative_to(ROOT)) for p in ROOT.rglob("reference.v"))
    started = time.monotonic()
    rows: dict[str, Any] = {}
    for name in names:
        if not read_spec(ROOT / name / "spec.md").checks:
            continue
        rows[name] = row(name, mutate(name, args.count, args.seed, args.jobs))
        print(name, rows[name]["score"], rows[name]["counts"], f"{rows[name]['seconds']} s")
    counts = {str(s): sum(r["counts"][str(s)] for r in rows.values()) for s in MutantStatus}
    report = {
        "machine": f"{platform.machine()}, {os.cpu_count()} cores",
        "mutants_each": args.count,
        "seed": args.seed,
        "seconds": round(time.monotonic() - started, 1),
        "counts": counts,
        "examples": rows,
    }
    args.out.write_text(json.dumps(report, indent=1) + "\n", encoding="utf-8")
    print(counts)


if __name__ == "__main__":
    main()
