"""The forms of sentences that are read, each into what holds when.

`after reset q is 0`, `when sel is 2 the output is c`, `a=3, b=5 gives y=8`, `3 + 5 gives 8`.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from .values import NUMBER, bits

if TYPE_CHECKING:
    from rtl_agent.tools.clocking import Clocking
    from rtl_agent.tools.interface import Interface, Port

__all__ = ["Claim", "Ports", "match"]

_IS = r"(?:=|==|is|are|equals|becomes|must be|shall be|is set to|is cleared to|is equal to)"
_GIVES = r"(?:gives|yields|produces|results in|->|=>|→|makes)"
_LEAD = re.compile(
    r"^(?:for example|for instance|examples?|e\.g\.?|eg|so|thus|that is|i\.e\.)\s*[,:]?\s*", re.I
)
_SET = re.compile(rf"^(?:the )?(?:input |output )?(\w+)\s*{_IS}\s*({NUMBER})$", re.I)
_COPY = re.compile(
    rf"^(?:the )?(?:output )?(\w+)\s*{_IS}\s*(?:the )?(?:input )?([A-Za-z_]\w*)$", re.I
)
_WHEN = re.compile(r"^(?:when|if|with|for)\s+(.+?)(?:,\s*(?:then\s+)?|\s+then\s+)(.+)$", re.I)
_WHEN_OPEN = re.compile(rf"^(?:when|if)\s+(\w+\s*{_IS}\s*{NUMBER})\s+((?:the )?output\b.+)$", re.I)
_ENDS_WHEN = re.compile(r"^(.+?)\s+(?:when|if)\s+(.+)$", re.I)
_GIVEN = re.compile(rf"^(.+?)\s*{_GIVES}\s*(.+)$", re.I)
_SUM = re.compile(rf"^({NUMBER})\s*([+*&|^]|plus|times)\s*({NUMBER})$", re.I)
_IN_RESET = re.compile(r"^(?:on|during|while in|in)\s+(?:the\s+)?reset,?\s+(.+)$", re.I)
_AFTER_RESET = re.compile(r"^after\s+(?:a\s+|the\s+)?reset,?\s+(.+)$", re.I)
_RESET_LAST = re.compile(r"^(.+?)\s+(on|during|after)\s+(?:a\s+|the\s+)?reset$", re.I)
_RESET_SETS = re.compile(
    rf"^reset\s+(?:sets|forces|initiali[sz]es)\s+(\w+)\s+to\s+({NUMBER})$", re.I
)
_AND = re.compile(r"\s*(?:,\s*and|,|\band\b|&&)\s*", re.I)


@dataclass(frozen=True, slots=True)
class Claim:
    """Under these inputs (bits by name) these outputs; `copies` maps an output to an input.

    `in_reset` says that the reset is asserted.
    """

    inputs: dict[str, str] = field(default_factory=dict)
    outputs: dict[str, str] = field(default_factory=dict)
    copies: dict[str, str] = field(default_factory=dict)
    in_reset: bool = False


@dataclass(frozen=True, slots=True)
class Ports:
    """The ports of a design by role; widths are known numbers."""

    inputs: dict[str, int]
    outputs: dict[str, int]
    clocking: Clocking

    @classmethod
    def of(cls, interface: Interface, clocking: Clocking) -> Ports | None:
        """None unless every port is an input or output of a known width."""
        hidden = {clocking.clock, clocking.reset}
        ins, outs = interface.inputs(), interface.outputs()
        if not outs or len(ins) + len(outs) != len(interface.ports) or interface.parameters:
            return None
        if any(not isinstance(p.width, int) for p in interface.ports):
            return None
        return cls(
            {p.name: _width(p) for p in ins if p.name not in hidden},
            {p.name: _width(p) for p in outs},
            clocking,
        )


def _width(port: Port) -> int:
    return port.width if isinstance(port.width, int) else 1


def match(sentence: str, ports: Ports) -> Claim | None:
    """What `sentence` claims; None when it has none of the forms, or names what is no port."""
    text = _LEAD.sub("", sentence).strip().rstrip(".,:")
    text = re.sub(r"\s*\((?:active[- ](?:low|high)|low|high)\)", "", text)
    claim = _reset(text, ports)
    if claim is not None or ports.clocking.clock is not None:
        return claim
    return _conditional(text, ports) or _sum(text, ports)


def _reset(text: str, ports: Ports) -> Claim | None:
    """What holds in reset; of what holds after it, only that something is 0, as in it."""
    if ports.clocking.clock is None or ports.clocking.reset is None:
        return None
    zero_only, rest = False, ""
    if found := _RESET_SETS.match(text):
        rest = f"{found[1]} is {found[2]}"
    elif found := _IN_RESET.match(text):
        rest = found[1]
    elif found := _AFTER_RESET.match(text):
        zero_only, rest = True, found[1]
    elif found := _RESET_LAST.match(text):
        zero_only, rest = found[2].lower() == "after", found[1]
    outputs = _settings(rest, ports.outputs, ports)
    if not outputs or (zero_only and any("1" in value for value in outputs.values())):
        return None
    return Claim(outputs=outputs, in_reset=True)


def _conditional(text: str, ports: Ports) -> Claim | None:
    found = _WHEN_OPEN.match(text) or _WHEN.match(text) or _GIVEN.match(text)
    if found:
        before, after = found[1], found[2]
    elif found := _ENDS_WHEN.match(text):
        before, after = found[2], found[1]
    else:
        return None
    inputs = _settings(before, ports.inputs, ports)
    if not inputs:
        return None
    outputs = _settings(after, ports.outputs, ports)
    if outputs:
        return Claim(inputs, outputs)
    copied = _COPY.match(after)
    if copied is None:
        return None
    output, source = _output(copied[1], ports), copied[2]
    if output is None or source in inputs or source not in ports.inputs:
        return None
    same = ports.inputs[source] == ports.outputs[output]
    return Claim(inputs, copies={output: source}) if same else None


def _settings(text: str, known: dict[str, int], ports: Ports) -> dict[str, str] | None:
    """`a = 3, b is 5` as bits by name; None unless all of it is of that form, each name once."""
    found: dict[str, str] = {}
    for part in _AND.split(text.strip()):
        one = _SET.match(part.strip())
        if one is None:
            return None
        name = one[1] if known is ports.inputs else _output(one[1], ports)
        if name is None or name not in known or name in found:
            return None
        value = bits(one[2], known[name])
        if value is None:
            return None
        found[name] = value
    return found


def _output(word: str, ports: Ports) -> str | None:
    """The output that `word` names; `output` itself where there is only one."""
    if word in ports.outputs:
        return word
    only = next(iter(ports.outputs)) if len(ports.outputs) == 1 else None
    return only if word.lower() in {"output", "result"} else None


def _sum(text: str, ports: Ports) -> Claim | None:
    """`3 + 5 gives 8`, of two inputs that may be exchanged and one output."""
    found = _GIVEN.match(text)
    pair = _SUM.match(found[1].strip()) if found else None
    if found is None or pair is None or len(ports.inputs) != 2 or len(ports.outputs) != 1:
        return None
    (one, wide), (other, wide_too) = ports.inputs.items()
    (output, out_width) = next(iter(ports.outputs.items()))
    named = _SET.match(found[2].strip())
    if named and named[1] != output:
        return None
    told = named[2] if named else found[2].strip()
    if not re.fullmatch(NUMBER, told):
        return None
    values = bits(pair[1], wide), bits(pair[3], wide_too), bits(told, out_width)
    if wide != wide_too or values[0] is None or values[1] is None or values[2] is None:
        return None
    return Claim({one: values[0], other: values[1]}, {output: values[2]})
