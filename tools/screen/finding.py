"""How the screen reports: one maker of diagnostics, and the context every rule gets."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from ..diagnostic import Diagnostic, Severity

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from pyslang import parsing, syntax

    from ..parse.unit import SlangUnit

__all__ = ["TOOL", "Context", "at_token", "finding"]

TOOL = "screen"


@dataclass(frozen=True, slots=True)
class Context:
    """What a rule may look at: the trees, the names defined in them, and the allowed folders."""

    unit: SlangUnit
    defined: frozenset[str]
    roots: Sequence[Path]


def finding(  # noqa: PLR0913
    file: str,
    line: int,
    column: int,
    code: str,
    message: str,
    hint: str,
    severity: Severity = Severity.ERROR,
) -> Diagnostic:
    """A finding of the screen at a known place."""
    return Diagnostic(file, line, column, severity, code, message, hint, TOOL)


def at_token(  # noqa: PLR0913
    context: Context,
    node: parsing.Token | syntax.SyntaxNode,
    code: str,
    message: str,
    hint: str,
    severity: Severity = Severity.ERROR,
) -> Diagnostic:
    """A finding where a token or the first token of a node stands."""
    token = node.getFirstToken() if hasattr(node, "getFirstToken") else node
    place = context.unit.place(token.location)
    return finding(place.file, place.line, place.column, code, message, hint, severity)
