"""Help texts that teach: a paragraph, and examples that are kept as they are written."""

from __future__ import annotations

import inspect

__all__ = ["with_examples"]


def with_examples(text: str, *examples: str, title: str = "Examples:") -> str:
    """`text` with `examples` below it, one a line, which click must not re-wrap."""
    text = inspect.cleandoc(text)
    lines = "\n".join(f"  {example}" for example in examples)
    return f"{text}\n\n\b\n{title}\n{lines}"
