"""Learns by what to order known designs: which of those found is the one a spec asks for?

Draws designs of the corpus families in training wordings, retrieves designs for each, fits them to
the spec and simulates them against the family's Python reference. A listwise logistic regression
over `rank.features` then gives the weights; what they give on other specs is told by
cross-validation. `--keep` holds what is done, so that a run can be stopped and gone on with.

    python benchmarks/rank_weights.py --rounds 10 --keep rank.jsonl
"""

from __future__ import annotations

import argparse
import json
import random
import sys
from pathlib import Path
from typing import Any

import torch
from rtl_agent.agent.corpus.dataset import design_record
from rtl_agent.agent.corpus.held_out import families_of, is_held_out
from rtl_agent.agent.corpus.pairs import spec_of
from rtl_agent.agent.corpus.validate import run_bench
from rtl_agent.agent.library.fit import offers
from rtl_agent.agent.library.index import open_library
from rtl_agent.decoding.training.corpus.bench import vector_bench
from rtl_agent.decoding.training.corpus.registry import all_families

FOLDS = 5


def judged(family: str, key: str, library: Any) -> dict[str, Any] | None:
    """Features of the designs found for one spec, and which of them are right."""
    design = all_families()[family](random.Random(f"{family}:{key}"))
    if is_held_out(design.family, design.params):
        return None
    record = design_record(design, seed=key, wordings=1, split="train")
    spec = spec_of(record, record["specs"][0])
    bench = vector_bench(design, 100, key)
    known: dict[str, bool] = {}
    rows, right = [], []
    for exemplar, row in library.ranked(spec, 14):
        fitted, _ = offers((exemplar,), spec)
        for _, source in fitted:
            if source not in known:
                known[source] = run_bench(source, bench).passed
            rows.append(row)
            right.append(known[source])
    return {"key": key, "family": family, "rows": rows, "right": right}


def collect(asked: argparse.Namespace) -> list[dict[str, Any]]:
    """All specs of all rounds, from the file or anew."""
    lines = asked.keep.read_text("utf-8").splitlines() if asked.keep.exists() else []
    found = [json.loads(line) for line in lines]
    done = {(x["family"], x["key"]) for x in found}
    library = open_library()
    with asked.keep.open("a", encoding="utf-8") as file:
        for number in range(asked.rounds):
            key = f"{asked.seed}:rank:{number}"
            for family in families_of(sorted(all_families()), "seen"):
                if (family, key) in done:
                    continue
                row = judged(family, key, library)
                if row is not None and row["rows"]:
                    found.append(row)
                    file.write(json.dumps(row) + "\n")
            sys.stderr.write(f"round {number + 1} of {asked.rounds}\n")
    return found


def learn(data: list[dict[str, Any]], steps: int = 300) -> torch.Tensor:
    """Weights by which the right designs of each spec come out most likely."""
    told = [x for x in data if any(x["right"]) and not all(x["right"])]
    rows = [torch.tensor(x["rows"]) for x in told]
    right = [torch.tensor(x["right"]) for x in told]
    scale = torch.cat(rows).std(0)
    scale[scale < 1e-6] = float("inf")  # what is the same for all teaches nothing
    weights = torch.zeros(rows[0].shape[1], requires_grad=True)
    optimizer = torch.optim.Adam([weights], 0.05)
    for _ in range(steps):
        scores = [(r / scale) @ weights for r in rows]
        each = [s.logsumexp(0) - s[y].logsumexp(0) for s, y in zip(scores, right, strict=True)]
        loss = torch.stack(each).mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    return (weights / scale).detach()


def share(data: list[dict[str, Any]], weights: torch.Tensor) -> float:
    """Share of specs whose first design is right."""
    first = [x["right"][int((torch.tensor(x["rows"]) @ weights).argmax())] for x in data]
    return sum(first) / len(data)


def main() -> None:
    """Collect, learn, print."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--rounds", type=int, default=10, help="specs of every family")
    parser.add_argument("--seed", type=int, default=1000)
    parser.add_argument("--keep", type=Path, default=Path("rank.jsonl"))
    data = collect(parser.parse_args())
    random.Random(0).shuffle(data)
    parts = [data[i::FOLDS] for i in range(FOLDS)]
    others = [[x for k, part in enumerate(parts) if k != i for x in part] for i in range(FOLDS)]
    held = [share(p, learn(o)) for p, o in zip(parts, others, strict=True)]
    weights = learn(data)
    result = {
        "specs": len(data),
        "one_is_right": sum(any(x["right"]) for x in data) / len(data),
        "first_is_right_held_out": sum(held) / FOLDS,
        "weights": [round(float(w / weights[0]), 2) for w in weights],
    }
    print(json.dumps(result, indent=1))


if __name__ == "__main__":
    main()
