"""Labels of draft heads: the answer shifted once a head, positions of open fragments masked.

Follows *Speculative Decoding for Verilog* (arXiv 2503.14153). A fragment ends on a complete,
syntactically significant token. From each position the heads predict the next tokens in a row; of
that row, what stands behind its last fragment end would leave a fragment incomplete and is left
out of the loss. Everything is array arithmetic over whole answers.
"""

from __future__ import annotations

from functools import lru_cache
from itertools import accumulate
from typing import TYPE_CHECKING, Any

import numpy as np
from rtl_agent.decoding.errors import TrainingError
from rtl_agent.decoding.fragments.lexer import START, State, advance, ends_between

if TYPE_CHECKING:
    from collections.abc import Sequence

    import torch
    from numpy.typing import NDArray

__all__ = [
    "FORMS",
    "IGNORED",
    "HeadLabeller",
    "head_labels",
    "lexer_ends",
    "marker_ends",
    "plain_ends",
]

FORMS = ("lexer", "marker", "none")
IGNORED = -100

_step = lru_cache(maxsize=1 << 16)(advance)


@lru_cache(maxsize=1 << 16)
def _closes(state: State, following: str) -> bool:
    return ends_between(state, following)


def lexer_ends(pieces: Sequence[str]) -> NDArray[np.bool_]:
    """Which tokens end a fragment, by the text alone: the `lexer` form, for a frozen base.

    Args:
        pieces: the text of each token of an answer; "" for the end-of-sequence token, which
            always ends a fragment.

    Returns:
        Bool `[tokens]`.
    """
    if not pieces:
        return np.zeros(0, dtype=np.bool_)
    states = list(accumulate(pieces, _step, initial=START))[1:]
    ends = np.fromiter(map(_closes, states, [*pieces[1:], "\n"]), np.bool_, len(pieces))
    # Before an empty piece the text ends: nothing can grow there any more.
    texts = np.array(pieces, dtype=object)
    ends[:-1] |= (texts[1:] == "") & (texts[:-1] != "")
    ends[texts == ""] = True
    return ends


def marker_ends(ids: NDArray[np.int64], marker: int) -> NDArray[np.bool_]:
    """Which tokens end a fragment when the text carries the paper's explicit marker token.

    The marker itself ends the fragment; the last token of an answer does, too.
    """
    ends: NDArray[np.bool_] = ids == marker
    ends[-1:] = True
    return ends


def plain_ends(ids: NDArray[np.int64]) -> NDArray[np.bool_]:
    """Every token ends a fragment: nothing is masked, as in Medusa (arXiv 2401.10774)."""
    return np.ones(ids.shape, dtype=np.bool_)


def head_labels(ids: NDArray[np.int64], ends: NDArray[np.bool_], heads: int) -> NDArray[np.int64]:
    """The labels of every head at every position of one answer.

    Position `t` is the hidden state from which token `t` of the answer is chosen; head `i`
    predicts token `t + 1 + i`. A label is kept where a fragment ends at it or at a later label
    of the same position; where it lies behind the end of the answer, or behind the last fragment
    end in reach, it is `IGNORED`.

    Args:
        ids: tokens of the answer, its end-of-sequence token last, `[tokens]`.
        ends: which of them end a fragment, `[tokens]`.
        heads: number of heads.

    Returns:
        `[tokens, heads]`.
    """
    tail = np.full(heads, IGNORED, dtype=np.int64)
    padded = np.concatenate([ids[1:], tail])
    closed = np.concatenate([ends[1:], np.zeros(heads, dtype=np.bool_)])
    if heads == 0 or not len(ids):
        return np.zeros((len(ids), heads), dtype=np.int64)
    labels = np.lib.stride_tricks.sliding_window_view(padded, heads)[: len(ids)]
    reach = np.lib.stride_tricks.sliding_window_view(closed, heads)[: len(ids)]
    kept = np.logical_or.accumulate(reach[:, ::-1], axis=1)[:, ::-1]
    return np.where(kept, labels, IGNORED)


class HeadLabeller:
    """Labels of answers for one tokenizer and form.

    Args:
        tokenizer: the model's.
        form: `lexer`, `marker`, or `none` (plain Medusa).
        marker: the marker's token, for the form of that name.
        heads: number of heads; with 0 nothing is checked.

    Raises:
        TrainingError: there is no such form, or the tokenizer has no such token.
    """

    def __init__(self, tokenizer: Any, form: str, marker: str, heads: int) -> None:
        from rtl_agent.decoding.fragments.tracker import Pieces

        self.form, self.heads, self.marker = form, heads, -1
        self._pieces = Pieces(tokenizer) if heads and form == "lexer" else None
        if heads and form not in FORMS:
            raise TrainingError(
                f"there is no form {form!r}", remedy=f"use one of {', '.join(FORMS)}"
            )
        if heads and form == "marker":
            found = tokenizer.get_vocab().get(marker)
            if found is None:
                raise TrainingError(
                    f"the tokenizer has no token {marker!r}",
                    remedy="name one of its tokens that stands for nothing else",
                )
            self.marker = int(found)

    def one(self, answer: NDArray[np.int64]) -> NDArray[np.int64]:
        """Labels `[tokens, heads]` of one answer."""
        if self._pieces is not None:
            ends = lexer_ends([self._pieces[token] for token in answer.tolist()])
        elif self.form == "marker":
            ends = marker_ends(answer, self.marker)
        else:
            ends = plain_ends(answer)
        return head_labels(answer, ends, self.heads)

    def labels(self, answers: Sequence[Sequence[int]]) -> torch.Tensor:
        """Labels of several answers, one behind the other, `[tokens, heads]`."""
        import torch

        parts = [self.one(np.asarray(answer, dtype=np.int64)) for answer in answers]
        return torch.from_numpy(np.concatenate(parts))
