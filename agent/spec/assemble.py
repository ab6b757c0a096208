"""Puts what was found together: one interface a module, contradictions found, doubts noted."""

from __future__ import annotations

import re

from rtl_agent.agent.errors import SpecError
from rtl_agent.tools.interface import Direction, Interface, Parameter, Port

from .findings import Findings, FoundPort, Source, Weight
from .keywords import LANGUAGES, is_reserved
from .prose import role_of
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence

__all__ = ["assemble"]


def _of_module(found: Findings, module: str, top: str) -> list[FoundPort]:
    return [p for p in found.ports if (p.module or top) == module]


def _clash(a: FoundPort, b: FoundPort) -> str:
    """How two statements about one port contradict each other; empty when they do not."""
    if a.direction is not b.direction:
        return f"{a.direction} on line {a.line} and {b.direction} on line {b.line}"
    if a.width is not None and b.width is not None and a.width != b.width:
        return f"{_width(a.width)} on line {a.line} and {_width(b.width)} on line {b.line}"
    return ""


def _width(width: int | str) -> str:
    if isinstance(width, str):
        return width
    return "1 bit" if width == 1 else f"{width} bits"


def _merge(ports: Sequence[FoundPort], name: str, notes: list[str]) -> list[FoundPort]:
    """One entry a name, the most exact source first; a firm contradiction is an error."""
    merged: dict[str, FoundPort] = {}
    for port in ports:
        old = merged.get(port.name)
        if old is None:
            merged[port.name] = port
            continue
        clash = _clash(old, port)
        firm = max(old.source, port.source) < Source.PROSE and old.sure and port.sure
        if clash and firm:
            raise SpecError(
                f"{name}:{port.line}: port {port.name} is declared twice: {clash}",
                remedy="Make the two agree, or remove one.",
            )
        if clash and port.sure and port.weight is Weight.LISTED:
            notes.append(f"port {port.name}: {clash}; the first was taken")
        elif (
            old.source is port.source
            and old.line != port.line
            and firm
            and old.source is Source.HEADER
        ):
            raise SpecError(
                f"{name}:{port.line}: port {port.name} is declared twice, first on line {old.line}",
                remedy="Remove one of the two.",
            )
        better = old if old.source <= port.source else port
        other = port if better is old else old
        merged[port.name] = FoundPort(
            better.name,
            better.direction,
            better.width if better.width is not None else other.width,
            better.line,
            better.source,
            better.module,
            better.signed or other.signed,
            better.sure,
            better.description or other.description,
            better.weight,
        )
    return list(merged.values())


def _complete(ports: Sequence[FoundPort]) -> bool:
    kinds = {p.direction for p in ports}
    return Direction.INPUT in kinds and Direction.OUTPUT in kinds


def _roles(ports: Sequence[FoundPort], others: Sequence[FoundPort]) -> list[FoundPort]:
    """Clock and reset among `ports`, unless `others` have theirs."""
    have = {role_of(p.name) for p in others}
    names = {p.name for p in others}
    return [
        p
        for p in ports
        if p.weight is Weight.ROLE
        and p.direction is Direction.INPUT
        and role_of(p.name) not in have - {""}
        and role_of(p.name)
        and p.name not in names
    ]


def _select(ports: list[FoundPort], mentioned: set[str], notes: list[str]) -> list[FoundPort]:
    """Which statements count: an exact source that is complete makes the looser ones void."""
    header = [p for p in ports if p.source is Source.HEADER]
    if _complete(header):
        return _in_order([p for p in ports if p.source < Source.PROSE and _names(header, p)])
    exact = [p for p in ports if p.source < Source.PROSE and p.weight is Weight.LISTED]
    if not _complete(exact):  # list items outside any section of ports
        exact = [p for p in ports if p.source < Source.PROSE]
    prose = [p for p in ports if p.source is Source.PROSE]
    if _complete(exact):
        return _in_order(exact + _roles(prose, exact))
    listed = exact + [p for p in prose if p.weight is Weight.LISTED]
    if _complete(listed):
        said = [p for p in prose if p.weight is Weight.INTRODUCED and p.sure]
        chosen = {id(p) for p in (*listed, *said, *_roles(prose, listed))}
        return _in_order([p for p in ports if id(p) in chosen])
    return _from_loose_prose(exact + prose, mentioned, notes)


def _from_loose_prose(
    ports: list[FoundPort], mentioned: set[str], notes: list[str]
) -> list[FoundPort]:
    """Ports told in passing: kept only where they account for every signal the text names."""
    names = list(dict.fromkeys(p.name for p in ports))
    if not names:
        return []
    hinted = {p.name for p in ports if p.weight is Weight.HINTED} - {
        p.name for p in ports if p.weight > Weight.HINTED
    }
    left = sorted((mentioned | hinted) - (set(names) - hinted))
    if _complete(ports) and not left:
        return _in_order(ports)
    if left and _complete(ports):
        notes.append(
            f"the text names {', '.join(left)} without saying what they are; ports that were told "
            f"in passing ({', '.join(n for n in names if n not in hinted)}) were left out, and the interface to the model"
        )
    else:
        notes.append(
            f"only {', '.join(names)} could be read as ports; the interface is left to the model"
        )
    return []


def _names(header: Sequence[FoundPort], port: FoundPort) -> bool:
    return port.source is Source.HEADER or any(p.name == port.name for p in header)


def _in_order(ports: Sequence[FoundPort]) -> list[FoundPort]:
    """As written: by line; within a line `ports` must already be in order."""
    return sorted(ports, key=lambda p: p.line)


def _final(port: FoundPort, language: str, name: str, notes: list[str]) -> Port | None:
    if is_reserved(port.name, language):
        if port.source is Source.PROSE:
            return None
        raise SpecError(
            f"{name}:{port.line}: {port.name!r} is a reserved word of {language} and cannot name a port",
            remedy="Choose another name for this port.",
        )
    if isinstance(port.width, int) and port.width < 1:
        raise SpecError(
            f"{name}:{port.line}: port {port.name} has a width of {port.width} bits",
            remedy="A width is at least one bit.",
        )
    if not port.sure and port.source is not Source.PROSE:
        notes.append(
            f"line {port.line}: port {port.name} was read as {port.direction}, "
            f"{_width(port.width or 1)}; the text leaves room"
        )
    return Port(
        port.direction,
        port.name,
        port.width if port.width is not None else 1,
        port.signed,
        port.source is Source.PROSE or not port.sure,
        port.description,
    )


def assemble(
    found: Findings,
    module: str,
    top: str,
    *,
    language: str,
    name: str,
    mentioned: Collection[str] = (),
) -> Interface:
    """The interface of `module` from all that was found; appends to `found.notes`.

    `mentioned` are identifiers in the text; where ports are told only in passing, one that is
    none of them shows that the reading is incomplete.

    Raises:
        SpecError: A port declared twice with different meaning, a reserved word as a port name,
            or a width below one.
    """
    parameters = tuple(p for p, m in found.parameters if (m or top) == module)
    words = set(mentioned) - {p.name for p in parameters}
    ports = _merge(_select(_of_module(found, module, top), words, found.notes), name, found.notes)
    kept = tuple(p for port in ports if (p := _final(port, language, name, found.notes)))
    kept = tuple(p for p in kept if p.name not in {q.name for q in parameters})
    _check_parameters(kept, parameters, found.notes)
    return Interface(module, kept, parameters)


def _check_parameters(
    ports: Sequence[Port], parameters: Sequence[Parameter], notes: list[str]
) -> None:
    known = {p.name for p in parameters}
    for port in ports:
        if isinstance(port.width, str):
            for word in re.findall(r"(?<![\w$'])[A-Za-z_]\w*", port.width):
                if word not in known and is_reserved(word, LANGUAGES[1]) is False:
                    notes.append(
                        f"the width of {port.name} uses {word}, which has no default in the spec"
                    )
