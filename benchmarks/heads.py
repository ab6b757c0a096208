"""Tokens a target pass with trained heads, alone and merged with lookup and the corpus table.

Decodes held-out prompts greedily under exact verification with every set of drafters in turn; all
outputs have to be equal. Trees of a fixed size, so that the figures do not depend on the machine.

    rtl-agent corpus pairs held.jsonl --split held-out --per-family 1 --repairs 0 --seed 991
    python benchmarks/heads.py held.jsonl --heads run/heads.safetensors --out …/heads.json
"""

from __future__ import annotations

import argparse
import json
import platform
import sys
import time
from pathlib import Path
from typing import Any

from rtl_agent.decoding.api import SamplingParams
from rtl_agent.decoding.drafters.heads_model import load_heads
from rtl_agent.decoding.models.assemble import assemble
from rtl_agent.decoding.models.embedded import load_embedded
from rtl_agent.decoding.models.options import Speculation
from rtl_agent.decoding.models.pack import pack

SETS = (
    ("lookup",),
    ("corpus",),
    ("heads",),
    ("lookup", "corpus"),
    ("lookup", "heads"),
    ("lookup", "corpus", "heads"),
)


def measure(args: argparse.Namespace) -> dict[str, Any]:
    """Decode every prompt with every set of drafters."""
    model, tokenizer, table = load_embedded(args.adapter)
    table = args.table or table
    load_heads(args.heads, model)  # a message about heads that do not fit comes first
    params = SamplingParams(max_new_tokens=args.tokens)
    rows = [json.loads(line) for line in args.pairs.read_text(encoding="utf-8").splitlines()]
    rows = rows[: args.prompts]
    generators = {}
    for names in SETS:
        speculation = Speculation(
            drafters=names, table=table, heads=args.heads, max_nodes=args.nodes, adaptive=False
        )
        generators["+".join(names)] = assemble("embedded", model, tokenizer, speculation)
    pack(model)
    totals = {name: {"tokens": 0, "passes": 0, "seconds": 0.0} for name in generators}
    by_drafter: dict[str, int] = {}
    unequal, shares = 0, {}
    for index, row in enumerate(rows):
        outputs = []
        for name, generator in generators.items():
            started = time.perf_counter()
            done = generator.generate(row["prompt"], params=params)[0]
            spent = time.perf_counter() - started - done.stats.prefill_s
            totals[name]["tokens"] += done.stats.new_tokens
            totals[name]["passes"] += done.stats.target_passes
            totals[name]["seconds"] += spent
            outputs.append(done.token_ids)
            if len(SETS[-1]) == name.count("+") + 1:
                for source, count in done.stats.accepted_by.items():
                    by_drafter[source] = by_drafter.get(source, 0) + count
        unequal += any(output != outputs[0] for output in outputs)
        shares = {n: round(t["tokens"] / max(t["passes"], 1), 2) for n, t in totals.items()}
        print(index + 1, json.dumps(shares), file=sys.stderr, flush=True)
    return {
        "schema_version": 1,
        "what": "tokens a target pass, greedy, exact verification, held-out fresh drafts",
        "machine": f"{platform.machine()}, {platform.system()}",
        "prompts": len(rows),
        "most_new_tokens": args.tokens,
        "nodes": args.nodes,
        "outputs_that_differ": unequal,
        "tokens_a_pass": {
            n: round(t["tokens"] / max(t["passes"], 1), 3) for n, t in totals.items()
        },
        "tokens": {n: t["tokens"] for n, t in totals.items()},
        "accepted_by": by_drafter,
    }


def main() -> None:
    """Parse arguments, measure, write JSON."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("pairs", type=Path)
    parser.add_argument("--heads", type=Path, required=True)
    parser.add_argument("--adapter", type=Path, help="the shipped one by default")
    parser.add_argument("--table", type=Path, help="the shipped one by default")
    parser.add_argument("--prompts", type=int, default=40)
    parser.add_argument("--tokens", type=int, default=256)
    parser.add_argument("--nodes", type=int, default=32)
    parser.add_argument("--out", type=Path)
    args = parser.parse_args()
    text = json.dumps(measure(args), indent=1) + "\n"
    if args.out:
        args.out.write_text(text, encoding="utf-8")
    sys.stdout.write(text)


if __name__ == "__main__":
    main()
