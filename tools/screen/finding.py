"""How the screen reports: one maker of diagnostics, and the context every rule gets."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from ..diagnostic import Diagnostic, Severity

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from ..parse.place import Place
    from ..parse.unit import SlangUnit

__all__ = ["TOOL", "Context", "at_token", "finding"]

TOOL = "screen"


@dataclass(frozen=True, slots=True)
class Context:
    """What a rule may look at: the trees, the names defined in them, and the allowed folders."""

    unit: SlangUnit
    defined: frozenset[str]
    roots: Sequence[Path]


def finding(
    place: Place, code: str, message: str, hint: str, *, severity: Severity = Severity.ERROR
) -> Diagnostic:
    """A finding of the screen at a known place."""
    return Diagnostic(place.file, place.line, place.column, severity, code, message, hint, TOOL)


def at_token(context: Context, node: Any, code: str, message: str, hint: str) -> Diagnostic:
    """A finding where a token, or the first token of a syntax node, stands."""
    token = node.getFirstToken() if hasattr(node, "getFirstToken") else node
    return finding(context.unit.place(token.location), code, message, hint)
