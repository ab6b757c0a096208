"""Instances and cells of hierarchical designs."""

from __future__ import annotations

from ..build import ClockReset, indent

__all__ = ["cell_module", "clock_pins", "inner_clock", "instance", "place"]


def cell_module(name: str, ins: tuple[str, ...], outs: tuple[str, ...], *lines: str) -> str:
    """A small helper module of one-bit ports."""
    ports = ",\n".join([*(f"    input {i}" for i in ins), *(f"    output {o}" for o in outs)])
    return f"module {name} (\n{ports}\n);\n{indent(chr(10).join(lines))}\nendmodule\n"


def instance(cell: str, name: str, pairs: list[tuple[str, str]]) -> str:
    """An instance on one line; `pairs` are port and wire."""
    return f"{cell} {name} ({', '.join(f'.{p}({w})' for p, w in pairs)});"


def inner_clock(cr: ClockReset) -> ClockReset:
    """The same kind of clock and reset under the usual names, for a submodule."""
    reset = None if cr.reset is None else "rst_n" if cr.active_low else "rst"
    return ClockReset("clk", reset, cr.kind, cr.active_low)


def clock_pins(cr: ClockReset) -> list[str]:
    """Connections of an inner clock and reset to the outer ones."""
    inner = inner_clock(cr)
    pairs = [f".clk({cr.clock})"]
    if cr.reset:
        pairs.append(f".{inner.reset}({cr.reset})")
    return pairs


def place(cell: str, name: str, pairs: list[str]) -> str:
    """An instance from finished pins, on one line where they fit."""
    if sum(map(len, pairs)) < 70:
        return f"{cell} {name} ({', '.join(pairs)});"
    return f"{cell} {name} (\n    " + ",\n    ".join(pairs) + "\n);"
