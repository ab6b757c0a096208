"""Families kept for measuring: told apart, and never shown where they would give the answer."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from rtl_agent.agent.corpus.held_out import UNSEEN, families_of
from rtl_agent.agent.corpus.pipeline import build_pairs
from rtl_agent.decoding.training.corpus.registry import all_families

if TYPE_CHECKING:
    from pathlib import Path


def test_families_kept_for_measuring_exist_and_are_told_apart() -> None:
    names = sorted(all_families())
    assert set(UNSEEN) <= set(names)
    assert families_of(names, "unseen") == sorted(UNSEEN)
    assert not set(families_of(names, "seen")) & set(UNSEEN)
    assert families_of(names, "all") == names


def test_pairs_of_unseen_families_see_no_relative(tmp_path: Path) -> None:
    out = tmp_path / "pairs.jsonl"
    report = build_pairs(
        out, split="held-out", per_family=1, repairs=0.0, seed=5, jobs=1, families="unseen"
    )
    pairs = [json.loads(line) for line in out.read_text().splitlines()]
    assert report.written == len(pairs) > 8
    assert {pair["family"] for pair in pairs} <= set(UNSEEN)
    assert not {pair["exemplar_family"] for pair in pairs} & set(UNSEEN)
