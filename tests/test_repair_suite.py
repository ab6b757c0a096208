"""The repair suite is what it says it is; that its faults show is measured where it is run."""

from __future__ import annotations

from collections import Counter

from benchmarks.repair_suite.suite import broken_text, goldens, load_suite


def test_size_and_mixture():
    suite = load_suite()
    kinds = Counter(kind for broken in suite for kind in broken.kinds)
    assert len(suite) >= 120
    assert len({b.golden.name for b in suite}) >= 30
    assert sum(b.by == "hand" for b in suite) * 3 >= len(suite)
    assert set(kinds) == {"syntax", "interface", "function"}
    assert {len(b.kinds) for b in suite} == {1, 2, 3}
    assert len({b.id for b in suite}) == len(suite)


def test_every_design_is_in_one_half():
    dev = {b.golden.name for b in load_suite("dev")}
    held = {b.golden.name for b in load_suite("held")}
    assert not dev & held
    assert dev | held == set(goldens())


def test_faulty_lines_are_lines_of_the_broken_design():
    for broken in load_suite():
        assert broken.text != broken.golden.text
        assert broken.lines
        assert all(1 <= n <= broken.text.count("\n") + 1 for n in broken.lines), broken.id


def test_lines_of_a_replacement_an_insertion_and_a_gap():
    text = "a\nbb\nccc\nd\n"
    assert broken_text(text, [["bb", "bXb"]]) == ("a\nbXb\nccc\nd\n", (2,))
    assert broken_text(text, [["bb\n", "bb\nnew\n"]]) == ("a\nbb\nnew\nccc\nd\n", (3,))
    assert broken_text(text, [["bb\n", ""]]) == ("a\nccc\nd\n", (1, 2))
    assert broken_text(text, [["ccc", "cc"]])[1] == (3,)
