"""Tells whether two sources are the same design, whatever their comments and layout.

By the syntax tree, which also sees through the names of inner signals and the base of numbers
(`normal_tree.py`); by the text where a source does not parse.
"""

from __future__ import annotations

import hashlib
import re

__all__ = ["digest", "normalise"]

_TOKEN = re.compile(
    r"""
    (?P<string>"(?:\\.|[^"\\\n])*")
  | (?P<comment>//[^\n]*|/\*.*?\*/)
  | (?P<space>\s+)
    """,
    re.VERBOSE | re.DOTALL,
)
# Space beside a bracket or separator, and between a word and a sign, means nothing. Between two
# signs it may: `< =` is no `<=`.
_NO_MEANING = re.compile(r"\s*([;,(){}\[\]])\s*|(?<=\w)\s+(?=[^\w\s])|(?<=[^\w\s])\s+(?=\w)")


def normalise(source: str) -> str:
    """`source` without comments and without white space that carries no meaning."""

    def replace(match: re.Match[str]) -> str:
        return match.group() if match.group("string") else " "

    text = _TOKEN.sub(replace, source)
    parts = re.split(r'("(?:\\.|[^"\\\n])*")', text)
    return "".join(
        part if index % 2 else _NO_MEANING.sub(lambda m: m.group(1) or "", part)
        for index, part in enumerate(parts)
    ).strip()


def digest(source: str, *, as_written: bool = False) -> str:
    """A short hash, equal for designs that are the same but for how they are written down.

    With `as_written` names, numbers and `begin`/`end` count too: it differs from every hash
    without.
    """
    form = None
    if not as_written:
        from .normal_tree import normal_form

        form = normal_form(source)
    text = f"text {normalise(source)}" if form is None else f"tree {form}"
    return hashlib.sha256(text.encode("utf-8", "replace")).hexdigest()[:16]
