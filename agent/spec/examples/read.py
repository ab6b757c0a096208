"""From the text of a spec to a table of vectors, and to what was left unread."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from rtl_agent.tools.checks.types import CheckKind, CheckSource

from .match import Claim, Ports, match
from .sentences import Sentence, doubt, sentences

if TYPE_CHECKING:
    from collections.abc import Sequence

    from rtl_agent.tools.clocking import Clocking
    from rtl_agent.tools.interface import Interface

__all__ = ["Examples", "read_examples"]

NAME = "examples in the text"
_MARKED = re.compile(r"\b(?:e\.g\.?|for example|for instance|example)\b", re.IGNORECASE)
_VALUED = re.compile(r"\d")
_CONDITION = re.compile(r"\b(?:when|if|while|unless|until|only)\b([^,.;]*)", re.IGNORECASE)
_CONTROL = re.compile(
    r"^(?:n?(?:en|ena|enable|oe|ce|cs|rst|reset|clr|clear|load|valid|cin|mode|start))\w*$", re.I
)
_MOST = 64  # claims of one spec
_WIDEST = 24
_RESET_ROWS = 4  # cycles in reset; outputs behind a few registers follow later


@dataclass(frozen=True, slots=True)
class Examples:
    """`check` is a table of vectors (None: nothing could be read); `read` the sentences in it.

    `unread` are sentences that look like examples and were left alone, each with why.
    """

    check: CheckSource | None = None
    read: tuple[str, ...] = ()
    unread: tuple[str, ...] = ()

    @property
    def notes(self) -> tuple[str, ...]:
        """What a user should know of it, in sentences."""
        read = "; ".join(self.read)
        found = [f"examples in the text that are checked: {read}"] if read else []
        return (*found, *(f"example not read: {line}" for line in self.unread))


def read_examples(text: str, interface: Interface, clocking: Clocking, name: str) -> Examples:
    """Read the examples in `text`, prose of the spec `name`, about a design with `interface`.

    Nothing is guessed: ports, widths, clock and reset have to be known, values have to fit, and
    where inputs that a sentence does not name decide as well, it is left alone.
    """
    ports = Ports.of(interface, clocking)
    claims: list[tuple[Sentence, Claim]] = []
    unread: list[str] = []
    conditions = " ".join(_CONDITION.findall(text))
    for sentence in sentences(text):
        why = doubt(sentence.text)
        claim = match(sentence.text, ports) if ports and not why else None
        if claim is not None and ports is not None and len(claims) < _MOST:
            why = _others(claim, ports, conditions)
            if not why:
                claims.append((sentence, claim))
                continue
        if _MARKED.search(sentence.text) and _VALUED.search(sentence.text):
            unread.append(f"line {sentence.line}: {why or 'it has no form that is understood'}")
    clashing = _clashing([claim for _, claim in claims])
    unread += [
        f"line {claims[i][0].line}: another example contradicts it" for i in sorted(clashing)
    ]
    kept = [pair for i, pair in enumerate(claims) if i not in clashing]
    if ports is None or not kept:
        return Examples(unread=tuple(unread))
    table = _table([claim for _, claim in kept], ports)
    check = CheckSource(CheckKind.VECTORS, NAME, table, f"{name}:{kept[0][0].line}")
    return Examples(check, tuple(sentence.text for sentence, _ in kept), tuple(unread))


def _others(claim: Claim, ports: Ports, conditions: str) -> str:
    """Why inputs that the claim leaves open may matter; empty when they do not."""
    if claim.in_reset:
        return ""
    named = {*claim.inputs, *claim.copies.values()}
    for name, width in ports.inputs.items():
        if name in named:
            continue
        if not claim.copies:
            return f"it leaves {name} open"
        if _CONTROL.match(name) or width > _WIDEST or re.search(rf"\b{name}\b", conditions):
            return f"{name} may matter as well"
    return ""


def _clashing(claims: Sequence[Claim]) -> set[int]:
    """Numbers of claims that another one contradicts under inputs that both allow."""
    found: set[int] = set()
    for i, one in enumerate(claims):
        for j, other in enumerate(claims[:i]):
            both = one.inputs.keys() & other.inputs.keys()
            apart = one.in_reset != other.in_reset or any(
                one.inputs[n] != other.inputs[n] for n in both
            )
            if not apart and _differ(one, other):
                found |= {i, j}
    return found


def _differ(one: Claim, other: Claim) -> bool:
    for name in {*one.outputs, *one.copies} & {*other.outputs, *other.copies}:
        same = one.outputs.get(name) == other.outputs.get(name)
        if not same or one.copies.get(name) != other.copies.get(name):
            return True
    return False


def _table(claims: Sequence[Claim], ports: Ports) -> str:
    """A CSV table with a row for each claim, two for what is copied and a few for a reset."""
    reset = ports.clocking.reset if any(claim.in_reset for claim in claims) else None
    columns = [*([reset] if reset else []), *ports.inputs, *ports.outputs]
    active = "0" if ports.clocking.reset_active_low else "1"
    rows: list[str] = []
    for claim in claims:
        for values in _rows(claim, ports):
            if reset:
                values[reset] = active
            rows.append(",".join(_cell(values.get(name, "x")) for name in columns))
    return "\n".join([",".join(columns), *rows]) + "\n"


def _rows(claim: Claim, ports: Ports) -> list[dict[str, str]]:
    fixed = {**claim.inputs, **claim.outputs}
    if claim.in_reset:
        return [dict(claim.inputs) for _ in range(_RESET_ROWS - 1)] + [fixed]
    if not claim.copies:
        return [fixed]
    rows = []
    for turn in (0, 1):
        row = dict(fixed)
        for name, width in ports.inputs.items():
            row.setdefault(name, _pattern(width, turn ^ (name not in claim.copies.values())))
        rows.append(row | {output: row[source] for output, source in claim.copies.items()})
    return rows


def _pattern(width: int, turn: int) -> str:
    """Bits that change with every turn, so that no other input has those of the copied one."""
    return "".join(str((bit + turn) % 2) for bit in range(width))


def _cell(value: str) -> str:
    return value if value == "x" else f"0b{value}"
