"""Labels such as `Input ports:` and what they mean for the lines below them."""

from __future__ import annotations

import re
from dataclasses import dataclass
from enum import Enum

from rtl_agent.tools.interface import Direction

__all__ = ["Label", "Section", "read_label"]


class Section(Enum):
    """What the lines of a section declare."""

    INPUTS = "inputs"
    OUTPUTS = "outputs"
    INOUTS = "inouts"
    PORTS = "ports"
    PARAMETERS = "parameters"
    CLOCK = "clock"
    RESET = "reset"
    OTHER = "other"

    @property
    def declares(self) -> bool:
        """Whether its lines declare ports."""
        return self not in (Section.PARAMETERS, Section.OTHER)

    @property
    def direction(self) -> Direction | None:
        """The direction of ports in this section, None where each must say its own."""
        return {
            Section.INPUTS: Direction.INPUT,
            Section.OUTPUTS: Direction.OUTPUT,
            Section.INOUTS: Direction.INOUT,
            Section.CLOCK: Direction.INPUT,
            Section.RESET: Direction.INPUT,
        }.get(self)


@dataclass(frozen=True, slots=True)
class Label:
    """A label and what stands behind it on its line; `width` is said of all ("8-bit inputs:")."""

    section: Section
    rest: str
    alone: bool


_DECORATION = frozenset(
    """
    the a an its module modules port ports signal signals pin pins line lines list of following are
    is has have and data control description descriptions definition definitions interface top
    level declaration declarations with only to from single system main primary all these this
    there it block i/o io name names active synchronous asynchronous low high - / & plus external
    """.split()
)
_PORTS = frozenset("port ports interface signal signals pin pins i/o io".split())


_BARE = re.compile(
    r"(the\s+)?(inputs|outputs|(input|output)\s+(ports|signals|pins)|inputs\s+and\s+outputs|"
    r"ports|port\s+list|interface|signals|pins|parameters|generics)",
    re.IGNORECASE,
)


def _kind(words: list[str]) -> Section | None:
    """The section that a label of these words opens; None if it is no such label."""
    bare = [w.removesuffix("(s)") for w in words]
    inputs = any(w in ("input", "inputs") for w in bare)
    outputs = any(w in ("output", "outputs") for w in bare)
    inouts = any(w in ("inout", "inouts", "bidirectional") for w in bare)
    parameters = any(
        w in ("parameter", "parameters", "generic", "generics", "params") for w in bare
    )
    clock = any(w in ("clock", "clocks") for w in bare)
    reset = any(w in ("reset", "resets") for w in bare)
    special = frozenset(
        "input inputs output outputs inout inouts bidirectional parameter parameters generic "
        "generics params clock clocks reset resets".split()
    )
    if any(w not in _DECORATION and w not in special for w in bare):
        return None
    if parameters:
        return Section.PARAMETERS
    if inputs or outputs or inouts:
        chosen = [
            s
            for s, on in (
                (Section.INPUTS, inputs),
                (Section.OUTPUTS, outputs),
                (Section.INOUTS, inouts),
            )
            if on
        ]
        return chosen[0] if len(chosen) == 1 else Section.PORTS
    if clock != reset:
        return Section.CLOCK if clock else Section.RESET
    return Section.PORTS if any(w in _PORTS for w in bare) else None


def _announces(text: str) -> Section | None:
    """The section that a sentence ending in a colon announces ("It has the following inputs:")."""
    lower = text.lower()
    tail = re.split(r"[.;]\s", lower)[-1]
    inputs = re.search(r"\binputs?\b", tail)
    outputs = re.search(r"\boutputs?\b", tail)
    if re.search(r"\b(parameters?|generics?)\b", tail):
        return Section.PARAMETERS
    if inputs and not outputs:
        return Section.INPUTS
    if outputs and not inputs:
        return Section.OUTPUTS
    if inputs or re.search(r"\b(ports?|interface|signals|pins)\b", tail):
        return Section.PORTS
    return None


def read_label(text: str, *, heading: bool = False) -> Label | None:
    """Read a heading, or the label at the start of a line; None where there is none."""
    plain = re.sub(r"^\s*(?:\d+(?:\.\d+)*[.)]?\s+)", "", text).strip()
    match = re.match(
        r"([^:`=\[]{1,60}?)\s*(?:\([^)]*\)\s*)?(:|\s[-–—]\s|$)\s*(.*)$", plain, re.DOTALL
    )
    if match:
        colon = match[2].strip()
        words = re.findall(r"[\w/()-]+|&", match[1].lower())
        words = [w for w in words if not re.fullmatch(r"\(.*\)", w)]
        bare = _BARE.fullmatch(plain)  # "**Inputs**" on a line of its own
        kind = _kind(words) if words and (heading or colon or bare) else None
        if kind:
            return Label(kind, match[3].strip(), not match[3].strip())
        if heading:
            return Label(_announces(plain) or Section.OTHER, "", True)
        if colon == ":" and not match[3] and len(words) <= 8:
            return Label(_announces(plain) or Section.OTHER, "", True)
    if heading:
        return Label(_announces(plain) or Section.OTHER, "", True)
    if plain.endswith(":"):
        kind = _announces(plain)
        return Label(kind, "", True) if kind else None
    return None
