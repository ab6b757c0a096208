"""Sentences about clock and reset."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import random

    from .design import Design

__all__ = ["clock_sentences"]

_CLOCK = (
    "Everything is clocked by the rising edge of {c}.",
    "All registers update on the positive edge of `{c}`.",
    "Clock: {c}, rising edge.",
    "State changes on posedge {c}.",
    "It runs from clock {c}.",
    "",
    "",
)
_RESET = (
    "{r} is an active-{level} {kind} reset.",
    "Reset `{r}` is {kind} and active {level}.",
    "An active {level}, {kind} reset named {r} clears the state.",
    "{kind} reset: {r}, active {level}.",
    "The {kind} active-{level} reset is `{r}`.",
    "When {r} is {bit} the block is reset ({kind}).",
)
_SYNC = ("synchronous", "synchronous", "sync")
_ASYNC = ("asynchronous", "asynchronous", "async")


def clock_sentences(design: Design, rng: random.Random) -> list[str]:
    """How a text tells of clock and reset; empty for combinational designs."""
    if design.clock is None:
        return [rng.choice(("Purely combinational.", "No clock.", "Combinational logic.", "", ""))]
    out = [rng.choice(_CLOCK).format(c=design.clock)]
    if design.reset:
        level = "low" if design.reset_active_low else "high"
        kind = rng.choice(_ASYNC if design.reset_kind == "async" else _SYNC)
        text = rng.choice(_RESET).format(
            r=design.reset, level=level, kind=kind, bit="0" if design.reset_active_low else "1"
        )
        out.append(text[0].upper() + text[1:] if not text.startswith(design.reset) else text)
    return out
