"""What can be told of a Python check without running it."""

from __future__ import annotations

import ast
import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from .types import CheckSource

__all__ = ["never_checks", "place", "syntax_problem"]


def place(source: CheckSource, line: int) -> str:
    """`file:line` as the user knows it; `line` counts from 1 in the check's text, 0: unknown."""
    if source.path is not None:
        return f"{source.path}:{line}" if line else str(source.path)
    file, _, start = source.origin.rpartition(":")
    return f"{file}:{int(start) + line - 1}" if line and start.isdigit() else source.origin


def syntax_problem(source: CheckSource) -> str:
    """The syntax error in a Python check with its place; empty when there is none."""
    try:
        ast.parse(source.text)
    except SyntaxError as error:
        return f"{place(source, error.lineno or 0)}: syntax error in the check: {error.msg}"
    except ValueError as error:  # null bytes
        return f"{place(source, 0)}: the check is not Python: {error}"
    return ""


_FAILING_CALLS = re.compile(
    r"assert|expect|check|compare|verify|scoreboard|raises|fail|monitor|equal|match|golden|must",
    re.IGNORECASE,
)


def never_checks(source: CheckSource) -> str:
    """Why a cocotb test file cannot fail a design, with its place; empty when it can.

    A file can fail a design if it asserts, raises, or calls something whose name says that it
    does (`scoreboard.compare`, `check_output`); also if it takes that from a module of its own.
    """
    tree = ast.parse(source.text)
    if not any(_is_test(node) for node in ast.walk(tree)):
        return f"{place(source, 0)}: no @cocotb.test() function in the check"
    local = {
        node.name
        for node in ast.walk(tree)
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
    }
    for node in ast.walk(tree):
        if isinstance(node, ast.Assert) and not _is_constant(node.test):
            return ""
        if isinstance(node, ast.Raise):
            return ""
        if isinstance(node, ast.Call):
            name = _called(node)
            if name and name not in local and _FAILING_CALLS.search(name):
                return ""
    first = next(node for node in ast.walk(tree) if _is_test(node))
    assert isinstance(first, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef)
    return f"{place(source, first.lineno)}: the test {first.name} never checks anything"


def _is_test(node: ast.AST) -> bool:
    if not isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
        return False
    return any(
        "test" in ast.unparse(d) or "parametrize" in ast.unparse(d) for d in node.decorator_list
    )


def _is_constant(node: ast.expr) -> bool:
    """Whether an assertion holds whatever the design does (`assert True`, `assert 1 == 1`)."""
    return not any(isinstance(n, ast.Name | ast.Attribute | ast.Call) for n in ast.walk(node))


def _called(node: ast.Call) -> str:
    if isinstance(node.func, ast.Name):
        return node.func.id
    return node.func.attr if isinstance(node.func, ast.Attribute) else ""
