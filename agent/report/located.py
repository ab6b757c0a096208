"""The reason of a verdict with the file it is about: a given design has several, a draft one."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rtl_agent.tools.diagnostic import Severity

if TYPE_CHECKING:
    from .result import SolveResult

__all__ = ["located_reason"]

_ABSENT = frozenset({"no-module", "wrong-top"})


def located_reason(result: SolveResult) -> str:
    """The reason, with the file in front of the line where a diagnostic is the reason.

    A design that lacks the module asked for is, for `check`, often the wrong file; that is said
    as well. What a model wrote is left as it is: it has one file, whose name tells nothing.
    """
    if result.decoding.backend:
        return result.reason
    for found in result.diagnostics:
        said = f"line {found.line}: {found.message}" if found.line else found.message
        if found.severity is not Severity.ERROR or not result.reason.startswith(said):
            continue
        place = f"{found.file}:{found.line}" if found.line else found.file
        reason = f"{place}: {found.message}{result.reason.removeprefix(said)}"
        if found.code in _ABSENT:
            reason += (
                f"; name the file that defines `{result.module}`, or correct the module of the "
                f"spec ({result.spec})"
            )
        return reason if found.file else result.reason
    return result.reason
