"""Reads port declarations in sentences, from left to right, one token at a time."""

from __future__ import annotations

from .reader import Told, read_sentence
from .sentence import role_of, split_sentences
from .state import ProsePort

__all__ = ["ProsePort", "Told", "read_sentence", "role_of", "split_sentences"]
