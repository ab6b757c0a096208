"""Clock and reset of a spec: by name, by description, or as the front matter says."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from rtl_agent.agent.errors import SpecError
from rtl_agent.tools.clocking import Clocking, infer_clocking
from rtl_agent.tools.interface import Direction, Interface, Port

from .findings import FoundPort, Weight

if TYPE_CHECKING:
    from collections.abc import Sequence

    from .front import FrontMatter

__all__ = ["find_clocking"]

_CLOCK = re.compile(r"(the |system |main )*clock\b(?! enable)")
_RESET = re.compile(r"(the |an? |active[- ]\w+,? |a?synchronous,? |async )*reset\b")


def find_clocking(
    front: FrontMatter, interface: Interface, found: Sequence[FoundPort], body: str, name: str
) -> Clocking:
    """Tell clock, reset and its polarity.

    Where no interface could be read, a clock and reset that the text names count all the same.

    Raises:
        SpecError: The front matter names a clock or reset that is no input.
    """
    known = interface if interface.ports else _by_role(interface.module, found)
    told = infer_clocking(known)
    clock, reset = told.clock, told.reset
    for port in known.inputs():
        text = port.description.lower()
        if port.width == 1 and clock is None and _CLOCK.match(text):
            clock = port.name
        elif port.width == 1 and reset is None and _RESET.match(text):
            reset = port.name
    if front.clock is not None:
        clock = _input(front, "clock", interface, name)
    if front.reset is not None:
        reset = _input(front, "reset", interface, name)
    if reset is None:
        return Clocking(clock, None, False)
    if front.reset_active_low is not None:
        return Clocking(clock, reset, front.reset_active_low)
    by_name = infer_clocking(Interface("", (Port(Direction.INPUT, reset),))).reset_active_low
    by_text = _active_low(_sentences_about(reset, body), otherwise=by_name)
    port_of = known.port(reset)
    low = _active_low(port_of.description, otherwise=by_text) if port_of else by_text
    return Clocking(clock, reset, low)


def _by_role(module: str, found: Sequence[FoundPort]) -> Interface:
    ports = [Port(p.direction, p.name) for p in found if p.weight is Weight.ROLE]
    return Interface(module, tuple(ports))


def _sentences_about(signal: str, body: str) -> str:
    word = re.compile(rf"\b{re.escape(signal)}\b")
    sentences = re.split(r"\n|(?<=[.;|])\s", body)
    return " ".join(s for s in sentences if word.search(s) and "reset" in s.lower())


def _active_low(text: str, *, otherwise: bool) -> bool:
    """What `text` says of the polarity, `otherwise` when it does not say."""
    if re.search(r"active[- ]low|low[- ]active", text, re.IGNORECASE):
        return True
    if re.search(r"active[- ]high|high[- ]active", text, re.IGNORECASE):
        return False
    return otherwise


def _input(front: FrontMatter, key: str, interface: Interface, name: str) -> str | None:
    port = front.clock if key == "clock" else front.reset
    if not port:
        return None
    inputs = [p.name for p in interface.inputs()]
    if inputs and port not in inputs:
        raise SpecError(
            f"{name}:{front.places[key]}: {key} {port!r} is no input of {interface.module}",
            remedy=f"Inputs: {', '.join(inputs)}.",
        )
    return port
