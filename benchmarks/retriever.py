"""How often the library's first hits are of the right design family, for unseen wordings.

Draws fresh designs of all families of the library (parameters, names and wordings by a seed that
neither training nor the library used) and looks each spec up in the shipped library.

    python benchmarks/retriever.py --designs 600 --out benchmarks/results/retriever.json
"""

from __future__ import annotations

import argparse
import json
import random
import sys
import time
from collections import Counter
from pathlib import Path
from typing import Any

from rtl_agent.agent.corpus.dataset import design_record
from rtl_agent.agent.corpus.held_out import families_of, is_held_out
from rtl_agent.agent.corpus.pairs import spec_of
from rtl_agent.agent.library.index import Library, open_library
from rtl_agent.decoding.training.corpus.registry import all_families


def measure(library: Library, designs: int, seed: int) -> dict[str, Any]:
    """Look up one held-out wording of `designs` designs, the families in turn."""
    families = families_of(sorted(all_families()), "seen")
    first = third = done = 0
    missed: Counter[str] = Counter()
    started = time.monotonic()
    for index in range(designs):
        family = families[index % len(families)]
        key = f"{seed}:retriever:{index}"
        design = all_families()[family](random.Random(f"{family}:{key}"))
        if is_held_out(design.family, design.params):
            continue
        record = design_record(design, seed=key, wordings=1, split="held-out")
        spec = spec_of(record, record["specs"][0])
        hits = [e.name.split(":")[0] for e in library.nearest(spec, 3)]
        done += 1
        first += hits[:1] == [design.family]
        third += design.family in hits
        if hits[:1] != [design.family]:
            missed[f"{design.family} -> {hits[0] if hits else 'nothing'}"] += 1
    return {
        "schema_version": 1,
        "what": "family of the first hits for unseen wordings, parameters and names",
        "library": len(library),
        "families": len(families),
        "designs": done,
        "seed": seed,
        "right_among_first_1": round(first / done, 4),
        "right_among_first_3": round(third / done, 4),
        "ms_a_design": round(1000 * (time.monotonic() - started) / done, 1),
        "first_misses": dict(missed.most_common()),
    }


def main() -> None:
    """Parse arguments, measure, write JSON."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--designs", type=int, default=600)
    parser.add_argument("--seed", type=int, default=2027)
    parser.add_argument("--out", default="")
    args = parser.parse_args()
    result = measure(open_library(), args.designs, args.seed)
    text = json.dumps(result, indent=1) + "\n"
    if args.out:
        Path(args.out).write_text(text, encoding="utf-8")
    sys.stdout.write(text)


if __name__ == "__main__":
    main()
