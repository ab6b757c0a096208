"""Pairs to train on, with and without markers, and held-out designs to judge by."""

from __future__ import annotations

import json
import random
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from rtl_agent.agent.corpus.dataset import design_record
from rtl_agent.agent.corpus.held_out import families_of, is_held_out
from rtl_agent.agent.corpus.markers import marked_answer
from rtl_agent.agent.corpus.pairs import spec_of
from rtl_agent.agent.corpus.pipeline import build_pairs
from rtl_agent.agent.library.index import open_library
from rtl_agent.agent.styles.embedded import EmbeddedStyle
from rtl_agent.decoding.training.corpus.bench import vector_bench
from rtl_agent.decoding.training.corpus.registry import all_families

if TYPE_CHECKING:
    from pathlib import Path

    from plan import Plan
    from rtl_agent.agent.backends.base import Prompt
    from rtl_agent.agent.spec.model import Spec

__all__ = ["Task", "held_out_tasks", "training_data"]


@dataclass(frozen=True)
class Task:
    """A held-out design: what is asked, and the bench that judges an answer."""

    family: str
    spec: Spec
    prompt: Prompt
    bench: str


def training_data(plan: Plan, folder: Path) -> tuple[Path, Path]:
    """Pairs and the same pairs with markers; pairs that cannot be marked are in neither."""
    plain, marked = folder / "pairs.jsonl", folder / "marked.jsonl"
    if marked.exists():
        return plain, marked
    raw = folder / "raw.jsonl"
    build_pairs(
        raw,
        split="train",
        per_family=plan.per_family,
        repairs=0.0,
        seed=plan.data_seed,
        jobs=1,
        families=plan.families,
    )
    rows: list[dict[str, Any]] = []
    for line in raw.read_text(encoding="utf-8").splitlines():
        pair = json.loads(line)
        header = pair["prompt"][pair["prompt"].rindex("module ") :]
        answer = marked_answer(header, pair["answer"], plan.marker)
        if answer is not None:
            rows.append(pair | {"marked": answer})
    plain.write_text("".join(_line(r, r["answer"]) for r in rows), encoding="utf-8")
    partial = marked.with_suffix(".tmp")
    partial.write_text("".join(_line(r, r["marked"]) for r in rows), encoding="utf-8")
    partial.rename(marked)
    return plain, marked


def _line(pair: dict[str, Any], answer: str) -> str:
    return json.dumps({"prompt": pair["prompt"], "answer": answer}) + "\n"


def held_out_tasks(plan: Plan) -> list[Task]:
    """`plan.designs` designs, families in turn, in unseen parameters, names and wordings."""
    families = families_of(sorted(all_families()), plan.families)
    random.Random(plan.data_seed).shuffle(families)
    library, style, tasks = open_library(), EmbeddedStyle(), []
    index = 0
    while len(tasks) < plan.designs:
        family = families[index % len(families)]
        key = f"{plan.data_seed}:paper:{index}"
        index += 1
        design = all_families()[family](random.Random(f"{family}:{key}"))
        if is_held_out(design.family, design.params):
            continue
        record = design_record(design, seed=key, wordings=1, split="held-out")
        spec = spec_of(record, record["specs"][0])
        prompt = style.draft(spec, library.nearest(spec, 1))
        tasks.append(Task(family, spec, prompt, vector_bench(design, 150, plan.data_seed)))
    return tasks
