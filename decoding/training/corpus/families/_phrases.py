"""Facts that many clocked families tell, in several wordings."""

from __future__ import annotations

import itertools
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ..design import Behaviour

__all__ = ["facts", "says_clear", "says_hold", "says_priority"]


def facts(*items: Behaviour | None) -> tuple[Behaviour, ...]:
    """The facts that apply."""
    return tuple(item for item in items if item)


def says_hold(en: str, what: str) -> Behaviour:
    """While `en` is low, `what` ("the count") holds."""
    if not en:
        return ()
    return (
        f"While {en} is low, {what} keeps its value.",
        f"`{en}` low freezes {what}.",
        f"If {en} is 0 then {what} does not change.",
        f"{what[0].upper()}{what[1:]} holds whenever {en} is deasserted.",
        f"{en} is an enable: without it {what} stays as it is.",
    )


def says_clear(clr: str, what: str) -> Behaviour:
    """A high `clr` zeroes `what` at the clock edge."""
    if not clr:
        return ()
    return (
        f"A high {clr} sets {what} to zero on the next clock edge.",
        f"`{clr}` is a synchronous clear of {what}.",
        f"When {clr} = 1, {what} becomes 0 at the clock edge.",
        f"{what[0].upper()}{what[1:]} is synchronously zeroed by {clr}.",
    )


def says_priority(*controls: str) -> Behaviour:
    """The order of the controls that exist, highest first; nothing to say for fewer than two."""
    kept = [name for name in controls if name]
    if len(kept) < 2:
        return ()
    wins = ", ".join(f"{a} overrides {b}" for a, b in itertools.pairwise(kept))
    return (
        f"Priority from highest to lowest: {', '.join(kept)}.",
        f"If several are high at once, {wins}.",
        f"`{kept[0]}` has the highest priority, then {', then '.join(kept[1:])}.",
        f"Precedence: {' > '.join(kept)}.",
    )
