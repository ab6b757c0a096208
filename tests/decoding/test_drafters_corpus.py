"""The n-gram table: what is stored is found, files are checked, size is kept."""

from __future__ import annotations

import time
from collections import Counter

import pytest
from engine_models import tokenizer
from rtl_agent.decoding.drafters.corpus import CorpusDrafter
from rtl_agent.decoding.drafters.table import ORDERS, NgramTable, tokenizer_fingerprint
from rtl_agent.decoding.drafters.table_build import build_table
from rtl_agent.decoding.engine.state import Request, Row
from rtl_agent.decoding.engine.tree import Tree
from rtl_agent.decoding.errors import HeadsMismatch, ModelUnusable

TEXT = [(i * i * 7 + i // 3) % 41 for i in range(600)]


@pytest.fixture
def table(tmp_path):
    path = tmp_path / "t.bin"
    build_table([TEXT[:300], TEXT[300:]], path, vocabulary=50, fingerprint="f")
    return NgramTable(path, fingerprint="f")


def test_the_table_holds_what_a_counter_counts(table):
    for order in range(1, ORDERS + 1):
        follow: dict[tuple[int, ...], Counter[int]] = {}
        for document in (TEXT[:300], TEXT[300:]):
            for end in range(order, len(document)):
                context = tuple(document[end - order : end])
                follow.setdefault(context, Counter())[document[end]] += 1
        for context, counts in follow.items():
            found, pairs = table.lookup([99] * ORDERS + list(context))
            assert found == order
            token, share = pairs[0]
            assert counts[token] == max(counts.values())
            assert abs(share - counts[token] / sum(counts.values())) < 0.005


def test_unknown_contexts_back_off(table):
    assert table.lookup([99, 98, 97])[0] == 0
    assert table.lookup([])[0] == 0
    order, _ = table.lookup([99, 98, TEXT[10], TEXT[11]])
    assert order in (1, 2)


def test_contexts_do_not_cross_documents(tmp_path):
    build_table([[1, 2, 3], [4, 5, 6]], tmp_path / "x.bin", vocabulary=9, fingerprint="f")
    table = NgramTable(tmp_path / "x.bin")
    assert table.lookup([3])[0] == 0
    assert table.lookup([1, 2])[1] == [(3, 1.0)]


def test_the_drafter_grows_along_the_likeliest_text(table):
    drafter = CorpusDrafter(table)
    row = Row(0, Request((99,), 40), TEXT[100:107], 40)
    tree = Tree.rooted(row.tokens[-1])
    drafter.propose([row], [tree], 20)
    node = 0
    for token in TEXT[107:110]:
        assert token in tree.children[node]
        node = tree.children[node][token]


def test_a_small_limit_drops_rare_contexts_first(tmp_path):
    common = [1, 2, 3, 4] * 200
    rare = [(i * 37 + 5) % 1000 + 10 for i in range(4000)]
    path = tmp_path / "small.bin"
    build_table([common, rare], path, vocabulary=2000, fingerprint="f", max_bytes=20_000)
    assert path.stat().st_size <= 21_000
    assert NgramTable(path).lookup([2, 3])[1][0][0] == 4


def test_wide_vocabularies(tmp_path):
    text = [70_000, 5, 90_000] * 20
    build_table([text], tmp_path / "w.bin", vocabulary=100_000, fingerprint="f")
    assert NgramTable(tmp_path / "w.bin").lookup([70_000, 5])[1][0] == (90_000, 1.0)


def test_opening_takes_milliseconds(tmp_path):
    text = [(i * i * 31 + i // 7) % 30_011 for i in range(60_000)]
    path = tmp_path / "big.bin"
    build_table([text], path, vocabulary=40_000, fingerprint="f")
    started = time.process_time()
    NgramTable(path)
    assert time.process_time() - started < 0.02
    assert path.stat().st_size < 20_000_000


def test_files_are_checked(tmp_path, table):
    with pytest.raises(HeadsMismatch, match="another tokenizer"):
        NgramTable(table.path, fingerprint="g")
    with pytest.raises(ModelUnusable, match="cannot be read"):
        NgramTable(tmp_path / "none.bin")
    (tmp_path / "no.bin").write_bytes(b"hello world\n")
    with pytest.raises(ModelUnusable, match="no n-gram table"):
        NgramTable(tmp_path / "no.bin")
    (tmp_path / "cut.bin").write_bytes(table.path.read_bytes()[:500])
    with pytest.raises(ModelUnusable, match="cut short"):
        NgramTable(tmp_path / "cut.bin")
    with pytest.raises(ModelUnusable, match="no text"):
        build_table([[1]], tmp_path / "x.bin", vocabulary=5, fingerprint="f")


def test_the_fingerprint_follows_the_vocabulary():
    class Other:
        def get_vocab(self):
            return {"a": 0, "b": 1}

    class Swapped:
        def get_vocab(self):
            return {"a": 1, "b": 0}

    assert tokenizer_fingerprint(Other()) != tokenizer_fingerprint(Swapped())
    assert tokenizer_fingerprint(tokenizer()) == tokenizer_fingerprint(tokenizer())
