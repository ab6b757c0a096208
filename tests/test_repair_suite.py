"""The repair suite is what it says it is; that its faults show is measured where it is run."""

from __future__ import annotations

import importlib
import sys
from collections import Counter
from pathlib import Path

import pytest


@pytest.fixture(scope="module")
def suite():
    """The module that reads the suite; the folder of the benchmarks is not installed."""
    with pytest.MonkeyPatch.context() as patch:
        patch.syspath_prepend(str(Path(__file__).parents[1]))
        yield importlib.import_module("benchmarks.repair_suite.suite")
    for name in [n for n in sys.modules if n.partition(".")[0] == "benchmarks"]:
        del sys.modules[name]


def test_size_and_mixture(suite):
    suite = suite.load_suite()
    kinds = Counter(kind for broken in suite for kind in broken.kinds)
    assert len(suite) >= 120
    assert len({b.golden.name for b in suite}) >= 30
    assert sum(b.by == "hand" for b in suite) * 3 >= len(suite)
    assert set(kinds) == {"syntax", "interface", "function"}
    assert {len(b.kinds) for b in suite} == {1, 2, 3}
    assert len({b.id for b in suite}) == len(suite)


def test_every_design_is_in_one_half(suite):
    dev = {b.golden.name for b in suite.load_suite("dev")}
    held = {b.golden.name for b in suite.load_suite("held")}
    assert not dev & held
    assert dev | held == set(suite.goldens())


def test_faulty_lines_are_lines_of_the_broken_design(suite):
    for broken in suite.load_suite():
        assert broken.text != broken.golden.text
        assert broken.lines
        assert all(1 <= n <= broken.text.count("\n") + 1 for n in broken.lines), broken.id


def test_lines_of_a_replacement_an_insertion_and_a_gap(suite):
    broken_text = suite.broken_text
    text = "a\nbb\nccc\nd\n"
    assert broken_text(text, [["bb", "bXb"]]) == ("a\nbXb\nccc\nd\n", (2,))
    assert broken_text(text, [["bb\n", "bb\nnew\n"]]) == ("a\nbb\nnew\nccc\nd\n", (3,))
    assert broken_text(text, [["bb\n", ""]]) == ("a\nccc\nd\n", (1, 2))
    assert broken_text(text, [["ccc", "cc"]])[1] == (3,)
