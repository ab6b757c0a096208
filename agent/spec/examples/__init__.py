"""Examples that a spec gives in prose, read into rows of vectors where they leave no doubt."""

from .read import Examples, read_examples

__all__ = ["Examples", "read_examples"]
