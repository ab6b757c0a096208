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
from collections import Counter
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
        "killed_by": Counter(str(o.how) for o in report.outcomes if o.how is not None),
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
    for name in names:
        if read_spec(ROOT / name / "spec.md").checks:
            report = mutate(name, args.count, args.seed, args.jobs)
            print(name, report.score, f"{report.seconds:.1f} s", flush=True)
            keep(args, name, row(name, report))


def keep(args: argparse.Namespace, name: str, found: dict[str, Any]) -> None:
    """Put one example's result beside those that were measured in the same way."""
    before = json.loads(args.out.read_text(encoding="utf-8")) if args.out.is_file() else {}
    same = (before.get("mutants_each"), before.get("seed")) == (args.count, args.seed)
    rows = (before.get("examples", {}) if same else {}) | {name: found}
    report = {
        "machine": f"{platform.machine()}, {os.cpu_count()} cores",
        "mutants_each": args.count,
        "seed": args.seed,
        "counts": {str(s): sum(r["counts"][str(s)] for r in rows.values()) for s in MutantStatus},
        "examples": {key: rows[key] for key in sorted(rows)},
    }
    args.out.write_text(json.dumps(report, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
