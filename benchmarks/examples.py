"""The examples with the embedded default: verdict, how the design came about, time, peak memory.

    python benchmarks/examples.py                                  # as shipped
    python benchmarks/examples.py --model-alone --out model.json   # no reuse, no search
    python benchmarks/examples.py mux4 beyond/fp16_add             # some of them

Every example runs in a process of its own, seed 0, with the default budgets.
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
from typing import Any

ROOT = Path(__file__).resolve().parents[1]
CHECKED = (
    "mux4", "prio_enc8", "updown_counter", "edge_capture", "seq1011", "pwm8", "fifo8x8", "uart_tx",
)  # fmt: skip
ALONE = ("--no-reuse", "--no-search")


def run(example: str, options: tuple[str, ...]) -> dict[str, Any]:
    """One row: what `rtl-agent solve --json` says of `example`, and what it cost."""
    with tempfile.TemporaryDirectory(prefix="rtl-examples-") as out:
        command = [
            sys.executable, "-m", "rtl_agent.agent.cli", "solve", f"examples/{example}",
            "--out", out, "--json", "--quiet", "--seed", "0", *options,
        ]  # fmt: skip
        started = time.monotonic()
        process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True, cwd=ROOT)
        assert process.stdout is not None
        text = process.stdout.read()
        _, status, used = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
    result = json.loads(text)["results"][0]
    return {
        "example": example,
        "verdict": result["verdict"],
        "made_by": result["made_by"],
        "exit_code": process.returncode,
        "attempts": sum(a["number"] > 0 for a in result["attempts"]),
        "seconds": round(time.monotonic() - started, 1),
        "cpu_seconds": round(used.ru_utime + used.ru_stime, 1),
        "peak_mib": used.ru_maxrss // 1024,
        "timing": result["timing"],
        "decoding": result["decoding"],
        "reason": result["reason"],
    }


def main() -> None:
    """Run the examples and write the table."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("examples", nargs="*", default=CHECKED)
    parser.add_argument("--model-alone", action="store_true", help="no reuse, no search")
    parser.add_argument("--note", default="", help="kept in the file")
    parser.add_argument("--out", type=Path, default=ROOT / "benchmarks/results/examples.json")
    asked = parser.parse_args()
    options = ALONE if asked.model_alone else ()
    rows = []
    for example in asked.examples:
        rows.append(run(example, options))
        row = rows[-1]
        sys.stderr.write(
            f"{example:<16} {row['verdict']:<9} {row['made_by']:<8} {row['seconds']:7.1f} s "
            f"{row['peak_mib']:6} MiB\n"
        )
        found = {
            "schema_version": 1,
            "what": "rtl-agent solve with the embedded default" + " alone" * asked.model_alone,
            "machine": f"{os.cpu_count()} cores, {platform.machine()}, {platform.system()}",
            "seed": 0,
            "options": list(options),
            "note": asked.note,
            "verified": sum(r["verdict"] == "verified" for r in rows),
            "rows": rows,
        }
        asked.out.write_text(json.dumps(found, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
