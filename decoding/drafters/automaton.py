"""A suffix automaton over several growing token sequences.

Blumer et al. 1985; the form for several words, each extended at its own end, is the usual
generalised one. Every substring seen so far is a path from state 0, and each state knows how
often its substrings occurred.
"""

from __future__ import annotations

__all__ = ["SuffixAutomaton"]

_COUNT_WALK = 32  # suffix links followed to update counts: bounds the cost on repetitive text


class SuffixAutomaton:
    """States are integers, 0 is the root (the empty string).

    Attributes:
        following: token to state, for each state.
        link: the state of the longest proper suffix that occurs elsewhere, too.
        length: of the longest string of a state.
        count: occurrences.
        end: position (as given to `extend`) of the last occurrence's last token, -1 if none.
    """

    def __init__(self) -> None:
        self.following: list[dict[int, int]] = [{}]
        self.link: list[int] = [-1]
        self.length: list[int] = [0]
        self.count: list[int] = [0]
        self.end: list[int] = [-1]

    def __len__(self) -> int:
        return len(self.link)

    def extend(self, last: int, token: int, position: int = -1) -> int:
        """Append `token` to the sequence that ends in state `last`; returns its new end state."""
        known = self.following[last].get(token)
        if known is None:
            state = self._append(last, token)
        elif self.length[known] == self.length[last] + 1:
            state = known
        else:
            state = self._split(last, known, token)
        self._tally(state, position)
        return state

    def match(self, last: int) -> int:
        """The state of the longest suffix of a sequence that also occurs elsewhere."""
        state = last
        while state > 0 and self.count[state] < 2:
            state = self.link[state]
        return max(state, 0)

    def _append(self, last: int, token: int) -> int:
        state = self._new(self.length[last] + 1, {}, 0, -1)
        place = last
        while place != -1 and token not in self.following[place]:
            self.following[place][token] = state
            place = self.link[place]
        if place == -1:
            self.link[state] = 0
            return state
        known = self.following[place][token]
        if self.length[known] == self.length[place] + 1:
            self.link[state] = known
        else:
            self.link[state] = self._split(place, known, token)
        return state

    def _split(self, place: int, known: int, token: int) -> int:
        """Make a state for the shorter strings of `known` that end in `place` and `token`."""
        clone = self._new(
            self.length[place] + 1,
            dict(self.following[known]),
            self.count[known],
            self.end[known],
        )
        self.link[clone] = self.link[known]
        self.link[known] = clone
        while place != -1 and self.following[place].get(token) == known:
            self.following[place][token] = clone
            place = self.link[place]
        return clone

    def _new(self, length: int, following: dict[int, int], count: int, end: int) -> int:
        self.following.append(following)
        self.link.append(-1)
        self.length.append(length)
        self.count.append(count)
        self.end.append(end)
        return len(self.link) - 1

    def _tally(self, state: int, position: int) -> None:
        steps = 0
        while state > 0 and steps < _COUNT_WALK:
            self.count[state] += 1
            if position >= 0:
                self.end[state] = position
            state = self.link[state]
            steps += 1
