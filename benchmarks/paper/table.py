"""Tables of docs/PAPER.md from the result files.

python benchmarks/paper/table.py benchmarks/results/paper
"""

from __future__ import annotations

import json
import math
import statistics
import sys
from pathlib import Path
from typing import Any

from plan import METHODS

__all__ = ["interval", "render"]

# Two-sided 95 % of Student's t by degrees of freedom: seeds are few.
_T95 = {1: 12.71, 2: 4.30, 3: 3.18, 4: 2.78, 5: 2.57}
_COLUMNS = (
    ("tokens/s", "tokens_per_s", 1.0),
    ("accept", "acceptance_length", 1.0),
    ("syntax %", "syntax", 100.0),
    ("greedy %", "greedy_pass", 100.0),
    ("pass@1 %", "pass@1", 100.0),
    ("pass@5 %", "pass@5", 100.0),
    ("pass@10 %", "pass@10", 100.0),
)


def interval(values: list[float]) -> str:
    """Mean and half the width of its 95 % interval over seeds; the value alone when it is one."""
    if not values:
        return "–"
    mean = statistics.fmean(values)
    if len(values) == 1:
        return f"{mean:.2f}"
    half = _T95.get(len(values) - 1, 1.96) * statistics.stdev(values) / math.sqrt(len(values))
    return f"{mean:.2f} ± {half:.2f}"


def render(results: list[dict[str, Any]]) -> str:
    """Markdown tables, one a data size, of every method and way of decoding."""
    lines: list[str] = []
    sizes = sorted({r["run"]["samples"] for r in results if r["run"]["samples"]}, reverse=True)
    for size in sizes:
        rows = [r for r in results if r["run"]["samples"] in (0, size)]
        lines += [f"### {size} training pairs' worth of compute", ""]
        lines.append("| method | decoding | seeds | " + " | ".join(c[0] for c in _COLUMNS) + " |")
        lines.append("| --- " * (3 + len(_COLUMNS)) + "|")
        for method in ("base", *METHODS):
            own = [r for r in rows if r["run"]["method"] == method]
            for way in own[0]["decoding"] if own else ():
                figures = [r["decoding"][way] for r in own if way in r["decoding"]]
                cells = [
                    interval([f[key] * scale for f in figures if key in f])
                    for _, key, scale in _COLUMNS
                ]
                lines.append(f"| {method} | {way} | {len(own)} | " + " | ".join(cells) + " |")
        lines.append("")
    return "\n".join(lines)


def main() -> None:
    """Read a folder of results, write tables."""
    folder = Path(sys.argv[1])
    found = [json.loads(p.read_text(encoding="utf-8")) for p in sorted(folder.glob("*.json"))]
    sys.stdout.write(render(found))


if __name__ == "__main__":
    main()
