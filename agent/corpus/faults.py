"""Faults as drafts have them: put into a correct module body, one at a time, by seed."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import random
    from collections.abc import Callable

__all__ = ["inject_fault"]

_SWAPS = (
    (" + ", " - "),
    (" - ", " + "),
    (" && ", " || "),
    (" || ", " && "),
    (" & ", " | "),
    (" | ", " & "),
    (" ^ ", " & "),
    (" == ", " != "),
    (" < ", " <= "),
    (" >= ", " > "),
    (" > ", " >= "),
    (" << ", " >> "),
    (" >> ", " << "),
    ("if (!", "if ("),
)
_CONSTANT = re.compile(r"(\d+)'d(\d+)")
_DECLARATION = re.compile(r"^ {4}(?:reg|wire|integer|localparam)\b[^;\n]*;\n", re.MULTILINE)
_STATEMENT = re.compile(r"^ +[A-Za-z_]\w*(?:\[[^\]\n]*\])? <?= [^;\n]*;\n", re.MULTILINE)


def _swap_operator(body: str, rng: random.Random) -> str:
    options = [(old, new) for old, new in _SWAPS if old in body]
    if not options:
        return body
    old, new = rng.choice(options)
    places = [m.start() for m in re.finditer(re.escape(old), body)]
    at = rng.choice(places)
    return body[:at] + new + body[at + len(old) :]


def _change_constant(body: str, rng: random.Random) -> str:
    found = list(_CONSTANT.finditer(body))
    if not found:
        return body
    match = rng.choice(found)
    width, value = int(match[1]), int(match[2])
    changed = (value + rng.choice((1, -1))) % (1 << min(width, 16))
    return f"{body[: match.start()]}{width}'d{changed}{body[match.end() :]}"


def _drop(pattern: re.Pattern[str]) -> Callable[[str, random.Random], str]:
    def drop(body: str, rng: random.Random) -> str:
        found = list(pattern.finditer(body))
        if not found:
            return body
        match = rng.choice(found)
        return body[: match.start()] + body[match.end() :]

    return drop


def _drop_text(text: str) -> Callable[[str, random.Random], str]:
    def drop(body: str, rng: random.Random) -> str:
        places = [m.start() for m in re.finditer(re.escape(text), body)]
        if not places:
            return body
        at = rng.choice(places)
        return body[:at] + body[at + len(text) :]

    return drop


def _misspell(body: str, rng: random.Random) -> str:
    names: list[str] = re.findall(r"\b([a-z]\w{3,})\b(?= <?= )", body)
    if not names:
        return body
    name = rng.choice(names)
    places = [m.start() for m in re.finditer(rf"\b{name}\b", body)]
    at = rng.choice(places)
    return body[:at] + name[:-1] + body[at + len(name) :]


_FAULTS: tuple[Callable[[str, random.Random], str], ...] = (
    _swap_operator,
    _swap_operator,
    _change_constant,
    _change_constant,
    _drop(_STATEMENT),
    _drop(_DECLARATION),
    _drop_text(";"),
    _drop_text("end\n"),
    _misspell,
)


def inject_fault(body: str, rng: random.Random) -> str:
    """`body` with one fault; equal to `body` where the drawn fault has no place in it."""
    return rng.choice(_FAULTS)(body, rng)
