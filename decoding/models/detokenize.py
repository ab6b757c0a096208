"""Token ids to text while they arrive, and the search for stop strings in it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Sequence

__all__ = ["TextStream"]

_INCOMPLETE = "\ufffd"
_CONTEXT = 6  # tokens decoded again with each piece, so that joins come out right


class TextStream:
    """Decodes one sample incrementally.

    A piece is released only when its bytes are complete UTF-8 and it cannot be the beginning of
    a stop string, so what was released is never taken back.

    Args:
        tokenizer: a `transformers` tokenizer.
        stop: strings that end the sample; none of them appears in `text`.
    """

    def __init__(self, tokenizer: Any, stop: Sequence[str] = ()) -> None:
        self._tokenizer = tokenizer
        self._stop = tuple(text for text in stop if text)
        self._longest = max((len(text) for text in self._stop), default=0)
        self._ids: list[int] = []
        self._anchor = 0  # ids before this are decoded for good
        self._shown = 0  # ids whose text is in `_text`
        self._text = ""
        self._released = 0
        self.stopped = False

    @property
    def text(self) -> str:
        """Everything decoded so far, cut before a stop string."""
        return self._text

    def push(self, ids: Sequence[int]) -> int | None:
        """Add tokens one by one; returns how many were used when a stop string ended the sample."""
        for place, token in enumerate(ids):
            self._ids.append(token)
            piece = self._decode_tail(final=False)
            if piece and self._append(piece):
                return place + 1
        return None

    def take(self) -> str:
        """Text that is safe to show and was not returned before."""
        end = len(self._text) if self.stopped else len(self._text) - self._held_back()
        piece = self._text[self._released : end]
        self._released = max(self._released, end)
        return piece

    def finish(self) -> str:
        """End the sample: what is left, an incomplete character as U+FFFD."""
        if not self.stopped:
            self._append(self._decode_tail(final=True))
        piece = self._text[self._released :]
        self._released = len(self._text)
        return piece

    def _decode_tail(self, *, final: bool) -> str:
        known = self._decode(self._ids[self._anchor : self._shown])
        whole = self._decode(self._ids[self._anchor :])
        if not final and (whole.endswith(_INCOMPLETE) or len(whole) <= len(known)):
            return ""
        self._anchor = max(self._anchor, len(self._ids) - _CONTEXT, 0)
        if self._anchor and self._decode(self._ids[self._anchor :]).startswith(_INCOMPLETE):
            self._anchor = max(self._shown - 1, 0)
        self._shown = len(self._ids)
        return whole[len(known) :]

    def _append(self, piece: str) -> bool:
        start = max(len(self._text) - self._longest + 1, 0)
        self._text += piece
        found = [at for text in self._stop if (at := self._text.find(text, start)) >= 0]
        if found:
            self._text = self._text[: min(found)]
            self.stopped = True
        return self.stopped

    def _held_back(self) -> int:
        """Characters at the end that could be the beginning of a stop string."""
        tail = self._text[-(self._longest - 1) :] if self._longest > 1 else ""
        return max(
            (
                size
                for size in range(1, len(tail) + 1)
                if any(text.startswith(tail[-size:]) for text in self._stop)
            ),
            default=0,
        )

    def _decode(self, ids: Sequence[int]) -> str:
        text: str = self._tokenizer.decode(
            ids, skip_special_tokens=True, clean_up_tokenization_spaces=False
        )
        return text
