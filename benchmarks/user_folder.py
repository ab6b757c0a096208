"""`rtl-agent train` on a folder of 200 Verilog files and a tiny base: time, and held-out loss.

The files are designs of the shipped library, each with what it is as a comment; the tiny base is
the embedded default's with four of its thirty layers.

    python benchmarks/user_folder.py --work work --out benchmarks/results/user_folder.json
"""

from __future__ import annotations

import argparse
import json
import os
import random
import subprocess
import sys
import time
from importlib.resources import files
from pathlib import Path

from rtl_agent.agent.library.records import read_records
from rtl_agent.decoding.models.embedded import base_folder
from rtl_agent.decoding.training.prune import prune_depth


def write_folder(folder: Path, count: int, seed: int) -> None:
    """Put `count` designs into `folder`, one file each."""
    shipped = Path(str(files("rtl_agent.agent.library") / "shipped.jsonl.gz"))
    records = sorted(read_records(shipped), key=lambda record: record.name)
    random.Random(seed).shuffle(records)
    folder.mkdir(parents=True, exist_ok=True)
    for number, record in enumerate(records[:count]):
        said = " ".join(record.spec.split())
        (folder / f"{number:03}.v").write_text(f"// {said}\n{record.rtl}", encoding="utf-8")


def main() -> None:
    """Parse arguments, train, write JSON."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--work", type=Path, required=True)
    parser.add_argument("--files", type=int, default=200)
    parser.add_argument("--layers", type=int, default=4)
    parser.add_argument("--samples", type=int, default=400)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--out", type=Path)
    args = parser.parse_args()
    write_folder(args.work / "rtl", args.files, args.seed)
    base = prune_depth(str(base_folder()), args.work / f"base-{args.layers}", args.layers)
    command = [sys.executable, "-m", "rtl_agent.agent.cli", "train", str(args.work / "rtl")]
    command += ["--base", str(base), "--out", str(args.work / "run"), "--minutes", "9"]
    command += ["--set", f"samples={args.samples}", "--set", "tokens_per_batch=1200"]
    command += ["--set", f"threads={os.cpu_count()}", "--set", f"seed={args.seed}"]
    started = time.monotonic()
    before = os.times()
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    after = os.times()
    sys.stderr.write(done.stderr)
    if done.returncode:
        raise SystemExit(done.returncode)
    lines = done.stderr.splitlines()
    last = json.loads([line for line in lines if line.startswith("{")][-1])
    loss = done.stdout.split("held-out loss ")[1].split()
    result = {
        "schema_version": 1,
        "what": "rtl-agent train on a folder, tiny base, LoRA",
        "cores": os.cpu_count(),
        "folder": next(line for line in lines if " files: " in line),
        "layers": args.layers,
        "seed": args.seed,
        "wall_s": round(time.monotonic() - started, 1),
        "cpu_s": round(after.children_user - before.children_user, 1),
        "samples": last["samples"],
        "held_out_before": float(loss[0]),
        "held_out_after": float(loss[2]),
    }
    text = json.dumps(result, indent=1) + "\n"
    if args.out:
        args.out.write_text(text, encoding="utf-8")
    sys.stdout.write(text)


if __name__ == "__main__":
    main()
