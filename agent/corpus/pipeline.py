"""From families to files: the shipped library, and training pairs made against it."""

from __future__ import annotations

import json
import random
import tempfile
from collections import Counter
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from rtl_agent.agent.library.index import Library, open_library
from rtl_agent.agent.library.records import LibraryRecord, interface_from_json, write_records
from rtl_agent.decoding.training.corpus.bench import vector_bench
from rtl_agent.decoding.training.corpus.registry import all_families
from rtl_agent.decoding.training.minhash import Deduplicator

from .dataset import build_corpus
from .held_out import UNSEEN
from .pairs import draft_pair
from .repairs import repair_pair
from .traits import traits_of
from .validate import run_bench

if TYPE_CHECKING:
    from collections.abc import Iterator

__all__ = ["BuildReport", "build_library", "build_pairs", "without_unseen"]

_CYCLES = 150  # by which a design of the library is judged for a pair
_REPEATED = 0.98  # estimated likeness from which a pair only repeats another


@dataclass(slots=True)
class BuildReport:
    """What a build made and what it left out."""

    written: int = 0
    left_out: Counter[str] = field(default_factory=Counter)
    failed: list[str] = field(default_factory=list)


def _designs(  # noqa: PLR0913
    path: Path,
    report: BuildReport,
    *,
    split: str,
    per_family: int,
    seed: int,
    jobs: int,
    families: str = "seen",
) -> Iterator[dict[str, Any]]:
    """Build one split into `path`; yields the good records, notes the others in `report`."""
    for record in build_corpus(
        path,
        split=split,
        per_family=per_family,
        wordings=1,
        seed=seed,
        jobs=jobs,
        families=families,
    ):
        if "error" in record:
            report.failed.append(f"{record['family']}: {record['error'].splitlines()[0][:200]}")
        elif "skipped" in record:
            report.left_out[record["skipped"]] += 1
        else:
            yield record


def build_library(
    out: Path, *, per_family: int, seed: int, jobs: int, families: str = "seen"
) -> BuildReport:
    """Write a library file with up to `per_family` verified designs of every family.

    `families` is `all`, `seen` or `unseen`: the library that ships is of the seen ones.
    """
    report = BuildReport()
    with tempfile.TemporaryDirectory(prefix="rtl-corpus-") as folder:
        found = _designs(
            Path(folder) / "library.jsonl",
            report,
            split="library",
            per_family=per_family,
            seed=seed,
            jobs=jobs,
            families=families,
        )
        records = [_as_library(r) for r in found]
    # By family, so that the compressed file is small and a change of one family stays local.
    records.sort(key=lambda r: (r.family, r.name))
    report.written = write_records(out, records)
    return report


def _as_library(record: dict[str, Any]) -> LibraryRecord:
    return LibraryRecord(
        record["id"],
        record["family"],
        record["terse"],
        record["rtl"],
        interface_from_json(record["interface"]),
        record["search"],
        traits=traits_of(record["params"]),
    )


def without_unseen(library: Library) -> Library:
    """The library without the families kept for measuring."""
    return Library([record for record in library if record.family not in UNSEEN])


_LIBRARY: list[Library] = []  # one a worker process, opened on its first job


def _open(families: str) -> None:
    """Prepare a worker process; only with `all` are the families kept for measuring shown."""
    shipped = open_library()
    _LIBRARY[:] = [shipped if families == "all" else without_unseen(shipped)]


def _pairs_of(job: tuple[dict[str, Any], int, bool]) -> list[dict[str, str]]:
    """The draft pair of a record and, where asked for, a repair pair."""
    record, seed, repair = job
    library = _LIBRARY[0]
    rng = random.Random(f"{seed}:{record['id']}")
    text = record["specs"][0]
    family, key = record["id"].split(":", 1)
    design = all_families()[family](random.Random(f"{family}:{key}"))
    bench = vector_bench(design, _CYCLES, key)
    pairs = [draft_pair(record, text, library, rng, lambda rtl: run_bench(rtl, bench).passed)]
    if repair:
        pairs.append(repair_pair(design, record, text, library, rng))
    return [pair.to_json() for pair in pairs if pair is not None]


def build_pairs(  # noqa: PLR0913
    out: Path,
    *,
    split: str,
    per_family: int,
    repairs: float,
    seed: int,
    jobs: int,
    families: str = "seen",
) -> BuildReport:
    """Write training pairs (JSONL, shuffled by seed) against the shipped library.

    `repairs` is the share of designs that also give a repair pair. `families` is `all`, `seen`
    or `unseen`; the families kept for measuring are shown to a prompt only with `all`. Pairs
    that nearly repeat an earlier one (MinHash over task and answer) are left out and counted.
    """
    report, known = BuildReport(), Deduplicator(_REPEATED)
    rng = random.Random(seed)
    lines: list[str] = []
    with tempfile.TemporaryDirectory(prefix="rtl-corpus-") as folder:
        path = Path(folder) / f"{split}.jsonl"
        records = list(
            _designs(
                path,
                report,
                split=split,
                per_family=per_family,
                seed=seed,
                jobs=jobs,
                families=families,
            )
        )
        work = [(record, seed, rng.random() < repairs) for record in records]
        with ProcessPoolExecutor(jobs, initializer=_open, initargs=(families,)) as pool:
            for found in pool.map(_pairs_of, work, chunksize=16):
                for pair in found:
                    task = pair["prompt"].rpartition("// Task:")[2]
                    if known.add(f"{task} {pair['answer']}") is None:
                        lines.append(json.dumps(pair))
                    else:
                        report.left_out["nearly the same pair as another"] += 1
    rng.shuffle(lines)
    out.write_text("".join(line + "\n" for line in lines), encoding="utf-8")
    report.written = len(lines)
    return report
