"""Fragments over token ids: a text piece a token, boundaries, and what to do with them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from rtl_agent.decoding.fragments.lexer import START, Mode, State, advance, ends_between

if TYPE_CHECKING:
    from collections.abc import Sequence

    from rtl_agent.decoding.engine.state import Row
    from rtl_agent.decoding.engine.tree import Tree

__all__ = ["FragmentGate", "FragmentShaper", "Pieces", "fragment_ends"]


def fragment_ends(pieces: Sequence[str]) -> list[bool]:
    """For each piece of a text, whether a fragment ends with it.

    A fragment ends where a complete token of the language ends that is no comment and no white
    space; a piece of white space behind such a token belongs to the fragment before it.
    """
    ends = []
    state = START
    for place, piece in enumerate(pieces):
        state = advance(state, piece)
        following = next((text for text in pieces[place + 1 :] if text), "\n")
        ends.append(bool(piece) and ends_between(state, following))
    return ends


class Pieces:
    """The text of single tokens. Tokens that are part of a character give U+FFFD."""

    def __init__(self, tokenizer: Any) -> None:
        self._tokenizer = tokenizer
        self._known: dict[int, str] = {}
        # Decoding a token alone may drop a leading space; behind another token it does not.
        self._anchor = tokenizer("a", add_special_tokens=False)["input_ids"]
        self._anchor_text = self._decode(self._anchor)

    def __getitem__(self, token: int) -> str:
        text = self._known.get(token)
        if text is None:
            text = self._decode([*self._anchor, token])[len(self._anchor_text) :]
            self._known[token] = text
        return text

    def _decode(self, ids: Sequence[int]) -> str:
        text: str = self._tokenizer.decode(
            ids, skip_special_tokens=True, clean_up_tokenization_spaces=False
        )
        return text


class _Follower:
    """Keeps the lexer's state for each row, over generated tokens only."""

    def __init__(self, pieces: Pieces) -> None:
        self.pieces = pieces
        self._rows: dict[int, tuple[Row, int, State]] = {}

    def state(self, row: Row) -> State:
        """After all the tokens the row has; computed for the new ones alone."""
        new = row.new_tokens
        known = self._rows.get(row.index)
        if known is None or known[0] is not row or known[1] > len(new):
            state, done = START, 0
        else:
            _, done, state = known
        for token in new[done:]:
            state = advance(state, self.pieces[token])
        self._rows[row.index] = (row, len(new), state)
        return state


class FragmentGate(_Follower):
    """The paper's integrity check (arXiv 2503.14153): keep tokens up to the last whole fragment.

    A step that completes no fragment keeps its first token, so that it still makes progress.
    """

    def cut(self, row: Row, tokens: Sequence[int]) -> int:
        """How many of the accepted `tokens` to keep; at least one."""
        state = self.state(row)
        keep = 1
        for place, token in enumerate(tokens):
            state = advance(state, self.pieces[token])
            following = self.pieces[tokens[place + 1]] if place + 1 < len(tokens) else ""
            if ends_between(state, following):
                keep = place + 1
        return keep


class FragmentShaper(_Follower):
    """Drops draft nodes no Verilog text can contain, with everything behind them.

    Exact modes may use it: it changes what is proposed, never what is accepted.
    """

    def shape(self, row: Row, tree: Tree) -> Tree:
        """The tree without nodes that break the lexical structure."""
        states = [self.state(row)]
        kept = [0]
        alive = {0}
        for node in range(1, len(tree)):
            before = states[tree.parents[node]]
            state = advance(before, self.pieces[tree.tokens[node]])
            states.append(state)
            fine = state.mode is not Mode.BROKEN or before.mode is Mode.BROKEN
            if fine and tree.parents[node] in alive:
                alive.add(node)
                kept.append(node)
        return tree if len(kept) == len(tree) else tree.restricted(kept)
