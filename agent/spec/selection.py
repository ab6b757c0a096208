"""Which of the statements about ports count: exact ones make looser ones void."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from rtl_agent.tools.interface import Direction

from .findings import FoundPort, Source, Weight
from .prose import role_of

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Sequence

__all__ = ["select"]


def select(
    ports: Sequence[FoundPort], mentioned: Collection[str]
) -> tuple[list[FoundPort], list[str]]:
    """The statements that count, in the order of the text, and notes on what was left out.

    `mentioned` are identifiers in the text; where ports are told only in passing, one that is
    none of them shows that the reading is incomplete.
    """
    ports = _with_lists(ports)
    header = [p for p in ports if p.source is Source.HEADER]
    if _complete(header):
        names = {p.name for p in header}
        laid_out = (p for p in ports if p.source < Source.PROSE)
        return _in_order(p for p in laid_out if p.name in names), []
    exact = [p for p in ports if p.source < Source.PROSE and p.weight is Weight.LISTED]
    prose = [p for p in ports if p.source is Source.PROSE]
    if _complete(exact):
        return _in_order([*exact, *_roles(prose, exact)]), []
    listed = [*exact, *(p for p in prose if p.weight is Weight.LISTED)]
    if _complete(listed):
        said = [p for p in prose if p.weight is Weight.INTRODUCED and p.sure]
        chosen = {id(p) for p in (*listed, *said, *_roles(prose, listed))}
        return _in_order(p for p in ports if id(p) in chosen), []
    stray = [p for p in ports if p.source < Source.PROSE and p not in exact]
    return _told_in_passing([*exact, *stray, *prose], mentioned)


def _with_lists(ports: Sequence[FoundPort]) -> list[FoundPort]:
    """`ports`, where items of a list outside any section count when two or more stand together.

    They count only where no section of ports is complete in itself.
    """
    sections = [p for p in ports if p.source < Source.PROSE and p.weight is Weight.LISTED]
    if _complete(sections):
        return list(ports)
    lines = {p.line for p in ports if p.source is Source.LIST}
    return [
        replace(p, weight=Weight.LISTED)
        if p.source is Source.LIST and any(p.line + d in lines for d in (-2, -1, 1, 2))
        else p
        for p in ports
    ]


def _complete(ports: Sequence[FoundPort]) -> bool:
    kinds = {p.direction for p in ports}
    return Direction.INPUT in kinds and Direction.OUTPUT in kinds


def _in_order(ports: Iterable[FoundPort]) -> list[FoundPort]:
    """As written: by line; within a line `ports` must already be in order."""
    return sorted(ports, key=lambda p: p.line)


def _roles(ports: Sequence[FoundPort], others: Sequence[FoundPort]) -> list[FoundPort]:
    """Clock and reset among `ports`, unless `others` have theirs."""
    have = {role_of(p.name) for p in others if p.direction is Direction.INPUT}
    names = {p.name for p in others}
    return [
        p
        for p in ports
        if p.weight is Weight.ROLE
        and p.direction is Direction.INPUT
        and role_of(p.name)
        and role_of(p.name) not in have
        and p.name not in names
    ]


def _told_in_passing(
    ports: Sequence[FoundPort], mentioned: Collection[str]
) -> tuple[list[FoundPort], list[str]]:
    """Ports told in passing: kept only where they account for every signal the text names."""
    names = list(dict.fromkeys(p.name for p in ports))
    if not names:
        return [], []
    firm = {p.name for p in ports if p.weight > Weight.HINTED}
    left = sorted((set(mentioned) | set(names)) - firm)
    if not _complete(ports):
        note = f"only {', '.join(names)} could be read as ports"
    elif left:
        kept = ", ".join(n for n in names if n in firm)
        note = f"the text names {', '.join(left)} without saying what they are"
        note += f"; ports told in passing ({kept}) were left out" if kept else ""
    else:
        return _in_order(ports), []
    return [], [note]
