"""Lint: what several tools say about a design, merged into one ranked list."""

from .api import lint
from .result import LintResult

__all__ = ["LintResult", "lint"]
