"""Drafts copied from text at hand: prompt, hints, output so far, sibling samples."""

from __future__ import annotations

import heapq
from bisect import bisect_right
from typing import TYPE_CHECKING

from rtl_agent.decoding.drafters.automaton import SuffixAutomaton
from rtl_agent.decoding.drafters.cursor import BREAK, Cursor

if TYPE_CHECKING:
    from collections.abc import Sequence

    import torch
    from rtl_agent.decoding.engine.protocols import TargetCache
    from rtl_agent.decoding.engine.state import Row
    from rtl_agent.decoding.engine.tree import Tree

__all__ = ["LookupDrafter"]

# First guess of how often a continuation found by a match of so many tokens is right; the
# calibration replaces it by what is observed.
_TRUST = (0.02, 0.2, 0.4, 0.55, 0.65, 0.72, 0.78, 0.82, 0.85)
# The same for the cursor: by the tokens it has been in step, and by the depth of the node.
_STEADY = (2, 5, 16, 48)
_DEPTHS = (1, 3, 8)
_IN_STEP = (
    (0.45, 0.6, 0.8, 0.85),
    (0.6, 0.7, 0.82, 0.95),
    (0.8, 0.85, 0.9, 0.96),
    (0.85, 0.92, 0.96, 0.985),
    (0.95, 0.98, 0.985, 0.99),
)
_ASTRAY = ((0.15, 0.45, 0.8, 0.9), (0.1, 0.45, 0.8, 0.9))
_CURSOR = 1000  # first kind of its proposals
_KEPT, _CHANGED = 1400, 1500  # the same where the text was changed before, by how often
_KEPT_RATE, _CHANGED_RATE = 0.25, 0.65
_OFTEN = 4
_LONGEST = len(_TRUST) - 1
_LEAST_CONFIDENCE = 0.02
_RESYNC = 3  # matched tokens that place the cursor
_GUESS_LENGTH = 8  # tokens proposed from a place that is only a guess


class LookupDrafter:
    """A suffix automaton over everything the batch has seen, and a cursor a row.

    The automaton finds the longest suffix of a row that occurred before and ranks what followed
    by count; the cursor stays at one place of a text that is rewritten with changes.
    """

    name = "lookup"

    def __init__(self) -> None:
        self._automaton = SuffixAutomaton()
        self._text: list[int] = []
        self._ends: dict[int, int] = {}
        self._cursors: dict[int, Cursor] = {}

    def start(self, rows: Sequence[Row], cache: TargetCache) -> None:
        """Index prompts and hints, each once."""
        del cache
        self._automaton = SuffixAutomaton()
        self._text = []
        known: dict[tuple[int, ...], int] = {}
        for row in rows:
            prompt = tuple(row.tokens)
            if prompt not in known:
                known[prompt] = self._index(prompt)
            self._ends[row.index] = known[prompt]
        # Where texts agree the last one indexed wins: hints before prompts, the first hint first.
        hints = list(dict.fromkeys(hint for row in rows for hint in row.request.hints))
        for hint in reversed(hints):
            self._index(hint)
        for row in rows:
            self._cursors[row.index] = Cursor(self._text)
            self._locate(row)

    def propose(self, rows: Sequence[Row], trees: Sequence[Tree], budget: int) -> None:
        """Continue the longest match and the cursor's place."""
        for row, tree in zip(rows, trees, strict=True):
            room = row.room - 1
            if room > 0:
                self._from_cursor(self._cursors[row.index], tree, min(budget, room))
                self._from_matches(self._ends[row.index], tree, budget, room)

    def update(self, row: Row, gained: Sequence[int], hidden: torch.Tensor | None) -> None:
        """Index what the row gained and move its cursor."""
        del hidden
        automaton, cursor = self._automaton, self._cursors[row.index]
        state = self._ends[row.index]
        for token in gained:
            state = automaton.extend(state, token)
            cursor.feed(token)
        self._ends[row.index] = state
        if not cursor.in_step:
            self._locate(row)

    def _locate(self, row: Row) -> None:
        """Put a row's cursor behind the last text that agrees with its end."""
        automaton = self._automaton
        match = automaton.match(self._ends[row.index])
        place = automaton.end[match] + 1
        if automaton.length[match] >= _RESYNC and place > 0 and self._text[place] != BREAK:
            self._cursors[row.index].place(place, automaton.length[match])

    def _index(self, tokens: Sequence[int]) -> int:
        state = 0
        for token in tokens:
            state = self._automaton.extend(state, token, len(self._text))
            self._text.append(token)
        self._text.append(BREAK)
        return state

    def _from_cursor(self, cursor: Cursor, tree: Tree, budget: int) -> None:
        for kind, index in cursor.continuations():
            if kind == 0:
                steady, length = bisect_right(_STEADY, cursor.run), budget
                guesses = _IN_STEP[steady]
            else:
                steady, length = 0, min(budget, _GUESS_LENGTH)
                guesses = _ASTRAY[kind - 1]
            self._follow(cursor, tree, index, length, _CURSOR + 100 * kind + 10 * steady, guesses)

    def _follow(  # noqa: PLR0913
        self,
        cursor: Cursor,
        tree: Tree,
        place: int,
        length: int,
        group: int,
        guesses: Sequence[float],
    ) -> None:
        """Add `length` tokens of the text from `place` on, with the changes made before."""
        text = self._text
        node = 0
        while length > 0 and place < len(text) and text[place] != BREAK:
            far = bisect_right(_DEPTHS, tree.depths[node])
            change = cursor.change_at(place)
            if change is None:
                node = tree.add(
                    node, text[place], self.name, kind=group + far, confidence=guesses[far]
                )
                place += 1
                length -= 1
                continue
            written, replaced, times, exact = change
            often = min(times, _OFTEN) + (5 if exact else 0)
            tree.add(node, text[place], self.name, kind=_KEPT + often, confidence=_KEPT_RATE)
            for step, token in enumerate(written):
                kind = _CHANGED + 10 * min(step, 1) + often
                rate = _CHANGED_RATE if step == 0 else guesses[far]
                node = tree.add(node, token, self.name, kind=kind, confidence=rate)
            place += replaced
            length -= len(written) + 1

    def _from_matches(self, end: int, tree: Tree, budget: int, room: int) -> None:
        """Best-first growth from the match and the shorter suffixes behind it."""
        automaton = self._automaton
        queue: list[tuple[float, int, int, int, int]] = []
        order = 0
        state = automaton.match(end)
        backoffs = 0
        while state > 0 and backoffs < 3:
            # Negative: a heap gives the smallest first, here the longest match.
            heapq.heappush(queue, (-1.0, order, 0, state, automaton.length[state]))
            order += 1
            backoffs += 1
            state = automaton.link[state]
        added = 0
        while queue and added < budget:
            weight, _, parent, state, matched = heapq.heappop(queue)
            following = automaton.following[state]
            if not following or tree.depths[parent] >= room:
                continue
            counts = sorted(
                ((automaton.count[child], token, child) for token, child in following.items()),
                reverse=True,
            )[:4]
            total = sum(count for count, _, _ in counts) or 1
            group = min(matched, _LONGEST)
            for count, token, child in counts:
                confidence = _TRUST[group] * count / total
                reach = -weight * confidence
                if reach < _LEAST_CONFIDENCE:
                    break
                node = tree.add(parent, token, self.name, kind=group, confidence=confidence)
                order += 1
                added += 1
                heapq.heappush(queue, (-reach, order, node, child, matched + 1))
