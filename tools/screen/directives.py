"""Compiler directives that reach outside or make tools read different designs."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from ..parse.directives import escaped_macros, scan_directives
from ..parse.includes import include_target
from ..parse.place import Place
from .finding import finding

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path

    from ..diagnostic import Diagnostic
    from ..parse.directives import Directive
    from ..parse.model import SourceModel

__all__ = ["MAX_MACROS", "directive_findings", "tested_macros"]

# Each macro costs one more reading of the design.
MAX_MACROS = 12

# Directive: why it is refused. Icarus and the parser do not agree on what they mean.
_REFUSED = {
    "pragma": "a protected region is hidden from the screen but not from the simulator",
    "protect": "a protected region is hidden from the screen",
    "protected": "a protected region is hidden from the screen",
    "line": "hides where code really stands",
    "uselib": "reaches libraries outside the work folder",
    "undefineall": "Icarus ignores it, so that other text is simulated than was read",
    "begin_keywords": "changes which words are keywords, differently in each tool",
    "end_keywords": "changes which words are keywords, differently in each tool",
}


def directive_findings(model: SourceModel, roots: Sequence[Path]) -> Iterator[Diagnostic]:
    """Findings for refused directives and for files included from outside `roots`."""
    for name, text in _all_texts(model).items():
        for directive in scan_directives(text):
            place = Place(name, directive.line, directive.column)
            if directive.name == "include":
                yield from _include(place, directive, roots)
            elif directive.name in _REFUSED:
                message = f"`{directive.name}: {_REFUSED[directive.name]}"
                yield finding(place, "directive", message, "remove the directive")
        for place in escaped_macros(text):
            message = "a backtick inside an escaped name: Icarus expands the macro inside it"
            hint = "use a plain name"
            yield finding(replace(place, file=name), "hidden-macro", message, hint)
    macros = tested_macros(model)
    if len(macros) > MAX_MACROS:
        message = f"the design asks for {len(macros)} macros, too many to read every variant"
        hint = f"keep to {MAX_MACROS} macros in `ifdef"
        yield finding(Place(str(model.order[0]), 1), "too-many-conditionals", message, hint)


def _all_texts(model: SourceModel) -> dict[str, str]:
    return {**model.texts, **model.included}


def tested_macros(model: SourceModel) -> tuple[str, ...]:
    """The macros that `ifdef, `ifndef and `elsif ask for, in order of appearance."""
    found: dict[str, None] = {}
    for text in _all_texts(model).values():
        for directive in scan_directives(text):
            if directive.name in {"ifdef", "ifndef", "elsif"} and directive.arguments:
                found.setdefault(directive.arguments[0].removeprefix("\\"))
    return tuple(found)


def _include(place: Place, directive: Directive, roots: Sequence[Path]) -> Iterator[Diagnostic]:
    target = include_target(directive, place.file)
    if target is not None and any(target.is_relative_to(root.resolve()) for root in roots):
        return
    what = directive.arguments[0] if target is not None else "a file not named by a plain string"
    message = f"`include reads {what}, outside the work folder"
    hint = "include only files that stand beside the design, or copy the text in"
    yield finding(place, "include-outside", message, hint)
