"""Puts what was found together: one interface a module, contradictions found, doubts noted."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from rtl_agent.agent.errors import SpecError
from rtl_agent.tools.interface import Interface, Parameter, Port

from .findings import Findings, FoundPort, Source, Weight
from .keywords import LANGUAGES, is_reserved
from .selection import select

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence

__all__ = ["Assembly"]


@dataclass(frozen=True, slots=True)
class Assembly:
    """Makes interfaces from the findings of one spec; notes go into `found.notes`.

    `top` owns what was said of no module by name; `name` stands for the file in messages.
    """

    found: Findings
    top: str
    language: str
    name: str

    def interface(self, module: str, *, mentioned: Collection[str] = ()) -> Interface:
        """The interface of `module`.

        Raises:
            SpecError: A port declared twice with different meaning, a reserved word as a port
                name, or a width below one.
        """
        notes = self.found.notes
        parameters = tuple(p for p, m in self.found.parameters if (m or self.top) == module)
        of_module = [p for p in self.found.ports if (p.module or self.top) == module]
        laid_out = {p.name for p in of_module if p.source < Source.PROSE}
        parameters = tuple(p for p in parameters if p.name not in laid_out)
        generic = {p.name for p in parameters}
        chosen, more = select(of_module, set(mentioned) - generic)
        notes.extend(more)
        ports = [self._port(p) for p in self._merge(chosen)]
        kept = tuple(p for p in ports if p and p.name not in generic)
        notes.extend(_unknown_widths(kept, parameters))
        return Interface(module, kept, parameters)

    def _merge(self, ports: Sequence[FoundPort]) -> list[FoundPort]:
        """One entry a name, the most exact source first; a firm contradiction is an error."""
        merged: dict[str, FoundPort] = {}
        for port in ports:
            old = merged.get(port.name)
            if old is not None:
                self._compare(old, port)
            merged[port.name] = port if old is None else _join(old, port)
        return list(merged.values())

    def _compare(self, old: FoundPort, new: FoundPort) -> None:
        clash = _clash(old, new)
        laid_out = max(old.source, new.source) < Source.PROSE
        listed = min(old.weight, new.weight) is Weight.LISTED
        if clash and laid_out and listed and old.sure and new.sure:
            raise SpecError(
                f"{self.name}:{new.line}: port {new.name} is declared twice: {clash}",
                remedy="Make the two agree, or remove one.",
            )
        if clash and new.weight is Weight.LISTED:
            self.found.notes.append(f"port {new.name}: {clash}; the first was taken")

    def _port(self, port: FoundPort) -> Port | None:
        in_prose = port.source is Source.PROSE
        if is_reserved(port.name, self.language):
            if in_prose:
                return None
            raise SpecError(
                f"{self.name}:{port.line}: {port.name!r} is a reserved word of {self.language} "
                "and cannot name a port",
                remedy="Choose another name for this port.",
            )
        width = 1 if port.width is None else port.width
        if isinstance(width, int) and width < 1:
            raise SpecError(
                f"{self.name}:{port.line}: port {port.name} has a width of {width} bits",
                remedy="A width is at least one bit.",
            )
        if not port.sure and not in_prose:
            self.found.notes.append(
                f"line {port.line}: port {port.name} was read as {port.direction}, "
                f"{_width(width)}; the text leaves room"
            )
        inferred = in_prose or not port.sure
        return Port(port.direction, port.name, width, port.signed, inferred, port.description)


def _width(width: int | str) -> str:
    if isinstance(width, str):
        return width
    return "1 bit" if width == 1 else f"{width} bits"


def _clash(a: FoundPort, b: FoundPort) -> str:
    """How two statements about one port contradict each other; empty when they do not."""
    if a.direction is not b.direction:
        return f"{a.direction} on line {a.line} and {b.direction} on line {b.line}"
    comparable = a.width is not None and type(a.width) is type(b.width)
    if comparable and a.width != b.width and a.width is not None and b.width is not None:
        return f"{_width(a.width)} on line {a.line} and {_width(b.width)} on line {b.line}"
    return ""


def _join(old: FoundPort, new: FoundPort) -> FoundPort:
    better, other = (old, new) if old.source <= new.source else (new, old)
    return replace(
        better,
        width=other.width if better.width is None else better.width,
        signed=better.signed or other.signed,
        description=better.description or other.description,
    )


def _unknown_widths(ports: Sequence[Port], parameters: Sequence[Parameter]) -> list[str]:
    """Notes on parameters that a width uses and the spec gives no default for."""
    known = {p.name for p in parameters}
    return [
        f"the width of {port.name} uses {word}, which has no default in the spec"
        for port in ports
        if isinstance(port.width, str)
        for word in re.findall(r"(?<![\w$'])[A-Za-z_]\w*", port.width)
        if word not in known and not is_reserved(word, LANGUAGES[1])
    ]
