"""The reason of a verdict with the file it is about: a given design has several, a draft one."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from .result import SolveResult

__all__ = ["located_reason"]

_ABSENT = frozenset({"no-module", "wrong-top"})


def located_reason(result: SolveResult) -> str:
    """The reason, with the file in front of the line where a diagnostic is the reason.

    A design that lacks the module asked for is, for `check`, often the wrong file; that is said
    as well. What a model wrote is left as it is: it has one file, whose name tells nothing.
    """
    cause = result.cause
    if result.decoding.backend or cause is None or not cause.file:
        return result.reason
    place, said = cause.file, result.reason
    if cause.line:
        place, said = f"{place}:{cause.line}", said.removeprefix(f"line {cause.line}: ")
    reason = f"{place}: {said}"
    if cause.code in _ABSENT:
        reason += (
            f"; name the file that defines `{result.module}`, or correct the module of the "
            f"spec ({result.spec})"
        )
    return reason
