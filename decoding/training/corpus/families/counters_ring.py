"""Ring and Johnson counters."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..registry import family
from ._phrases import facts, says_hold
from ._seq import Draft, Machine, Outputs, State

if TYPE_CHECKING:
    import random
    from collections.abc import Mapping

    from ..design import Design

__all__: list[str] = []

_EN = ("en", "enable", "ce", "cnt_en", "advance", "tick", "step")
_CLR = ("clr", "clear", "sclr", "sync_clr", "restart")


@family("ring_counter")
def ring_counter(rng: random.Random) -> Design:
    """One-hot ring or Johnson counter."""
    johnson = rng.random() < 0.5
    names = (
        "johnson_counter twisted_ring moebius_counter johnson creeping_counter"
        if johnson
        else "ring_counter onehot_counter ring one_hot_ring phase_ring"
    )
    d = Draft(rng, "counters", names)
    w = d.bus(rng.choice((3, 4, 4, 5, 6, 8, 8)))
    width = w.width
    right = rng.random() < 0.4
    en = d.maybe(0.6, "shift enable", *_EN)
    out, q = d.registered(
        "ring state", ("q", "ring", "state", "phase", "onehot"), ("ring_r", "sr", "taps"), w
    )
    inv = "~" if johnson else ""
    start = 0 if johnson else (1 << (width - 1) if right else 1)
    first = w.zero if johnson else f"{width}'b{start:0{width}b}"
    moved = (
        f"{{{inv}{q}[0], {q}[{width - 1}:1]}}"
        if right
        else f"{{{q}[{width - 2}:0], {inv}{q}[{width - 1}]}}"
    )
    d.update(q, w, first, (en or None, moved))

    def step(s: State, i: Mapping[str, int]) -> Outputs:
        if i.get(en, 1):
            if right:
                s["q"] = s["q"] >> 1 | ((s["q"] & 1) ^ johnson) << (width - 1)
            else:
                s["q"] = (s["q"] << 1 | ((s["q"] >> (width - 1)) ^ johnson)) & w.top
        return {out: s["q"]}

    way = "right (towards bit 0)" if right else "left (towards the top bit)"
    source, sink = (0, width - 1) if right else (width - 1, 0)
    return d.finish(
        "ring_counter",
        {"width": width, "johnson": johnson, "right": right, "enable": bool(en)},
        lambda: Machine({"q": start}, step),
        (
            (
                f"a {width}-bit Johnson counter",
                f"a twisted-ring counter of {width} bits",
                f"a {width}-stage Möbius (Johnson) counter",
                f"a {width} bit switch-tail ring counter",
            )
            if johnson
            else (
                f"a {width}-bit ring counter",
                f"a one-hot rotating counter of {width} bits",
                f"a {width}-stage ring counter",
                f"a circulating one-hot register, {width} bits wide",
            )
        ),
        facts(
            (
                f"Each step shifts {out} one place {way}.",
                f"`{out}` moves one position {way} per step.",
                f"The register shifts {way} by one each time.",
            ),
            (
                f"The inverse of bit {source} is shifted into bit {sink}.",
                f"Bit {sink} receives the complement of bit {source}.",
                f"Feedback is inverted: ~{out}[{source}] enters at {out}[{sink}].",
            )
            if johnson
            else (
                f"Bit {source} comes back in at bit {sink}.",
                f"The bit leaving position {source} re-enters at position {sink}.",
                f"It is a rotation: {out}[{source}] goes to {out}[{sink}].",
            ),
            says_hold(en, "the ring")
            or (
                "It moves in every clock cycle.",
                "There is no enable; it shifts on each rising edge.",
                "",
            ),
            None
            if johnson
            else (
                f"Reset sets only bit {start.bit_length() - 1}, the value {start}.",
                f"The reset value is {width}'b{start:0{width}b}.",
                f"After reset bit {start.bit_length() - 1} alone is 1.",
            ),
        ),
    )
