"""Families kept for measuring: told apart, and never shown where they would give the answer."""

from __future__ import annotations

import json
import random
from typing import TYPE_CHECKING

import pytest
from click.testing import CliRunner
from rtl_agent.agent.cli.corpus import corpus_command
from rtl_agent.agent.corpus import dataset
from rtl_agent.agent.corpus.held_out import UNSEEN, families_of
from rtl_agent.agent.corpus.pipeline import build_pairs
from rtl_agent.agent.library.index import open_library
from rtl_agent.agent.library.records import read_records
from rtl_agent.decoding.training.corpus.registry import all_families

if TYPE_CHECKING:
    from pathlib import Path


def test_families_kept_for_measuring_exist_and_are_told_apart() -> None:
    names = sorted(all_families())
    assert set(UNSEEN) <= set(names)
    assert families_of(names, "unseen") == sorted(UNSEEN)
    assert not set(families_of(names, "seen")) & set(UNSEEN)
    assert families_of(names, "all") == names


def test_those_named_are_all_of_their_package_and_no_others() -> None:
    packages = {name: make.__module__.split(".")[-2] for name, make in all_families().items()}
    assert {name for name, package in packages.items() if package == "families_unseen"} == set(
        UNSEEN
    )
    assert set(packages.values()) == {"families", "families_unseen"}


def test_the_shipped_library_has_none_of_them() -> None:
    shipped = list(open_library())
    assert len({record.family for record in shipped}) > 100
    assert not {record.family for record in shipped} & set(UNSEEN)
    forms = {dataset.normal_form(record.rtl) for record in shipped}
    for name in UNSEEN:
        for seed in range(20):
            rtl = all_families()[name](random.Random(f"splits:{name}:{seed}")).rtl
            assert dataset.normal_form(rtl) not in forms, rtl


@pytest.fixture
def two_of_each(monkeypatch: pytest.MonkeyPatch) -> set[str]:
    """A corpus of four families, two of them for measuring; the names of these two."""
    every = all_families()
    few = {name: every[name] for name in ("adder", "d_register", *UNSEEN[:2])}
    monkeypatch.setattr(dataset, "all_families", lambda: few)
    return set(UNSEEN[:2])


@pytest.mark.parametrize("command", ["library", "pairs"])
def test_a_build_takes_them_only_when_asked(
    command: str, two_of_each: set[str], tmp_path: Path
) -> None:
    def built(*options: str) -> set[str]:
        out = tmp_path / "out.jsonl.gz"
        argv = [command, str(out), "--per-family", "2", "--jobs", "1", *options]
        done = CliRunner().invoke(corpus_command, argv)
        assert done.exit_code == 0, done.output
        if command == "library":
            return {record.family for record in read_records(out)}
        return {json.loads(line)["family"] for line in out.read_text().splitlines()}

    assert built() == {"adder", "d_register"}
    assert built("--families", "seen") == {"adder", "d_register"}
    assert built("--families", "unseen") == two_of_each
    assert built("--families", "all") == {"adder", "d_register"} | two_of_each


def test_pairs_of_unseen_families_see_no_relative(tmp_path: Path) -> None:
    out = tmp_path / "pairs.jsonl"
    report = build_pairs(
        out, split="held-out", per_family=1, repairs=0.0, seed=5, jobs=1, families="unseen"
    )
    pairs = [json.loads(line) for line in out.read_text().splitlines()]
    assert report.written == len(pairs) > 8
    assert {pair["family"] for pair in pairs} <= set(UNSEEN)
    assert not {pair["exemplar_family"] for pair in pairs} & set(UNSEEN)


@pytest.mark.parametrize("what", ["library", "pairs", "traits"])
def test_a_build_that_cannot_be_written_is_told_before_it_begins(what: str, tmp_path: Path) -> None:
    out = tmp_path / "none" / "x.gz"
    told = CliRunner().invoke(corpus_command, [what, str(out)])
    assert told.exit_code == 2
    assert f"{out}: cannot be written" in told.output
