"""Names of signals below a top module."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterable

    from .model import Bits

__all__ = ["Namer", "sorted_bits"]


class Namer:
    """Names a symbol by its path below `top`.

    pyslang analyses a repeated instance once; `moved_from` and `moved_to` are the bodies of
    that one and of the one that is meant.
    """

    def __init__(self, top: Any, *, moved_from: Any = None, moved_to: Any = None) -> None:
        self._top = top.hierarchicalPath + "."
        self._source = moved_from.hierarchicalPath + "." if moved_from is not None else ""
        self._target = moved_to.hierarchicalPath + "." if moved_to is not None else ""

    def __call__(self, symbol: Any) -> str:
        """The path of a symbol below the top, as waves show it."""
        path = str(symbol.hierarchicalPath)
        if self._source and path.startswith(self._source):
            path = self._target + path[len(self._source) :]
        below = path.removeprefix(self._top)
        # A signal of the top itself goes by its plain name, also where that is escaped.
        return str(symbol.name) if below.strip().lstrip("\\") == symbol.name else below


def sorted_bits(found: Iterable[Bits]) -> tuple[Bits, ...]:
    """Ranges in the order of their names, each once."""
    return tuple(sorted(set(found)))
