"""Reads what a server streams: never longer than the caller wants, and never believing its form."""

from __future__ import annotations

import queue
import threading
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from collections.abc import Callable, Generator

__all__ = ["STOPPED", "Piece", "Usage", "read_chunk", "until"]

STOPPED: Final = object()  # what `until` gives last when the caller wanted to stop
_END: Final = object()
_LOOK_S = 0.2  # between two looks at whether to stop


@dataclass(frozen=True, slots=True)
class Piece:
    """A piece of answer `index`; `finish` is the server's word for why it ended, or empty."""

    index: int
    text: str
    finish: str


@dataclass(frozen=True, slots=True)
class Usage:
    """Tokens of the prompt and of all answers, as the server counts them; 0 where it does not."""

    prompt: int
    new: int


def read_chunk(chunk: Any) -> tuple[list[Piece], Usage | None]:
    """What a chunk says; the client library does not check its form.

    Raises:
        ValueError: it is no chunk of an answer.
    """
    choices = getattr(chunk, "choices", None)
    if choices is None:
        raise ValueError("a chunk without choices")
    if not isinstance(choices, list):
        raise ValueError("a chunk whose choices are no list")  # noqa: TRY004 - of the server
    usage = getattr(chunk, "usage", None)
    return [_piece(choice) for choice in choices], _usage(usage) if usage else None


def _piece(choice: Any) -> Piece:
    index = getattr(choice, "index", None)
    delta = getattr(choice, "delta", None)
    text = getattr(choice if delta is None else delta, "text" if delta is None else "content", None)
    finish = getattr(choice, "finish_reason", None)
    if type(index) is not int or not isinstance(text or "", str):
        raise ValueError("a choice without a number, or whose content is no text")
    return Piece(index, text or "", finish if isinstance(finish, str) else "")


def _usage(usage: Any) -> Usage:
    counts = [getattr(usage, name, 0) for name in ("prompt_tokens", "completion_tokens")]
    prompt, new = (c if isinstance(c, int) and c > 0 else 0 for c in counts)
    return Usage(prompt, new)


def until(
    begin: Callable[[], Any], should_stop: Callable[[], bool] | None
) -> Generator[Any, None, None]:
    """The chunks of the stream that `begin` opens; `STOPPED` as soon as `should_stop` says so.

    A server may hold the connection and send nothing, and a blocked read looks at no clock: it is
    done in a thread of its own, which is left behind where it hangs (the client's timeout ends it).
    """
    if should_stop is None:
        with begin() as stream:
            yield from stream
        return
    found: queue.Queue[Any] = queue.Queue()
    gone = threading.Event()

    def read() -> None:
        try:
            with begin() as stream:
                for chunk in stream:
                    found.put(chunk)
                    if gone.is_set():
                        return
        except Exception as error:  # noqa: BLE001 - raised again where it is waited for
            found.put(error)
        found.put(_END)

    threading.Thread(target=read, name="answer", daemon=True).start()
    try:
        yield from _taken(found, should_stop)
    finally:
        gone.set()


def _taken(found: queue.Queue[Any], should_stop: Callable[[], bool]) -> Generator[Any, None, None]:
    while True:
        try:
            item = found.get(timeout=_LOOK_S)
        except queue.Empty:
            item = None
        if item is _END:
            return
        if isinstance(item, Exception):
            raise item
        if item is not None:
            yield item
        if should_stop():
            yield STOPPED
            return
