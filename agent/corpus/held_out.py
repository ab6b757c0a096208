"""Designs the corpus must not contain, and the families kept for measuring alone.

An entry of `HELD_OUT` names a family and the parameters that make a design the same function as an
example of the repository; a corpus design that has all of them is dropped, whatever its names,
style or wording. A family of `UNSEEN` is drawn from only where it is asked for.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

__all__ = ["HELD_OUT", "UNSEEN", "families_of", "is_held_out"]

HELD_OUT: tuple[tuple[str, Mapping[str, int | str | bool]], ...] = (
    ("mux", {"inputs": 4, "width": 8}),
    ("packed_mux", {"inputs": 4, "width": 8}),
    ("bus_selector", {"sources": 4, "width": 8}),
    ("mux_tree_hier", {"count": 4, "width": 8}),
    ("priority_encoder", {"lines": 8, "msb_first": True}),
    ("up_down_counter", {"width": 8}),
    ("edge_detector", {"kind": "rise", "width": 8}),
    ("sequence_detector", {"pattern": "1011"}),
    ("pwm", {"width": 8}),
    ("counter_compare_hier", {"width": 8, "pwm": True}),
    ("sync_fifo", {"depth": 8, "width": 8}),
    ("uart_tx", {"clocks": 16}),
    ("gray_counter", {"width": 4}),
)

# Families for measuring what a model makes of a kind of design it was never shown: the modules of
# `families_unseen/`. No default draws from them, neither for the library nor for training pairs.
UNSEEN: tuple[str, ...] = (
    "ascii_hex",
    "bit_interleave",
    "byte_lanes",
    "end_around_add",
    "hysteresis_comparator",
    "manchester_encoder",
    "multiply_accumulate",
    "quadrature_counter",
    "round_shift",
    "serial_remainder",
    "sort_network",
    "token_bucket",
)


def families_of(names: Iterable[str], which: str) -> list[str]:
    """Those of `names` that are `seen`, `unseen`, or `all` of them."""
    if which == "all":
        return list(names)
    return [name for name in names if (name in UNSEEN) == (which == "unseen")]


def is_held_out(family: str, params: Mapping[str, int | str | bool]) -> bool:
    """Whether a corpus design is the function of an example."""
    return any(
        family == name and all(params.get(key) == value for key, value in wanted.items())
        for name, wanted in HELD_OUT
    )
