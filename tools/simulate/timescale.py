"""Time unit and precision of a simulation."""

from __future__ import annotations

import re

__all__ = ["DEFAULT_TIMESCALE", "nanoseconds", "split_timescale"]

DEFAULT_TIMESCALE = "1ns/1ps"
_EXPONENTS = {"s": 9, "ms": 6, "us": 3, "ns": 0, "ps": -3, "fs": -6}
_PART = re.compile(r"^(10{0,2})(s|ms|us|ns|ps|fs)$")


def split_timescale(timescale: str) -> tuple[str, str]:
    """Split `1ns/1ps` into unit and precision.

    Raises:
        ValueError: Not a timescale as Verilog writes it.
    """
    unit, slash, precision = timescale.replace(" ", "").partition("/")
    if not slash or not _PART.match(unit) or not _PART.match(precision):
        raise ValueError(f"not a timescale: {timescale!r} (expected the form 1ns/1ps)")
    return unit, precision


def nanoseconds(timescale: str) -> float:
    """The time unit of a timescale, in ns."""
    match = _PART.match(split_timescale(timescale)[0])
    assert match is not None
    return float(int(match[1]) * 10.0 ** _EXPONENTS[match[2]])
