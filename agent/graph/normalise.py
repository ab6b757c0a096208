"""Tells whether two sources are the same design text, whatever their comments and layout."""

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


def digest(source: str) -> str:
    """A short hash of the normalised source; equal for equal design texts."""
    return hashlib.sha256(normalise(source).encode()).hexdigest()[:16]
