"""Puts a retrieved design into the names and widths of the task.

A small model copies well and translates badly. When the exemplar's `clk_i, ce, cnt` are renamed to
the task's `clk, en, q` before the model sees them, what is left to do is the difference in
behaviour. The pairing is by direction, role, name, width and position; a wrong pairing costs
quality and never correctness: the checks judge the result.
"""

from __future__ import annotations

import re
from dataclasses import replace
from functools import lru_cache
from typing import TYPE_CHECKING

from rtl_agent.tools.clocking import Clocking, infer_clocking

from .resize import resize, resize_prose, width_map
from .verilog_text import identifiers, rename, top_span
from .words import port_words, search_words

if TYPE_CHECKING:
    from collections.abc import Mapping

    from rtl_agent.tools.interface import Interface, Port

    from .types import Exemplar

__all__ = ["align", "interface_similarity", "pair_parameters", "pair_ports", "pairs_fully"]

_CLOCK_MATCH = 10.0
_NEVER = float("-inf")
# Port names that are also small words: in prose they are left as they are.
_SIZED_BY = re.compile(r"\[?\s*(?P<name>[A-Za-z_]\w*)\s*-\s*1\s*:\s*0\s*\]?")
_WORDS_NOT_NAMES = frozenset("a i in out up down is on by at it or and to of".split())


def _score(a: Port, b: Port, ca: Clocking, cb: Clocking, place: float) -> float:
    """How well port `a` stands for port `b`; `place` is their relative distance in order, 0..1."""
    if a.direction is not b.direction:
        return _NEVER
    for mine, other in ((ca.clock, cb.clock), (ca.reset, cb.reset)):
        if (a.name == mine) != (b.name == other):
            return _NEVER
        if a.name == mine:
            return _CLOCK_MATCH if ca.reset_active_low == cb.reset_active_low else _CLOCK_MATCH / 8
    score = 0.6 * (1 - place)
    if a.name == b.name:
        score += 5
    mine_words, other_words = set(port_words(a.name)), set(port_words(b.name))
    score += 3 * len(mine_words & other_words) / max(len(mine_words | other_words), 1)
    shared = set(search_words(a.description)) & set(search_words(b.description))
    score += min(len(shared), 3) * 0.8
    if a.width == b.width:
        score += 1.5
    elif (a.width == 1) != (b.width == 1):
        score -= 1.5
    return score


def pair_ports(mine: Interface, other: Interface) -> dict[str, str]:
    """Pair ports of `mine` with ports of `other`, best pairs first, each used once."""
    return dict(_paired(mine, other))


@lru_cache(maxsize=1 << 10)  # every design that is looked at is paired several times
def _paired(mine: Interface, other: Interface) -> tuple[tuple[str, str], ...]:
    ca, cb = infer_clocking(mine), infer_clocking(other)
    scored = []
    for i, a in enumerate(mine.ports):
        for j, b in enumerate(other.ports):
            place = abs(i / max(len(mine.ports), 1) - j / max(len(other.ports), 1))
            value = _score(a, b, ca, cb, place)
            if value > -1:
                scored.append((value, -i, -j, a.name, b.name))
    pairs: dict[str, str] = {}
    taken: set[str] = set()
    for *_, a_name, b_name in sorted(scored, reverse=True):
        if a_name not in pairs and b_name not in taken:
            pairs[a_name] = b_name
            taken.add(b_name)
    return tuple(pairs.items())


def pairs_fully(mine: Interface, other: Interface) -> bool:
    """Whether every port of either has its partner."""
    return len(pair_ports(mine, other)) == len(mine.ports) == len(other.ports) > 0


def pair_parameters(mine: Interface, other: Interface, ports: Mapping[str, str]) -> dict[str, str]:
    """Which parameter of `other` each of `mine` is: that which sizes the partner of its port.

    `ports` are the pairs of ports. A parameter that sizes none is paired where only one is left.
    """
    pairs: dict[str, str] = {}
    for port in mine.ports:
        partner = other.port(ports.get(port.name, ""))
        here = _SIZED_BY.fullmatch(str(port.width))
        there = _SIZED_BY.fullmatch(str(partner.width)) if partner else None
        if here and there and there["name"] not in pairs.values():
            pairs.setdefault(here["name"], there["name"])
    left = [p.name for p in mine.parameters if p.name not in pairs]
    free = [p.name for p in other.parameters if p.name not in pairs.values()]
    if len(left) == len(free) == 1:
        pairs[left[0]] = free[0]
    return pairs


def interface_similarity(mine: Interface, other: Interface) -> float:
    """Likeness of two interfaces, 0 to 1: share of ports that pair, weighted by how well."""
    if not mine.ports or not other.ports:
        return 0.0
    ca, cb = infer_clocking(mine), infer_clocking(other)
    total = 0.0
    for a_name, b_name in pair_ports(mine, other).items():
        a, b = mine.port(a_name), other.port(b_name)
        if a and b:
            total += min(1.0, max(0.0, 0.25 + _score(a, b, ca, cb, 0.0) / 5))
    return total / max(len(mine.ports), len(other.ports))


def _names(exemplar: Exemplar, top: str, target: Interface) -> dict[str, str]:
    """The renaming that moves `exemplar` into the names of `target`, without collisions."""
    names = {exemplar.interface.module: target.module}
    ports = pair_ports(exemplar.interface, target)
    names |= pair_parameters(exemplar.interface, target, ports) | ports
    wanted = set(names.values()) | {p.name for p in target.ports}
    for name in sorted(identifiers(top)):
        if name in wanted and name not in names:
            names[name] = f"{name}_x"
    return names


def _rename_prose(text: str, names: Mapping[str, str]) -> str:
    clear = [name for name in names if name.lower() not in _WORDS_NOT_NAMES]
    if not clear:
        return text
    pattern = re.compile(r"\b(" + "|".join(map(re.escape, clear)) + r")\b")
    return pattern.sub(lambda m: names[m[1]], text)


def align(exemplar: Exemplar, target: Interface) -> Exemplar:
    """`exemplar` with its module and ports renamed and resized to those of `target`.

    An exemplar port without a partner keeps its name; any of its names that would clash with a
    port of the target gets the suffix `_x`.
    """
    mine = exemplar.interface
    start, end = top_span(exemplar.rtl, mine.module)
    top = exemplar.rtl[start:end]
    names = _names(exemplar, top, target)
    partners = [(p, target.port(names.get(p.name, ""))) for p in mine.ports]
    widths = width_map((p, other) for p, other in partners if other)
    defaults = {p.name: p.default for p in target.parameters}
    parameters = tuple(
        replace(p, name=names.get(p.name, p.name), default=defaults[names[p.name]])
        if names.get(p.name) in defaults
        else p
        for p in mine.parameters
    )
    ports = tuple(
        replace(p, name=names.get(p.name, p.name), width=other.width if other else p.width)
        for p, other in partners
    )
    # Prose gets only the ports' names: "count" as a word may also be a signal's name.
    told = [*(p.name for p in mine.ports), *(p.name for p in mine.parameters)]
    spoken = {name: names[name] for name in told if name in names}
    # Only the top module: named connections of its instances must go on fitting the others.
    rtl = exemplar.rtl[:start] + rename(top, names) + exemplar.rtl[end:]
    return replace(
        exemplar,
        rtl=resize(rtl, widths),
        spec=resize_prose(_rename_prose(exemplar.spec, spoken), widths),
        interface=replace(mine, module=target.module, ports=ports, parameters=parameters),
    )
