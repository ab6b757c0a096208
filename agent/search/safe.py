"""No text is simulated that the screen would refuse, whatever else is wrong with it."""

from __future__ import annotations

from rtl_agent.tools.diagnostic import Severity
from rtl_agent.tools.parse import parse_text
from rtl_agent.tools.screen import screen

__all__ = ["may_run"]


def may_run(text: str, language: str) -> bool:
    """Whether the screen finds nothing in `text` that a design must not do.

    The ports are not looked at: those the search may mend.
    """
    found = screen(parse_text(text, language=language), None)
    return not any(d.severity is Severity.ERROR for d in found)
