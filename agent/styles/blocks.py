"""Answers that change a source in places: search-and-replace blocks, read and applied strictly.

<<<<<<< SEARCH
lines as they stand in the source
=======
lines that take their place
>>>>>>> REPLACE
"""

from __future__ import annotations

import re
from dataclasses import dataclass

__all__ = ["Block", "BlockError", "apply_blocks", "find_blocks"]

_BLOCK = re.compile(
    r"^<{5,9} ?SEARCH[ \t]*\n(?P<old>.*?)^={5,9}[ \t]*\n(?P<new>.*?)^>{5,9} ?REPLACE[ \t]*$",
    re.MULTILINE | re.DOTALL,
)
_OPENING = re.compile(r"^<{5,9} ?SEARCH[ \t]*$", re.MULTILINE)


class BlockError(ValueError):
    """A block that does not apply; the message says which, and why."""


@dataclass(frozen=True, slots=True)
class Block:
    """Put the lines `new` in the place of the lines `old`."""

    old: str
    new: str


def find_blocks(answer: str) -> tuple[Block, ...]:
    """The blocks of an answer, in order; empty where it has none.

    Raises:
        BlockError: a block is opened and not closed.
    """
    blocks = tuple(Block(m["old"], m["new"]) for m in _BLOCK.finditer(answer))
    opened = len(_OPENING.findall(answer))
    if opened > len(blocks):
        raise BlockError(
            f"block {len(blocks) + 1} of the answer is not complete: after `<<<<<<< SEARCH` there "
            "have to be `=======` and `>>>>>>> REPLACE`, each on a line of its own"
        )
    return blocks


def apply_blocks(source: str, blocks: tuple[Block, ...]) -> str:
    """`source` with every block applied, one after the other.

    Nothing is guessed: the lines to be replaced have to stand in the source exactly once, as they
    are written, spaces at the ends of lines aside.

    Raises:
        BlockError: they do not.
    """
    text = _trimmed(source)
    for number, block in enumerate(blocks, 1):
        old, new = _trimmed(block.old), _trimmed(block.new)
        first = next((line.strip() for line in old.splitlines() if line.strip()), "")
        if not first:
            raise BlockError(f"block {number} of the answer names no lines to replace")
        count = len(re.findall(rf"^{re.escape(old)}", text, re.MULTILINE))
        if count != 1:
            why = "do not stand in the source" if not count else f"stand {count} times in it"
            raise BlockError(f"block {number} of the answer: its lines (`{first}` …) {why}")
        found = re.search(rf"^{re.escape(old)}", text, re.MULTILINE)
        assert found is not None  # it was counted
        text = text[: found.start()] + new + text[found.end() :]
    return text


def _trimmed(text: str) -> str:
    lines = [line.rstrip() for line in text.splitlines()]
    return "".join(line + "\n" for line in lines)
