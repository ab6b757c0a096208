"""Builds the corpus: designs drawn by seed, checked, worded, split; one JSON object a line."""

from __future__ import annotations

import hashlib
import json
import random
import re
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from rtl_agent.agent.library.records import interface_to_json
from rtl_agent.decoding.training.corpus.registry import all_families
from rtl_agent.decoding.training.corpus.wording import Split, terse, word
from rtl_agent.tools.interface import Direction, Interface, Parameter, Port

from .held_out import families_of, is_held_out
from .validate import validate

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from rtl_agent.decoding.training.corpus.design import Design

__all__ = ["build_corpus", "design_record", "interface_of", "normal_form"]

_NAME = re.compile(r"[A-Za-z_]\w*")


def interface_of(design: Design) -> Interface:
    """The interface of a corpus design; a width that depends on a parameter stays as written."""
    return Interface(
        design.module,
        tuple(
            Port(Direction(p.direction), p.name, p.range or p.width, description=p.description)
            for p in design.ports
        ),
        tuple(Parameter(name, value) for name, value in design.parameters),
    )


def normal_form(rtl: str) -> str:
    """Hash of `rtl` with identifiers numbered in order of appearance and white space folded."""
    numbers: dict[str, str] = {}

    def number(match: re.Match[str]) -> str:
        return numbers.setdefault(match[0], f"n{len(numbers)}")

    text = " ".join(_NAME.sub(number, re.sub(r"//[^\n]*", "", rtl)).split())
    return hashlib.sha256(text.encode()).hexdigest()[:16]


def _search_text(design: Design) -> str:
    """All paraphrases a training text may use: the words by which the library finds it."""
    rng = random.Random(0)
    return " ".join(word(design, rng, Split.TRAIN).text for _ in range(6)) + " " + design.group


def design_record(design: Design, *, seed: str, wordings: int, split: str) -> dict[str, Any]:
    """A design with `wordings` texts as a JSON object."""
    rng = random.Random(f"{seed}:words")
    kind = Split.HELD_OUT if split == "held-out" else Split.TRAIN
    return {
        "id": f"{design.family}:{seed}",
        "family": design.family,
        "split": split,
        "params": dict(design.params),
        "interface": interface_to_json(interface_of(design)),
        "rtl": design.rtl,
        "form": normal_form(design.rtl),
        "terse": terse(design),
        "search": _search_text(design) if split == "library" else "",
        "specs": [word(design, rng, kind).text for _ in range(wordings)],
    }


@dataclass(frozen=True, slots=True)
class _Job:
    family: str
    index: int
    seed: int
    split: str
    wordings: int


def _make(job: _Job) -> dict[str, Any]:
    """One design, checked; an object with `error` where it failed its own reference."""
    key = f"{job.seed}:{job.split}:{job.index}"
    design = all_families()[job.family](random.Random(f"{job.family}:{key}"))
    if is_held_out(design.family, design.params):
        return {"skipped": "kept for the examples", "family": job.family}
    outcome = validate(design)
    if not (outcome.passed and outcome.clean):
        return {"error": outcome.message, "family": job.family, "rtl": design.rtl}
    return design_record(design, seed=key, wordings=job.wordings, split=job.split)


def build_corpus(  # noqa: PLR0913
    out: Path,
    *,
    split: str,
    per_family: int,
    wordings: int,
    seed: int,
    jobs: int,
    families: str = "seen",
) -> Iterator[dict[str, Any]]:
    """Write `out` (JSONL) with up to `per_family` distinct designs of every family.

    `families` is `all`, `seen` or `unseen` (see `held_out.UNSEEN`). Yields each record as it is
    written, failed and skipped ones included, for progress.
    """
    work = [
        _Job(name, i, seed, split, wordings)
        for i in range(per_family)
        for name in families_of(all_families(), families)
    ]
    seen: set[str] = set()
    with out.open("w", encoding="utf-8") as lines, ProcessPoolExecutor(jobs) as pool:
        for record in pool.map(_make, work, chunksize=8):
            if "rtl" in record and "error" not in record:
                form = record["form"] + json.dumps(record["interface"]["ports"])
                if form in seen:
                    continue
                seen.add(form)
                lines.write(json.dumps(record) + "\n")
            yield record
