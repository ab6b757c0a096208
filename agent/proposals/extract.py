"""Takes the reference out of an answer, and its own stimulus out of the reference."""

from __future__ import annotations

import ast
import re

__all__ = ["NO_MODEL", "forms", "model_text"]

NO_MODEL = "the answer holds no Python model with a step(inputs)"
_FENCE = re.compile(
    r"^[ \t]*(`{3,}|~{3,})[ \t]*([\w.+-]*)[^\n]*\n(.*?)(?:^[ \t]*\1[ \t]*$|\Z)", re.M | re.S
)
_STEP = re.compile(r"^[ \t]*def[ \t]+step\b", re.M)


def model_text(answer: str) -> str:
    """The Python source in `answer`; empty when there is none.

    The last fence with a `step` counts, for a model may correct itself; without any fence the
    answer itself does. An answer that goes on with another `class` in a second fence is not put
    together: a reference is one text.
    """
    bodies = [m[3] for m in _FENCE.finditer(answer) if _STEP.search(m[3])]
    if bodies:
        return bodies[-1].strip("\n") + "\n"
    if _FENCE.search(answer) or not _STEP.search(answer):
        return ""
    return answer.strip() + "\n"


def forms(text: str) -> tuple[str, ...]:
    """The reference as it is run: on random stimulus, and on its own where it has some.

    A check with a `stimulus` uses that alone. What the model finds worth playing must not take
    the place of what the harness plays, so the first form has no such function.
    """
    tree = ast.parse(text)
    spans = [
        (min([node.lineno, *(d.lineno for d in node.decorator_list)]), node.end_lineno or 0, node)
        for parent in ast.walk(tree)
        if isinstance(parent, ast.Module | ast.ClassDef)
        for node in parent.body
        if isinstance(node, ast.FunctionDef) and node.name == "stimulus"
    ]
    if not spans:
        return (text,)
    lines = text.splitlines(keepends=True)
    for first, last, node in sorted(spans, key=lambda s: s[0], reverse=True):
        # Something has to stay: a class of which this was the only line would be no Python.
        lines[first - 1 : last] = [" " * node.col_offset + "pass\n"]
    return ("".join(lines), text)
