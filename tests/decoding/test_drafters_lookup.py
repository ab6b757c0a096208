"""The suffix automaton, the cursor and the lookup drafter."""

from __future__ import annotations

import time

from hypothesis import given, settings
from hypothesis import strategies as st
from rtl_agent.decoding.drafters.automaton import SuffixAutomaton
from rtl_agent.decoding.drafters.cursor import BREAK, Cursor
from rtl_agent.decoding.drafters.lookup import LookupDrafter
from rtl_agent.decoding.engine.state import Request, Row
from rtl_agent.decoding.engine.tree import Tree


def build(words):
    automaton, ends = SuffixAutomaton(), []
    for word in words:
        state = 0
        for token in word:
            state = automaton.extend(state, token)
        ends.append(state)
    return automaton, ends


def find(automaton, word):
    state = 0
    for token in word:
        if token not in automaton.following[state]:
            return None
        state = automaton.following[state][token]
    return state


@settings(deadline=None, max_examples=60)
@given(st.lists(st.lists(st.integers(0, 2), max_size=12), max_size=3))
def test_every_substring_is_a_path_with_its_count(words):
    automaton, _ = build(words)
    texts = ["".join(map(str, word)) for word in words]
    parts = {t[i:j] for t in texts for i in range(len(t)) for j in range(i + 1, len(t) + 1)}
    for part in parts:
        state = find(automaton, map(int, part))
        assert state is not None
        count = sum(t.startswith(part, i) for t in texts for i in range(len(t)))
        assert automaton.count[state] == count
    for absent in ("0101010101010", "22222222222222"):
        if absent not in parts:
            assert find(automaton, map(int, absent)) is None


@settings(deadline=None, max_examples=60)
@given(st.lists(st.integers(0, 2), min_size=1, max_size=20))
def test_the_match_is_the_longest_suffix_seen_before(word):
    automaton, (end,) = build([word])
    text = "".join(map(str, word))
    longest = next(
        (
            n
            for n in range(len(text) - 1, 0, -1)
            if sum(text.startswith(text[-n:], i) for i in range(len(text))) > 1
        ),
        0,
    )
    assert automaton.length[automaton.match(end)] == longest


def row_for(prompt, hints=(), room=50):
    return Row(0, Request(tuple(prompt), room, hints=hints), list(prompt), room)


def drafted(drafter, row, budget=16):
    tree = Tree.rooted(row.tokens[-1])
    drafter.propose([row], [tree], budget)
    return tree


def gain(drafter, row, tokens):
    row.tokens.extend(tokens)
    drafter.update(row, tokens, None)


def chain(tree):
    """The first child of the first child, and so on."""
    node, tokens = 0, []
    while tree.children[node]:
        token, node = next(iter(tree.children[node].items()))
        tokens.append(token)
    return tokens


def test_the_prompt_is_continued_after_its_second_beginning():
    drafter, row = LookupDrafter(), row_for([1, 2, 3, 4, 5, 6, 9, 1, 2])
    drafter.start([row], None)
    gain(drafter, row, [3])
    assert chain(drafted(drafter, row))[:3] == [4, 5, 6]


def test_hints_and_siblings_are_sources():
    drafter = LookupDrafter()
    rows = [row_for([7], hints=((1, 2, 3, 4),)), row_for([7])]
    rows[1].index = 1
    drafter.start(rows, None)
    gain(drafter, rows[0], [1, 2])
    assert chain(drafted(drafter, rows[0]))[:2] == [3, 4]
    gain(drafter, rows[0], [50, 51, 52])
    gain(drafter, rows[1], [50])
    assert chain(drafted(drafter, rows[1]))[:2] == [51, 52]


def test_rival_continuations_are_ranked_by_count():
    drafter = LookupDrafter()
    row = row_for([1, 2, 8, 1, 2, 9, 1, 2, 9, 1, 2, 9, 3, 1])
    drafter.start([row], None)
    gain(drafter, row, [2])
    tree = drafted(drafter, row)
    by_token = {tree.tokens[node]: tree.confidence[node] for node in tree.children[0].values()}
    assert by_token[9] > by_token[8] > 0


def test_no_draft_is_longer_than_the_room():
    drafter = LookupDrafter()
    row = row_for([1, 2, 3, 4, 5, 6, 7, 1], room=4)
    drafter.start([row], None)
    gain(drafter, row, [2])
    assert max(drafted(drafter, row).depths) <= row.room - 1


def follow(text, output, start=0):
    cursor = Cursor(text)
    cursor.place(start, 0)
    for token in output:
        cursor.feed(token)
    return cursor


def test_the_cursor_survives_edits():
    text = [*range(10, 40), BREAK]
    for output, expected in [
        ([10, 11, 12], 13),  # the same
        ([10, 11, 99, 13], 14),  # one replaced
        ([10, 11, 99, 98, 14], 15),  # two replaced
        ([10, 11, 99, 12], 13),  # one inserted
        ([10, 11, 99, 98, 12], 13),  # two inserted
        ([10, 11, 15, 16, 17], 18),  # three dropped
    ]:
        cursor = follow(text, output)
        places = dict(cursor.continuations())
        assert places.get(0) is not None, output
        assert text[places[0]] == expected, output


def test_the_cursor_gives_up_far_from_the_text():
    cursor = follow([*range(10, 40), BREAK], [10, 11, *range(100, 140)])
    assert not list(cursor.continuations())


def test_lookup_takes_microseconds_a_token():
    drafter = LookupDrafter()
    text = [(i * i) % 97 for i in range(4000)]
    row = row_for(text)
    started = time.process_time()
    drafter.start([row], None)
    assert (time.process_time() - started) / len(text) < 100e-6
    started = time.process_time()
    for token in text[:1000]:
        gain(drafter, row, [token])
    assert (time.process_time() - started) / 1000 < 200e-6


def rewritten(text, written):
    """A cursor behind `written`, placed at the beginning of `text`."""
    cursor = Cursor([*text, BREAK])
    cursor.place(0, 3)
    for token in written:
        cursor.feed(token)
    return cursor


def test_a_change_made_once_is_expected_again():
    # 8 ' d becomes 4 ' d; the 8 before a colon was never changed.
    cursor = rewritten([8, 9, 1, 8, 9, 2, 8, 5], [4, 9, 1])
    assert cursor.change_at(3) == ((4,), 1, 1, True)
    assert cursor.change_at(6) == ((4,), 1, 1, False)
    assert cursor.change_at(2) is None


def test_a_change_of_several_tokens_and_the_longest_first():
    cursor = rewritten([20, 21, 1, 20, 21, 2, 20, 3], [30, 1])
    assert cursor.change_at(3) == ((30,), 2, 1, False)
    assert cursor.change_at(6) is None


def test_a_change_that_was_not_made_again_is_forgotten():
    cursor = rewritten([8, 1, 8, 2, 8, 3], [4, 1, 8, 2])
    assert cursor.change_at(4) is None


def test_changes_at_the_end_of_the_text_are_no_error():
    cursor = rewritten([8, 1, 8], [4, 1])
    assert cursor.change_at(2) == ((4,), 1, 1, False)
    assert cursor.change_at(3) is None


def test_changes_save_passes_and_their_rivals_stay_in_the_tree():
    """Renaming a name: from the second time on the new name is drafted, beside the old one."""
    old = [50, 11, 12, 50, 13, 14, 50, 15, 16]
    drafter = LookupDrafter()
    row = Row(0, Request((1, 2, 3), 40, hints=((1, 2, 3, *old),)), [1, 2, 3], 40)
    drafter.start([row], None)
    gained = [60, 11, 12]
    row.tokens.extend(gained)
    drafter.update(row, gained, None)
    tree = Tree.rooted(12)
    drafter.propose([row], [tree], 12)
    paths = [tree.path(node)[1:] for node in range(len(tree))]
    assert [60, 13, 14] in paths
    assert [50] in paths
