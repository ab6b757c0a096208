"""What each part of the loop is worth, on corpus families in unseen wordings.

Draws designs by a seed that training never used, writes each as a spec with a golden design as its
check, and solves it as shipped and with one part after the other switched off. A run is one
process of `rtl-agent solve` on the embedded default; its result is judged once more by a bench of
the family's own reference model, which no run has seen, and replayed.

    python -m benchmarks.loop_parts --designs 20 --keep parts.jsonl --minutes 30
    python -m benchmarks.loop_parts --designs 20 --keep parts.jsonl --out parts.json

`--keep` holds what is done, so a run can be stopped and gone on with; designs come in turn, all
variants of one before the next. Where the first draft without reuse is verified, none of the other
parts ever began: those variants end alike by construction and are copied, marked `implied`.
"""

from __future__ import annotations

import argparse
import json
import os
import platform
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any

from rtl_agent.agent.corpus.held_out import families_of
from rtl_agent.agent.corpus.validate import run_bench
from rtl_agent.decoding.training.corpus.bench import vector_bench
from rtl_agent.decoding.training.corpus.registry import all_families

from benchmarks.heldout import draw

if TYPE_CHECKING:
    from rtl_agent.decoding.training.corpus.design import Design

ROOT = Path(__file__).resolve().parents[1]
# What is switched off, by the options of the command line.
VARIANTS: dict[str, tuple[str, ...]] = {
    "as shipped": (),
    "no reuse": ("--no-reuse",),
    "no reuse, no search": ("--no-reuse", "--no-search"),
    "no reuse, with diagnosis": ("--no-reuse", "--diagnosis"),
    "no reuse, one candidate": ("--no-reuse", "--candidates", "1"),
}
ATTEMPTS = 3


def write_spec(folder: Path, design: Design, text: str) -> Path:
    """A spec whose check is the golden design."""
    (folder / "golden.v").write_text(design.rtl, encoding="utf-8")
    head = f"---\nmodule: {design.module}\nchecks:\n  - reference: golden.v\n---\n"
    path = folder / "spec.md"
    path.write_text(head + text + "\n", encoding="utf-8")
    return path


def solve(spec: Path, out: Path, options: tuple[str, ...], seed: int) -> dict[str, Any]:
    """What `rtl-agent solve --json` says, and how it ended."""
    command = [
        sys.executable, "-m", "rtl_agent.agent.cli", "solve", str(spec), "--out", str(out),
        "--json", "--quiet", "--seed", str(seed), "--attempts", str(ATTEMPTS),
        "--timeout", "180s", *options,
    ]  # fmt: skip
    done = subprocess.run(command, capture_output=True, text=True, cwd=ROOT, check=False)
    if done.returncode not in (0, 1, 4):
        raise SystemExit(f"{' '.join(command)}\nexit {done.returncode}\n{done.stderr[-2000:]}")
    return {"exit_code": done.returncode, **json.loads(done.stdout)["results"][0]}


def replays(run: str) -> bool:
    """Whether `rtl-agent replay` comes to the same verdicts."""
    command = [sys.executable, "-m", "rtl_agent.agent.cli", "replay", run, "--json"]
    return subprocess.run(command, capture_output=True, cwd=ROOT, check=False).returncode == 0


def row(design: Design, text: str, variant: str, seed: int) -> dict[str, Any]:
    """One design under one variant."""
    with tempfile.TemporaryDirectory(prefix="rtl-parts-") as name:
        folder = Path(name)
        spec = write_spec(folder, design, text)
        started = time.monotonic()
        found = solve(spec, folder / "out", VARIANTS[variant], seed)
        seconds = time.monotonic() - started
        rtl = Path(found["rtl"]) if found["rtl"] else None
        right = False
        if rtl and rtl.is_file():
            right = run_bench(rtl.read_text("utf-8"), vector_bench(design, 300, seed)).passed
        drafted = [a for a in found["attempts"] if a["number"] == 1]
        first = drafted[0]["candidates"][0]["verdict"] if drafted else ""
        return {
            "design": design.family,
            "variant": variant,
            "first_draft": first,
            "verdict": found["verdict"],
            "right": right,
            "made_by": found["made_by"],
            "stop_reason": found["stop_reason"],
            "attempts": sum(a["number"] > 0 for a in found["attempts"]),
            "exit_code": found["exit_code"],
            "replayed": replays(found["run"]),
            "seconds": round(seconds, 1),
            "loop_s": found["timing"]["loop_s"],
        }


def implied(rows: list[dict[str, Any]], index: int, variant: str) -> dict[str, Any] | None:
    """The row of `variant` where the first draft decided; None where it has to be run."""
    for done in rows:
        drafted = done["variant"] == "no reuse" and done["first_draft"] == "verified"
        if done["index"] == index and drafted:
            return {**done, "variant": variant, "implied": True}
    return None


def summary(rows: list[dict[str, Any]], variant: str) -> dict[str, Any]:
    """Counts over the designs of one variant."""
    own = [r for r in rows if r["variant"] == variant]
    verified = [r for r in own if r["verdict"] == "verified"]
    return {
        "variant": variant,
        "options": list(VARIANTS[variant]),
        "designs": len(own),
        "first_draft_verified": sum(r["first_draft"] == "verified" for r in own),
        "verified": len(verified),
        "verified_and_right": sum(r["right"] for r in verified),
        "made_by": {
            k: sum(r["made_by"] == k for r in verified) for k in ("model", "library", "search")
        },
        "implied": sum(r.get("implied", False) for r in own),
        "seconds": round(sum(r["seconds"] for r in own if not r.get("implied")), 1),
        "named_stop_reason": sum(bool(r["stop_reason"]) for r in own),
        "replayed_alike": sum(r["replayed"] for r in own),
    }


def main() -> None:
    """Solve, keep, sum up."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--designs", type=int, default=20)
    parser.add_argument("--seed", type=int, default=2026)
    parser.add_argument("--minutes", type=float, default=float("inf"), help="begin nothing after")
    parser.add_argument("--keep", type=Path, default=Path("loop-parts.jsonl"))
    parser.add_argument("--note", default="", help="kept in the file")
    parser.add_argument("--out", type=Path)
    asked = parser.parse_args()
    lines = asked.keep.read_text("utf-8").splitlines() if asked.keep.exists() else []
    rows = [json.loads(line) for line in lines]
    done = {(r["index"], r["variant"]) for r in rows}
    began = time.monotonic()
    for index, (design, record) in enumerate(
        draw(_families(asked.seed), asked.designs, asked.seed)
    ):
        for variant in VARIANTS:
            if (index, variant) in done or time.monotonic() - began > asked.minutes * 60:
                continue
            found = implied(rows, index, variant) if variant != "as shipped" else None
            found = found or {
                "index": index,
                **row(design, record["specs"][0], variant, asked.seed),
            }
            rows.append(found)
            with asked.keep.open("a", encoding="utf-8") as file:
                file.write(json.dumps(found) + "\n")
            sys.stderr.write(
                f"{index:3} {design.family:<24} {variant:<24} "
                f"first {found['first_draft'] or '-':<9} "
                f"final {found['verdict']:<9} {found['made_by']:<8} {found['seconds']:6.1f} s\n"
            )
    if asked.out:
        whole = [
            i
            for i in {r["index"] for r in rows}
            if sum(r["index"] == i for r in rows) == len(VARIANTS)
        ]
        kept = [r for r in rows if r["index"] in whole]
        result = {
            "schema_version": 1,
            "what": "corpus families in unseen wordings, with parts of the loop switched off",
            "machine": f"{os.cpu_count()} cores, {platform.machine()}, {platform.system()}",
            "seed": asked.seed,
            "attempts": ATTEMPTS,
            "note": asked.note,
            "variants": [summary(kept, variant) for variant in VARIANTS],
            "rows": kept,
        }
        asked.out.write_text(json.dumps(result, indent=1) + "\n", encoding="utf-8")


def _families(seed: int) -> list[str]:
    import random

    names = families_of(sorted(all_families()), "seen")
    random.Random(seed).shuffle(names)
    return names


if __name__ == "__main__":
    main()
