"""The interface of a spec that names no port and has a golden design: the golden design's."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from rtl_agent.tools.checks.golden import golden_module
from rtl_agent.tools.checks.types import CheckKind
from rtl_agent.tools.parse import parse_text

if TYPE_CHECKING:
    from collections.abc import Iterable

    from rtl_agent.tools.checks.types import CheckSource
    from rtl_agent.tools.interface import Interface

__all__ = ["golden_interface"]


def golden_interface(
    top: Interface, checks: Iterable[CheckSource], language: str
) -> tuple[Interface, str]:
    """`top` with the ports of the first golden design among `checks`, and a note that says so.

    Only where the spec itself told no port: what it tells is what was asked for. A golden design
    that cannot be read, or whose module is not to be told, changes nothing; its check has the word.
    """
    if top.ports:
        return top, ""
    for source in checks:
        if source.kind is not CheckKind.REFERENCE_RTL:
            continue
        model = parse_text(source.text, name=source.origin, language=language)
        found = model.module(golden_module(source, model, top.module))
        if model.ok and found is not None and found.interface.ports:
            note = f"no port could be read; those of the golden design {source.name} were taken"
            return replace(found.interface, module=top.module), note
    return top, ""
