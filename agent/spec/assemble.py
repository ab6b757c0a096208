"""Puts what was found together: one interface a module, contradictions found, doubts noted."""

from __future__ import annotations

import re
from collections.abc import Sequence

from rtl_agent.agent.errors import SpecError
from rtl_agent.tools.interface import Direction, Interface, Parameter, Port

from .findings import Findings, FoundPort, Source
from .keywords import LANGUAGES, is_reserved

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
        if clash and port.sure:
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
        )
    return list(merged.values())


def _complete(ports: Sequence[FoundPort]) -> bool:
    kinds = {p.direction for p in ports}
    return Direction.INPUT in kinds and Direction.OUTPUT in kinds


def _select(ports: list[FoundPort]) -> list[FoundPort]:
    """Which statements count: an exact source that is complete makes the looser ones void."""
    for limit in (Source.HEADER, Source.TABLE, Source.LIST):
        exact = [p for p in ports if p.source <= limit]
        if _complete(exact):
            names = {p.name for p in exact}
            if limit is Source.HEADER:
                return exact
            listed = [p for p in ports if p.source <= Source.LIST]
            extra = [
                p for p in ports if p.source is Source.PROSE and (p.name in names or _firm_role(p))
            ]
            return _in_order(listed + extra)
    return _in_order(ports)


def _firm_role(port: FoundPort) -> bool:
    return port.description in ("clock", "reset") and port.sure


def _in_order(ports: Sequence[FoundPort]) -> list[FoundPort]:
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


def assemble(found: Findings, module: str, top: str, *, language: str, name: str) -> Interface:
    """The interface of `module` from all that was found; appends to `found.notes`.

    Raises:
        SpecError: A port declared twice with different meaning, a reserved word as a port name,
            or a width below one.
    """
    ports = _merge(_select(_of_module(found, module, top)), name, found.notes)
    parameters = tuple(p for p, m in found.parameters if (m or top) == module)
    kept = tuple(p for port in ports if (p := _final(port, language, name, found.notes)))
    kept = tuple(p for p in kept if p.name not in {q.name for q in parameters} and p.name != module)
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
